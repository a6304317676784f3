/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/grid.h"

#include <math.h>
#include <string.h>

#include "harness/study/plan/candidates.h"
#include "workloads/schedules/collectives.h"

static int want_cell(struct wanted *w, struct point point, enum purpose purpose)
{
    struct point by_default = point;
    point.purpose = purpose;
    if (candidates_want(w, &point) < 0)
        return -1;
    candidates_want_default(w, &by_default);
    return 0;
}

/* Why a cell under such conditions cannot be measured; "": it can. */
static void refuse(const struct wanted *w, const struct study_arrival *arrival,
                   const struct cell *cell, char refusal[REASON_SIZE])
{
    *refusal = '\0';
    if (arrival->ranks < cell->procs)
        snprintf(refusal, REASON_SIZE, "the trace of arrivals has %d ranks", arrival->ranks);
    else if (cell_is_rotated(cell) && w->simulated)
        snprintf(refusal, REASON_SIZE, "a simulation has no caches that buffers could be out of");
}

/* A cell of the grid under each pattern of arrival, with each kind of buffers. */
static int want_conditions(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    char refusal[REASON_SIZE];
    int status = 0;
    for (size_t k = 0; k < s->buffers.n; k++)
        for (size_t i = 0; status == 0 && i < s->n_arrivals; i++) {
            const int rotated = k > 0 && point.cell.bytes > 0;
            memcpy(point.cell.arrival, s->arrivals[i].name, sizeof point.cell.arrival);
            snprintf(point.cell.buffers, BUFFERS_SIZE, "%s", rotated ? CELL_ROTATED : "");
            refuse(w, &s->arrivals[i], &point.cell, refusal);
            w->refusal = *refusal ? refusal : NULL;
            status = want_cell(w, point, FOR_STUDY);
            w->refusal = NULL;
        }
    return status;
}

static uint64_t held_size(const struct study *s, uint64_t bytes)
{
    return (uint64_t)llround((double)bytes * s->held_bytes_factor);
}

static int must_be_rank(const struct wanted *w, const char *key, int root, int procs)
{
    if (root < procs)
        return 0;
    err_usage(w->err, "%d is not a rank of %d processes", root, procs);
    return study_in_key(w->study, key, w->err);
}

/* Roots of a list; of a collective without one, rank 0 alone. */
static size_t count_roots(const struct int_list *roots, const struct point *point)
{
    return collective_is_rooted(point->cell.collective) ? roots->n : 1;
}

static int root_at(const struct int_list *roots, const struct point *point, size_t i)
{
    return collective_is_rooted(point->cell.collective) ? roots->v[i] : 0;
}

/* Sizes of the grid; of a collective without data one, which is none. */
static size_t count_sizes(const struct study *s, const struct point *point)
{
    return collective_moves(point->cell.collective) ? s->bytes.n : 1;
}

static uint64_t size_at(const struct study *s, const struct point *point, size_t i)
{
    return collective_moves(point->cell.collective) ? s->bytes.v[i] : 0;
}

/* Every size and root at a process count. */
static int want_procs(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    for (size_t r = 0; r < count_roots(&s->roots, &point); r++) {
        point.cell.root = root_at(&s->roots, &point, r);
        if (must_be_rank(w, "roots", point.cell.root, point.cell.procs) < 0)
            return -1;
        for (size_t i = 0; i < count_sizes(s, &point); i++) {
            const uint64_t bytes = size_at(s, &point, i);
            point.cell.bytes = bytes;
            if (want_conditions(w, point) < 0)
                return -1;
            point.cell.bytes = held_size(s, bytes);
            if (bytes && s->held_bytes_factor > 0 && want_cell(w, point, FOR_HELD_BYTES) < 0)
                return -1;
        }
    }
    return 0;
}

/* One rank alone has nobody to talk to. */
static int is_shape(const struct study *s, int64_t procs)
{
    return procs > 1 && (!s->shape_procs || procs <= s->shape_procs);
}

/* Every number of nodes with every number of ranks on each. */
static int want_shapes(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    int status = 0;
    for (size_t i = 0; i < s->shape_nodes.n; i++)
        for (size_t k = 0; k < s->shape_ppn.n && status == 0; k++) {
            const int nodes = s->shape_nodes.v[i], ppn = s->shape_ppn.v[k];
            if (!is_shape(s, (int64_t)nodes * ppn))
                continue;
            w->shape_nodes = nodes;
            w->shape_ppn = ppn;
            point.cell.procs = nodes * ppn;
            status = want_procs(w, point);
        }
    w->shape_nodes = w->shape_ppn = 0;
    return status;
}

/* The grid: every shape, or every process count. */
static int want_grid(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    if (s->shape_nodes.n)
        return want_shapes(w, point);
    for (size_t p = 0; p < s->procs.n; p++) {
        point.cell.procs = s->procs.v[p];
        if (want_procs(w, point) < 0)
            return -1;
    }
    return 0;
}

/* Held out process counts at the grid's sizes; held out roots at its largest process count. */
static int want_held(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    for (size_t i = 0; i < count_sizes(s, &point); i++) {
        point.cell.bytes = size_at(s, &point, i);
        point.cell.root = root_at(&s->roots, &point, 0);
        for (size_t p = 0; p < s->held_procs.n; p++) {
            point.cell.procs = s->held_procs.v[p];
            if (must_be_rank(w, "roots", point.cell.root, point.cell.procs) < 0 ||
                want_cell(w, point, FOR_HELD_PROCS) < 0)
                return -1;
        }
        point.cell.procs = int_list_largest(&s->procs);
        for (size_t r = 0; collective_is_rooted(point.cell.collective) && r < s->held_roots.n;
             r++) {
            point.cell.root = s->held_roots.v[r];
            if (must_be_rank(w, "held_roots", point.cell.root, point.cell.procs) < 0 ||
                want_cell(w, point, FOR_HELD_ROOT) < 0)
                return -1;
        }
    }
    return 0;
}

int grid_want(struct wanted *w, const struct point *like)
{
    return want_grid(w, *like) < 0 ? -1 : want_held(w, *like);
}
