/* SPDX-License-Identifier: BSD-3-Clause */
/* Which reductions combine in one order, whatever the size. */
#include "workloads/schedules/order.h"

#include <stddef.h>
#include <string.h>

#include "tests/tap.h"
#include "workloads/schedules/trace.h"

static enum order_kept kept(const char *collective, const char *name, int procs, uint64_t *tree)
{
    return order_find(algorithm_find(collective, name), procs, 0, tree);
}

/* The reduction that Open MPI 4.1 chooses inside its nonoverlapping allreduce. */
static const char *inner(int procs, uint64_t bytes)
{
    struct schedule s;
    const struct algorithm *a = algorithm_find("allreduce", "nonoverlapping");
    return schedule_init(&s, a, procs, 0, bytes, 0, 0, NULL) < 0 ? "" : s.choice[0].alg->name;
}

/* What calls other collectives changes with these, at borders of many KiB. */
static void check_calls(void)
{
    static const char *const calls[][2] = { { "allreduce", "nonoverlapping" },
                                            { "reduce_scatter", "non-overlapping" },
                                            { "reduce_scatter_block", "basic_linear" } };
    uint64_t tree;
    is_str("binary", inner(8, 6000), "6,000 B among 8 ranks go up a binary tree");
    is_str("binomial", inner(8, 8192), "... and 8 KiB a binomial one");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int procs = 2; procs <= 64; procs += procs < 16 ? 1 : 15)
            ok(kept(calls[i][0], calls[i][1], procs, &tree) == ORDER_CALLS && tree == 0,
               "%s %s among %d: no order is known for all sizes", calls[i][0], calls[i][1], procs);
    is_int(ORDER_UNKNOWN, order_find(NULL, 8, 0, &tree), "nor without a schedule");
    is_int(ORDER_UNKNOWN, kept("reduce", "two_level.binomial.chain", 8, &tree),
           "nor of a combination");
    is_int(ORDER_ONE, kept("allgather", "linear", 8, &tree),
           "what combines nothing may call what it likes");
}

static void add_pair(const struct traffic *pair, void *arg)
{
    uint64_t *pairs = arg;
    *pairs += ((uint64_t)pair->src * 64 + (uint64_t)pair->dst + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Which ranks send to which others; 0 where it cannot run. */
static uint64_t pairs_of(const struct algorithm *a, int procs, uint64_t bytes)
{
    struct schedule s;
    uint64_t pairs = 0;
    if (schedule_init(&s, a, procs, 0, bytes, 0, 0, NULL) == 0)
        traffic_each(&s, add_pair, &pairs);
    return pairs;
}

/* Sizes that order.c does not look at: where the order is one, the same ranks talk. */
static void check_large(void)
{
    static const int procs[] = { 3, 4, 5, 6, 7, 8, 9, 16, 31 };
    static const uint64_t bytes[] = { 6000, 8192, 65536, 1 << 20 };
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a)) {
        int differ = 0, looked = 0;
        for (size_t p = 0; p < sizeof procs / sizeof *procs; p++) {
            if (!algorithm_collective(a)->combines || order_find(a, procs[p], 0, NULL) != ORDER_ONE)
                continue;
            const uint64_t first = pairs_of(a, procs[p], 100);
            for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
                differ |= pairs_of(a, procs[p], bytes[i]) != first;
            looked++;
        }
        if (looked)
            ok(!differ, "%s %s: the same ranks talk from 100 B to 1 MiB, among %d numbers of ranks",
               algorithm_collective(a)->name, a->name, looked);
    }
}

/* All ranks of an allreduce get the same bits, but where the row says that they may not. */
static void check_ranks(void)
{
    static const int fanouts[] = { 0, 2, 3, 5, 8 };
    int differing = 0;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a)) {
        int differ_at = 0, fanout = 0;
        if (strcmp(algorithm_collective(a)->name, "allreduce") != 0 || a->levels)
            continue;
        for (int procs = 2; procs <= 32; procs++)
            for (size_t i = 0; i < (a->default_fanout ? sizeof fanouts / sizeof *fanouts : 1); i++)
                if (order_find(a, procs, fanouts[i], NULL) == ORDER_RANKS) {
                    differ_at = procs;
                    fanout = fanouts[i];
                }
        differing += a->ranks_differ;
        if (a->ranks_differ)
            is_int(32, differ_at, "allreduce %s: ranks combine differently, as its row says",
                   a->name);
        else
            ok(!differ_at, "allreduce %s: all ranks combine alike (not: P = %d, fan-out %d)",
               a->name, differ_at, fanout);
    }
    is_int(1, differing, "one row says that ranks may differ");
}

static int can_sum(const char *name, int inexact, struct err *err)
{
    struct schedule s;
    const struct schedule_arguments a = {
        .procs = 16,
        .bytes = 800,
        .element_bytes = 8,
        .inexact = inexact,
        .seats = { "core", 4, 4, 16, 2, 2, 2, { .group = { 2 } } },
        .levels = algorithm_levels(name)
    };
    return schedule_make(&s, algorithm_find("allreduce", name), &a, err) == 0;
}

static void check_inexact(void)
{
    static const char *const combined = "two_level.binomial.bine_doubling";
    struct err err = { 0 };
    ok(can_sum("bine_doubling", 0, &err), "whole numbers may go by bine_doubling");
    ok(!can_sum("bine_doubling", 1, &err), "floating-point sums may not");
    ok(strstr(err.text, "different last bits") != NULL, "... and are told why: %s", err.text);
    ok(can_sum("recursive_multiplying", 1, &err), "they may by recursive multiplying");
    ok(can_sum(combined, 0, &err) && !can_sum(combined, 1, &err), "combinations alike");
    ok(can_sum("two_level.binomial.ring", 1, &err), "... where one of their parts is such a one");
}

int main(void)
{
    static const struct {
        const char *collective, *name;
        enum order_kept kept;
    } known[] = {
        { "reduce", "linear", ORDER_ONE },
        { "reduce", "binomial", ORDER_ONE },
        { "reduce", "chain", ORDER_ONE },
        { "reduce", "in-order_binary", ORDER_ONE },
        { "reduce", "rabenseifner", ORDER_CHANGES }, /* few elements go linear */
        { "allreduce", "ring", ORDER_CHANGES },      /* an element's block says where it begins */
        { "allreduce", "segmented_ring", ORDER_CHANGES },
        { "allreduce", "recursive_doubling", ORDER_ONE },
        { "allreduce", "basic_linear", ORDER_ONE },
        { "allreduce", "rabenseifner", ORDER_CHANGES },
        { "reduce_scatter_block", "recursive_halving", ORDER_ONE },
        { "allreduce", "recursive_multiplying", ORDER_ONE },
        { "allreduce", "bine_doubling", ORDER_RANKS },
        { "scan", "linear", ORDER_ONE },
        { "exscan", "recursive_doubling", ORDER_ONE },
        { "allgather", "ring", ORDER_ONE }, /* combines nothing */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int procs = 8; procs <= 72; procs += 32)
            is_int(known[i].kept, kept(known[i].collective, known[i].name, procs, NULL),
                   "%s %s among %d: %s", known[i].collective, known[i].name, procs,
                   known[i].kept == ORDER_ONE     ? "one order"
                   : known[i].kept == ORDER_RANKS ? "ranks differ"
                                                  : "the order changes with the size");
    check_calls();
    check_large();
    check_ranks();
    check_inexact();
    uint64_t a, b, c;
    kept("reduce", "linear", 8, &a);
    kept("reduce", "chain", 8, &b);
    kept("reduce", "pipeline", 8, &c);
    ok(a && b && c, "each has a tree");
    kept("reduce", "binomial", 8, &b);
    ok(a != b, "linear and binomial give other bits");
    kept("allreduce", "recursive_doubling", 8, &a);
    kept("allreduce", "mpich_recursive_doubling", 8, &b);
    ok(a == b, "the same tree in two libraries gives the same bits");
    return tap_done();
}
