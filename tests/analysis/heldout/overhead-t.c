/* SPDX-License-Identifier: BSD-3-Clause */
/* What knowing costs: each key has one row, with the cost of all sets of a cluster and of all that
 * a selector has learnt there. */
#include "analysis/heldout/overhead.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/holdout_cells.h"
#include "tests/analysis/overprocs.h"
#include "tests/tap.h"

static void once_each(const struct overheads *all, const char *what)
{
    size_t twice = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct overhead_row *r = &all->row[i];
        twice += overhead_find(all->row, all->n, r->way, r->selector, r->cluster, r->collective,
                               r->nodes) != r;
    }
    is_int(0, (long long)twice, "%s: no key has a second row", what);
}

/* Two mappings and another collective. */
static void learnt(void)
{
    static const struct learner learner = { .name = "forest" };
    struct skill skill[] = {
        { .context = { .collective = "alltoall", .mapping = "core" }, .examples = 28, .core_s = 3 },
        { .context = { .collective = "alltoall", .mapping = "node" }, .examples = 12, .core_s = 5 },
        { .context = { .collective = "bcast", .mapping = "core" }, .examples = 2, .core_s = 7 }
    };
    const struct learnt of = { &learner, skill, 3 };
    struct overheads all = { .n = 0 };
    overhead_add_learnt(&all, "a", &of);
    once_each(&all, "what was learnt of two mappings");
    const struct overhead_row *row =
        overhead_find(all.row, all.n, OVERHEAD_LEARN, "forest", "a", "alltoall", 0);
    is_near(8, row ? row->core_s : NAN, 1e-12, "its row has the cost of both");
    is_int(40, row ? (long long)row->cells : -1, "... and the cells of both");
    row = overhead_find(all.row, all.n, OVERHEAD_LEARN, "forest", "a", "all", 0);
    is_near(15, row ? row->core_s : NAN, 1e-12, "`all` has that of all collectives");
    is_int(42, row ? (long long)row->cells : -1, "... and their cells");
    is_int(3, (long long)all.n, "there is no other row");
    skill[1].core_s = NAN;
    overhead_clear(&all);
    overhead_add_learnt(&all, "a", &of);
    row = overhead_find(all.row, all.n, OVERHEAD_LEARN, "forest", "a", "alltoall", 0);
    ok(row && isnan(row->core_s), "with one cost that is not known the sum is not known");
    overhead_clear(&all);
}

/* So many sizes from 8 on, one candidate, 2 s of all ranks a point. */
static void add_set(struct overheads *out, const struct facts *facts, int sizes)
{
    struct err err = { 0 };
    struct training_set set = { .facts = *facts };
    snprintf(set.points.cluster, sizeof set.points.cluster, "a");
    for (int i = 0; i < sizes; i++)
        over_add(&set.points, facts, "portable:chain", "core", 4, (uint64_t)8 << i, 1e-6);
    for (size_t i = 0; i < set.points.n; i++) {
        set.points.row[i].core_s = 2;
        set.points.row[i].point.cell.nodes = 2;
    }
    ok(overhead_add_set(out, OVERHEAD_MEASURE, "/nonexistent", &set, &err) == 0,
       "a set of %d cells (%s)", sizes, err.text);
    free(set.points.row);
}

static void measured(void)
{
    static const int nodes[] = { 0, 2, 0 };
    const char *collective[] = { "", "", "all" };
    const struct facts facts = shape(2, 1, 4);
    struct overheads all = { .n = 0 };
    add_set(&all, &facts, 3);
    collective[0] = collective[1] = all.n ? all.row[0].collective : "";
    add_set(&all, &facts, 5);
    once_each(&all, "two sets of a cluster");
    for (int i = 0; i < 3; i++) {
        const struct overhead_row *row =
            overhead_find(all.row, all.n, OVERHEAD_MEASURE, "", "a", collective[i], nodes[i]);
        is_int(8, row ? (long long)row->cells : -1, "%s, %d nodes: the cells of both",
               collective[i], nodes[i]);
        is_int(8, row ? (long long)row->points : -1, "... their points");
        is_near(16, row ? row->core_s : NAN, 1e-12, "... their cost");
        is_near(8 * 4e-6, row ? row->once_s : NAN, 1e-9, "... and that of one call each");
    }
    overhead_clear(&all);
}

int main(void)
{
    learnt();
    measured();
    return tap_done();
}
