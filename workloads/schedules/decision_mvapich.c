/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_mvapich.c - facts from SMPI's selector `mvapich2`, SimGrid 3.32
 * (src/smpi/colls/smpi_mvapich2_selector.cpp, and the tables of
 * smpi_mvapich2_selector_stampede.hpp: MVAPICH2's tuning for Stampede, Xeon E5-2680 with 16 cores a
 * node and FDR InfiniBand).
 *
 * It is what runs under SMPI, which is not in all what MVAPICH2 does: an all-to-all goes by the
 * table of one rank per node wherever the ranks are; MVAPICH2's broadcasts in shared memory and by
 * zero copy are MPICH's there; an allgather of few bytes among 16 ranks on each of several nodes
 * sends nothing. SMPI's `ring` of an allgather sends each rank's own block to all, which is
 * direct_ring here. Operations commute; of a rooted call rank 0 is the root. */
#include "workloads/schedules/decision_mvapich.h"
#include "workloads/schedules/parts.h"

enum { KIB = 1024, FEW = 8, RADIX = 4, AT_A_TIME = 4 };

static const char PAIRWISE[] = "mpich_pairwise", BRUCK[] = "modified_bruck",
                  SCATTERED[] = "mpich_scattered", DIRECT[] = "direct_ring",
                  DOUBLING[] = "recursive_doubling", DOUBLING_ANY[] = "recursive_doubling_any",
                  BINOMIAL[] = "mpich_binomial", SCATTER[] = "scatter_allgather",
                  SCATTER_RING[] = "scatter_allgather_ring", LINEAR[] = "linear",
                  KNOMIAL[] = "knomial", HALVING[] = "mpich_reduce_scatter_gather",
                  HALVING_ALL[] = "mpich_reduce_scatter_allgather",
                  BY_NODE[] = "mvapich2_two_level";

/* No schedules: what MPICH's function of SMPI takes; and what SMPI has not. */
static const char MPICH[] = "mpich", OWN_ORDER[] = "own order";

/* The first row of a table with at most so many ranks and bytes counts; 0: any. by_node: among the
 * first ranks of nodes, and within nodes. */
struct row {
    int procs;
    uint64_t bytes;
    const char *algorithm;
    int by_node;
};

static const struct row *find_row(const struct row *row, int procs, uint64_t bytes)
{
    while ((row->procs && procs > row->procs) || (row->bytes && bytes > row->bytes))
        row++;
    return row;
}

static int take(struct decision *d, const char *algorithm)
{
    *d = (struct decision){ .algorithm = algorithm };
    d->fanout = algorithm == SCATTERED ? AT_A_TIME : algorithm == KNOMIAL ? RADIX : 0;
    return 1;
}

static int refuse(struct decision *d, const char *why)
{
    *d = (struct decision){ .why = why };
    return 0;
}

/* Where the ranks are: on so many nodes; so many on each, 0 where these differ; and whether those
 * of a node are consecutive. */
struct place {
    int nodes, each, consecutive;
};

/* 0: not known. */
static int place_of(const struct seating *s, struct place *place)
{
    if (!s || s->procs == 0)
        return 0;
    *place =
        (struct place){ .each = seat_count(s, 0), .consecutive = strcmp(s->mapping, "node") != 0 };
    for (int node = 0; node < s->nodes; node++) {
        const int n = seat_count(s, node);
        place->nodes += n > 0;
        if (n > 0 && n != place->each)
            place->each = 0;
    }
    place->consecutive |= place->each == 1 || place->nodes == 1;
    return 1;
}

static const char unknown_place[] = "goes by nodes, and where the ranks are is not known";
static const char uneven_place[] = "nodes with different numbers of ranks are not modelled";

/* clang-format off */

/* ---- alltoall ---- */

static const struct row alltoall_rows[] = {
    { 2, 0, PAIRWISE, 0 },
    { 4, 256 * KIB, SCATTERED, 0 }, { 4, 0, PAIRWISE, 0 },
    { 8, 8, DOUBLING, 0 }, { 8, 0, SCATTERED, 0 },
    { 16, 64, DOUBLING, 0 }, { 16, 512, BRUCK, 0 }, { 16, 0, SCATTERED, 0 },
    { 32, 32, DOUBLING, 0 }, { 32, 2 * KIB, BRUCK, 0 }, { 32, 0, SCATTERED, 0 },
    { 0, 8, DOUBLING, 0 }, { 0, 1 * KIB, BRUCK, 0 }, { 0, 0, SCATTERED, 0 },
};

/* ---- allgather: with 1, 2 and 16 ranks on each node; what else there is goes as with one ---- */

static const struct row allgather1_rows[] = {
    { 2, 0, DIRECT, 0 },
    { 4, 256 * KIB, DOUBLING, 0 }, { 4, 0, DIRECT, 0 },
    { 16, 128 * KIB, DOUBLING, 0 }, { 16, 0, DIRECT, 0 },
    { 32, 64 * KIB, DOUBLING, 0 }, { 32, 0, DIRECT, 0 },
    { 0, 32 * KIB, DOUBLING, 0 }, { 0, 0, DIRECT, 0 },
};

static const struct row allgather2_rows[] = {
    { 4, 512 * KIB, DOUBLING, 0 }, { 4, 0, DIRECT, 0 },
    { 8, 32 * KIB, DOUBLING, 0 }, { 8, 0, MPICH, 1 },
    { 16, 16 * KIB, DOUBLING, 0 }, { 16, 0, MPICH, 1 },
    { 0, 0, MPICH, 1 },
};

static const struct row allgather16_rows[] = {
    { 16, 1 * KIB, DOUBLING, 0 }, { 16, 0, DIRECT, 0 },
    { 0, 1 * KIB, OWN_ORDER, 0 }, { 0, 0, DIRECT, 0 },
};

/* ---- bcast ---- */

static const struct row bcast_rows[] = {
    { 16, 8 * KIB, MPICH, 1 }, { 16, 16 * KIB, BINOMIAL, 1 }, { 16, 64 * KIB, MPICH, 1 },
    { 16, 256 * KIB, SCATTER_RING, 1 }, { 16, 512 * KIB, SCATTER, 1 }, { 16, 0, SCATTER_RING, 1 },
    { 64, 0, MPICH, 1 },
    { 128, 512 * KIB, MPICH, 1 }, { 128, 0, SCATTER_RING, 0 },
    { 256, 128 * KIB, MPICH, 1 }, { 256, 256 * KIB, SCATTER_RING, 1 }, { 256, 512 * KIB, MPICH, 1 },
    { 256, 0, SCATTER_RING, 1 },
    { 512, 256 * KIB, MPICH, 1 }, { 512, 0, SCATTER_RING, 1 },
    { 0, 512 * KIB, MPICH, 1 }, { 0, 0, SCATTER_RING, 1 },
};

/* ---- reduce: among the nodes' first ranks or all, and within nodes ---- */

static const struct row reduce_rows[] = {
    { 16, 256 * KIB, KNOMIAL, 1 }, { 16, 1024 * KIB, BINOMIAL, 0 }, { 16, 0, HALVING, 0 },
    { 32, 32 * KIB, KNOMIAL, 1 }, { 32, 64 * KIB, BINOMIAL, 1 }, { 32, 256 * KIB, KNOMIAL, 0 },
    { 32, 1024 * KIB, BINOMIAL, 0 }, { 32, 0, HALVING, 0 },
    { 64, 16 * KIB, KNOMIAL, 1 }, { 64, 64 * KIB, BINOMIAL, 1 }, { 64, 256 * KIB, KNOMIAL, 1 },
    { 64, 0, HALVING, 0 },
    { 128, 8 * KIB, KNOMIAL, 1 }, { 128, 16 * KIB, KNOMIAL, 0 }, { 128, 64 * KIB, BINOMIAL, 1 },
    { 128, 256 * KIB, KNOMIAL, 0 }, { 128, 1024 * KIB, BINOMIAL, 1 }, { 128, 0, HALVING, 0 },
    { 256, 16 * KIB, KNOMIAL, 1 }, { 256, 32 * KIB, BINOMIAL, 1 }, { 256, 64 * KIB, BINOMIAL, 0 },
    { 256, 1024 * KIB, BINOMIAL, 1 }, { 256, 0, HALVING, 0 },
    { 512, 8 * KIB, KNOMIAL, 1 }, { 512, 16 * KIB, KNOMIAL, 0 }, { 512, 1024 * KIB, BINOMIAL, 1 },
    { 512, 0, HALVING, 0 },
    { 1024, 8 * KIB, KNOMIAL, 1 }, { 1024, 16 * KIB, KNOMIAL, 0 }, { 1024, 0, BINOMIAL, 1 },
    { 0, 2 * KIB, KNOMIAL, 1 }, { 0, 4 * KIB, KNOMIAL, 0 }, { 0, 0, BINOMIAL, 1 },
};

static const struct row reduce_inner_rows[] = {
    { 16, 64 * KIB, LINEAR, 0 }, { 16, 0, BINOMIAL, 0 },
    { 32, 8 * KIB, LINEAR, 0 }, { 32, 16 * KIB, KNOMIAL, 0 }, { 32, 256 * KIB, LINEAR, 0 },
    { 32, 0, BINOMIAL, 0 },
    { 1024, 8 * KIB, LINEAR, 0 }, { 1024, 16 * KIB, KNOMIAL, 0 }, { 1024, 64 * KIB, LINEAR, 0 },
    { 1024, 256 * KIB, KNOMIAL, 0 }, { 1024, 0, BINOMIAL, 0 },
    { 0, 16 * KIB, LINEAR, 0 }, { 0, 64 * KIB, KNOMIAL, 0 }, { 0, 128 * KIB, BINOMIAL, 0 },
    { 0, 0, LINEAR, 0 },
};

/* ---- allreduce ---- */

static const struct row allreduce_rows[] = {
    { 16, 1 * KIB, DOUBLING, 1 }, { 16, 0, HALVING_ALL, 0 },
    { 512, 16 * KIB, DOUBLING, 1 }, { 512, 0, HALVING_ALL, 0 },
    { 1024, 8 * KIB, DOUBLING, 1 }, { 1024, 64 * KIB, HALVING_ALL, 1 }, { 1024, 0, HALVING_ALL, 0 },
    { 0, 64, DOUBLING, 1 }, { 0, 512, HALVING_ALL, 1 }, { 0, 4 * KIB, DOUBLING, 1 },
    { 0, 0, HALVING_ALL, 0 },
};

/* clang-format on */

static int decide_alltoall(const struct decision_call *call, struct decision *d)
{
    const char *algorithm = find_row(alltoall_rows, call->procs, call->bytes)->algorithm;
    if (algorithm == PAIRWISE && !is_power_of_two(call->procs))
        return refuse(d, "SMPI ends with an error: its pairwise wants 2^n ranks");
    if (algorithm == DOUBLING && !is_power_of_two(call->procs))
        algorithm = DOUBLING_ANY;
    return take(d, algorithm);
}

/* What MPICH's function of SMPI takes. */
static const char *mpich_allgather(int procs, uint64_t bytes)
{
    const uint64_t all = (uint64_t)procs * bytes;
    if (is_power_of_two(procs) && all < 512 * KIB)
        return DOUBLING;
    return all <= 80 * KIB ? "bruck" : DIRECT;
}

static const struct row *allgather_rows(int each)
{
    return each == 2 ? allgather2_rows : each == 16 ? allgather16_rows : allgather1_rows;
}

/* Two ranks on each node: one block and its answer, whatever algorithm of SMPI's moves them. */
static int allgather_by_node(const struct place *p, uint64_t bytes, struct decision *d)
{
    static const char *const pairs[] = { "two_level.basic_linear.recursive_doubling",
                                         "two_level.basic_linear.bruck",
                                         "two_level.basic_linear.direct_ring" };
    if (!p->consecutive)
        return take(d, mpich_allgather(p->nodes * p->each, bytes));
    const char *across = mpich_allgather(p->nodes, bytes * (uint64_t)p->each);
    return take(d, pairs[across == DOUBLING ? 0 : across == DIRECT ? 2 : 1]);
}

static int decide_allgather(const struct decision_call *call, struct decision *d)
{
    struct place p;
    if (!place_of(call->seats, &p))
        return refuse(d, unknown_place);
    const struct row *row = find_row(allgather_rows(p.each), call->procs, call->bytes);
    if (row->algorithm == OWN_ORDER)
        return refuse(d, "MVAPICH2 doubles among ranks in an order that SMPI does not have: "
                         "its call does nothing");
    if (row->by_node)
        return allgather_by_node(&p, call->bytes, d);
    return take(d, row->algorithm == DOUBLING && !is_power_of_two(call->procs) ? DOUBLING_ANY
                                                                               : row->algorithm);
}

/* What MPICH's function of SMPI takes. */
static const char *mpich_bcast(int procs, uint64_t bytes)
{
    if (bytes < 12 * KIB || procs <= FEW)
        return BINOMIAL;
    return bytes < 512 * KIB && procs % 2 == 0 ? SCATTER : SCATTER_RING;
}

/* Of fewer bytes than ranks Open MPI's do something else than MPICH's, which SMPI's are. */
static const char *whole_bcast(const char *algorithm, int procs, uint64_t bytes)
{
    if (bytes >= (uint64_t)procs)
        return algorithm;
    return algorithm == SCATTER        ? "mpich_scatter_recursive_doubling_allgather"
           : algorithm == SCATTER_RING ? "mpich_scatter_ring_allgather"
                                       : algorithm;
}

static struct decision_levels bcast_levels(const struct place *p, uint64_t bytes)
{
    const struct row *row = find_row(bcast_rows, p->nodes * p->each, bytes);
    struct decision_levels l = { .across = row->algorithm, .down = mpich_bcast(p->each, bytes) };
    if (row->algorithm == MPICH)
        l.across = mpich_bcast(p->nodes, bytes);
    return l;
}

static int decide_bcast(const struct decision_call *call, struct decision *d)
{
    const struct row *row = find_row(bcast_rows, call->procs, call->bytes);
    struct place p;
    if (!row->by_node)
        return take(d, whole_bcast(row->algorithm, call->procs, call->bytes));
    if (!place_of(call->seats, &p) || !p.each)
        return refuse(d, call->seats && call->seats->procs ? uneven_place : unknown_place);
    if (p.nodes > 1 && p.each > 1)
        return take(d, BY_NODE);
    const struct decision_levels l = bcast_levels(&p, call->bytes);
    return take(d, whole_bcast(p.each == 1 ? l.across : l.down, call->procs, call->bytes));
}

static const char *node_reduce(uint64_t bytes)
{
    return bytes <= 2 * KIB ? LINEAR : KNOMIAL;
}

static const char *whole_reduce(const struct row *row, int procs, uint64_t count)
{
    uint64_t power = 1;
    while (2 * power <= (uint64_t)procs)
        power *= 2;
    return row->algorithm == HALVING && count < power ? BINOMIAL : row->algorithm;
}

static struct decision_levels reduce_levels(const struct place *p, uint64_t bytes)
{
    const int procs = p->nodes * p->each;
    struct decision_levels l = { .up = find_row(reduce_inner_rows, procs, bytes)->algorithm,
                                 .across = find_row(reduce_rows, procs, bytes)->algorithm };
    if (l.up == LINEAR && bytes >= (uint64_t)p->each * 128 * KIB) /* more than the shared memory */
        l.up = KNOMIAL;
    return l;
}

static int decide_reduce(const struct decision_call *call, struct decision *d)
{
    const struct row *row = find_row(reduce_rows, call->procs, call->bytes);
    struct place p;
    if (!row->by_node)
        return take(d, whole_reduce(row, call->procs, call->count));
    if (!place_of(call->seats, &p))
        return refuse(d, unknown_place);
    if (p.nodes == 1)
        return take(d, node_reduce(call->bytes));
    if (p.each == 1)
        return take(d, row->algorithm);
    /* Who takes part within a node does so by the ranks of all nodes. */
    return p.each ? take(d, BY_NODE) : refuse(d, uneven_place);
}

/* Up and down a node go its own reduction and broadcast, as on one node alone. */
static struct decision_levels allreduce_levels(const struct place *p, uint64_t bytes,
                                               uint64_t count)
{
    const struct place node = { 1, p->each, 1 };
    const struct row *up = find_row(reduce_rows, p->each, bytes);
    const struct row *down = find_row(bcast_rows, p->each, bytes);
    return (struct decision_levels){
        .up = up->by_node ? node_reduce(bytes) : whole_reduce(up, p->each, count),
        .across = find_row(allreduce_rows, p->nodes * p->each, bytes)->algorithm,
        .down = down->by_node ? bcast_levels(&node, bytes).down : down->algorithm,
    };
}

static int decide_allreduce(const struct decision_call *call, struct decision *d)
{
    const struct row *row = find_row(allreduce_rows, call->procs, call->bytes);
    struct place p;
    if (!row->by_node)
        return take(d, row->algorithm);
    if (!place_of(call->seats, &p) || !p.each)
        return refuse(d, call->seats && call->seats->procs ? uneven_place : unknown_place);
    return take(d, p.each == 1 ? row->algorithm : BY_NODE);
}

static int decide_barrier(const struct decision_call *call, struct decision *d)
{
    (void)call;
    return take(d, DOUBLING);
}

int decision_mvapich2_levels(const char *collective, const struct decision_call *call,
                             struct decision_levels *levels)
{
    struct place p;
    if (!place_of(call->seats, &p) || !p.each)
        return 0;
    if (strcmp(collective, "bcast") == 0)
        *levels = bcast_levels(&p, call->bytes);
    else if (strcmp(collective, "reduce") == 0)
        *levels = reduce_levels(&p, call->bytes);
    else
        *levels = allreduce_levels(&p, call->bytes, call->count);
    return 1;
}

#define PLACED(name) "mvapich2", #name, .placed = decide_##name

const struct decision_row decisions_mvapich2[] = {
    { PLACED(alltoall) },  { PLACED(allgather) }, { PLACED(bcast) }, { PLACED(reduce) },
    { PLACED(allreduce) }, { PLACED(barrier) },   { .rule = NULL },
};
