/* SPDX-License-Identifier: BSD-3-Clause */
/* stopping-t.c - the stopping rule against GSL, and against what it promises. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "harness/base/rng.h"
#include "tests/tap.h"
#include "workloads/stopping.h"

static const struct stop_rule rule = {
    .precision = 0.025, .confidence = 0.95, .min_reps = 10, .max_reps = 1000
};

static void width_is_textbook(void)
{
    const double v[] = { 1.0, 1.2, 0.9, 1.1, 1.05 };
    struct stop_state s = { 0 };
    for (int i = 0; i < 5; i++)
        stop_add(&s, v[i]);
    const double want =
        gsl_cdf_tdist_Pinv(0.975, 4) * gsl_stats_sd(v, 1, 5) / sqrt(5) / gsl_stats_mean(v, 1, 5);
    is_near(want, stop_relative_width(&s, 0.95), 1e-12, "half-width over the mean");
    is_near(gsl_stats_mean(v, 1, 5), s.mean, 1e-15, "running mean");
    is_near(gsl_stats_variance(v, 1, 5), s.m2 / 4, 1e-12, "running variance");
}

static void edges(void)
{
    struct stop_state s = { 0 };
    int converged;
    ok(isinf(stop_relative_width(&s, 0.95)), "no call: the width is infinite");
    stop_add(&s, 1);
    ok(isinf(stop_relative_width(&s, 0.95)), "one call: too");
    is_int(9, stop_next(&rule, &s, 1, 256, &converged), "the fewest calls are made first");
    is_int(4, stop_next(&rule, &s, 1, 4, &converged), "in blocks that fit");
    for (int i = 0; i < 9; i++)
        stop_add(&s, 1);
    is_int(0, stop_next(&rule, &s, 1, 256, &converged), "equal times: enough");
    is_int(1, converged, "and converged");
    struct stop_state zero = { 0 };
    for (int i = 0; i < 10; i++)
        stop_add(&zero, 0);
    is_int(0, stop_next(&rule, &zero, 1, 256, &converged), "times of nothing at all: enough");
    const struct stop_rule one = { 0.025, 0.95, 1, 1, 0 };
    struct stop_state single = { 0 };
    is_int(1, stop_next(&one, &single, 0, 256, &converged), "at most one call: one");
    stop_add(&single, 1);
    is_int(0, stop_next(&one, &single, 0, 256, &converged), "and no more");
    is_int(0, converged, "without a claim to have converged");
}

/* Runs the rule on normal times of a relative deviation; the calls made. */
static int run(const struct stop_rule *r, double deviation, double call_s, uint64_t seed,
               int *converged, double *mean)
{
    struct rng rng;
    struct stop_state s = { 0 };
    int more;
    rng_init(&rng, seed);
    while ((more = stop_next(r, &s, s.n * call_s, 256, converged)) > 0)
        for (int i = 0; i < more; i++)
            stop_add(&s, 1 + deviation * rng_normal(&rng));
    *mean = s.mean;
    return s.n;
}

static void promises(void)
{
    int converged, within = 0, most = 0;
    double mean;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        const int n = run(&rule, 0.2, 0, seed, &converged, &mean);
        within += converged && fabs(mean - 1) <= 0.025;
        most = n > most ? n : most;
    }
    /* 0.2 needs (1.97 * 0.2 / 0.025)^2 = 248 calls; looking repeatedly costs some coverage */
    ok(within >= 360, "the interval holds the truth in about 95 of 100 runs (%d of 400)", within);
    ok(most < 500, "no run takes twice the calls that it needs (%d)", most);
    is_int(1000, run(&rule, 5, 0, 1, &converged, &mean), "noise without end: the most calls");
    is_int(0, converged, "not converged");
    const struct stop_rule hasty = { 0.025, 0.95, 10, 1000000, 2 };
    const int n = run(&hasty, 5, 0.01, 1, &converged, &mean);
    ok(n >= 190 && n <= 220, "a budget of 2 s at 10 ms a call: about 200 calls (%d)", n);
}

int main(void)
{
    width_is_textbook();
    edges();
    promises();
    return tap_done();
}
