/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/regression/regression_extrapolated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/published_default.h"
#include "analysis/measure/result_file.h"
#include "harness/base/memory.h"
#include "harness/study/mpi.h"

enum { MOST_BASES = 5 };

/* Of the regression: it resists what ruins the others (docs/notebook/2026-11-22-regression.md). */
static const enum regression_method estimator = REGRESSION_MM;

/* What the bases say of the points: indices as those of the points; NULL where nothing. */
struct told {
    const struct model *model[MOST_BASES];
    const struct prediction **said[MOST_BASES];
};

static void told_clear(struct told *told)
{
    for (size_t b = 0; b < MOST_BASES; b++)
        free(told->said[b]);
}

static void told_make(struct told *told, const struct points *points,
                      const struct predictions *predictions)
{
    *told = (struct told){ .model = { NULL } };
    for (size_t k = 0; models[k]; k++)
        if (models[k]->carries > 0 && models[k]->carries <= MOST_BASES)
            told->model[models[k]->carries - 1] = models[k];
    for (size_t b = 0; b < MOST_BASES; b++) {
        told->said[b] = memory_zeros(points->n + 1, sizeof *told->said[b]);
        size_t at = 0;
        while (at < predictions->n && predictions->row[at].model != told->model[b])
            at++;
        for (size_t i = 0; i < points->n; i++)
            if (at < predictions->n && predictions->row[at].model == told->model[b] &&
                strcmp(predictions->row[at].of->point.id, points->row[i].point.id) == 0)
                told->said[b][i] = &predictions->row[at++].prediction;
    }
}

/* The first base that predicts all of a group, or -1. */
static int base_of(const struct told *told, const struct points *points,
                   const struct point_group *group)
{
    for (int b = 0; b < MOST_BASES; b++) {
        size_t i = 0;
        for (; i < group->n; i++) {
            const struct prediction *p = told->said[b][group->row[i] - points->row];
            if (!p || !prediction_usable(p))
                break;
        }
        if (i == group->n)
            return b;
    }
    return -1;
}

static void fill(struct extrapolated *c, const struct points *points, const struct told *told)
{
    c->base = memory_zeros(c->groups.n + 1, sizeof *c->base);
    c->model_s = memory_zeros(points->n + 1, sizeof *c->model_s);
    for (size_t g = 0; g < c->groups.n; g++) {
        const struct point_group *group = &c->groups.group[g];
        const int b = base_of(told, points, group);
        if (b < 0)
            continue;
        c->base[g] = told->model[b];
        for (size_t i = 0; i < group->n; i++)
            c->model_s[&group->row[i] - (const struct measured *const *)c->groups.row] =
                told->said[b][group->row[i] - points->row]->seconds;
    }
}

void extrapolated_make(const struct points *points, const struct predictions *predictions,
                       struct extrapolated *carried)
{
    struct told told;
    *carried = (struct extrapolated){ .base = NULL };
    point_groups_make(points, &carried->groups);
    told_make(&told, points, predictions);
    fill(carried, points, &told);
    told_clear(&told);
}

void extrapolated_clear(struct extrapolated *carried)
{
    point_groups_clear(&carried->groups);
    memory_free(carried->base, carried->model_s);
    *carried = (struct extrapolated){ .base = NULL };
}

/* ---- what is carried ---- */

/* A candidate of a cell with its size: its group, and the regression that was fitted to it. */
struct source {
    const struct point_group *group;
    const struct model *base;
    const double *model_s; /* of the group's rows */
    const struct regression_fit *fit;
};

/* 1, or 0 where there is nothing to carry it by. */
static int source_find(const struct parameters *p, const struct cell *cell,
                       const struct candidate *candidate, struct source *s)
{
    const struct extrapolated *c = parameters_of(p, &extrapolated_set);
    size_t low = 0, high = c->groups.n;
    while (low < high) {
        const size_t g = (low + high) / 2;
        const struct point *first = &c->groups.group[g].row[0]->point;
        if (group_compare(&first->cell, &first->candidate, cell, candidate) < 0)
            low = g + 1;
        else
            high = g;
    }
    if (low == c->groups.n || !c->base[low])
        return 0;
    s->group = &c->groups.group[low];
    s->base = c->base[low];
    s->model_s = c->model_s + (s->group->row - (const struct measured *const *)c->groups.row);
    s->fit = regressions_find(parameters_of(p, &regression_set), estimator, cell, candidate);
    const struct point *first = &s->group->row[0]->point;
    return s->fit && group_compare(&first->cell, &first->candidate, cell, candidate) == 0;
}

/* What the base says of a cell: it has said so of the group's points. */
static struct prediction base_says(const struct parameters *p, const struct source *s,
                                   const struct cell *cell, const struct candidate *candidate)
{
    for (size_t i = 0; i < s->group->n; i++)
        if (cell_compare(&s->group->row[i]->point.cell, cell) == 0)
            return (struct prediction){ .status = PREDICT_OK, .seconds = s->model_s[i] };
    return model_predict(s->base, p, cell, candidate);
}

/* What a library's default runs, named as the study's candidates are; 0: no default, or nothing is
 * known. */
static int runs(const struct parameters *p, const struct cell *cell,
                const struct candidate *candidate, struct candidate *named)
{
    struct decision d;
    if (!decided(p->facts, cell, candidate, &d))
        return 0;
    *named = (struct candidate){ .segment_bytes = d.segment_bytes, .fanout = d.fanout };
    snprintf(named->algorithm, sizeof named->algorithm, "%s:%.40s", mpi_family(cell->mpi),
             d.algorithm);
    return 1;
}

/* 1 where row i was fitted to and, unless as is NULL, ran that algorithm. */
static int counts(const struct parameters *p, const struct source *s, size_t i,
                  const struct candidate *as)
{
    struct candidate here;
    const struct point *point = &s->group->row[i]->point;
    const int procs = point->cell.procs;
    if (procs < s->fit->procs_low || procs > s->fit->procs_high)
        return 0;
    return !as || (runs(p, &point->cell, &point->candidate, &here) && candidate_equal(&here, as));
}

/* f by the median of measured over said. */
static double taken_off(const struct measured *m, enum rank_statistic statistic, double median)
{
    return strcmp(rank_statistic_name(m, statistic), "max_rank") == 0 ? sqrt(median) : median;
}

/* f, over the rows that count; 1 where there are none. */
static double factor_of(const struct parameters *p, const struct source *s,
                        const struct candidate *as)
{
    const struct regressions *all = parameters_of(p, &regression_set);
    double *ratio = memory_zeros(s->group->n + 1, sizeof *ratio);
    int edge = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->group->n; i++)
        if (counts(p, s, i, as))
            edge = s->group->row[i]->point.cell.procs;
    for (size_t i = 0; i < s->group->n; i++) {
        const double seconds = measured_seconds(s->group->row[i], all->statistic);
        if (4 * s->group->row[i]->point.cell.procs > 3 * edge && counts(p, s, i, as) &&
            seconds > 0 && s->model_s[i] > 0)
            ratio[n++] = seconds / s->model_s[i];
    }
    const double factor =
        n ? taken_off(s->group->row[0], all->statistic, stats_median(ratio, n)) : 1;
    free(ratio);
    return factor;
}

/* 1 when all that was fitted to ran this algorithm. */
static int always_ran(const struct parameters *p, const struct source *s,
                      const struct candidate *as)
{
    for (size_t i = 0; i < s->group->n; i++)
        if (counts(p, s, i, NULL) && !counts(p, s, i, as))
            return 0;
    return 1;
}

/* T = f M, */
static enum predict_status carry(const struct parameters *p, const struct cell *cell,
                                 const struct candidate *candidate, struct extrapolated_time *t)
{
    struct source own, other;
    struct candidate named;
    const struct candidate *as = NULL, *who = candidate;
    if (!source_find(p, cell, candidate, &own))
        return PREDICT_NO_FIT;
    if (runs(p, cell, candidate, &named) && !always_ran(p, &own, &named)) {
        if (source_find(p, cell, &named, &other)) {
            own = other;
            who = &named;
        } else {
            as = &named;
        }
    }
    snprintf(t->runs, sizeof t->runs, "%s", (as ? as : who)->algorithm);
    t->base = own.base;
    const struct prediction base = base_says(p, &own, cell, who);
    t->model_s = base.seconds;
    t->factor = factor_of(p, &own, as);
    t->seconds = t->factor * t->model_s;
    if (base.status == PREDICT_TOO_MANY)
        return PREDICT_TOO_MANY;
    return isfinite(t->seconds) ? PREDICT_EXTRAPOLATED : PREDICT_NO_FIT;
}

enum predict_status extrapolated_predict(const struct parameters *p, const struct cell *cell,
                                         const struct candidate *candidate,
                                         struct extrapolated_time *t)
{
    struct regression_prediction regression;
    const struct regressions *all = parameters_of(p, &regression_set);
    const struct regression_fit *d = regressions_find(all, estimator, cell, candidate);
    *t = (struct extrapolated_time){
        .seconds = NAN, .regression_s = NAN, .model_s = NAN, .factor = NAN, .base = NULL
    };
    if (!d || regression_predict(all, d, cell, &regression) < 0)
        return PREDICT_NO_FIT;
    t->seconds = t->regression_s = regression.seconds;
    if (regression_crosses(all, d, cell))
        return carry(p, cell, candidate, t);
    return regression.extrapolated ? PREDICT_EXTRAPOLATED : PREDICT_OK;
}

/* clang-format off */
static const struct schema_column columns[] = {
    CELL_COLUMNS(extrapolated_row, cell),
    CANDIDATE_COLUMNS(extrapolated_row, candidate),
    COLUMN(extrapolated_row, NAME, "runs", runs, "", "the algorithm that the model and the factor are of"),
    COLUMN(extrapolated_row, NAME, "base", base, "", "the model that it is carried with"),
    COLUMN(extrapolated_row, REAL, "measured_s", measured_s, "s", "what was measured"),
    COLUMN(extrapolated_row, REAL, "regression_s", regression_s, "s", "the regression gone on alone"),
    COLUMN(extrapolated_row, REAL, "model_s", model_s, "s", "M, what the model says"),
    COLUMN(extrapolated_row, REAL, "factor", factor, "", "f"),
    COLUMN(extrapolated_row, REAL, "carried_s", carried_s, "s", "f M"),
};
/* clang-format on */

const struct schema extrapolated_schema = {
    .path = "fit/carried.csv",
    .meaning = "One row per point beyond the sockets or nodes that its regression has seen "
               "(`analysis/models/regression/regression_extrapolated.h`).",
    SCHEMA_COLUMNS(extrapolated_row, columns),
    .backend = 1,
};

static void write_row(struct csvw *w, const struct measured *m, const struct extrapolated_time *t)
{
    struct extrapolated_row r = { .cell = m->point.cell,
                                  .candidate = m->point.candidate,
                                  .measured_s = m->time.value,
                                  .regression_s = t->regression_s,
                                  .model_s = t->model_s,
                                  .factor = t->factor,
                                  .carried_s = t->seconds };
    snprintf(r.runs, sizeof r.runs, "%s", t->runs);
    snprintf(r.base, sizeof r.base, "%s", t->base->name);
    schema_row(w, &extrapolated_schema, &r);
}

int extrapolated_write(const char *dir, const struct point_groups *groups,
                       const struct parameters *p, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    struct extrapolated_time t;
    if (result_open(dir, &extrapolated_schema, &f, &w, err) < 0)
        return -1;
    for (size_t g = 0; g < groups->n; g++)
        for (size_t i = 0; i < groups->group[g].n; i++) {
            const struct measured *m = groups->group[g].row[i];
            const enum predict_status status =
                extrapolated_predict(p, &m->point.cell, &m->point.candidate, &t);
            if (status == PREDICT_EXTRAPOLATED && t.base)
                write_row(&w, m, &t);
        }
    return fs_commit(&f, err);
}

/* ---- the set ---- */

/* 1 when a point lies on a socket or node that the regressions have not seen. */
static int crosses(const struct points *points, const struct regressions *all)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        const struct regression_fit *f =
            p->experiment == EXP_TIME
                ? regressions_find(all, REGRESSION_HUBER, &p->cell, &p->candidate)
                : NULL;
        if (f && regression_crosses(all, f, &p->cell))
            return 1;
    }
    return 0;
}

static int fit_set(const struct fit_from *from, const struct parameters *p, void *value,
                   struct err *err)
{
    const struct regressions *all = parameters_of(p, &regression_set);
    if (from->split == SPLIT_ALTERNATE || !all || !regressions_usable(all) ||
        (from->split == SPLIT_IN_SAMPLE && !crosses(from->points, all)))
        return 0;
    (void)err;
    extrapolated_make(from->points, from->predictions, value);
    return 0;
}

static int write_set(const char *dir, const struct fit_from *from, const struct parameters *p,
                     void *value, struct err *err)
{
    const struct extrapolated *carried = value;
    char stale[PATH_SIZE];
    if (carried->base)
        return extrapolated_write(dir, from->groups, p, err);
    return fs_path(stale, sizeof stale, err, "%s/%s", dir, extrapolated_schema.path) < 0
               ? -1
               : fs_remove_tree(stale, err);
}

static void clear_set(void *value)
{
    extrapolated_clear(value);
}

const struct parameter_set extrapolated_set = {
    .name = "carried",
    .size = sizeof(struct extrapolated),
    .by_split = 1,
    .after_predictions = 1,
    .fit = fit_set,
    .write = write_set,
    .clear = clear_set,
};
