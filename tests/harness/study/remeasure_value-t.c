/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be gained by another launch: against integrals by hand, and what is learnt of launches
 * that were planted. */
#include "harness/study/remeasure_value.h"

#include <math.h>
#include <stddef.h>

#include "harness/base/rng.h"
#include "tests/tap.h"

static const struct launch_error error = { .core = 0.05, .slow = 0.1, .fast = 0.01, .by = 0.6 };

static double normal(double x, double mean, double sd)
{
    const double z = (x - mean) / sd;
    return exp(-z * z / 2) / sd / sqrt(2 * M_PI);
}

/* How likely a launch is, the truth being known. */
static double likelihood(double x, double truth)
{
    const double off = x - truth;
    return (1 - error.slow - error.fast) * normal(x, truth, error.core) +
           (off > 0 ? error.slow : error.fast) * exp(-fabs(off) / error.by) / error.by;
}

/* E[max(best - truth, 0)] by summing over the truth; all cases, not only those in order. */
static double by_hand(const double *x, int n, double expected, double sd, double best)
{
    double sum = 0, weight = 0;
    for (double truth = -4; truth < 4; truth += 0.0005) {
        double w = normal(truth, expected, sd);
        for (int i = 0; i < n; i++)
            w *= likelihood(x[i], truth);
        weight += w;
        sum += w * fmax(best - truth, 0);
    }
    return sum / weight;
}

static void integrals(void)
{
    static const struct {
        double x[4];
        int n;
        double expected, sd, best;
        const char *what;
    } rows[] = {
        { { 0.3 }, 1, 0, 0.5, 0, "one launch that is slower" },
        { { 0.7 }, 1, 0, 0.2, 0, "one that is twice as slow as was expected" },
        { { 0.02, 0.7 }, 2, 0.2, 0.5, 0, "two that are far apart" },
        { { 0.68, 0.72 }, 2, 0.1, 0.3, 0, "two slow ones that agree" },
        { { -0.6, 0.1, 0.12 }, 3, 0.1, 0.4, 0, "one of three that is fast" },
        { { 0.01, 0.03, 0.04, 0.9 }, 4, 0.3, 1, 0, "one of four that is slow" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double seen = remeasure_value_of_launches(rows[i].x, rows[i].n, error.core,
                                                        rows[i].expected, rows[i].sd, &error,
                                                        rows[i].best, 0),
                     wanted =
                         by_hand(rows[i].x, rows[i].n, rows[i].expected, rows[i].sd, rows[i].best);
        diag("%s: %.5f, by hand %.5f", rows[i].what, seen, wanted);
        ok(fabs(seen - wanted) < 0.15 * wanted + 0.002, "%s", rows[i].what);
    }
    ok(fabs(remeasure_value_normal(0, 1) - 1 / sqrt(2 * M_PI)) < 1e-12,
       "a normal time about the best");
    ok(remeasure_value_normal(0.3, 0) == 0 && remeasure_value_normal(-0.3, 0) == 0.3,
       "a time that is exact");
    const double near[] = { 0.3, 0.31 }, twice[] = { 0.31, 0.69 };
    ok(remeasure_value_of_launches(near, 2, 0.05, 0, INFINITY, &error, 0, 0) <
           remeasure_value_of_launches(twice, 2, 0.05, 0, INFINITY, &error, 0, 0) * 3,
       "nothing was expected: two launches that agree leave little doubt");
}

/* Points of three launches with errors that are known. */
static void learnt(double slow, double by)
{
    struct launch_samples samples = { .n_apart = 0 };
    struct launch_error e;
    struct rng rng;
    rng_init(&rng, 5);
    for (int k = 0; k < 400; k++) {
        double x[3];
        for (int i = 0; i < 3; i++)
            x[i] = 0.03 * rng_normal(&rng) + (rng_unit(&rng) < slow ? by : 0);
        launch_samples_add(&samples, x, 3);
    }
    is_int(1, launch_error_learn(&samples, &e), "what 1,200 launches tell is learnt");
    diag("core %.4f, slow %.3f by %.2f, fast %.3f", e.core, e.slow, e.by, e.fast);
    ok(e.core > 0.02 && e.core < 0.05, "how far they are apart");
    ok(fabs(e.slow - slow) < 0.03, "how many went wrong");
    ok(slow == 0 || fabs(e.by - by) < 0.1, "and by how much");
    ok(e.fast < 0.01, "none was faster");
}

static void untold(void)
{
    struct launch_samples samples = { .n_apart = 0 };
    struct launch_error e;
    const double once = 1;
    launch_samples_add(&samples, &once, 1);
    is_int(0, launch_error_learn(&samples, &e), "points launched once tell nothing");
    ok(e.core == launch_error_assumed.core && e.slow == launch_error_assumed.slow,
       "what is assumed stays");
    const double same[] = { 2, 2, 2, 2, 2, 2, 2 };
    launch_samples_add(&samples, same, 7);
    launch_error_learn(&samples, &e);
    ok(e.core > 0 && isfinite(remeasure_value_of_launches(same, 7, e.core, 2, 0.1, &e, 1, 0)),
       "launches that are all equal are no division by zero");
}

int main(void)
{
    integrals();
    learnt(0, 0);
    learnt(0.1, log(2));
    untold();
    return tap_done();
}
