/* SPDX-License-Identifier: BSD-3-Clause */
/* Which reductions combine in one order, whatever the size. */
#include "workloads/schedules/order.h"

#include <stddef.h>

#include "tests/tap.h"

static int one(const char *collective, const char *name, int procs, uint64_t *tree)
{
    return order_is_one(algorithm_find(collective, name), procs, 0, tree);
}

int main(void)
{
    static const struct {
        const char *collective, *name;
        int kept;
    } known[] = {
        { "reduce", "linear", 1 },
        { "reduce", "binomial", 1 },
        { "reduce", "chain", 1 },
        { "reduce", "in-order_binary", 1 },
        { "reduce", "rabenseifner", 0 }, /* few elements go linear */
        { "allreduce", "ring", 0 },      /* an element's block says where it begins */
        { "allreduce", "segmented_ring", 0 },
        { "allreduce", "recursive_doubling", 1 },
        { "allreduce", "basic_linear", 1 },
        { "allreduce", "rabenseifner", 0 },
        { "reduce_scatter_block", "recursive_halving", 1 },
        { "scan", "linear", 1 },
        { "exscan", "recursive_doubling", 1 },
        { "allgather", "ring", 1 }, /* combines nothing */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int procs = 6; procs <= 70; procs += 32)
            is_int(known[i].kept, one(known[i].collective, known[i].name, procs, NULL),
                   "%s %s among %d: %s", known[i].collective, known[i].name, procs,
                   known[i].kept ? "one order" : "the order changes with the size");
    uint64_t a, b, c;
    one("reduce", "linear", 8, &a);
    one("reduce", "chain", 8, &b);
    one("reduce", "pipeline", 8, &c);
    ok(a && b && c, "each has a tree");
    one("reduce", "binomial", 8, &b);
    ok(a != b, "linear and binomial give other bits");
    one("allreduce", "recursive_doubling", 8, &a);
    one("allreduce", "mpich_recursive_doubling", 8, &b);
    ok(a == b, "the same tree in two libraries gives the same bits");
    return tap_done();
}
