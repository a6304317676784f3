/* SPDX-License-Identifier: BSD-3-Clause */
/* stopping-t.c - the stopping rule at its edges, and with the warm-up rule on planted series: the
 * interval holds the truth, and a slow start is never taken for the steady time. */
#include <math.h>
#include <string.h>

#include "harness/base/rng.h"
#include "tests/tap.h"
#include "workloads/measure/stopping.h"
#include "workloads/measure/warming.h"

enum { BLOCK = 32, RUNS = 300, ROOM = 100000 };

static const struct stop_rule rule = {
    .precision = 0.025, .confidence = 0.95, .min_reps = 10, .max_reps = 1000, .budget_s = 2
};

static void edges(void)
{
    struct stop_state s;
    int converged;
    stop_init(&s, 1000);
    is_int(10, stop_next(&rule, &s, 0, 256, &converged), "the fewest calls are made first");
    is_int(4, stop_next(&rule, &s, 0, 4, &converged), "in blocks that fit");
    for (int i = 0; i < 10; i++)
        stop_add(&s, 1, 0);
    is_int(0, stop_next(&rule, &s, 1, 256, &converged), "equal times of a second: enough");
    is_int(1, converged, "and converged");
    stop_restart(&s);
    for (int i = 0; i < 10; i++)
        stop_add(&s, 1e-6, 0);
    is_int(90, stop_next(&rule, &s, 1e-3, 256, &converged), "of a microsecond: a hundred");
    for (int i = 0; i < 90; i++)
        stop_add(&s, 1e-6, 0);
    is_int(0, stop_next(&rule, &s, 1e-3, 256, &converged), "then enough");
    is_int(1, converged, "and converged");
    stop_restart(&s);
    for (int i = 0; i < 100; i++)
        stop_add(&s, 0, 0);
    is_int(0, stop_next(&rule, &s, 1, 256, &converged), "times of nothing at all: enough");
    stop_restart(&s);
    for (int i = 0; i < 10; i++)
        stop_add(&s, 1 + i % 2, 0);
    is_int(0, stop_next(&rule, &s, 2.5, 256, &converged), "a spent budget: enough");
    is_int(0, converged, "without a claim to have converged");
    const struct stop_rule one = { .precision = 0.025, .confidence = 0.95, .max_reps = 1 };
    stop_restart(&s);
    is_int(1, stop_next(&one, &s, 0, 256, &converged), "at most one call: one");
    stop_add(&s, 1, 0);
    is_int(0, stop_next(&one, &s, 0, 256, &converged), "and no more");
    is_int(0, converged, "without a claim to have converged");
    stop_clear(&s);
    is_int(32, stop_block(0, 32), "nothing known of a call: a whole block");
    is_int(32, stop_block(1e-6, 32), "short ones, too");
    is_int(1, stop_block(7, 32), "long calls come one by one");
    is_int(5, stop_block(0.02, 32), "others for a tenth of a second");
}

/* Marked calls do not count, and are replaced. */
static void disturbed_calls(void)
{
    struct stop_state s;
    int converged, more;
    stop_init(&s, 1000);
    while ((more = stop_next(&rule, &s, 1e-6 * s.n, BLOCK, &converged)) > 0)
        for (int i = 0; i < more; i++)
            stop_add(&s, s.n >= 20 && s.n < 90 ? 5e-6 : 1e-6 * (1 + 0.001 * (s.n % 7)),
                     s.n >= 20 && s.n < 90);
    is_int(s.n - 70, s.kept, "of %d calls 70 were disturbed, and do not count", s.n);
    ok(s.interval.centre < 1.01e-6 && converged, "though they were the most (%g)",
       s.interval.centre);
    stop_clear(&s);
}

/* ---- planted series: truth, then what makes it hard ---- */

enum shape { NORMAL, TAILS, WILD, BURSTS, DRIFT, MODES, DEPENDENT, SLOW_START, STICKY, N_SHAPES };
static const char *const shape_names[] = { "normal",
                                           "heavy tails",
                                           "2 % of calls three times as long",
                                           "bursts of other load",
                                           "drift",
                                           "two modes",
                                           "calls that depend on each other",
                                           "70 calls 15 times slower at first",
                                           "two modes that stay for a while" };

struct plant {
    enum shape shape;
    struct rng rng;
    int i, burst, mode;
    double state;
};

static double next_time(struct plant *p)
{
    const double z = rng_normal(&p->rng), u = rng_unit(&p->rng);
    p->i++;
    switch (p->shape) {
    case TAILS:
        return exp(0.2 * z);
    case WILD:
        return (1 + 0.05 * z) * (u < 0.02 ? 3 : 1);
    case BURSTS:
        p->burst = p->burst > 0 ? p->burst - 1 : u < 0.005 ? 20 : 0;
        return (1 + 0.05 * z) * (p->burst ? 2 : 1);
    case DRIFT:
        return 1 + 0.01 * sin(p->i / 50.0) + 0.05 * z;
    case MODES:
        return (1 + 0.03 * z) * (u < 0.35 ? 1.3 : 1);
    case DEPENDENT:
        p->state = p->i == 1 ? z : 0.8 * p->state + 0.6 * z;
        return 1 + 0.05 * p->state;
    case SLOW_START:
        return (1 + 0.05 * z) * (p->i <= 70 ? 15 : 1);
    case STICKY:
        p->mode = u < (p->mode ? 0.08 : 0.02) ? !p->mode : p->mode;
        return (1 + 0.05 * z) * (p->mode ? 1.15 : 1);
    default:
        return 1 + 0.05 * z;
    }
}

static struct plant plant_of(enum shape shape, uint64_t seed)
{
    struct plant p = { .shape = shape };
    rng_init(&p.rng, seed);
    return p;
}

/* What the statistic of ever more calls tends to. */
static double truth_of(enum shape shape, enum statistic statistic, double *x)
{
    struct plant p = plant_of(shape, 4711);
    for (int i = 0; i < 200; i++)
        next_time(&p);
    for (int i = 0; i < ROOM; i++)
        x[i] = next_time(&p);
    return robust_interval(statistic, x, ROOM, ROOM, 0.95).centre;
}

struct result {
    int converged, held, near; /* held: truth within the interval; near: or within 2.5 % of it */
    double calls, worst;
};

/* One point, as the measuring program does it; calls of call_s seconds. */
static void measure(const struct stop_rule *r, int warmup, double call_s, struct plant *p,
                    double truth, struct stop_state *s, struct result *out)
{
    const struct warm_rule warm = { .least = warmup, .budget_s = r->budget_s };
    double seconds[WARM_MOST], scratch[WARM_MOST], elapsed_s = 0;
    int n_warm = 0, more, converged;
    while ((more = warm_next(&warm, seconds, n_warm, elapsed_s, scratch, BLOCK)) > 0)
        for (int i = 0; i < more; i++)
            elapsed_s += seconds[n_warm++] = call_s * next_time(p);
    stop_restart(s);
    while ((more = stop_next(r, s, elapsed_s, BLOCK, &converged)) > 0)
        for (int i = 0; i < more; i++) {
            const double t = call_s * next_time(p);
            stop_add(s, t, 0);
            elapsed_s += t;
        }
    const struct interval v = s->interval;
    const double off = v.centre / call_s / truth;
    out->converged += converged;
    out->held += converged && v.low <= truth * call_s && truth * call_s <= v.high;
    out->near += converged && fabs(off - 1) <= r->precision;
    out->calls += (n_warm + s->n) / (double)RUNS;
    out->worst = off > out->worst ? off : out->worst;
}

static struct result measure_all(const struct stop_rule *r, int warmup, double call_s,
                                 enum shape shape, double truth, struct stop_state *s)
{
    struct result out = { 0 };
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct plant p = plant_of(shape, seed);
        measure(r, warmup, call_s, &p, truth, s, &out);
    }
    return out;
}

/* Of the points that converged, in how many the interval holds the truth, or the statistic is
 * within the precision of it: a slow wave that the calls are too short to see is of the latter
 * kind. */
static void keeps_its_promise(enum statistic statistic, enum shape shape, double call_s, double *x,
                              struct stop_state *s)
{
    struct stop_rule r = rule;
    r.statistic = statistic;
    const double truth = truth_of(shape, statistic, x);
    const struct result out = measure_all(&r, 3, call_s, shape, truth, s);
    ok(out.converged >= RUNS / 2 && fmax(out.held, out.near) >= 0.9 * out.converged,
       "%s, %s, calls of %g s: %d of %d converged, %d hold the truth, %d are near (%.0f calls)",
       statistic_words[statistic], shape_names[shape], call_s, out.converged, RUNS, out.held,
       out.near, out.calls);
    ok(out.worst < 1.3, "and none is far above (%.3f)", out.worst);
}

static void promises(void)
{
    static double x[ROOM];
    struct stop_state s;
    stop_init(&s, 1000);
    for (enum shape shape = 0; shape < N_SHAPES; shape++)
        keeps_its_promise(STATISTIC_MEDIAN, shape, 3e-6, x, &s);
    for (enum shape shape = 0; shape < N_SHAPES; shape++)
        if (shape != BURSTS && shape != STICKY) /* a mean of these needs more than 1000 calls */
            keeps_its_promise(STATISTIC_TRIMMED, shape, 3e-6, x, &s);
    keeps_its_promise(STATISTIC_MEAN, NORMAL, 3e-6, x, &s);
    keeps_its_promise(STATISTIC_MEDIAN, NORMAL, 1e-3, x, &s);
    keeps_its_promise(STATISTIC_MEDIAN, WILD, 1e-3, x, &s);
    /* without the warm-up rule the cut alone saves what it can */
    const struct result bare = measure_all(&rule, 0, 3e-6, SLOW_START, 1, &s);
    ok(bare.near >= RUNS - 5 && bare.worst < 1.05,
       "a slow start without any warm-up is cut off (%d)", bare.near);
    stop_clear(&s);
}

int main(void)
{
    edges();
    disturbed_calls();
    promises();
    return tap_done();
}
