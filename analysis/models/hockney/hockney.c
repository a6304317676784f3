/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/hockney/hockney.h"

#include "analysis/measure/equivalent.h"
#include "analysis/walk/closed.h"
#include "analysis/walk/stage_walk.h"

enum { COLUMNS = 2, MAX_ROUNDS = 50 };

static const char per_algorithm[] = "stage", of_pingpong[] = "textbook";

static const struct hockney *find(const struct hockneys *fits, const char *model,
                                  const char *collective, const char *mpi, const char *mapping,
                                  const struct candidate *candidate)
{
    for (size_t i = 0; i < fits->n; i++) {
        const struct hockney *f = &fits->fit[i];
        if (strcmp(f->model, model) == 0 && strcmp(f->collective, collective) == 0 &&
            strcmp(f->mpi, mpi) == 0 && strcmp(f->mapping, mapping) == 0 &&
            (!candidate || candidate_equal(&f->candidate, candidate)))
            return f;
    }
    return NULL;
}

/* The fit that a point belongs to, begun where there is none yet. */
static struct hockney *fit_for(struct hockneys *fits, const char *model, const struct point *p,
                               const struct candidate *candidate)
{
    const struct cell *c = &p->cell;
    const char *collective = p->experiment == EXP_PINGPONG ? "" : c->collective;
    struct hockney *fit =
        (struct hockney *)find(fits, model, collective, c->mpi, c->mapping, candidate);
    if (!fit) {
        fit = array_add(&fits->fit, &fits->n);
        *fit = (struct hockney){ .candidate = *candidate, .status = FIT_TOO_FEW };
        snprintf(fit->collective, sizeof fit->collective, "%s", collective);
        snprintf(fit->mpi, sizeof fit->mpi, "%s", c->mpi);
        snprintf(fit->mapping, sizeof fit->mapping, "%s", c->mapping);
        snprintf(fit->model, sizeof fit->model, "%s", model);
    }
    if (c->procs > fit->procs)
        fit->procs = c->procs;
    return fit;
}

/* Why an experiment cannot be an equation of its algorithm's fit; "" when it can. */
static void judge(const struct facts *facts, const struct measured *m, struct equation *e)
{
    struct schedule s;
    struct err err;
    e->used = 0;
    if (!measured_usable(m)) {
        snprintf(e->reason, sizeof e->reason, "%s%s%.120s", point_status_words[m->status],
                 *m->reason ? ": " : "", m->reason);
        return;
    }
    e->used = 1;
    if (m->point.experiment == EXP_PINGPONG)
        return;
    if (equivalent_schedule(facts, &m->point.cell, &m->point.candidate, &s, &err) < 0) {
        e->used = 0;
        snprintf(e->reason, sizeof e->reason, "%.150s", err.text);
    } else if (m->status == POINT_SUBSTITUTED || s.alg != s.asked) {
        e->used = 0;
        snprintf(e->reason, sizeof e->reason, "substituted: %.60s ran",
                 *m->ran_algorithm ? m->ran_algorithm : s.alg->name);
    }
}

static void add_equation(struct hockneys *fits, const struct facts *facts, size_t fit,
                         const struct measured *m)
{
    struct equation *e = array_add(&fits->equation, &fits->n_equations);
    *e = (struct equation){ .fit = fit,
                            .point = m->point,
                            .a = NAN,
                            .b = NAN,
                            .x = NAN,
                            .y = NAN,
                            .fitted = NAN,
                            .weight = NAN };
    judge(facts, m, e);
    e->y = m->time.value; /* divided by a when that is known */
}

static int by_fit(const void *a, const void *b)
{
    const struct equation *x = a, *y = b;
    int c = ascending(x->fit, y->fit);
    if (!c)
        c = ascending(x->point.cell.procs, y->point.cell.procs);
    if (!c)
        c = ascending(x->point.cell.bytes, y->point.cell.bytes);
    return c ? c : strcmp(x->point.id, y->point.id);
}

/* The smallest message of the study's experiments; ping-pongs of less (the blocks of a scatter) are
 * not of the range that the textbook model is for. */
static uint64_t least_bytes(const struct points *points)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment == EXP_GATHER && p->cell.bytes < least)
            least = p->cell.bytes;
    }
    return least == UINT64_MAX ? 0 : least;
}

static void collect(const struct points *points, const struct facts *facts, struct hockneys *fits)
{
    static const struct candidate pingpong = { .algorithm = "pingpong" };
    const uint64_t least = least_bytes(points);
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        enum experiment e = m->point.experiment;
        if (e != EXP_GATHER &&
            (e != EXP_PINGPONG || m->point.channel != CHANNEL_NONE || m->point.cell.bytes < least))
            continue;
        if (m->point.channel != CHANNEL_NONE)
            continue; /* of one kind of neighbours: the channel model's */
        struct hockney *fit = e == EXP_GATHER
                                  ? fit_for(fits, per_algorithm, &m->point, &m->point.candidate)
                                  : fit_for(fits, of_pingpong, &m->point, &pingpong);
        add_equation(fits, facts, (size_t)(fit - fits->fit), m);
    }
    if (fits->n_equations)
        qsort(fits->equation, fits->n_equations, sizeof *fits->equation, by_fit);
}

/* The equations of one fit and what their solution needs. */
struct work {
    const struct facts *facts;
    struct hockney *fit;
    struct equation *equation;
    size_t n;
    const struct gamma *gamma, *closing; /* of the collective; of the gather behind it */
    struct stage_profile *profile;       /* of each equation; unused ones are empty */
    double *time_s;                      /* T of each equation */
    double *x, *y, *prior, *weight;
    double confidence;
};

static void work_clear(struct work *w)
{
    for (size_t i = 0; i < w->n; i++)
        stage_profile_clear(&w->profile[i]);
    memory_free(w->profile, w->time_s);
}

static void work_init(struct work *w)
{
    w->profile = memory_zeros(w->n, sizeof *w->profile);
    w->time_s = memory_zeros(w->n * (COLUMNS + 4), sizeof *w->time_s);
    w->y = w->time_s + w->n;
    w->prior = w->y + w->n;
    w->weight = w->prior + w->n;
    w->x = w->weight + w->n;
}

static void walk_all(struct work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        struct equation *e = &w->equation[i];
        struct schedule s;
        struct err err;
        w->time_s[i] = e->y;
        if (!e->used || e->point.experiment == EXP_PINGPONG)
            continue;
        if (equivalent_schedule(w->facts, &e->point.cell, &e->point.candidate, &s, &err) < 0 ||
            stage_walk(&s, &w->profile[i], &err) < 0) {
            e->used = 0;
            snprintf(e->reason, sizeof e->reason, "%.150s", err.text);
        }
    }
}

/* Of the gather that closes the experiment: (P - 1)(alpha + g beta), and gamma(P) alpha more where
 * the root calls for it; P - 1 receives count as measured where the collective's do. */
static struct closed_line closing_line(const struct point *p, const struct gamma *gamma)
{
    const struct algorithm *alg = collective_closing(p->cell.collective);
    struct schedule s;
    if (!alg ||
        schedule_init(&s, alg, p->cell.procs, p->cell.root, p->gather_bytes, 0, 0, NULL) < 0)
        return (struct closed_line){ 0, 0, 0 };
    return closed_find(CLOSED_STAGE, &s)->line(&s, gamma);
}

static void coefficients(const struct work *w, size_t i, double alpha, double beta, double *a,
                         double *b)
{
    const struct point *p = &w->equation[i].point;
    if (p->experiment == EXP_PINGPONG) {
        *a = 1;
        *b = (double)p->cell.bytes;
        return;
    }
    const struct closed_line closing = closing_line(p, w->closing);
    stage_coefficients(&w->profile[i], w->gamma, alpha, beta, a, b);
    *a += closing.a;
    *b += closing.b;
}

/* Renews a, b, x, y of all used equations; returns how many changed. */
static size_t renew(struct work *w, double alpha, double beta)
{
    size_t changed = 0;
    for (size_t i = 0; i < w->n; i++) {
        struct equation *e = &w->equation[i];
        double a, b;
        if (!e->used)
            continue;
        coefficients(w, i, fmax(alpha, 0), fmax(beta, 0), &a, &b);
        changed += !(a == e->a && b == e->b);
        e->a = a;
        e->b = b;
        e->x = b / a;
        e->y = w->time_s[i] / a;
    }
    return changed;
}

/* Fills the matrices with the used equations and returns their number. */
static size_t fill(struct work *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct equation *e = &w->equation[i];
        if (!e->used)
            continue;
        w->x[COLUMNS * n] = 1;
        w->x[COLUMNS * n + 1] = e->x;
        w->y[n] = e->y;
        w->prior[n++] = 1 / (e->y * e->y);
    }
    return n;
}

/* Solves, renews the coefficients, until none changes. From all loads weighed by bytes alone, since
 * those decide in the larger half of the sizes. */
static int solve(struct work *w, struct regression *r)
{
    double alpha = 0, beta = 1;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        size_t changed = renew(w, alpha, beta), n = fill(w);
        if (!changed && n)
            return 0;
        if (regress_huber(w->x, w->y, w->prior, n, COLUMNS, w->confidence, r, w->weight) < 0)
            return -1;
        alpha = r->coef[0];
        beta = r->coef[1];
    }
    r->status = FIT_NOT_CONVERGED;
    return 0;
}

static void take_result(struct work *w, const struct regression *r)
{
    struct hockney *fit = w->fit;
    struct regression ls;
    fit->alpha = r->coef[0];
    fit->beta = r->coef[1];
    fit->alpha_stderr = r->stderr_of[0];
    fit->beta_stderr = r->stderr_of[1];
    fit->alpha_low = r->low[0];
    fit->alpha_high = r->high[0];
    fit->beta_low = r->low[1];
    fit->beta_high = r->high[1];
    fit->condition = r->condition;
    fit->r2 = r->r2;
    fit->status = r->status;
    regress_least_squares(w->x, w->y, w->prior, fit->n, COLUMNS, w->confidence, &ls);
    fit->ls_alpha = ls.coef[0];
    fit->ls_beta = ls.coef[1];
}

static void explain(struct hockney *fit)
{
    if (fit->status == FIT_OK) {
        fit->status = fit_sign(fit->alpha_low, fit->alpha_high, fit->beta_low, fit->beta_high,
                               fit->r2, fit->reason, sizeof fit->reason);
    } else if (fit->status == FIT_TOO_FEW && !*fit->reason) {
        snprintf(fit->reason, sizeof fit->reason, "%zu equations (want 3 or more)", fit->n);
    } else if (fit->status == FIT_RANK_DEFICIENT) {
        snprintf(fit->reason, sizeof fit->reason, "every x is the same: alpha and beta are one");
    } else if (fit->status == FIT_NOT_CONVERGED) {
        snprintf(fit->reason, sizeof fit->reason, "the last of %d rounds is reported", MAX_ROUNDS);
    }
}

/* The fitted values and weights, of used equations only. */
static void finish(struct work *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        struct equation *e = &w->equation[i];
        if (!e->used) {
            e->y = NAN;
            continue;
        }
        e->fitted = w->fit->alpha + w->fit->beta * e->x;
        e->weight = w->weight[n++];
    }
}

/* The gammas of the collective and of the gather behind it, whose receives are measured where the
 * collective's are; 0: not known. */
static void fit_one(struct work *w, const struct gamma_models *gammas)
{
    struct regression r;
    struct gamma gamma, closing;
    const int known =
        gamma_for(gammas, w->fit->mpi, w->fit->mapping, w->fit->collective, &gamma) &&
        gamma_for(gammas, w->fit->mpi, w->fit->mapping,
                  gamma.receives ? collective_of_fan(FAN_RECEIVE)->name : w->fit->collective,
                  &closing);
    int is_stage = strcmp(w->fit->model, per_algorithm) == 0;
    w->fit->alpha = w->fit->beta = w->fit->alpha_stderr = w->fit->beta_stderr = w->fit->alpha_low =
        w->fit->alpha_high = NAN;
    w->fit->beta_low = w->fit->beta_high = w->fit->ls_alpha = w->fit->ls_beta = w->fit->condition =
        w->fit->r2 = NAN;
    work_init(w);
    walk_all(w);
    for (size_t i = 0; i < w->n; i++)
        w->fit->n += w->equation[i].used != 0;
    w->fit->excluded = w->n - w->fit->n;
    if (is_stage && !known) {
        snprintf(w->fit->reason, sizeof w->fit->reason, "gamma is not known");
        for (size_t i = 0; i < w->n; i++)
            w->equation[i].used = 0;
    } else {
        w->gamma = is_stage ? &gamma : NULL;
        w->closing = is_stage ? &closing : NULL;
        int solved = solve(w, &r);
        w->fit->status = r.status;
        w->fit->condition = r.condition;
        if (solved == 0)
            take_result(w, &r);
    }
    explain(w->fit);
    finish(w);
}

void hockney_fit(const struct points *points, const struct facts *facts,
                 const struct gamma_models *gammas, double confidence, struct hockneys *fits)
{
    *fits = (struct hockneys){ .n = 0 };
    collect(points, facts, fits);
    for (size_t i = 0, first = 0; i < fits->n; i++) {
        struct work w = { .fit = &fits->fit[i],
                          .equation = fits->equation + first,
                          .facts = facts,
                          .confidence = confidence };
        while (first + w.n < fits->n_equations && w.equation[w.n].fit == i)
            w.n++;
        fit_one(&w, gammas);
        work_clear(&w);
        first += w.n;
    }
}

int hockney_usable(const struct hockney *fit)
{
    return fit && fit->status != FIT_BETA_NEGATIVE && isfinite(fit->alpha) && isfinite(fit->beta);
}

const struct hockney *hockney_find(const struct hockneys *fits, const char *collective,
                                   const char *mpi, const char *mapping,
                                   const struct candidate *candidate)
{
    return find(fits, per_algorithm, collective, mpi, mapping, candidate);
}

const struct hockney *hockney_pingpong(const struct hockneys *fits, const char *mpi,
                                       const char *mapping)
{
    return find(fits, of_pingpong, "", mpi, mapping, NULL);
}

CLEARS(hockneys_clear, hockneys, it->fit, it->equation)
