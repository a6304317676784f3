/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/remeasure_value.h"

#include "harness/base/robust.h"

/* A tenth between launches; one in forty is a factor of two off. */
const struct launch_error launch_error_assumed = {
    .core = 0.1, .slow = 0.025, .fast = 0.005, .by = 0.7
};

/* How many launches the assumed error weighs as; from how many cores on a launch went wrong; the
 * least core, which is that of calls whose times are equal. */
enum { ASSUMED_LAUNCHES = 40, LEAST_APART = 5 };
static const double wrong_from = 4, least_core = 1e-4, normal_quartile = 0.6745,
                    most_expected_sd = 2;

static double density(double z)
{
    return exp(-z * z / 2) / sqrt(2 * M_PI);
}

static double above(double z)
{
    return erfc(z / M_SQRT2) / 2;
}

double remeasure_value_normal(double slower, double sd)
{
    if (!(sd > 0))
        return fmax(-slower, 0);
    const double z = slower / sd;
    return fmax(sd * (density(z) - z * above(z)), 0);
}

/* A weighted mean of values whose weights are told as logarithms. */
struct mixture {
    double top, weight, sum;
};

static void mix(struct mixture *m, double log_weight, double value)
{
    if (log_weight > m->top) {
        const double scale = exp(m->top - log_weight);
        m->weight *= scale;
        m->sum *= scale;
        m->top = log_weight;
    }
    m->weight += exp(log_weight - m->top);
    m->sum += exp(log_weight - m->top) * value;
}

/* What is known of a point, in short. */
struct known {
    const double *x;
    int n;
    double core, expected, expected_sd, best, best_sd;
    const struct launch_error *error;
};

/* The launches from..to are about the truth, those before and behind went wrong. */
static void mix_case(struct mixture *m, const struct known *p, int from, int to)
{
    const struct launch_error *e = p->error;
    const int k = to - from;
    const double *const x = p->x, core2 = p->core * p->core,
                        expected2 = p->expected_sd * p->expected_sd;
    double mean = 0, squares = 0, off = 0;
    for (int i = from; i < to; i++)
        mean += x[i] / k;
    for (int i = from; i < to; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    for (int i = 0; i < p->n; i++)
        off += i < from || i >= to ? fabs(x[i] - mean) : 0;
    const double apart2 = core2 / k + expected2, d = mean - p->expected;
    const double log_weight = from * log(e->fast / e->by) + (p->n - to) * log(e->slow / e->by) +
                              k * log(1 - e->slow - e->fast) - off / e->by - squares / (2 * core2) -
                              (k - 1) * log(p->core * sqrt(2 * M_PI)) - log(k) / 2 -
                              d * d / (2 * apart2) - log(apart2 * 2 * M_PI) / 2;
    const double truth = (mean * expected2 + p->expected * core2 / k) / apart2,
                 truth_sd = sqrt(expected2 * core2 / k / apart2);
    mix(m, log_weight, remeasure_value_normal(truth - p->best, hypot(truth_sd, p->best_sd)));
}

/* All were slow: the truth is what was expected, below the least of them. */
static void mix_all_slow(struct mixture *m, const struct known *p)
{
    const struct launch_error *e = p->error;
    const double sd = p->expected_sd, rate = p->n / e->by, least = p->x[0],
                 middle = p->expected + rate * sd * sd, below = above((middle - least) / sd);
    double off = 0;
    for (int i = 0; i < p->n; i++)
        off += p->x[i] - p->expected;
    if (!(below > 0))
        return;
    const double doubt =
        p->best < least ? remeasure_value_normal(middle - p->best, sd)
                        : remeasure_value_normal(middle - least, sd) + (p->best - least) * below;
    mix(m, p->n * log(e->slow / e->by) - off / e->by + rate * rate * sd * sd / 2 + log(below),
        doubt / below);
}

double remeasure_value_of_launches(const double *x, int n, double core, double expected,
                                   double expected_sd, const struct launch_error *error,
                                   double best, double best_sd)
{
    const int told = expected_sd < most_expected_sd;
    const struct known p = { .x = x,
                             .n = n,
                             .core = fmax(core, least_core),
                             .expected = told ? expected : x[0],
                             .expected_sd = told ? expected_sd : most_expected_sd,
                             .best = best,
                             .best_sd = best_sd,
                             .error = error };
    struct mixture m = { .top = -INFINITY };
    for (int from = 0; from < n; from++)
        for (int to = from + 1; to <= n; to++)
            mix_case(&m, &p, from, to);
    mix_all_slow(&m, &p);
    return m.sum / m.weight;
}

void launch_samples_add(struct launch_samples *l, const double *x, int n)
{
    if (n < 2)
        return;
    double *sorted = memory_zeros((size_t)n, sizeof *sorted);
    memcpy(sorted, x, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, array_by_double);
    for (int i = 1; i < n; i++)
        *array_add(&l->apart, &l->n_apart) = fabs(x[i] - x[i - 1]);
    for (int i = 0; i < n; i++)
        *array_add(&l->off, &l->n_off) = sorted[i] - sorted[(n - 1) / 2];
    free(sorted);
}

int launch_error_learn(struct launch_samples *l, struct launch_error *e)
{
    const struct launch_error *was = &launch_error_assumed;
    const int told = l->n_apart >= LEAST_APART;
    *e = *was;
    if (told)
        e->core =
            fmax(robust_median(l->apart, l->n_apart) / (normal_quartile * M_SQRT2), least_core);
    const double cut = wrong_from * M_SQRT2 * e->core;
    double slow = 0, fast = 0, off = 0;
    for (size_t i = 0; i < l->n_off; i++) {
        slow += l->off[i] > cut;
        fast += l->off[i] < -cut;
        off += fabs(l->off[i]) > cut ? fabs(l->off[i]) : 0;
    }
    const double n = (double)l->n_off + ASSUMED_LAUNCHES;
    e->slow = (slow + was->slow * ASSUMED_LAUNCHES) / n;
    e->fast = (fast + was->fast * ASSUMED_LAUNCHES) / n;
    e->by = (off + was->by) / (slow + fast + 1);
    memory_free(l->apart, l->off);
    *l = (struct launch_samples){ .n_apart = 0 };
    return told;
}
