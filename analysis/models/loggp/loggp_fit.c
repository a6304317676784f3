/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/loggp/loggp_fit.h"

#include <math.h>
#include <string.h>

#include "analysis/measure/equivalent.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "harness/base/parallel.h"

enum { COLUMNS = 2, MAX_ROUNDS = 50 };

/* Scales that moved less than this between two rounds stay. */
static const double settled = 1e-9;

/* ---- which points ---- */

/* As the launches place ranks: a node is filled before the next, but for mapping by node. */
struct loggp_place loggp_place_of(const struct cell *cell)
{
    return (struct loggp_place){ .nodes = cell->nodes,
                                 .ppn = cell->nodes > 1 ? cell->ppn : 1,
                                 .round_robin = strcmp(cell->mapping, "node") == 0 };
}

static int is_of(const struct loggp_fit *f, const struct cell *cell,
                 const struct candidate *candidate)
{
    return strcmp(f->mpi, cell->mpi) == 0 && strcmp(f->mapping, cell->mapping) == 0 &&
           strcmp(f->collective, cell->collective) == 0 &&
           candidate_equal(&f->candidate, candidate);
}

/* The fit that a point belongs to, begun where there is none yet. */
static void fit_for(struct loggp_fits *fits, const struct point *p)
{
    struct loggp_fit *f = (struct loggp_fit *)loggp_fit_find(fits, &p->cell, &p->candidate);
    if (!f) {
        f = array_add(&fits->fit, &fits->n);
        *f = (struct loggp_fit){ .candidate = p->candidate, .status = FIT_TOO_FEW };
        snprintf(f->mpi, sizeof f->mpi, "%s", p->cell.mpi);
        snprintf(f->mapping, sizeof f->mapping, "%s", p->cell.mapping);
        snprintf(f->collective, sizeof f->collective, "%s", p->cell.collective);
    }
    if (p->cell.procs > f->procs)
        f->procs = p->cell.procs;
}

static void platform_for(struct loggp_fits *fits, const struct points *points,
                         const struct gamma_models *gammas, const struct cell *c)
{
    if (loggp_platform_find(fits, c->mpi, c->mapping))
        return;
    struct loggp_platform *p = array_add(&fits->platform, &fits->n_platforms);
    snprintf(p->mpi, sizeof p->mpi, "%s", c->mpi);
    snprintf(p->mapping, sizeof p->mapping, "%s", c->mapping);
    loggp_platform_fit(points, gammas, p);
}

/* ---- one fit ---- */

/* One experiment. */
struct equation {
    struct schedule schedule;
    struct loggp_place place;
    double seconds, port_s;
    double latency, gap; /* the path's sums, at the scales of the last walk */
    int failed;          /* that walk */
};

struct work {
    const struct facts *facts;
    struct loggp_fit *fit;
    const struct loggp_costs *costs;
    struct equation *equation;
    size_t n;
    double *x, *y;
    double confidence;
};

/* Takes a point in, or counts it as left out. */
static void add_equation(struct work *w, const struct measured *m)
{
    struct schedule s;
    struct err err;
    if (!measured_usable(m) || m->status == POINT_SUBSTITUTED ||
        equivalent_schedule(w->facts, &m->point.cell, &m->point.candidate, &s, &err) < 0 ||
        s.alg != s.asked) {
        w->fit->excluded++;
        return;
    }
    struct equation *e = array_add(&w->equation, &w->n);
    *e = (struct equation){ .schedule = s,
                            .place = loggp_place_of(&m->point.cell),
                            .seconds = m->time.value };
    w->fit->n = w->n;
}

struct walking {
    struct work *work;
    struct loggp_scale scale;
};

static int walk_one(const struct walking *w, struct equation *e, struct err *err)
{
    struct loggp_result r;
    if (loggp_walk(&e->schedule, w->work->costs, e->place, w->scale, &r, err) < 0)
        return -1;
    e->latency = r.clock.latency;
    e->gap = r.clock.gap;
    e->port_s = r.port_s;
    return 0;
}

static void walk_nth(size_t i, void *user)
{
    const struct walking *w = user;
    struct err err;
    w->work->equation[i].failed = walk_one(w, &w->work->equation[i], &err) < 0;
}

/* Walks every experiment; -1: a schedule that cannot be walked. */
static int walk_all(struct work *w, struct loggp_scale scale)
{
    struct walking walking = { w, scale };
    struct err err;
    size_t i = 0;
    parallel_for(w->n, walk_nth, &walking);
    while (i < w->n && !w->equation[i].failed)
        i++;
    if (i == w->n)
        return 0;
    if (walk_one(&walking, &w->equation[i], &err) < 0) /* again, for its reason */
        snprintf(w->fit->reason, sizeof w->fit->reason, "%.150s", err.text);
    return -1;
}

/* Which scales are fitted; the others are 1. */
struct scales {
    int latency, gap;
};

/* One regression of 1 = s_latency L / T + s_gap G / T. */
static int regress_once(struct work *w, struct scales free_of, struct regression *r)
{
    size_t columns = (size_t)(free_of.latency + free_of.gap);
    for (size_t i = 0; i < w->n; i++) {
        const struct equation *e = &w->equation[i];
        double *row = w->x + columns * i;
        w->y[i] = 1 - e->port_s / e->seconds;
        if (free_of.latency)
            *row++ = e->latency / e->seconds;
        else
            w->y[i] -= e->latency / e->seconds;
        if (free_of.gap)
            *row = e->gap / e->seconds;
        else
            w->y[i] -= e->gap / e->seconds;
    }
    return regress_huber(w->x, w->y, NULL, w->n, columns, w->confidence, r, NULL);
}

static void take_scales(struct loggp_fit *f, struct scales free_of, const struct regression *r)
{
    size_t gap = (size_t)free_of.latency;
    f->scale = f->low = f->high = (struct loggp_scale){ 1, 1 };
    f->stderr_of = (struct loggp_scale){ NAN, NAN };
    if (free_of.latency) {
        f->scale.latency = r->coef[0];
        f->stderr_of.latency = r->stderr_of[0];
        f->low.latency = r->low[0];
        f->high.latency = r->high[0];
    }
    if (free_of.gap) {
        f->scale.gap = r->coef[gap];
        f->stderr_of.gap = r->stderr_of[gap];
        f->low.gap = r->low[gap];
        f->high.gap = r->high[gap];
    }
    f->condition = r->condition;
    f->status = r->status;
}

static double moved(struct loggp_scale a, struct loggp_scale b)
{
    return fmax(fabs(a.latency - b.latency), fabs(a.gap - b.gap));
}

/* Regression and walk by turns until the scales stay. -1: there is none. */
static int solve(struct work *w, struct scales free_of)
{
    struct loggp_fit *f = w->fit;
    struct loggp_scale scale = { 1, 1 };
    struct regression r;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        if (walk_all(w, scale) < 0 || regress_once(w, free_of, &r) < 0) {
            f->status = r.status;
            return -1;
        }
        take_scales(f, free_of, &r);
        struct loggp_scale next = { fmax(f->scale.latency, 0), fmax(f->scale.gap, 0) };
        if (moved(next, scale) < settled)
            return 0;
        scale = next;
    }
    f->status = FIT_NOT_CONVERGED;
    snprintf(f->reason, sizeof f->reason, "the last of %d rounds is reported", MAX_ROUNDS);
    return 0;
}

/* One scale, with the other one 1. Returns 1 when the times show it, 0 when they do not, or -1 with
 * the status when there are too few of them. */
static int solve_alone(struct work *w, int latency)
{
    const struct scales one = { latency, !latency };
    struct loggp_fit *f = w->fit;
    if (solve(w, one) < 0)
        return f->status == FIT_RANK_DEFICIENT ? 0 : -1;
    if ((latency ? f->low.latency : f->low.gap) <= 0)
        return 0;
    if (f->status == FIT_OK)
        f->status = FIT_SCALE_UNIDENTIFIED;
    snprintf(f->reason, sizeof f->reason, "the %s does not show: its scale is set to 1",
             latency ? "gap" : "latency");
    return 1;
}

/* The times show neither scale: the platform's own costs. */
static int take_platform(struct work *w)
{
    struct loggp_fit *f = w->fit;
    f->scale = f->low = f->high = (struct loggp_scale){ 1, 1 };
    f->stderr_of = (struct loggp_scale){ NAN, NAN };
    f->condition = NAN;
    f->status = FIT_SCALE_UNIDENTIFIED;
    snprintf(f->reason, sizeof f->reason,
             "neither latency nor gap shows: both scales are set to 1");
    return walk_all(w, f->scale);
}

/* With both scales; without those that the times do not show. */
static int solve_identified(struct work *w)
{
    struct loggp_fit *f = w->fit;
    const struct scales both = { 1, 1 };
    int solved = solve(w, both);
    if (solved == 0 && f->low.latency > 0 && f->low.gap > 0)
        return 0;
    if (solved < 0 && f->status != FIT_RANK_DEFICIENT)
        return -1;
    /* the less certain one goes first */
    int latency = solved < 0 || f->low.gap / f->scale.gap <= f->low.latency / f->scale.latency;
    int shown = solve_alone(w, latency);
    if (shown == 0)
        shown = solve_alone(w, !latency);
    return shown < 0 ? -1 : shown ? 0 : take_platform(w);
}

static void count_errors(struct work *w)
{
    struct loggp_fit *f = w->fit;
    f->mean_error = f->worst_error = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct equation *e = &w->equation[i];
        double t = f->scale.latency * e->latency + f->scale.gap * e->gap + e->port_s;
        double error = fabs(t / e->seconds - 1);
        f->mean_error += error / (double)w->n;
        f->worst_error = fmax(f->worst_error, error);
    }
}

static void set_nothing(struct loggp_fit *f)
{
    static const struct loggp_scale none = { NAN, NAN };
    f->scale = f->stderr_of = f->low = f->high = none;
    f->condition = f->mean_error = f->worst_error = NAN;
}

static void fit_one(struct work *w)
{
    struct loggp_fit *f = w->fit;
    w->x = memory_zeros(w->n + 1, (COLUMNS + 1) * sizeof *w->x);
    w->y = w->x + COLUMNS * w->n;
    set_nothing(f);
    if (!w->costs)
        snprintf(f->reason, sizeof f->reason, "ping-pong or linear broadcasts are not measured");
    else if (solve_identified(w) == 0)
        count_errors(w);
    else
        set_nothing(f);
    if (f->status == FIT_TOO_FEW && !*f->reason)
        snprintf(f->reason, sizeof f->reason, "%zu experiments (want %d or more)", f->n,
                 COLUMNS + 1);
}

/* ---- all ---- */

static void begin_fits(const struct points *points, const struct gamma_models *gammas,
                       struct loggp_fits *fits)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment != EXP_GATHER)
            continue;
        fit_for(fits, p);
        platform_for(fits, points, gammas, &p->cell);
    }
}

static void fit_next(const struct points *points, struct loggp_fits *fits, struct work *w)
{
    const struct loggp_platform *p = loggp_platform_find(fits, w->fit->mpi, w->fit->mapping);
    w->costs = loggp_platform_usable(p) ? &p->costs : NULL;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (is_of(w->fit, &m->point.cell, &m->point.candidate) && loggp_is_experiment(points, m))
            add_equation(w, m);
    }
    fit_one(w);
}

void loggp_fit(const struct points *points, const struct facts *facts,
               const struct gamma_models *gammas, double confidence, struct loggp_fits *fits)
{
    *fits = (struct loggp_fits){ .n = 0 };
    begin_fits(points, gammas, fits);
    for (size_t i = 0; i < fits->n; i++) {
        struct work w = { .facts = facts, .fit = &fits->fit[i], .confidence = confidence };
        fit_next(points, fits, &w);
        memory_free(w.equation, w.x);
    }
}

int loggp_fit_usable(const struct loggp_fit *fit)
{
    return fit && fit->scale.latency >= 0 && fit->scale.gap >= 0;
}

const struct loggp_platform *loggp_platform_find(const struct loggp_fits *fits, const char *mpi,
                                                 const char *mapping)
{
    for (size_t i = 0; i < fits->n_platforms; i++)
        if (strcmp(fits->platform[i].mpi, mpi) == 0 &&
            strcmp(fits->platform[i].mapping, mapping) == 0)
            return &fits->platform[i];
    return NULL;
}

const struct loggp_fit *loggp_fit_find(const struct loggp_fits *fits, const struct cell *cell,
                                       const struct candidate *candidate)
{
    for (size_t i = 0; i < fits->n; i++)
        if (is_of(&fits->fit[i], cell, candidate))
            return &fits->fit[i];
    return NULL;
}

void loggp_fits_clear(struct loggp_fits *fits)
{
    for (size_t i = 0; i < fits->n_platforms; i++)
        loggp_costs_clear(&fits->platform[i].costs);
    memory_free(fits->platform, fits->fit);
    *fits = (struct loggp_fits){ .n = 0 };
}
