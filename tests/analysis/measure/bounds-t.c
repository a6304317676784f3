/* SPDX-License-Identifier: BSD-3-Clause */
/* The least time of a call: what each collective must move, worked out by hand for 12 ranks of
 * which nodes have 4, over links of 1 GB/s; and what is doubted. */
#include "analysis/measure/bounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/measure/points.h"
#include "tests/tap.h"

static struct facts facts_of(void)
{
    struct facts f = { .nodes = 4, .sockets = 1, .cores = 4 };
    f.rated.node_rate = 1e9;
    return f;
}

static struct cell cell_of(const char *collective, int procs, int root, uint64_t bytes)
{
    struct cell c = { .nodes = (procs + 3) / 4,
                      .ppn = procs < 4 ? procs : 4,
                      .procs = procs,
                      .root = root,
                      .bytes = bytes };
    snprintf(c.collective, NAME_SIZE, "%s", collective);
    snprintf(c.mapping, NAME_SIZE, "core");
    return c;
}

static void check_bytes(void)
{
    static const struct {
        const char *collective;
        double bytes; /* of 1000, through the busiest node's links one way */
    } rows[] = {
        { "bcast", 1e3 },      { "reduce", 1e3 },    { "gather", 8e3 },
        { "scatter", 8e3 },    { "allgather", 8e3 }, { "allreduce", 1e3 },
        { "alltoall", 32e3 },  { "barrier", 0 },     { "reduce_scatter_block", 8e3 },
        { "allgatherv", 8e3 }, { "scan", 0 },        { "alltoallv", 32e3 },
    };
    const struct facts facts = facts_of();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cell cell = cell_of(rows[i].collective, 12, 5, 1000);
        const struct bound b = bound_of(&facts, &cell, 0);
        is_near(rows[i].bytes / 1e9, b.seconds, 1e-12, "%s", rows[i].collective);
        is_int(rows[i].bytes > 0 ? DOUBT_LINKS : DOUBT_NONE, b.by, "by its links");
    }
}

static void check_uneven_nodes(void)
{
    const struct facts facts = facts_of();
    struct cell cell = cell_of("alltoall", 9, 0, 1000); /* 4, 4 and 1 */
    is_near(4 * 5 * 1e3 / 1e9, bound_of(&facts, &cell, 0).seconds, 1e-12, "the fullest node");
    /* two nodes of 4 ranks, 20 kB each, one of 1 rank, 8 kB: half of that in the mean */
    is_near((8 * 20e3 + 8e3) / 2 / 9 / 1e9, bound_of(&facts, &cell, 1).seconds, 1e-12,
            "the mean over ranks that may end one after the other");
    cell = cell_of("gather", 9, 8, 1000);
    is_near(8e3 / 1e9, bound_of(&facts, &cell, 0).seconds, 1e-12,
            "a root that is alone on its node");
    cell = cell_of("gather", 4, 0, 1000);
    is_near(0, bound_of(&facts, &cell, 0).seconds, 0, "one node: nothing over links");
    cell = cell_of("alltoall", 12, 0, 1000);
    snprintf(cell.arrival, sizeof cell.arrival, "late:1e-3");
    is_near(0, bound_of(&facts, &cell, 0).seconds, 0, "ranks that come late: nothing is known");
    cell = cell_of("nosuch", 12, 0, 1000);
    is_near(0, bound_of(&facts, &cell, 0).seconds, 0, "a collective that nobody knows");
}

static void check_others(void)
{
    struct facts facts = { .nodes = 4, .sockets = 1, .cores = 4 };
    struct cell cell = cell_of("allgather", 12, 0, 1000000);
    is_near(0, bound_of(&facts, &cell, 0).seconds, 0, "no rate is said: no bound");
    facts.rated.memory_rate = 1e10;
    is_near(0, bound_of(&facts, &cell, 0).seconds, 0, "nor of memories whose caches are not known");
    facts.rated.caches = 4e6;
    struct bound b = bound_of(&facts, &cell, 0);
    is_near((4 * 11e6 - 4e6) / 1e10, b.seconds, 1e-12, "what four ranks get beyond the caches");
    is_int(DOUBT_MEMORY, b.by, "by the memories");
    facts = (struct facts){ .nodes = 4, .sockets = 1, .cores = 4, .rated.latency = 2e-6 };
    static const char *const wait[] = { "barrier", "allreduce", "allgather", "alltoall" };
    static const char *const not [] = { "bcast", "gather", "reduce", "scatter", "scan" };
    for (size_t i = 0; i < sizeof wait / sizeof *wait; i++) {
        cell = cell_of(wait[i], 12, 0, strcmp(wait[i], "barrier") ? 8 : 0);
        is_near(2e-6, bound_of(&facts, &cell, 0).seconds, 1e-12, "%s waits for a message", wait[i]);
        is_near(2e-6 * 8 / 12, bound_of(&facts, &cell, 1).seconds, 1e-12, "in the mean two thirds");
    }
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
        cell = cell_of(not [i], 12, 0, 8);
        is_near(0, bound_of(&facts, &cell, 0).seconds, 0, "in %s it may be there before", not [i]);
    }
}

static void check_doubt(void)
{
    const struct cell gather = cell_of("gather", 12, 0, 1000), all = cell_of("allgather", 12, 0, 1);
    const struct bound b = { 8e-6, DOUBT_LINKS }, none = { 0, DOUBT_NONE };
    is_int(DOUBT_LINKS, doubt_of(&b, &gather, "max_rank", 7.9e-6), "less than its bound");
    is_int(DOUBT_NONE, doubt_of(&b, &gather, "max_rank", 8e-6), "as much");
    is_int(DOUBT_LINKS, doubt_of(&b, &gather, "mean_rank", 1e-6), "a mean below it, too");
    is_int(DOUBT_MEAN, doubt_of(&b, &gather, "mean_rank", 9e-6), "a mean with a root");
    is_int(DOUBT_NONE, doubt_of(&none, &all, "mean_rank", 9e-6), "a mean without one");
    is_int(DOUBT_NONE, doubt_of(&b, &gather, "max_rank", NAN), "no time");
    struct measured m = { .status = POINT_OK, .time.value = 1, .doubt = DOUBT_MEAN }, as_is = m;
    struct points taken = { .row = &as_is, .n = 1 };
    points_take_doubted(&taken, 1);
    ok(measured_usable(&as_is) && !measured_doubted(&as_is), "a doubted time counts where taken");
    ok(!measured_usable(&m) && measured_doubted(&m), "and not in another set beside it");
    m.doubt = DOUBT_NONE;
    ok(measured_usable(&m) && !measured_doubted(&m), "another does");
    m.status = POINT_FAILED;
    ok(!measured_usable(&m) && !measured_doubted(&m), "one that failed is none");
}

int main(void)
{
    check_bytes();
    check_uneven_nodes();
    check_others();
    check_doubt();
    return tap_done();
}
