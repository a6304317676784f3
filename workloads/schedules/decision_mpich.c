/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_mpich.c - facts from the selection that MPICH 4.0.2 carries in itself
 * (maint/tuning/coll/mpir/generic.json), where a communicator has no nodes of its own: its rows for
 * whole nodes (smp) split the call by node, which a schedule cannot see. */
#include "workloads/schedules/decision_tables.h"
#include "workloads/schedules/parts.h"

enum { KIB = 1024, FEW = 8, ALL_DOUBLING = 512 * KIB, ALL_BRUCKS = 80 * KIB };

static struct decision named(const char *algorithm)
{
    return (struct decision){ .algorithm = algorithm };
}

/* The largest 2^n up to procs. */
static uint64_t power_below(int procs)
{
    uint64_t power = 1;
    while (2 * power <= (uint64_t)procs)
        power *= 2;
    return power;
}

static struct decision decide_bcast(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    if (procs < FEW || bytes <= 12 * KIB)
        return named("mpich_binomial");
    return named(is_power_of_two(procs) && bytes <= 512 * KIB
                     ? "mpich_scatter_recursive_doubling_allgather"
                     : "mpich_scatter_ring_allgather");
}

static struct decision decide_reduce(int procs, uint64_t bytes, uint64_t count)
{
    return named(bytes <= 2 * KIB || count < power_below(procs) ? "mpich_binomial"
                                                                : "mpich_reduce_scatter_gather");
}

static struct decision decide_allreduce(int procs, uint64_t bytes, uint64_t count)
{
    return named(bytes <= 8 || count < power_below(procs) ? "mpich_recursive_doubling"
                                                          : "mpich_reduce_scatter_allgather");
}

/* allgather, allgatherv: by the bytes of all blocks. */
static struct decision decide_allgather(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    const uint64_t all = bytes * (uint64_t)procs;
    if (is_power_of_two(procs))
        return named(all < ALL_DOUBLING ? "mpich_recursive_doubling" : "mpich_ring");
    return named(all < ALL_BRUCKS ? "mpich_brucks" : "mpich_ring");
}

/* The table says "fewer than 8"; below a condition on the call, as here, 4.0.2 reads that as "up to
 * 8". */
static struct decision decide_alltoall(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    if (procs > FEW && bytes <= 256)
        return named("mpich_brucks");
    return named(bytes <= 32 * KIB ? "mpich_scattered" : "mpich_pairwise");
}

/* reduce_scatter, reduce_scatter_block: by the bytes of all blocks. */
static struct decision decide_reduce_scatter(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return named(bytes * (uint64_t)procs < ALL_DOUBLING ? "mpich_recursive_halving"
                                                        : "mpich_pairwise");
}

#define DECIDES(name) "mpich40", #name, .decide = decide_##name

/* Its scan goes node by node ("smp"), of which there is no schedule. */
const struct decision_row decisions_mpich40[] = {
    { DECIDES(bcast) },
    { DECIDES(reduce) },
    { DECIDES(allreduce) },
    { DECIDES(allgather) },
    { "mpich40", "allgatherv", .decide = decide_allgather },
    { DECIDES(alltoall) },
    { DECIDES(reduce_scatter) },
    { "mpich40", "reduce_scatter_block", .decide = decide_reduce_scatter },
    { .rule = NULL },
};
