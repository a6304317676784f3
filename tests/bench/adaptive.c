/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive.c - adaptive FULL PRIOR SEEDS FIRST [NOISE...]: what adaptive plans cost and lose where
 * launches are noisy. FULL: results of a walked study that was measured whole; its times are the
 * truth. PRIOR: the same study planned adaptively, with prior.csv. The plan is measured in thought
 * once a seed (FIRST, FIRST + 1, ...) with each noise of planted_noise.h (or those named), and so
 * is the exhaustive one, six launches of everything; of both the least median is chosen in a cell.
 * CORE_BUDGET=N: with a budget of so many core-seconds.
 *
 * CSV on stdout: core-seconds, launches and points, each in % of the exhaustive plan's; the mean
 * loss over cells, the largest, and cells that lose more than a tie of 2.5 %, of both. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/points.h"
#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/base/robust.h"
#include "harness/study/adaptive.h"
#include "tests/planted_noise.h"

enum { ROUNDS = 16, REPEATS = 6 };

struct truth {
    struct plan plan;
    struct prior prior;
    double *seconds; /* by point of the first round */
    size_t n;
};

static int take_truth(const char *full, const char *prior, struct truth *t, struct err *err)
{
    struct points points;
    struct prior read;
    *t = (struct truth){ .n = 0 };
    if (points_read(full, 0, &points, err) < 0 || prior_read(prior, &read, err) < 0)
        return -1;
    t->seconds = memory_zeros(points.n + 1, sizeof *t->seconds);
    t->plan.points = memory_zeros((points.n + 1) * ROUNDS, sizeof *t->plan.points);
    t->plan.launches = memory_zeros(ROUNDS, sizeof *t->plan.launches);
    t->prior.row = memory_zeros(points.n + 1, sizeof *t->prior.row);
    for (size_t i = 0; i < points.n; i++) {
        const struct measured *m = &points.row[i];
        const struct prior_row *row = prior_find(&read, m->point.id);
        if (m->point.experiment != EXP_TIME || m->point.purpose == FOR_FIT || !row ||
            !measured_usable(m))
            continue;
        struct point p = m->point;
        snprintf(p.cell.mpi, NAME_SIZE, "openmpi"); /* as if the library ran */
        point_identify(&p);
        t->seconds[t->n] = m->time.value;
        t->prior.row[t->n] = *row;
        memcpy(t->prior.row[t->n].point, p.id, ID_SIZE);
        t->plan.points[t->n++] = p;
    }
    for (int r = 0; r < ROUNDS; r++, t->plan.n += t->n) {
        t->plan.launches[t->plan.n_launches++] =
            (struct launch){ .repeat = r + 1, .first = t->plan.n, .n = t->n };
        memcpy(t->plan.points + t->plan.n, t->plan.points, t->n * sizeof *t->plan.points);
    }
    t->prior.n = t->n;
    prior_sort(&t->prior);
    prior_free(&read);
    points_clear(&points);
    return 0;
}

/* One plan, measured. */
struct outcome_of {
    double core_s, loss, worst;
    size_t launches, measured, wrong, cells;
};

/* Chooses in each cell the least median of the launches' times. */
static void judge(const struct truth *t, double *const *time, const int *n, double tie,
                  struct outcome_of *o)
{
    double *mid = memory_zeros(t->n + 1, sizeof *mid), *x = memory_zeros(ROUNDS + 1, sizeof *x);
    char *done = memory_zeros(t->n + 1, 1);
    for (size_t i = 0; i < t->n; i++) {
        memcpy(x, time[i], (size_t)n[i] * sizeof *x);
        mid[i] = n[i] ? robust_median(x, (size_t)n[i]) : INFINITY;
        o->measured += n[i] > 0;
        o->launches += (size_t)n[i];
    }
    for (size_t i = 0; i < t->n; i++) {
        size_t taken = i, best = i;
        for (size_t k = i; !done[i] && k < t->n; k++) {
            if (cell_compare(&t->plan.points[k].cell, &t->plan.points[i].cell) != 0)
                continue;
            taken = mid[k] < mid[taken] ? k : taken;
            best = t->seconds[k] < t->seconds[best] ? k : best;
            done[k] = k > i;
        }
        if (done[i])
            continue;
        const double loss = t->seconds[taken] / t->seconds[best] - 1;
        o->loss += loss;
        o->worst = fmax(o->worst, loss);
        o->wrong += loss > tie;
        o->cells++;
    }
    free(done);
    free(x);
    free(mid);
}

static double cost(const struct truth *t, size_t i, const struct adaptive_rule *rule, double s)
{
    return adaptive_cost(rule, 0, t->plan.points[i].cell.procs, s);
}

static void exhaustive(const struct truth *t, const struct adaptive_rule *rule,
                       const struct planted_noise *noise, uint64_t seed, double **time, int *n,
                       struct outcome_of *o)
{
    for (size_t i = 0; i < t->n; i++)
        for (n[i] = 0; n[i] < REPEATS; n[i]++) {
            const double s =
                t->seconds[i] * planted_noise_of(noise, &t->plan.points[i], n[i] + 1, seed);
            time[i][n[i]] = s;
            o->core_s += cost(t, i, rule, s);
        }
    judge(t, time, n, rule->tie_pct / 100, o);
}

static void adaptively(const struct truth *t, const struct adaptive_rule *rule,
                       const struct planted_noise *noise, uint64_t seed, double **time, int *n,
                       struct outcome_of *o)
{
    struct adaptive a;
    adaptive_make(&t->plan, &t->prior, rule, &a);
    memset(n, 0, t->n * sizeof *n);
    for (int r = 1; r <= ROUNDS; r++) {
        adaptive_round(&a, r);
        for (size_t i = 0; i < t->n; i++) {
            const size_t k = adaptive_find(&a, t->plan.points[i].id);
            if (!adaptive_wants(&a, k, r))
                continue;
            const double s = t->seconds[i] * planted_noise_of(noise, &t->plan.points[i], r, seed),
                         core_s = cost(t, i, rule, s);
            adaptive_took(&a, k, r, s, core_s);
            time[i][n[i]++] = s;
            o->core_s += core_s;
        }
    }
    judge(t, time, n, rule->tie_pct / 100, o);
    adaptive_free(&a);
}

static void run_noise(const struct truth *t, const struct planted_noise *noise, int seeds,
                      uint64_t first, double budget)
{
    struct adaptive_rule rule = { .repeats = REPEATS,
                                  .most = 12,
                                  .confidence = 0.95,
                                  .tie_pct = 2.5,
                                  .calls = 13,
                                  .point_s = 2,
                                  .core_budget_s = budget > 0 ? budget : INFINITY };
    struct outcome_of full = { 0 }, part = { 0 };
    double *numbers = memory_zeros((t->n + 1) * ROUNDS, sizeof *numbers),
           **time = memory_zeros(t->n + 1, sizeof *time);
    int *n = memory_zeros(t->n + 1, sizeof *n);
    for (size_t i = 0; i < t->n; i++)
        time[i] = numbers + i * ROUNDS;
    for (int k = 0; k < seeds; k++) {
        exhaustive(t, &rule, noise, first + (uint64_t)k, time, n, &full);
        adaptively(t, &rule, noise, first + (uint64_t)k, time, n, &part);
    }
    const double cells = (double)part.cells;
    printf("%s,%.2f,%.2f,%.2f,%.3f,%.3f,%.2f,%.2f,%zu,%zu,%zu\n", noise->name,
           100 * part.core_s / full.core_s, 100 * (double)part.launches / (double)full.launches,
           100 * (double)part.measured / (double)full.measured, 100 * part.loss / cells,
           100 * full.loss / cells, 100 * part.worst, 100 * full.worst, part.wrong, full.wrong,
           part.cells);
    fflush(stdout);
    free(n);
    free(time);
    free(numbers);
}

int main(int argc, char **argv)
{
    struct truth t;
    struct err err = { 0 };
    const char *budget = getenv("CORE_BUDGET");
    if (argc < 5)
        return 2;
    if (take_truth(argv[1], argv[2], &t, &err) < 0) {
        fprintf(stderr, "adaptive: %s\n", err.text);
        return 1;
    }
    puts("noise,core_pct,launches_pct,points_pct,loss_pct,full_loss_pct,worst_pct,full_worst_pct,"
         "lose_more,full_lose_more,cells");
    for (size_t i = 0; i < planted_noises_n; i++) {
        int asked = argc == 5;
        for (int k = 5; k < argc; k++)
            asked |= strcmp(argv[k], planted_noises[i].name) == 0;
        if (asked)
            run_noise(&t, &planted_noises[i], (int)strtol(argv[3], NULL, 10),
                      strtoull(argv[4], NULL, 10), budget ? strtod(budget, NULL) : 0);
    }
    return 0;
}
