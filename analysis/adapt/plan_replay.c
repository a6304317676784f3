/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/adapt/plan_replay.h"

#include "analysis/adapt/prior_times.h"
#include "harness/base/rng.h"
#include "harness/study/manifest.h"
#include "harness/study/rounds.h"

struct play {
    const struct measured **row; /* timed, by launch */
    size_t n;
    struct plan plan; /* the same launches in each round */
    struct rounds rounds;
    double (*took)[MOST_REPEATS + 1]; /* s, of each row by round; NaN: not launched */
    struct rng rng;                   /* of the launches' times */
};

static int by_launch(const void *left, const void *right)
{
    const struct cell *a = &(*(const struct measured *const *)left)->point.cell,
                      *b = &(*(const struct measured *const *)right)->point.cell;
    return by_keys(strcmp(a->mpi, b->mpi), strcmp(a->mapping, b->mapping), a->nodes - b->nodes,
                   a->ppn - b->ppn, a->procs - b->procs);
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
    p->took = memory_zeros(points->n + 1, sizeof *p->took);
    list_launches(points, seed, p);
    p->plan.points = memory_zeros(p->n + 1, sizeof *p->plan.points);
    for (size_t i = 0; i < p->n; i++)
        p->plan.points[i] = p->row[i]->point;
    p->plan.n = p->n;
}

/* Core-seconds of one launch of a point. */
static double cost_of(const struct play *p, size_t i, const struct adaptive_rule *rule,
                      double seconds)
{
    return adaptive_cost(rule, 0, p->plan.points[i].cell.procs, seconds);
}

/* A launch of a point: its time, as far off as the set's own repetitions are from each other. */
static double draw(struct play *p, size_t i)
{
    const struct summary *of = &p->row[i]->time;
    const double off = of->between_rel > 0 ? of->between_rel * rng_normal(&p->rng) : 0;
    return of->value * exp(off);
}

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
        const double seconds = draw(p, i), core_s = cost_of(p, i, &a->rule, seconds);
        adaptive_took(a, at, round, seconds, core_s);
        p->took[i][round] = seconds;
        spent += core_s;
    }
}

static void play(struct play *p, const struct prior *prior, double share, struct plan_replay *out)
{
    struct adaptive *a = &p->rounds.adaptive;
    struct adaptive_rule rule = p->rounds.rule.plan;
    *out = (struct plan_replay){ .full_core_s = 0 };
    for (size_t i = 0; i < p->n; i++) {
        out->full_core_s += rule.repeats * cost_of(p, i, &rule, p->row[i]->time.value);
        for (int r = 0; r <= MOST_REPEATS; r++)
            p->took[i][r] = NAN;
    }
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

/* What was measured: the time of each point over its launches; its runs, where the set knows their
 * spread. */
static void sum_up(const struct play *p, const struct points *points, const struct facts *facts,
                   struct plan_replay *out)
{
    double took[MOST_REPEATS + 1];
    struct over_launches over;
    out->measured = *points;
    out->measured.trials = NULL;
    out->measured.row = memory_zeros(p->n + 1, sizeof *out->measured.row);
    out->measured.n = 0;
    out->took = memory_zeros(p->n + 1, sizeof *out->took);
    for (size_t i = 0; i < p->n; i++) {
        size_t n = 0;
        for (int r = 0; r <= MOST_REPEATS; r++)
            if (p->took[i][r] > 0)
                took[n++] = p->took[i][r];
        if (!n)
            continue;
        memcpy(out->took[out->measured.n], p->took[i], sizeof p->took[i]);
        struct measured *m = &out->measured.row[out->measured.n++];
        *m = *p->row[i];
        over_launches(took, n, facts->statistic, facts->confidence, &over);
        m->time.value = over.time;
        if (m->time.launches > 1) {
            m->time.launches = n;
            m->time.mean = robust_centre(STATISTIC_MEAN, took, n);
            m->time.stddev = over.spread * m->time.mean;
        }
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
        rng_init(&p.rng, facts->seed);
        for (size_t i = 0; i < n; i++) {
            play(&p, &prior, share[i], &out[i]);
            sum_up(&p, points, facts, &out[i]);
        }
        prior_free(&prior);
    }
    memory_free(p.row, p.took, p.plan.points, p.plan.launches, p.plan.releases, study);
    return status;
}

void plan_replay_clear(struct plan_replay *replay)
{
    points_clear(&replay->measured);
    free(replay->took);
    *replay = (struct plan_replay){ .full_core_s = 0 };
}
