/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/carried.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/decided.h"
#include "analysis/result_file.h"

const char *const carried_bases[] = { "channel_event", "channel", "event", NULL };
enum { MOST_BASES = 4 };

/* Of D and L: it resists what the others are ruined by (docs/analysis.md). */
static const enum dummy_method estimator = DUMMY_MM;

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

static int told_make(struct told *told, const struct points *points,
                     const struct predictions *predictions)
{
    *told = (struct told){ .model = { NULL } };
    for (size_t b = 0; carried_bases[b]; b++) {
        told->model[b] = model_find(carried_bases[b]);
        told->said[b] = calloc(points->n + 1, sizeof *told->said[b]);
        if (!told->said[b])
            return -1;
        size_t at = 0;
        while (at < predictions->n && predictions->row[at].model != told->model[b])
            at++;
        for (size_t i = 0; i < points->n; i++)
            if (at < predictions->n && predictions->row[at].model == told->model[b] &&
                strcmp(predictions->row[at].point.id, points->row[i].point.id) == 0)
                told->said[b][i] = &predictions->row[at++].prediction;
    }
    return 0;
}

/* The first base that predicts all of a group, or -1. */
static int base_of(const struct told *told, const struct points *points,
                   const struct point_group *group)
{
    for (int b = 0; carried_bases[b]; b++) {
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

/* Copies a group with the base's seconds in the place of the measured ones. */
static void copy_group(struct points *out, const struct points *points, const struct told *told,
                       int base, const struct point_group *group)
{
    for (size_t i = 0; i < group->n; i++) {
        struct measured *m = &out->row[out->n++];
        *m = *group->row[i];
        m->time.mean = m->mean_rank_s = told->said[base][group->row[i] - points->row]->seconds;
    }
}

static int fill(struct carried *c, const struct points *points, const struct told *told,
                const struct point_groups *groups, struct err *err)
{
    size_t kept = 0;
    c->points.row = calloc(points->n + 1, sizeof *c->points.row);
    c->base = calloc(groups->n + 1, sizeof *c->base);
    if (!c->points.row || !c->base)
        return err_set(err, "out of memory");
    for (size_t g = 0; g < groups->n; g++) {
        const int b = base_of(told, points, &groups->group[g]);
        if (b < 0)
            continue;
        c->base[kept++] = told->model[b];
        copy_group(&c->points, points, told, b, &groups->group[g]);
    }
    return point_groups_make(&c->points, &c->groups, err);
}

int carried_make(const struct points *points, const struct predictions *predictions,
                 const struct facts *facts, enum split split, struct carried *carried,
                 struct err *err)
{
    struct told told;
    struct point_groups groups;
    *carried = (struct carried){ .base = NULL };
    if (point_groups_make(points, &groups, err) < 0)
        return -1;
    int status = told_make(&told, points, predictions) < 0
                     ? err_set(err, "out of memory")
                     : fill(carried, points, &told, &groups, err);
    if (status == 0)
        status = dummies_fit_one(&carried->groups, facts, split, estimator, &carried->lines, err);
    told_clear(&told);
    point_groups_clear(&groups);
    if (status < 0)
        carried_clear(carried);
    return status;
}

void carried_clear(struct carried *carried)
{
    dummies_clear(&carried->lines);
    point_groups_clear(&carried->groups);
    points_clear(&carried->points);
    free(carried->base);
    *carried = (struct carried){ .base = NULL };
}

/* D and L at the largest process count that was fitted; NaN where one is not positive. */
static double edge_factor(const struct parameters *p, const struct dummy_fit *d,
                          const struct dummy_fit *l)
{
    struct dummy_prediction measured, model;
    if (dummy_predict(p->dummies, d, &d->edge, &measured) < 0 ||
        dummy_predict(&p->carried->lines, l, &d->edge, &model) < 0 || !(measured.seconds > 0) ||
        !(model.seconds > 0))
        return NAN;
    return measured.seconds / model.seconds;
}

/* L of a candidate, and the number of its group; NULL: nothing was carried of it. */
static const struct dummy_fit *line_of(const struct parameters *p, const struct cell *cell,
                                       const struct candidate *candidate, size_t *group)
{
    const struct dummies *lines = &p->carried->lines;
    const struct dummy_fit *l = dummies_find(lines, estimator, cell, candidate);
    *group = l ? (size_t)(l - lines->fit) / N_DUMMY_METHODS : 0;
    return l;
}

/* What the base of a group says of a cell: it has said so of the group's points. */
static double model_seconds(const struct parameters *p, size_t g, const struct cell *cell,
                            const struct candidate *candidate)
{
    const struct point_group *group = &p->carried->groups.group[g];
    for (size_t i = 0; i < group->n; i++)
        if (cell_compare(&group->row[i]->point.cell, cell) == 0)
            return group->row[i]->time.mean;
    return model_predict(p->carried->base[g], p, cell, candidate).seconds;
}

/* T = D, or beyond D's places D + f (M - L). */
static enum predict_status carry(const struct parameters *p, const struct cell *cell,
                                 const struct candidate *candidate, struct carried_time *t)
{
    size_t g;
    struct dummy_prediction regression, line;
    const struct dummy_fit *d = dummies_find(p->dummies, estimator, cell, candidate);
    if (!d || dummy_predict(p->dummies, d, cell, &regression) < 0)
        return PREDICT_NO_FIT;
    snprintf(t->as, sizeof t->as, "%s", candidate->algorithm);
    t->seconds = t->start_s = regression.seconds;
    if (!dummy_crosses(p->dummies, d, cell))
        return regression.extrapolated ? PREDICT_EXTRAPOLATED : PREDICT_OK;
    const struct dummy_fit *l = line_of(p, cell, candidate, &g);
    if (!l || dummy_predict(&p->carried->lines, l, cell, &line) < 0)
        return PREDICT_NO_FIT;
    t->base = p->carried->base[g];
    t->model_s = model_seconds(p, g, cell, candidate);
    t->factor = edge_factor(p, d, l);
    if (!isfinite(t->model_s) || !isfinite(t->factor))
        return PREDICT_NO_FIT;
    t->line_s = line.seconds;
    t->seconds = t->start_s + t->factor * (t->model_s - t->line_s);
    return PREDICT_EXTRAPOLATED;
}

/* ---- a library's default, which is not the same algorithm everywhere ---- */

/* What it runs, named as the study's candidates are; 0: no default, or nothing is known. */
static int runs(const struct parameters *p, const struct cell *cell,
                const struct candidate *candidate, struct candidate *named)
{
    struct decision d;
    if (!decided(p->facts, cell, candidate, &d))
        return 0;
    *named = (struct candidate){ .segment_bytes = d.segment_bytes, .fanout = d.fanout };
    snprintf(named->algorithm, sizeof named->algorithm, "%.20s:%.40s", cell->mpi, d.algorithm);
    return 1;
}

/* What was fitted to of a default where it ran an algorithm. */
struct same {
    size_t fitted, ran; /* points; those of that algorithm */
    double factor;      /* median of D / M over the latter; 1: none, NaN: no memory */
};

static struct same same_algorithm(const struct parameters *p, const struct cell *cell,
                                  const struct candidate *candidate, const struct candidate *named)
{
    size_t g;
    struct candidate here;
    struct same same = { .factor = NAN };
    const struct dummy_fit *d = dummies_find(p->dummies, estimator, cell, candidate);
    const struct dummy_fit *l = line_of(p, cell, candidate, &g);
    const struct point_group *group = &p->carried->groups.group[g];
    double *ratio = d && l ? malloc((group->n + 1) * sizeof *ratio) : NULL;
    for (size_t i = 0; ratio && i < group->n; i++) {
        const struct measured *m = group->row[i];
        struct dummy_prediction regression;
        if (m->point.cell.procs > d->procs_high)
            break;
        same.fitted++;
        if (runs(p, &m->point.cell, candidate, &here) && candidate_equal(&here, named) &&
            dummy_predict(p->dummies, d, &m->point.cell, &regression) == 0)
            ratio[same.ran++] = regression.seconds / m->time.mean;
    }
    if (ratio)
        same.factor = same.ran ? stats_median(ratio, same.ran) : 1;
    free(ratio);
    return same;
}

/* T = f M. */
static enum predict_status scale(const struct parameters *p, const struct cell *cell,
                                 const struct candidate *candidate, double factor,
                                 struct carried_time *t)
{
    size_t g;
    if (!line_of(p, cell, candidate, &g))
        return PREDICT_NO_FIT;
    t->base = p->carried->base[g];
    t->model_s = model_seconds(p, g, cell, candidate);
    t->factor = factor;
    t->seconds = t->factor * t->model_s;
    return isfinite(t->seconds) ? PREDICT_EXTRAPOLATED : PREDICT_NO_FIT;
}

static void say_nothing(struct carried_time *t)
{
    const double alone = t->regression_s;
    *t = (struct carried_time){ .seconds = NAN, .start_s = NAN, .model_s = NAN, .line_s = NAN };
    t->factor = NAN;
    t->regression_s = alone;
}

enum predict_status carried_predict(const struct parameters *p, const struct cell *cell,
                                    const struct candidate *candidate, struct carried_time *t)
{
    struct candidate named;
    struct dummy_prediction alone;
    const struct dummy_fit *d = dummies_find(p->dummies, estimator, cell, candidate);
    t->regression_s = d && dummy_predict(p->dummies, d, cell, &alone) == 0 ? alone.seconds : NAN;
    say_nothing(t);
    if (!d || !dummy_crosses(p->dummies, d, cell) || !runs(p, cell, candidate, &named))
        return carry(p, cell, candidate, t);
    const struct same same = same_algorithm(p, cell, candidate, &named);
    if (same.ran > 0 && same.ran == same.fitted)
        return carry(p, cell, candidate, t);
    if (carry(p, cell, &named, t) == PREDICT_EXTRAPOLATED)
        return PREDICT_EXTRAPOLATED;
    say_nothing(t);
    snprintf(t->as, sizeof t->as, "%s", named.algorithm);
    return scale(p, cell, candidate, same.factor, t);
}

/* clang-format off */
static const char *const columns[] = {
    "collective", "mpi", "mapping", "nodes", "ppn", "procs", "root", "bytes", "algorithm",
    "segment_bytes", "fanout", "runs", "base", "measured_s", "regression_s", "start_s", "model_s",
    "line_s", "factor", "carried_s", NULL,
};
/* clang-format on */

static void write_row(struct csvw *w, const struct measured *m, const struct carried_time *t)
{
    const struct cell *c = &m->point.cell;
    csvw_text(w, c->collective);
    csvw_text(w, c->mpi);
    csvw_text(w, c->mapping);
    csvw_i64(w, c->nodes);
    csvw_i64(w, c->ppn);
    csvw_i64(w, c->procs);
    csvw_i64(w, c->root);
    csvw_u64(w, c->bytes);
    csvw_text(w, m->point.candidate.algorithm);
    csvw_u64(w, m->point.candidate.segment_bytes);
    csvw_i64(w, m->point.candidate.fanout);
    csvw_text(w, t->as);
    csvw_text(w, t->base->name);
    csvw_f64(w, m->time.mean);
    csvw_f64(w, t->regression_s);
    csvw_f64(w, t->start_s);
    csvw_f64(w, t->model_s);
    csvw_f64(w, t->line_s);
    csvw_f64(w, t->factor);
    csvw_f64(w, t->seconds);
    csvw_end(w);
}

int carried_write(const char *dir, const struct point_groups *groups, const struct parameters *p,
                  struct err *err)
{
    struct whole_file f;
    struct csvw w;
    struct carried_time t;
    if (result_begin(dir, "fit/carried.csv", columns, &f, &w, err) < 0)
        return -1;
    for (size_t g = 0; g < groups->n; g++)
        for (size_t i = 0; i < groups->group[g].n; i++) {
            const struct measured *m = groups->group[g].row[i];
            const enum predict_status status =
                carried_predict(p, &m->point.cell, &m->point.candidate, &t);
            if (status == PREDICT_EXTRAPOLATED && t.base)
                write_row(&w, m, &t);
        }
    return fs_commit(&f, err);
}
