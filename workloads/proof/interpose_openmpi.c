/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
#include "workloads/proof/interpose_openmpi.h"

#include <dlfcn.h>
#include <mpi.h>

#include "workloads/proof/origin.h"

enum { MOST_SEEN = 16, PER_FUNCTION = 3, FOREIGN_SIZE = 256 };

/* Which functions there are hangs on the release that this is built for, and so do their types:
 * from 6.0 on counts are size_t, and arrays of counts and displacements (ompi_count_array_t,
 * ompi_disp_array_t) are numbers that hold a pointer. */
#if OMPI_MAJOR_VERSION >= 6
typedef size_t count_type;
typedef intptr_t counts_type;
#define FUNCTIONS_OF_RELEASE(F)                                                                    \
    F(reduce, intra_knomial)                                                                       \
    F(allreduce, intra_allgather_reduce)                                                           \
    F(allgather, intra_k_bruck)                                                                    \
    F(allgather, intra_sparbit)                                                                    \
    F(allgather, direct_messaging)                                                                 \
    F(allgatherv, intra_sparbit)
#else
typedef int count_type;
typedef const int *counts_type;
#if OMPI_MAJOR_VERSION == 5
#define FUNCTIONS_OF_RELEASE(F)                                                                    \
    F(allgather, intra_bruck)                                                                      \
    F(allgather, intra_sparbit)                                                                    \
    F(allgatherv, intra_sparbit)
#else
#define FUNCTIONS_OF_RELEASE(F) F(allgather, intra_bruck)
#endif
#endif

/* The functions that are seen; of a collective, as coll/base calls them. */
#define FUNCTIONS(F)                                                                               \
    FUNCTIONS_OF_RELEASE(F)                                                                        \
    F(bcast, intra_basic_linear)                                                                   \
    F(bcast, intra_chain)                                                                          \
    F(bcast, intra_pipeline)                                                                       \
    F(bcast, intra_split_bintree)                                                                  \
    F(bcast, intra_bintree)                                                                        \
    F(bcast, intra_binomial)                                                                       \
    F(bcast, intra_knomial)                                                                        \
    F(bcast, intra_scatter_allgather)                                                              \
    F(bcast, intra_scatter_allgather_ring)                                                         \
    F(reduce, intra_basic_linear)                                                                  \
    F(reduce, intra_chain)                                                                         \
    F(reduce, intra_pipeline)                                                                      \
    F(reduce, intra_binary)                                                                        \
    F(reduce, intra_binomial)                                                                      \
    F(reduce, intra_in_order_binary)                                                               \
    F(reduce, intra_redscat_gather)                                                                \
    F(allreduce, intra_basic_linear)                                                               \
    F(allreduce, intra_nonoverlapping)                                                             \
    F(allreduce, intra_recursivedoubling)                                                          \
    F(allreduce, intra_ring)                                                                       \
    F(allreduce, intra_ring_segmented)                                                             \
    F(allreduce, intra_redscat_allgather)                                                          \
    F(allgather, intra_basic_linear)                                                               \
    F(allgather, intra_recursivedoubling)                                                          \
    F(allgather, intra_ring)                                                                       \
    F(allgather, intra_neighborexchange)                                                           \
    F(allgather, intra_two_procs)                                                                  \
    F(allgatherv, intra_basic_default)                                                             \
    F(allgatherv, intra_bruck)                                                                     \
    F(allgatherv, intra_ring)                                                                      \
    F(allgatherv, intra_neighborexchange)                                                          \
    F(allgatherv, intra_two_procs)                                                                 \
    F(alltoall, intra_basic_linear)                                                                \
    F(alltoall, intra_pairwise)                                                                    \
    F(alltoall, intra_bruck)                                                                       \
    F(alltoall, intra_linear_sync)                                                                 \
    F(alltoall, intra_two_procs)                                                                   \
    F(alltoallv, intra_basic_linear)                                                               \
    F(alltoallv, intra_pairwise)                                                                   \
    F(gather, intra_basic_linear)                                                                  \
    F(gather, intra_binomial)                                                                      \
    F(gather, intra_linear_sync)                                                                   \
    F(scatter, intra_basic_linear)                                                                 \
    F(scatter, intra_binomial)                                                                     \
    F(scatter, intra_linear_nb)                                                                    \
    F(reduce_scatter, intra_nonoverlapping)                                                        \
    F(reduce_scatter, intra_basic_recursivehalving)                                                \
    F(reduce_scatter, intra_ring)                                                                  \
    F(reduce_scatter, intra_butterfly)                                                             \
    F(reduce_scatter_block, basic_linear)                                                          \
    F(reduce_scatter_block, intra_recursivedoubling)                                               \
    F(reduce_scatter_block, intra_recursivehalving)                                                \
    F(reduce_scatter_block, intra_butterfly)                                                       \
    F(barrier, intra_basic_linear)                                                                 \
    F(barrier, intra_doublering)                                                                   \
    F(barrier, intra_recursivedoubling)                                                            \
    F(barrier, intra_bruck)                                                                        \
    F(barrier, intra_two_procs)                                                                    \
    F(barrier, intra_tree)                                                                         \
    F(scan, intra_linear)                                                                          \
    F(scan, intra_recursivedoubling)                                                               \
    F(exscan, intra_linear)                                                                        \
    F(exscan, intra_recursivedoubling)

#define SYMBOL(collective, function) "ompi_coll_base_" #collective "_" #function

#define PUT_INDEX(collective, function) AT_##collective##_##function,
enum { FUNCTIONS(PUT_INDEX) N_FUNCTIONS };

#define PUT_SYMBOL(collective, function) SYMBOL(collective, function),
static const char *const symbols[] = { FUNCTIONS(PUT_SYMBOL) };

_Static_assert(N_FUNCTIONS *PER_FUNCTION <= PROOF_COUNTERS, "counters");

/* The library's modules are opaque to us; forwarded as they come. */
struct mca_coll_base_module_2_4_0_t;
typedef struct mca_coll_base_module_2_4_0_t module;

static struct {
    int watching, n, gate;
    struct interposed seen[MOST_SEEN];
    int seen_at[MOST_SEEN];
    const void *caller;
    uint64_t counters[N_FUNCTIONS * PER_FUNCTION]; /* entries, segments, fan-outs */
    char foreign[N_FUNCTIONS][FOREIGN_SIZE]; /* file of a function that is not the library's */
} watch;

static void note(int at, const char *collective, const char *name, uint32_t segment_bytes,
                 int fanout, int limit, const void *caller)
{
    const uint64_t open = (uint64_t)watch.gate;
    uint64_t *c = &watch.counters[at * PER_FUNCTION];
    c[0] += open;
    c[1] += open * segment_bytes;
    c[2] += open * (uint64_t)(fanout + limit);
    if (!watch.watching || watch.n == MOST_SEEN)
        return;
    watch.caller = watch.caller ? watch.caller : caller;
    watch.seen_at[watch.n] = at;
    watch.seen[watch.n++] =
        (struct interposed){ collective, name,  segment_bytes,
                             fanout,     limit, *watch.foreign[at] ? watch.foreign[at] : NULL };
}

/* FORWARD(collective, function, name shown, declared parameters, their names, segment, fan-out);
 * FORWARD_LIMITED: and a limit of requests beside it. */
#define FORWARD(collective, function, shown, params, args, segment, fanout)                        \
    FORWARD_LIMITED(collective, function, shown, params, args, segment, fanout, 0)
#define FORWARD_LIMITED(collective, function, shown, params, args, segment, fanout, limit)         \
    typedef int collective##_##function##_type params;                                             \
    static collective##_##function##_type *real_##collective##_##function;                         \
    collective##_##function##_type ompi_coll_base_##collective##_##function;                       \
    int ompi_coll_base_##collective##_##function params                                            \
    {                                                                                              \
        note(AT_##collective##_##function, #collective, shown, segment, fanout, limit,             \
             __builtin_return_address(0));                                                         \
        return real_##collective##_##function args;                                                \
    }

#define BCAST      void *buf, count_type count, MPI_Datatype type, int root, MPI_Comm comm, module *m
#define BCAST_ARGS buf, count, type, root, comm, m

FORWARD(bcast, intra_basic_linear, "basic_linear", (BCAST), (BCAST_ARGS), 0, 0)
FORWARD(bcast, intra_chain, chains <= 1 ? "pipeline" : "chain",
        (BCAST, uint32_t segsize, int32_t chains), (BCAST_ARGS, segsize, chains), segsize,
        chains <= 1 ? 0 : chains)
FORWARD(bcast, intra_pipeline, "pipeline", (BCAST, uint32_t segsize), (BCAST_ARGS, segsize),
        segsize, 0)
FORWARD(bcast, intra_split_bintree, "split_binary_tree", (BCAST, uint32_t segsize),
        (BCAST_ARGS, segsize), segsize, 0)
FORWARD(bcast, intra_bintree, "binary_tree", (BCAST, uint32_t segsize), (BCAST_ARGS, segsize),
        segsize, 0)
FORWARD(bcast, intra_binomial, "binomial", (BCAST, uint32_t segsize), (BCAST_ARGS, segsize),
        segsize, 0)
FORWARD(bcast, intra_knomial, "knomial", (BCAST, uint32_t segsize, int radix),
        (BCAST_ARGS, segsize, radix), segsize, radix)
FORWARD(bcast, intra_scatter_allgather, "scatter_allgather", (BCAST, uint32_t segsize),
        (BCAST_ARGS, segsize), 0, 0)
FORWARD(bcast, intra_scatter_allgather_ring, "scatter_allgather_ring", (BCAST, uint32_t segsize),
        (BCAST_ARGS, segsize), 0, 0)

/* Fewer than one chain are one, which is a pipeline. most: how many sends of a leaf may be under
 * way; 0, the default: one after the other. */
#define REDUCE                                                                                     \
    const void *in, void *out, count_type count, MPI_Datatype type, MPI_Op op, int root,           \
        MPI_Comm comm, module *m
#define REDUCE_ARGS in, out, count, type, op, root, comm, m

FORWARD(reduce, intra_basic_linear, "linear", (REDUCE), (REDUCE_ARGS), 0, 0)
FORWARD_LIMITED(reduce, intra_chain, chains <= 1 ? "pipeline" : "chain",
                (REDUCE, uint32_t segsize, int chains, int most),
                (REDUCE_ARGS, segsize, chains, most), segsize, chains <= 1 ? most : chains,
                chains <= 1 ? 0 : most)
FORWARD(reduce, intra_pipeline, "pipeline", (REDUCE, uint32_t segsize, int most),
        (REDUCE_ARGS, segsize, most), segsize, most)
FORWARD(reduce, intra_binary, "binary", (REDUCE, uint32_t segsize, int most),
        (REDUCE_ARGS, segsize, most), segsize, most)
FORWARD(reduce, intra_binomial, "binomial", (REDUCE, uint32_t segsize, int most),
        (REDUCE_ARGS, segsize, most), segsize, most)
FORWARD(reduce, intra_in_order_binary, "in-order_binary", (REDUCE, uint32_t segsize, int most),
        (REDUCE_ARGS, segsize, most), segsize, most)
FORWARD(reduce, intra_redscat_gather, "rabenseifner", (REDUCE), (REDUCE_ARGS), 0, 0)
#if OMPI_MAJOR_VERSION >= 6
FORWARD(reduce, intra_knomial, "knomial", (REDUCE, uint32_t segsize, int most, int radix),
        (REDUCE_ARGS, segsize, most, radix), 0, radix)
#endif

/* The linear one is a gather and a broadcast, as the library chooses them. */
#define ALLGATHER                                                                                  \
    const void *in, count_type n_in, MPI_Datatype in_type, void *out, count_type n_out,            \
        MPI_Datatype out_type, MPI_Comm comm, module *m
#define ALLGATHER_ARGS in, n_in, in_type, out, n_out, out_type, comm, m

FORWARD(allgather, intra_basic_linear, "linear", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
#if OMPI_MAJOR_VERSION >= 6
FORWARD(allgather, intra_k_bruck, "bruck-k-fanout", (ALLGATHER, int radix), (ALLGATHER_ARGS, radix),
        0, radix)
FORWARD(allgather, direct_messaging, "direct-messaging", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
#else
FORWARD(allgather, intra_bruck, "bruck", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
#endif
#if OMPI_MAJOR_VERSION >= 5
FORWARD(allgather, intra_sparbit, "sparbit", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
#endif
FORWARD(allgather, intra_recursivedoubling, "recursive_doubling", (ALLGATHER), (ALLGATHER_ARGS), 0,
        0)
FORWARD(allgather, intra_ring, "ring", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(allgather, intra_neighborexchange, "neighbor", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(allgather, intra_two_procs, "two_proc", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)

#define ALLREDUCE                                                                                  \
    const void *in, void *out, count_type count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,      \
        module *m
#define ALLREDUCE_ARGS in, out, count, type, op, comm, m

FORWARD(allreduce, intra_basic_linear, "basic_linear", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
FORWARD(allreduce, intra_nonoverlapping, "nonoverlapping", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
FORWARD(allreduce, intra_recursivedoubling, "recursive_doubling", (ALLREDUCE), (ALLREDUCE_ARGS), 0,
        0)
FORWARD(allreduce, intra_ring, "ring", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
FORWARD(allreduce, intra_ring_segmented, "segmented_ring", (ALLREDUCE, uint32_t segsize),
        (ALLREDUCE_ARGS, segsize), segsize, 0)
FORWARD(allreduce, intra_redscat_allgather, "rabenseifner", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
#if OMPI_MAJOR_VERSION >= 6
FORWARD(allreduce, intra_allgather_reduce, "allgather_reduce", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
#endif

#define ALLGATHERV                                                                                 \
    const void *in, count_type n_in, MPI_Datatype in_type, void *out, counts_type n_out,           \
        counts_type at, MPI_Datatype out_type, MPI_Comm comm, module *m
#define ALLGATHERV_ARGS in, n_in, in_type, out, n_out, at, out_type, comm, m

FORWARD(allgatherv, intra_basic_default, "gatherv_bcast", (ALLGATHERV), (ALLGATHERV_ARGS), 0, 0)
FORWARD(allgatherv, intra_bruck, "bruck", (ALLGATHERV), (ALLGATHERV_ARGS), 0, 0)
FORWARD(allgatherv, intra_ring, "ring", (ALLGATHERV), (ALLGATHERV_ARGS), 0, 0)
FORWARD(allgatherv, intra_neighborexchange, "neighbor", (ALLGATHERV), (ALLGATHERV_ARGS), 0, 0)
FORWARD(allgatherv, intra_two_procs, "two_proc", (ALLGATHERV), (ALLGATHERV_ARGS), 0, 0)
#if OMPI_MAJOR_VERSION >= 5
FORWARD(allgatherv, intra_sparbit, "sparbit", (ALLGATHERV), (ALLGATHERV_ARGS), 0, 0)
#endif

/* requests: how many may be under way; 0: all. */
FORWARD(alltoall, intra_basic_linear, "linear", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(alltoall, intra_pairwise, "pairwise", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(alltoall, intra_bruck, "modified_bruck", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(alltoall, intra_linear_sync, "linear_sync", (ALLGATHER, int requests),
        (ALLGATHER_ARGS, requests), 0, requests)
FORWARD(alltoall, intra_two_procs, "two_proc", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)

#define ALLTOALLV                                                                                  \
    const void *in, counts_type n_in, counts_type in_at, MPI_Datatype in_type, void *out,          \
        counts_type n_out, counts_type out_at, MPI_Datatype out_type, MPI_Comm comm, module *m
#define ALLTOALLV_ARGS in, n_in, in_at, in_type, out, n_out, out_at, out_type, comm, m

FORWARD(alltoallv, intra_basic_linear, "basic_linear", (ALLTOALLV), (ALLTOALLV_ARGS), 0, 0)
FORWARD(alltoallv, intra_pairwise, "pairwise", (ALLTOALLV), (ALLTOALLV_ARGS), 0, 0)

#define GATHER                                                                                     \
    const void *in, count_type n_in, MPI_Datatype in_type, void *out, count_type n_out,            \
        MPI_Datatype out_type, int root, MPI_Comm comm, module *m
#define GATHER_ARGS in, n_in, in_type, out, n_out, out_type, root, comm, m

/* first: bytes of the segment that the root waits for before it asks for the rest. */
FORWARD(gather, intra_basic_linear, "basic_linear", (GATHER), (GATHER_ARGS), 0, 0)
FORWARD(gather, intra_binomial, "binomial", (GATHER), (GATHER_ARGS), 0, 0)
FORWARD(gather, intra_linear_sync, "linear_sync", (GATHER, int first), (GATHER_ARGS, first),
        (uint32_t)first, 0)
FORWARD(scatter, intra_basic_linear, "basic_linear", (GATHER), (GATHER_ARGS), 0, 0)
FORWARD(scatter, intra_binomial, "binomial", (GATHER), (GATHER_ARGS), 0, 0)
FORWARD(scatter, intra_linear_nb, "linear_nb", (GATHER, int requests), (GATHER_ARGS, requests), 0,
        requests)

#define REDUCE_SCATTER                                                                             \
    const void *in, void *out, counts_type counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,    \
        module *m
#define REDUCE_SCATTER_ARGS in, out, counts, type, op, comm, m

FORWARD(reduce_scatter, intra_nonoverlapping, "non-overlapping", (REDUCE_SCATTER),
        (REDUCE_SCATTER_ARGS), 0, 0)
FORWARD(reduce_scatter, intra_basic_recursivehalving, "recursive_halving", (REDUCE_SCATTER),
        (REDUCE_SCATTER_ARGS), 0, 0)
FORWARD(reduce_scatter, intra_ring, "ring", (REDUCE_SCATTER), (REDUCE_SCATTER_ARGS), 0, 0)
FORWARD(reduce_scatter, intra_butterfly, "butterfly", (REDUCE_SCATTER), (REDUCE_SCATTER_ARGS), 0, 0)
FORWARD(reduce_scatter_block, basic_linear, "basic_linear", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
FORWARD(reduce_scatter_block, intra_recursivedoubling, "recursive_doubling", (ALLREDUCE),
        (ALLREDUCE_ARGS), 0, 0)
FORWARD(reduce_scatter_block, intra_recursivehalving, "recursive_halving", (ALLREDUCE),
        (ALLREDUCE_ARGS), 0, 0)
FORWARD(reduce_scatter_block, intra_butterfly, "butterfly", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)

FORWARD(barrier, intra_basic_linear, "linear", (MPI_Comm comm, module *m), (comm, m), 0, 0)
FORWARD(barrier, intra_doublering, "double_ring", (MPI_Comm comm, module *m), (comm, m), 0, 0)
FORWARD(barrier, intra_recursivedoubling, "recursive_doubling", (MPI_Comm comm, module *m),
        (comm, m), 0, 0)
FORWARD(barrier, intra_bruck, "bruck", (MPI_Comm comm, module *m), (comm, m), 0, 0)
FORWARD(barrier, intra_two_procs, "two_proc", (MPI_Comm comm, module *m), (comm, m), 0, 0)
FORWARD(barrier, intra_tree, "tree", (MPI_Comm comm, module *m), (comm, m), 0, 0)

FORWARD(scan, intra_linear, "linear", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
FORWARD(scan, intra_recursivedoubling, "recursive_doubling", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
FORWARD(exscan, intra_linear, "linear", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)
FORWARD(exscan, intra_recursivedoubling, "recursive_doubling", (ALLREDUCE), (ALLREDUCE_ARGS), 0, 0)

/* Where they are: from 6.0 on libmpi.so has the calls alone, and all else is in a library of its
 * own below it. */
#define LIBRARY_FILE (OMPI_MAJOR_VERSION >= 6 ? "libopen_mpi.so" : "libmpi.so")

/* 0, or -1; the others are looked for all the same. */
static int find(void *function, int at, struct err *err)
{
    void *found = dlsym(RTLD_NEXT, symbols[at]);
    if (!found)
        return err_set(err, "this Open MPI has no '%s'", symbols[at]);
    memcpy(function, &found, sizeof found);
    if (origin_is(found, LIBRARY_FILE, watch.foreign[at], FOREIGN_SIZE))
        watch.foreign[at][0] = '\0';
    return 0;
}

#define FIND(collective, function)                                                                 \
    status |= find(&real_##collective##_##function, AT_##collective##_##function, err);

static int find_all(struct err *err)
{
    int status = 0;
    FUNCTIONS(FIND)
    return status;
}

/* The library calls these functions itself, too: to make a communicator it gathers. So they are
 * found before anything runs. */
__attribute__((constructor)) static void find_early(void)
{
    find_all(NULL);
}

int interpose_open(struct err *err)
{
    return find_all(err);
}

void interpose_watch(void)
{
    watch.watching = 1;
    watch.n = 0;
    watch.caller = NULL;
}

const struct interposed *interpose_seen(const char *collective)
{
    const struct interposed *last = NULL;
    watch.watching = 0;
    for (int i = 0; i < watch.n; i++)
        if (strcmp(watch.seen[i].collective, collective) == 0)
            last = &watch.seen[i];
    return last;
}

const struct interposed *interpose_first(const char *collective)
{
    for (int i = 0; i < watch.n; i++)
        if (strcmp(watch.seen[i].collective, collective) == 0)
            return &watch.seen[i];
    return NULL;
}

const char *interpose_foreign(char *name, size_t size)
{
    for (int i = 0; i < watch.n; i++)
        if (watch.seen[i].foreign) {
            snprintf(name, size, "%s", symbols[watch.seen_at[i]]);
            return watch.seen[i].foreign;
        }
    return NULL;
}

int interpose_entered(const char *collective, const char *name)
{
    for (int i = 0; i < watch.n; i++)
        if (strcmp(watch.seen[i].collective, collective) == 0 &&
            strcmp(watch.seen[i].name, name) == 0)
            return 1;
    return 0;
}

void interpose_component(char *buf, size_t size)
{
    static const char mark[] = "mca_coll_";
    Dl_info info;
    buf[0] = '\0';
    if (!watch.caller || !dladdr(watch.caller, &info) || !info.dli_fname)
        return;
    const char *at = strstr(info.dli_fname, mark);
    if (at)
        snprintf(buf, size, "%.*s", (int)strcspn(at + strlen(mark), "."), at + strlen(mark));
}

static void counter_name(int i, char *buf, size_t size)
{
    static const char *const what[PER_FUNCTION] = { "entries of", "bytes of segments in",
                                                    "fan-outs and limits in" };
    snprintf(buf, size, "%s %s", what[i % PER_FUNCTION], symbols[i / PER_FUNCTION]);
}

const struct proof_source *interpose_counts(void)
{
    static const struct proof_source source = { &watch.gate, watch.counters,
                                                N_FUNCTIONS * PER_FUNCTION, counter_name };
    return &source;
}
#endif
