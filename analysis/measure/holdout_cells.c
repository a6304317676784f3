/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/holdout_cells.h"

/* The cells of one collective, library and mapping in which there is something to choose: what is
 * counted in them. */
struct context {
    struct cell cell; /* its first; the other fields do not count */
    uint64_t *procs, *bytes, *nodes, *draw;
    size_t n_procs, n_bytes, n_nodes, n_draw;
};

struct contexts {
    struct context *row;
    size_t n;
};

static size_t place_of(const uint64_t *set, size_t n, uint64_t value)
{
    const uint64_t *found = n ? bsearch(&value, set, n, sizeof *set, array_by_u64) : NULL;
    return found ? (size_t)(found - set) : n;
}

static struct context *context_of(const struct contexts *c, const struct cell *cell)
{
    return find_below(c->row, i, c->n, cell_compare_context(&c->row[i].cell, cell) == 0);
}

/* A number that the seed and the cell alone decide. */
static uint64_t draw_of(const struct holdout *h, const struct cell *cell)
{
    struct point p = { .experiment = EXP_TIME, .cell = *cell };
    point_identify(&p);
    uint64_t mixed[2] = { h->seed, fs_digest(p.id, ID_SIZE - 1) };
    return fs_digest(mixed, sizeof mixed);
}

/* Counts stand under "even" as they are, odd ones in a second half, so that each kind is one after
 * the other. */
static uint64_t by_parity(int procs)
{
    return (uint64_t)procs | (procs % 2 ? UINT64_C(1) << 40 : 0);
}

static int is_planned(const struct point *p)
{
    return p->purpose == FOR_HELD_BYTES || p->purpose == FOR_HELD_PROCS ||
           p->purpose == FOR_HELD_ROOT;
}

static void count_cell(const struct holdout *h, const struct cell *cell, struct contexts *c)
{
    struct context *of = context_of(c, cell);
    if (!of) {
        of = array_add(&c->row, &c->n);
        *of = (struct context){ .cell = *cell };
    }
    *array_add(&of->procs, &of->n_procs) = by_parity(cell->procs);
    *array_add(&of->bytes, &of->n_bytes) = cell->bytes;
    *array_add(&of->nodes, &of->n_nodes) = (uint64_t)cell->nodes;
    if (h->kind == HOLDOUT_RANDOM)
        *array_add(&of->draw, &of->n_draw) = draw_of(h, cell);
}

static int by_cell(const void *a, const void *b)
{
    const struct cell *const *x = a, *const *y = b;
    return cell_compare(*x, *y);
}

/* The cells in which there is something to choose: of two or more points with a time. */
static void count_cells(const struct holdout *h, const struct points *points, struct contexts *c)
{
    const struct cell **cell = memory_zeros(points->n + 1, sizeof *cell);
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == EXP_TIME && !is_planned(&m->point) && measured_usable(m))
            cell[n++] = &m->point.cell;
    }
    if (n)
        qsort(cell, n, sizeof *cell, by_cell);
    for (size_t i = 1; i < n; i++)
        if (cell_compare(cell[i - 1], cell[i]) == 0 &&
            (i == 1 || cell_compare(cell[i - 2], cell[i]) != 0))
            count_cell(h, cell[i], c);
    free(cell);
    for (size_t i = 0; i < c->n; i++) {
        struct context *of = &c->row[i];
        of->n_procs = array_set_u64(of->procs, of->n_procs);
        of->n_bytes = array_set_u64(of->bytes, of->n_bytes);
        of->n_nodes = array_set_u64(of->nodes, of->n_nodes);
        of->n_draw = array_set_u64(of->draw, of->n_draw);
    }
}

static void contexts_clear(struct contexts *c)
{
    for (size_t i = 0; i < c->n; i++)
        memory_free(c->row[i].procs, c->row[i].bytes, c->row[i].nodes, c->row[i].draw);
    free(c->row);
}

static int other_procs(const struct context *of, const struct cell *cell)
{
    const size_t at = place_of(of->procs, of->n_procs, by_parity(cell->procs));
    const size_t even = first_below(i, of->n_procs, of->procs[i] >> 40 != 0);
    return at < of->n_procs && (cell->procs % 2 ? at - even : at) % 2 == 1;
}

static int other_bytes(const struct context *of, const struct cell *cell)
{
    const size_t at = place_of(of->bytes, of->n_bytes, cell->bytes);
    return at < of->n_bytes && at % 2 == 1;
}

/* 1 when some of the P are others. */
static int has_other_procs(const struct context *of)
{
    const size_t even = first_below(i, of->n_procs, of->procs[i] >> 40 != 0);
    return even > 1 || of->n_procs - even > 1;
}

static int beyond_nodes(const struct holdout *h, const struct context *of, const struct cell *cell)
{
    const uint64_t nodes = (uint64_t)cell->nodes;
    return h->most ? nodes > (uint64_t)h->most
                   : of->n_nodes > 1 && nodes >= of->nodes[of->n_nodes - 1];
}

static int drawn(const struct holdout *h, const struct context *of, const struct cell *cell)
{
    const size_t at = place_of(of->draw, of->n_draw, draw_of(h, cell));
    return at < of->n_draw && at < (size_t)lround(h->share * (double)of->n_draw);
}

/* 1 when a cell of a collective is held out. */
static int holds_cell(const struct holdout *h, const struct contexts *c, const struct cell *cell)
{
    const struct context *of = context_of(c, cell);
    switch (h->kind) {
    case HOLDOUT_ALTERNATE_PROCS:
        return of && other_procs(of, cell);
    case HOLDOUT_ALTERNATE_SIZES:
        return of && other_bytes(of, cell);
    case HOLDOUT_ALTERNATE:
        return of && (has_other_procs(of) ? other_procs(of, cell) : other_bytes(of, cell));
    case HOLDOUT_BEYOND_PROCS:
        return cell->procs > h->most;
    case HOLDOUT_NODES:
        return of && beyond_nodes(h, of, cell);
    case HOLDOUT_RANDOM:
        return of && drawn(h, of, cell);
    default:
        return 0;
    }
}

/* 1 when an experiment of the machine uses more of it than may be seen. */
static int holds_experiment(const struct holdout *h, const struct contexts *c,
                            const struct cell *cell)
{
    if (h->kind == HOLDOUT_BEYOND_PROCS)
        return cell->procs > h->most;
    if (h->kind != HOLDOUT_NODES)
        return 0;
    if (h->most)
        return cell->nodes > h->most;
    for (size_t i = 0; i < c->n; i++)
        if (!beyond_nodes(h, &c->row[i], cell))
            return 0;
    return c->n > 0;
}

static int holds(const struct holdout *h, const struct contexts *c, const struct point *p)
{
    if (is_planned(p))
        return 1;
    if (p->experiment == EXP_TIME || p->experiment == EXP_GATHER)
        return holds_cell(h, c, &p->cell);
    return holds_experiment(h, c, &p->cell);
}

size_t holdout_mark(const struct holdout *holdout, const struct points *points, unsigned char *held)
{
    struct contexts c = { .n = 0 };
    const int whole =
        holdout->kind == HOLDOUT_CLUSTER && strcmp(points->cluster, holdout->cluster) == 0;
    size_t n = 0;
    count_cells(holdout, points, &c);
    for (size_t i = 0; i < points->n; i++) {
        held[i] = (unsigned char)(whole || holds(holdout, &c, &points->row[i].point));
        n += held[i] && points->row[i].point.experiment == EXP_TIME;
    }
    contexts_clear(&c);
    return n;
}

static void copy_some(const struct points *points, struct points *out)
{
    *out = (struct points){ .n = 0 };
    memcpy(out->cluster, points->cluster, sizeof out->cluster);
    memcpy(out->backend, points->backend, sizeof out->backend);
    out->row = memory_zeros(points->n + 1, sizeof *out->row);
}

void training_add(struct training_cells *training, const struct points *points,
                  const unsigned char *held, const struct facts *facts)
{
    struct training_set *set = array_add(&training->set, &training->n);
    set->facts = *facts;
    copy_some(points, &set->points);
    for (size_t i = 0; i < points->n; i++)
        if (!held || !held[i])
            set->points.row[set->points.n++] = points->row[i];
    points_sort(&set->points);
}

void holdout_rest(const struct points *points, const unsigned char *held, int all,
                  struct points *out)
{
    copy_some(points, out);
    for (size_t i = 0; i < points->n; i++)
        if ((all || held[i]) && points->row[i].point.experiment == EXP_TIME)
            out->row[out->n++] = points->row[i];
}

void training_clear(struct training_cells *training)
{
    for (size_t i = 0; i < training->n; i++)
        points_clear(&training->set[i].points);
    free(training->set);
    *training = (struct training_cells){ .n = 0 };
}
