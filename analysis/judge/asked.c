/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/asked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which cell is meant ---- */

static int is_meant(const struct asked *a, const struct point *p)
{
    const char *name = p->candidate.algorithm;
    if (p->experiment != EXP_TIME || strcmp(p->cell.collective, a->collective) != 0 ||
        (a->mpi && strcmp(p->cell.mpi, a->mpi) != 0) ||
        (a->mapping && strcmp(p->cell.mapping, a->mapping) != 0))
        return 0;
    if (!a->algorithm)
        return 1;
    if (strcmp(strchr(a->algorithm, ':') ? name : algorithm_base_name(name), a->algorithm) != 0)
        return 0;
    return (!a->segment_given || a->segment_bytes == p->candidate.segment_bytes) &&
           (!a->fanout_given || a->fanout == p->candidate.fanout);
}

/* Nodes that so many ranks are on: those of the set's cells of this library and mapping, or, where
 * it has none, as the mapping fills the nodes that it used. */
static int nodes_for(const struct points *points, const struct cell *cell, int node_cores)
{
    int most = 1;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment != EXP_TIME || strcmp(p->cell.mpi, cell->mpi) != 0 ||
            strcmp(p->cell.mapping, cell->mapping) != 0)
            continue;
        if (p->cell.procs == cell->procs)
            return p->cell.nodes;
        most = p->cell.nodes > most ? p->cell.nodes : most;
    }
    if (strcmp(cell->mapping, "node") == 0 || node_cores <= 0)
        return cell->procs < most ? cell->procs : most;
    return (cell->procs + node_cores - 1) / node_cores;
}

/* The first point that is meant; NULL, with *err. */
static const struct point *find_like(const char *dir, const struct asked *a,
                                     const struct points *points, struct err *err)
{
    for (size_t i = 0; i < points->n; i++)
        if (is_meant(a, &points->row[i].point))
            return &points->row[i].point;
    const char *name = a->algorithm ? a->algorithm : "any algorithm";
    err_set(err,
            "%s/points.csv: has no times of %s '%s'%s%s%s%s with this segment size and fan-out",
            dir, a->collective, name, a->mpi ? " for " : "", a->mpi ? a->mpi : "",
            a->mapping ? " by " : "", a->mapping ? a->mapping : "");
    return NULL;
}

/* Models know nothing of ranks beyond the cluster; where others had more than it has cores (they
 * shared them), up to as many as were measured. */
static int check_ranks(const struct asked *a, const struct points *points,
                       const struct facts *facts, struct err *err)
{
    const int cores = facts->nodes * facts->sockets * facts->cores;
    int most = cores;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment == EXP_TIME && p->cell.procs > most)
            most = p->cell.procs;
    }
    if (facts->nodes > 0 && a->nodes > facts->nodes)
        return err_set(err, "%d nodes are more than the %d of the cluster '%s'", a->nodes,
                       facts->nodes, facts->cluster);
    if (cores > 0 && a->procs > most)
        return err_set(err,
                       "%d processes are more than the %d cores of the cluster '%s' (%d nodes of "
                       "%d): no model is for that",
                       a->procs, cores, facts->cluster, facts->nodes,
                       facts->sockets * facts->cores);
    return 0;
}

static struct cell cell_of(const struct asked *a, const struct points *points,
                           const struct facts *facts, const struct point *like)
{
    struct cell c = like->cell;
    c.procs = a->procs;
    c.root = a->root;
    c.bytes = a->bytes;
    c.nodes = a->nodes ? a->nodes : nodes_for(points, &c, facts->sockets * facts->cores);
    c.ppn = (c.procs + c.nodes - 1) / c.nodes;
    return c;
}

/* ---- which candidates there are ---- */

/* Leaves the times of other collectives, libraries and mappings out: no model of this one's rests
 * on them, and there are many. */
static void keep_like(struct points *points, const struct cell *cell)
{
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment != EXP_TIME ||
            (strcmp(p->cell.collective, cell->collective) == 0 &&
             strcmp(p->cell.mpi, cell->mpi) == 0 && strcmp(p->cell.mapping, cell->mapping) == 0))
            points->row[n++] = points->row[i];
    }
    points->n = n;
}

/* 1 when two cells differ by their size, ranks and root alone. */
static int is_alike(const struct cell *a, const struct cell *b)
{
    return strcmp(a->collective, b->collective) == 0 && strcmp(a->mpi, b->mpi) == 0 &&
           strcmp(a->mapping, b->mapping) == 0;
}

static struct measured *find_candidate(struct points *all, const struct candidate *candidate)
{
    for (size_t i = 0; i < all->n; i++)
        if (candidate_equal(&all->row[i].point.candidate, candidate))
            return &all->row[i];
    return NULL;
}

/* 1 for a candidate of the study, a library's default and what was asked for; what the default
 * would pick somewhere, and what parameters alone rest on, are none. */
static int is_candidate(const struct point *p, const struct candidate *asked)
{
    return (p->purpose != FOR_FIT && p->purpose != FOR_DEFAULT) ||
           algorithm_is_default(p->candidate.algorithm) || candidate_equal(&p->candidate, asked);
}

/* All candidates that the set has times of, in the cell. -1 when out of memory. */
static int list_candidates(const struct points *points, const struct cell *cell,
                           const struct candidate *asked, struct points *out)
{
    *out = (struct points){ .row = calloc(points->n + 1, sizeof *out->row) };
    for (size_t i = 0; out->row && i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment != EXP_TIME || !is_alike(&m->point.cell, cell) ||
            !is_candidate(&m->point, asked))
            continue;
        struct measured *row = find_candidate(out, &m->point.candidate);
        if (!row) {
            row = &out->row[out->n++];
            *row = (struct measured){
                .point = m->point, .time.mean = NAN, .mean_rank_s = NAN, .status = POINT_MISSING
            };
            row->point.cell = *cell;
            point_identify(&row->point);
        }
        if (cell_compare(&m->point.cell, cell) == 0)
            *row = *m;
    }
    return out->row ? 0 : -1;
}

/* The points, and behind them the candidates that are not among them. -1 when out of memory. */
static int add_candidates(struct points *points, const struct points *candidates)
{
    struct measured *row =
        realloc(points->row, (points->n + candidates->n + 1) * sizeof *points->row);
    if (!row)
        return -1;
    points->row = row;
    for (size_t i = 0; i < candidates->n; i++)
        if (candidates->row[i].status == POINT_MISSING)
            points->row[points->n++] = candidates->row[i];
    return 0;
}

/* ---- the models ---- */

/* Fits what rests on what other models say of the points of the size asked for: no more is needed.
 */
static int fit_beyond(struct parameters *p, struct fit_from *from, uint64_t bytes, struct err *err)
{
    struct points some = { .row = malloc((from->points->n + 1) * sizeof *some.row) };
    struct predictions said = { .n = 0 };
    int status = some.row ? 0 : err_set(err, "out of memory");
    for (size_t i = 0; status == 0 && i < from->points->n; i++)
        if (from->points->row[i].point.cell.bytes == bytes)
            some.row[some.n++] = from->points->row[i];
    for (size_t k = 0; models[k] && status == 0; k++)
        if (models[k]->carries && (!models[k]->applies || models[k]->applies(p)))
            status = predictions_add(&said, models[k], &some, p, err);
    from->predictions = &said;
    for (const struct parameter_set *const *s = parameter_sets; *s && status == 0; s++)
        if ((*s)->after_predictions)
            status = parameters_fit(p, *s, from, err);
    from->predictions = NULL;
    predictions_clear(&said);
    free(some.row);
    return status;
}

static int ask_models(const struct points *points, const struct facts *facts,
                      const struct against *against, struct answer *answer, struct err *err)
{
    const uint64_t bytes = answer->candidates.row[0].point.cell.bytes;
    struct point_groups groups;
    struct parameters p = { .facts = facts, .against = against };
    struct fit_from from = { .points = points, .facts = facts, .groups = &groups };
    if (point_groups_make(points, &groups, err) < 0)
        return -1;
    int status = parameters_fit_all(&p, &from, err);
    if (status == 0)
        status = fit_beyond(&p, &from, bytes, err);
    if (status == 0)
        status = predictions_make(&answer->candidates, &p, &answer->said, err);
    parameters_clear(&p);
    point_groups_clear(&groups);
    return status;
}

/* The same with the study's simulation, where there is one. */
static int ask_all(const char *dir, const struct points *points, const struct facts *facts,
                   struct answer *answer, struct err *err)
{
    char other[PATH_SIZE];
    struct against against;
    struct err why = { .text = "" };
    against_choose(NULL, dir, facts->backend, other, sizeof other);
    if (!*other || against_open(other, &against, &why) < 0)
        return ask_models(points, facts, NULL, answer, err);
    const int status = ask_models(points, facts, &against, answer, err);
    against_close(&against);
    return status;
}

static int answer_cell(const char *dir, const struct asked *asked, struct points *points,
                       const struct facts *facts, struct answer *out, struct err *err)
{
    if (check_ranks(asked, points, facts, err) < 0)
        return -1;
    const struct point *like = find_like(dir, asked, points, err);
    if (!like)
        return 1;
    const struct candidate candidate = like->candidate;
    const struct cell cell = cell_of(asked, points, facts, like);
    keep_like(points, &cell);
    if (list_candidates(points, &cell, &candidate, &out->candidates) < 0 ||
        add_candidates(points, &out->candidates) < 0)
        return err_set(err, "out of memory");
    out->asked = out->candidates.n;
    for (size_t i = 0; asked->algorithm && i < out->candidates.n; i++)
        if (candidate_equal(&out->candidates.row[i].point.candidate, &candidate))
            out->asked = i;
    return ask_all(dir, points, facts, out, err);
}

int asked_answer(const char *dir, const struct asked *asked, struct answer *out, struct err *err)
{
    struct facts facts;
    struct points points;
    *out = (struct answer){ .asked = 0 };
    if (facts_read(dir, &facts, err) < 0 || points_read(dir, &points, err) < 0)
        return -1;
    const int status = answer_cell(dir, asked, &points, &facts, out, err);
    points_clear(&points);
    if (status)
        answer_clear(out);
    return status;
}

void answer_clear(struct answer *answer)
{
    points_clear(&answer->candidates);
    predictions_clear(&answer->said);
}
