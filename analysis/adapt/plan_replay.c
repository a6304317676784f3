/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/adapt/plan_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/adapt/prior_times.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/study/manifest.h"
#include "harness/study/rounds.h"

struct play {
    const struct measured **row; /* timed, by launch */
    size_t n;
    struct plan plan; /* the same launches in each round */
    struct rounds rounds;
    char *taken; /* by row */
};

static int by_launch(const void *left, const void *right)
{
    const struct cell *a = &(*(const struct measured *const *)left)->point.cell,
                      *b = &(*(const struct measured *const *)right)->point.cell;
    int c = strcmp(a->mpi, b->mpi);
    c = c ? c : strcmp(a->mapping, b->mapping);
    c = c ? c : a->nodes - b->nodes;
    c = c ? c : a->ppn - b->ppn;
    return c ? c : a->procs - b->procs;
}

/* Lists the launches of the first round, each in an order of its own. */
static void list_launches(const struct points *points, uint64_t seed, struct play *p)
{
    struct rng rng;
    rng_init(&rng, seed);
    for (size_t i = 0; i < points->n; i++)
        if (points->row[i].point.experiment == EXP_TIME && measured_usable(&points->row[i]))
            p->row[p->n++] = &points->row[i];
    if (p->n)
        qsort(p->row, p->n, sizeof *p->row, by_launch);
    for (size_t i = 0, end; i < p->n; i = end) {
        for (end = i + 1; end < p->n && by_launch(&p->row[i], &p->row[end]) == 0; end++)
            continue;
        rng_shuffle(&rng, p->row + i, end - i, sizeof *p->row);
        *array_add(&p->plan.launches, &p->plan.n_launches) =
            (struct launch){ .repeat = 1, .first = i, .n = end - i };
    }
}

static void make_plan(const struct points *points, uint64_t seed, struct play *p)
{
    p->row = memory_zeros(points->n + 1, sizeof *p->row);
    p->taken = memory_zeros(points->n + 1, 1);
    list_launches(points, seed, p);
    p->plan.points = memory_zeros(p->n + 1, sizeof *p->plan.points);
    for (size_t i = 0; i < p->n; i++)
        p->plan.points[i] = p->row[i]->point;
    p->plan.n = p->n;
}

/* Core-seconds of one launch of a point. */
static double cost_of(const struct play *p, size_t i, const struct adaptive_rule *rule)
{
    return adaptive_cost(rule, 0, p->plan.points[i].cell.procs, p->row[i]->time.value);
}

/* Launches the points of a launch that a round wants. */
static void launch(struct play *p, struct launch l, int round)
{
    struct adaptive *a = &p->rounds.adaptive;
    double spent = 0;
    l.repeat = round;
    const double allowed =
        fmin(rounds_allowed(&p->rounds, &p->plan, &l), a->rule.core_budget_s - adaptive_spent(a));
    for (size_t i = l.first; i < l.first + l.n && spent < allowed; i++) {
        const size_t at = adaptive_find(a, p->plan.points[i].id);
        if (!adaptive_wants(a, at, round))
            continue;
        adaptive_took(a, at, round, p->row[i]->time.value, cost_of(p, i, &a->rule));
        p->taken[i] = 1;
        spent += cost_of(p, i, &a->rule);
    }
}

static void play(struct play *p, const struct prior *prior, double share, struct plan_replay *out)
{
    struct adaptive *a = &p->rounds.adaptive;
    struct adaptive_rule rule = p->rounds.rule.plan;
    *out = (struct plan_replay){ .measured = 0 };
    memset(p->taken, 0, p->n);
    for (size_t i = 0; i < p->n; i++)
        out->full_core_s += rule.repeats * cost_of(p, i, &rule);
    rule.core_budget_s = share * out->full_core_s;
    adaptive_make(&p->plan, prior, &rule, a);
    for (int round = 1; round <= a->rounds; round++) {
        if (!adaptive_round(a, round))
            continue;
        for (size_t k = 0; k < p->plan.n_launches; k++)
            launch(p, p->plan.launches[k], round);
    }
    out->spent_core_s = adaptive_spent(a);
    adaptive_free(a);
}

static void sum_up(const struct play *p, const struct points *points, struct plan_replay *out)
{
    out->left = memory_zeros(points->n + 1, 1);
    memset(out->left, 1, points->n);
    for (size_t i = 0; i < p->n; i++)
        if (p->taken[i]) {
            out->left[p->row[i] - points->row] = 0;
            out->measured++;
        }
}

int plan_replay_run(const char *dir, const struct points *points, const struct facts *facts,
                    const double *share, size_t n, struct plan_replay *out, struct err *err)
{
    struct play p = { .n = 0 };
    struct prior prior;
    struct study *study = memory_zeros(1, sizeof *study);
    const int status = manifest_measure(dir, study, err);
    if (status == 0) {
        make_plan(points, facts->seed, &p);
        for (size_t i = 0; i < facts->n_mpis; i++) {
            struct native_release *r = array_add(&p.plan.releases, &p.plan.n_releases);
            snprintf(r->mpi, sizeof r->mpi, "%.63s", facts->mpi[i]);
            snprintf(r->version, sizeof r->version, "%.63s", facts->mpi_version[i]);
        }
        p.rounds.rule = rounds_rule_of(study, -1);
        p.rounds.rule.adaptive = 1;
        prior_compute(facts->costs, study, &p.plan, &prior);
        *array_add(&p.plan.launches, &p.plan.n_launches) = /* how many rounds there are */
            (struct launch){ .repeat = rounds_planned(&p.rounds.rule, 0, 0) };
        for (size_t i = 0; i < n; i++) {
            play(&p, &prior, share[i], &out[i]);
            sum_up(&p, points, &out[i]);
        }
        prior_free(&prior);
    }
    memory_free(p.row, p.taken, p.plan.points, p.plan.launches, p.plan.releases, study);
    return status;
}

void plan_replay_clear(struct plan_replay *replay)
{
    free(replay->left);
    *replay = (struct plan_replay){ .measured = 0 };
}
