/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/heldout/overhead.h"

#include "analysis/measure/result_file.h"
#include "harness/study/rounds.h"

static const char *const way_words[] = { "measure", "part", "learn", "ask", NULL };

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(overhead_row, WORD, "way", way, "", "`measure`: every candidate in every cell; `part`: some of them; `learn`: from other cells; `ask`: what was learnt", .words = way_words),
    COLUMN(overhead_row, NAME, "selector", selector, "", "learner or model; empty: none"),
    COLUMN(overhead_row, NAME, "cluster", cluster, "", "to be predicted; `all`: all of them at once"),
    COLUMN(overhead_row, NAME, "collective", collective, "", "the MPI collective, or `all`"),
    COLUMN(overhead_row, INT, "nodes", nodes, "", "whose cells; empty: of every number of nodes", .most = 1000000, COLUMN_NONE(0)),
    COLUMN(overhead_row, COUNT, "cells", cells, "", "that are measured, learnt from or to be predicted"),
    COLUMN(overhead_row, COUNT, "points", points, "", "candidates in these cells that are measured, those that run the same thing once"),
    COLUMN(overhead_row, REAL, "once_core_s", once_s, "s", "core-seconds of one call of each of these points"),
    COLUMN(overhead_row, REAL, "core_s", core_s, "s", "core-seconds of all their calls, as measured; of what was walked or simulated as many as the study wants at least, of learning and asking processor time of this program; empty: not known"),
    COLUMN(overhead_row, TEXT, "holdout", holdout, "", "what was held out, as `collsel select --holdout` takes it"),
};
/* clang-format on */

SCHEMA(overhead_schema, overhead_row, columns, "overhead.csv",
       "In `holdout/NAME/`, of `collsel select --joined`: what it takes in core time to know what "
       "to choose on a cluster, by the ways that there are (`analysis/heldout/overhead.h`). One "
       "row per way, selector, cluster, collective and number of nodes, with all sets of the "
       "cluster, libraries and mappings in it.",
       .backend = 1);

static int by_names(const void *a, const void *b)
{
    const struct overhead_row *x = a, *y = b;
    return by_keys(strcmp(x->cluster, y->cluster), strcmp(x->collective, y->collective),
                   ascending(x->way, y->way), strcmp(x->selector, y->selector),
                   x->nodes - y->nodes);
}

static struct overhead_row blank(enum overhead_way way, const char *selector, const char *cluster,
                                 const char *collective)
{
    struct overhead_row r = { .way = way, .once_s = NAN };
    snprintf(r.selector, sizeof r.selector, "%s", selector);
    snprintf(r.cluster, sizeof r.cluster, "%s", cluster);
    snprintf(r.collective, sizeof r.collective, "%s", collective);
    return r;
}

static size_t place(const struct overhead_row *row, size_t n, const struct overhead_row *like)
{
    const size_t i = first_below(k, n, by_names(&row[k], like) == 0);
    return i;
}

const struct overhead_row *overhead_find(const struct overhead_row *row, size_t n,
                                         enum overhead_way way, const char *selector,
                                         const char *cluster, const char *collective, int nodes)
{
    struct overhead_row like = blank(way, selector, cluster, collective);
    like.nodes = nodes;
    const size_t at = place(row, n, &like);
    return at < n ? &row[at] : NULL;
}

/* Adds into the row of the same key, so that each key has one row: a cluster may have several sets,
 * and a selector may learn of several libraries and mappings. */
static void add(struct overheads *out, const struct overhead_row *more)
{
    const size_t at = place(out->row, out->n, more);
    if (at == out->n) {
        *array_add(&out->row, &out->n) = *more;
        return;
    }
    struct overhead_row *r = &out->row[at];
    if (more->points)
        r->once_s = r->points ? r->once_s + more->once_s : more->once_s;
    r->points += more->points;
    r->cells += more->cells;
    r->core_s += more->core_s;
}

/* A timed point with what it takes. */
struct spent {
    const struct point *point;
    double once_s, core_s;
};

static int by_place(const void *a, const void *b)
{
    const struct spent *x = a, *y = b;
    const int by_collective = strcmp(x->point->cell.collective, y->point->cell.collective);
    if (by_collective || x->point->cell.nodes != y->point->cell.nodes)
        return by_collective ? by_collective : x->point->cell.nodes - y->point->cell.nodes;
    return cell_compare(&x->point->cell, &y->point->cell);
}

static struct spent spent_on_point(const struct measured *m, const struct facts *facts,
                                   const struct adaptive_rule *rule)
{
    const int procs = m->point.cell.procs;
    const int simulated = facts->deterministic || facts->simulated;
    return (struct spent){ .point = &m->point,
                           .once_s = procs * m->time.value,
                           .core_s = simulated       ? adaptive_cost(rule, 1, procs, m->time.value)
                                     : m->core_s > 0 ? m->core_s
                                                     : NAN };
}

/* 1 for a candidate in a cell with a time of its own. Where it ran the same as another candidate of
 * its launch that one's time stands for both, and nothing was spent on it; of what others measured
 * 0 says that nobody knows how often. */
static int was_timed(const struct measured *m, const struct facts *facts)
{
    return m->point.experiment == EXP_TIME && measured_usable(m) &&
           (facts->imported || m->core_s > 0);
}

/* The timed points of a set, sorted; to be freed. */
static struct spent *list_spent(const struct training_set *set, const struct adaptive_rule *rule,
                                size_t *n)
{
    struct spent *spent = memory_zeros(set->points.n + 1, sizeof *spent);
    *n = 0;
    for (size_t i = 0; i < set->points.n; i++)
        if (was_timed(&set->points.row[i], &set->facts))
            spent[(*n)++] = spent_on_point(&set->points.row[i], &set->facts, rule);
    if (*n)
        qsort(spent, *n, sizeof *spent, by_place);
    return spent;
}

/* Adds these points to a row. new_cell: the first of its cell. */
static void take(struct overhead_row *r, const struct spent *s, int new_cell)
{
    r->once_s = r->points ? r->once_s + s->once_s : s->once_s;
    r->core_s += s->core_s;
    r->points++;
    r->cells += (size_t)new_cell;
}

/* A row of each collective and number of nodes, of each collective, and of all. */
static void add_measuring(struct overheads *out, enum overhead_way way, const char *cluster,
                          const struct spent *spent, size_t n)
{
    const struct overhead_row empty = blank(way, "", cluster, "all");
    struct overhead_row all = empty, whole = empty, part = empty; /* the set, a collective, nodes */
    for (size_t i = 0; i < n; i++) {
        const struct cell *c = &spent[i].point->cell;
        const int is_new = i == 0 || by_place(&spent[i - 1], &spent[i]) != 0;
        take(&part, &spent[i], is_new);
        take(&whole, &spent[i], is_new);
        take(&all, &spent[i], is_new);
        const struct cell *next = i + 1 < n ? &spent[i + 1].point->cell : NULL;
        const int other = !next || strcmp(next->collective, c->collective) != 0;
        if (other || next->nodes != c->nodes) {
            snprintf(part.collective, sizeof part.collective, "%s", c->collective);
            part.nodes = c->nodes;
            add(out, &part);
            part = empty;
        }
        if (other) {
            snprintf(whole.collective, sizeof whole.collective, "%s", c->collective);
            add(out, &whole);
            whole = empty;
        }
    }
    if (n)
        add(out, &all);
}

int overhead_add_set(struct overheads *out, enum overhead_way way, const char *dir,
                     const struct training_set *set, struct err *err)
{
    struct rounds_rule rule;
    size_t n;
    if (rounds_rule_read(dir, 0, &rule, err) < 0)
        return -1;
    struct spent *spent = list_spent(set, &rule.plan, &n);
    add_measuring(out, way, set->points.cluster, spent, n);
    free(spent);
    return 0;
}

static void add_seconds(struct overheads *out, struct overhead_row row, size_t cells, double core_s)
{
    row.cells = cells;
    row.core_s = core_s;
    add(out, &row);
}

void overhead_add_learnt(struct overheads *out, const char *cluster, const struct learnt *learnt)
{
    const char *selector = learnt->learner->name;
    for (size_t i = 0; i < learnt->n; i++) {
        const struct skill *s = &learnt->skill[i];
        add_seconds(out, blank(OVERHEAD_LEARN, selector, cluster, s->context.collective),
                    s->examples, s->core_s);
        add_seconds(out, blank(OVERHEAD_LEARN, selector, cluster, "all"), s->examples, s->core_s);
    }
}

void overhead_add_asked(struct overheads *out, const char *cluster, const char *selector,
                        const char *collective, size_t cells, double core_s)
{
    add_seconds(out, blank(OVERHEAD_ASK, selector, cluster, collective), cells, core_s);
    add_seconds(out, blank(OVERHEAD_ASK, selector, cluster, "all"), cells, core_s);
}

int overhead_write(const char *dir, const char *backend, const char *holdout,
                   struct overheads *overheads, struct err *err)
{
    if (overheads->n)
        qsort(overheads->row, overheads->n, sizeof *overheads->row, by_names);
    for (size_t i = 0; i < overheads->n; i++)
        snprintf(overheads->row[i].holdout, sizeof overheads->row[i].holdout, "%s", holdout);
    return result_write(dir, &overhead_schema, backend, overheads->row, overheads->n, err);
}

CLEARS(overhead_clear, overheads, it->row)
