/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/asked.h"

#include <math.h>
#include <string.h>

/* ---- which point is meant ---- */

static int is_meant(const struct asked *a, const struct point *p)
{
    const char *name = p->candidate.algorithm;
    if (p->experiment != EXP_TIME || strcmp(p->cell.collective, a->collective) != 0 ||
        (a->mpi && strcmp(p->cell.mpi, a->mpi) != 0) ||
        (a->mapping && strcmp(p->cell.mapping, a->mapping) != 0))
        return 0;
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

/* The point asked for, with its time where the set has one. */
static int find(const char *dir, const struct asked *a, const struct points *points,
                const struct facts *facts, struct measured *out, struct err *err)
{
    const struct point *like = NULL;
    for (size_t i = 0; i < points->n && !like; i++)
        if (is_meant(a, &points->row[i].point))
            like = &points->row[i].point;
    if (!like)
        return err_set(err,
                       "%s/points.csv: has no times of %s '%s'%s%s%s%s with this segment size and "
                       "fan-out",
                       dir, a->collective, a->algorithm, a->mpi ? " for " : "",
                       a->mpi ? a->mpi : "", a->mapping ? " by " : "",
                       a->mapping ? a->mapping : "");
    *out = (struct measured){ .point = *like, .time.mean = NAN };
    struct cell *c = &out->point.cell;
    c->procs = a->procs;
    c->root = a->root;
    c->bytes = a->bytes;
    c->nodes = a->nodes ? a->nodes : nodes_for(points, c, facts->sockets * facts->cores);
    c->ppn = (c->procs + c->nodes - 1) / c->nodes;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment == EXP_TIME && cell_compare(&p->cell, c) == 0 &&
            candidate_equal(&p->candidate, &out->point.candidate))
            *out = points->row[i];
    }
    return 0;
}

/* ---- the models ---- */

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

static int ask_models(const struct points *points, const struct facts *facts,
                      const struct measured *asked, struct predictions *out, struct err *err)
{
    struct point_groups groups;
    struct parameters p = { .facts = facts };
    struct measured row = *asked;
    const struct points one = { .row = &row, .n = 1 };
    const struct fit_from from = { .points = points, .facts = facts, .groups = &groups };
    if (point_groups_make(points, &groups, err) < 0)
        return -1;
    int status = parameters_fit_all(&p, &from, err);
    if (status == 0)
        status = predictions_make(&one, &p, out, err);
    parameters_clear(&p);
    point_groups_clear(&groups);
    return status;
}

int asked_predict(const char *dir, const struct asked *asked, struct predictions *out,
                  struct err *err)
{
    struct facts facts;
    struct points points;
    struct measured meant;
    *out = (struct predictions){ .n = 0 };
    if (facts_read(dir, &facts, err) < 0 || points_read(dir, &points, err) < 0)
        return -1;
    int status = find(dir, asked, &points, &facts, &meant, err);
    if (status == 0) {
        keep_like(&points, &meant.point.cell);
        status = ask_models(&points, &facts, &meant, out, err);
    }
    points_clear(&points);
    return status;
}
