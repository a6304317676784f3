/* SPDX-License-Identifier: BSD-3-Clause */
/* The event model's parameters: planted costs and scales come back, and predict what was not
 * measured; without ping-pong there is a status. */
#include "analysis/models/loggp/loggp_fit.h"

#include <math.h>

#include "analysis/models/model.h"
#include "analysis/models/parameters.h"
#include "tests/analysis/planted.h"
#include "tests/tap.h"

enum { PROCS = 40, SEGMENT = 8192 };

/* Noise-free times: what the walk's fixed point and the regression leave. */
static const double EXACT = 1e-6;

/* 50 us + 1 ns per byte; a send takes 2 us + 0.25 ns per byte, a receive 4 us more. */
static struct loggp_costs costs_new(void)
{
    struct loggp_costs c = { .latency.n = 0 };
    for (int i = 0; i < 10; i++) {
        double m = (double)planted_bytes(i);
        curve_add(&c.latency, m, 50e-6 + 1e-9 * m);
        curve_add(&c.send, m, 2e-6 + 0.25e-9 * m);
        curve_add(&c.receive, m, 6e-6 + 0.25e-9 * m);
    }
    return c;
}

static double truth(const struct point *point, struct loggp_scale scale)
{
    struct loggp_costs costs = costs_new();
    struct loggp_result r = { .operations = 0 };
    struct schedule s;
    struct err err;
    if (equivalent_schedule(NULL, &point->cell, &point->candidate, &s, &err) < 0 ||
        loggp_walk(&s, &costs, (struct loggp_place){ 0 }, scale, &r, &err) < 0)
        r.clock.time = NAN;
    loggp_costs_clear(&costs);
    return r.clock.time;
}

static void add_algorithm(struct points *points, const char *name, uint64_t segment,
                          struct loggp_scale scale)
{
    struct planted once = planted_new(1, 1, 0, 1, 1);
    for (int i = 0; i < 10; i++) {
        struct point time = planted_point(EXP_TIME, name, PROCS, planted_bytes(i), segment, 0, 0);
        struct point gather =
            planted_point(EXP_GATHER, name, PROCS, planted_bytes(i), segment, 0, 1024);
        planted_add(points, &once, &time, truth(&time, scale));
        planted_add(points, &once, &gather, 1);
    }
}

static void add_pingpong(struct points *points)
{
    struct planted once = planted_new(50e-6, 1e-9, 0, 1, 1);
    planted_pingpong_points(points, &once);
}

static void come_back(void)
{
    struct points points = { .n = 0 };
    struct gamma_models gammas = { .n = 0 };
    struct loggp_fits fits;
    const struct loggp_scale plain = { 1, 1 }, other = { 0.8, 1.3 };
    add_pingpong(&points);
    add_algorithm(&points, "portable:basic_linear", 0, plain);
    add_algorithm(&points, "portable:pipeline", SEGMENT, plain);
    add_algorithm(&points, "portable:binary_tree", SEGMENT, other);
    loggp_fit(&points, NULL, &gammas, 0.95, &fits);
    is_int(1, (long long)fits.n_platforms, "one platform");
    const struct loggp_costs *c = &fits.platform[0].costs;
    is_near(50e-6 + 1e-9 * 65536, curve_value(&c->latency, 65536), EXACT, "latency is ping-pong");
    is_near(2e-6 + 0.25e-9 * 65536, curve_value(&c->send, 65536), EXACT,
            "send comes from the linear broadcast");
    is_near(6e-6 + 0.25e-9 * SEGMENT, curve_value(&c->receive, SEGMENT), EXACT,
            "receive comes from the pipeline's interval");

    struct point p = planted_point(EXP_TIME, "portable:binary_tree", 100, 300000, SEGMENT, 0, 0);
    const struct loggp_fit *f = loggp_fit_find(&fits, &p.cell, &p.candidate);
    is_near(0.8, f->scale.latency, EXACT, "the scale of the latency comes back");
    is_near(1.3, f->scale.gap, EXACT, "so does that of the gaps");
    is_int(10, (long long)f->n, "from ten experiments");
    ok(f->worst_error < EXACT, "which it reproduces");
    struct parameters parameters = { .held = { { &gamma_set, &gammas, NULL },
                                               { &loggp_set, &fits, NULL } } };
    struct prediction seen = model_predict(model_find("loggp"), &parameters, &p.cell, &p.candidate);
    is_near(truth(&p, other), seen.seconds, EXACT, "another size and process count are predicted");
    snprintf(p.candidate.algorithm, NAME_SIZE, "portable:binomial");
    seen = model_predict(model_find("loggp"), &parameters, &p.cell, &p.candidate);
    is_int(PREDICT_NO_FIT, seen.status, "an algorithm without experiments has no prediction");
    loggp_fits_clear(&fits);
    points_clear(&points);
}

static void without_pingpong(void)
{
    struct points points = { .n = 0 };
    struct gamma_models gammas = { .n = 0 };
    struct loggp_fits fits;
    add_algorithm(&points, "portable:pipeline", SEGMENT, (struct loggp_scale){ 1, 1 });
    loggp_fit(&points, NULL, &gammas, 0.95, &fits);
    is_int(FIT_TOO_FEW, fits.fit[0].status, "… with a status");
    has_str("ping-pong", fits.fit[0].reason, "… and the reason");
    ok(!loggp_fit_usable(&fits.fit[0]), "… and no scales");
    loggp_fits_clear(&fits);
    points_clear(&points);
}

int main(void)
{
    come_back();
    without_pingpong();
    return tap_done();
}
