/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
#include "workloads/interpose_openmpi.h"

#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

enum { MOST_SEEN = 8 };

/* The library's modules are opaque to us; forwarded as they come. */
struct mca_coll_base_module_2_4_0_t;
typedef struct mca_coll_base_module_2_4_0_t module;

static struct {
    int watching, n;
    struct interposed seen[MOST_SEEN];
} watch;

static void note(const char *collective, const char *name, uint32_t segment_bytes, int fanout)
{
    if (watch.watching && watch.n < MOST_SEEN)
        watch.seen[watch.n++] = (struct interposed){ collective, name, segment_bytes, fanout };
}

/* FORWARD(collective, function, name shown, declared parameters, their names, segment, fan-out) */
#define FORWARD(collective, function, shown, params, args, segment, fanout)                        \
    typedef int collective##_##function##_type params;                                             \
    static collective##_##function##_type *real_##collective##_##function;                         \
    collective##_##function##_type ompi_coll_base_##collective##_intra_##function;                 \
    int ompi_coll_base_##collective##_intra_##function params                                      \
    {                                                                                              \
        note(#collective, shown, segment, fanout);                                                 \
        return real_##collective##_##function args;                                                \
    }

#define BCAST      void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, module *m
#define BCAST_ARGS buf, count, type, root, comm, m

FORWARD(bcast, basic_linear, "basic_linear", (BCAST), (BCAST_ARGS), 0, 0)
FORWARD(bcast, chain, chains == 1 ? "pipeline" : "chain", (BCAST, uint32_t segsize, int32_t chains),
        (BCAST_ARGS, segsize, chains), segsize, chains == 1 ? 0 : chains)
FORWARD(bcast, pipeline, "pipeline", (BCAST, uint32_t segsize), (BCAST_ARGS, segsize), segsize, 0)
FORWARD(bcast, split_bintree, "split_binary_tree", (BCAST, uint32_t segsize), (BCAST_ARGS, segsize),
        segsize, 0)
FORWARD(bcast, bintree, "binary_tree", (BCAST, uint32_t segsize), (BCAST_ARGS, segsize), segsize, 0)
FORWARD(bcast, binomial, "binomial", (BCAST, uint32_t segsize), (BCAST_ARGS, segsize), segsize, 0)
FORWARD(bcast, knomial, "knomial", (BCAST, uint32_t segsize, int radix),
        (BCAST_ARGS, segsize, radix), segsize, radix)
FORWARD(bcast, scatter_allgather, "scatter_allgather", (BCAST, uint32_t segsize),
        (BCAST_ARGS, segsize), 0, 0)
FORWARD(bcast, scatter_allgather_ring, "scatter_allgather_ring", (BCAST, uint32_t segsize),
        (BCAST_ARGS, segsize), 0, 0)

/* most: how many sends of a leaf may be under way; 0, the default: any. */
#define REDUCE                                                                                     \
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,   \
        module *m
#define REDUCE_ARGS in, out, count, type, op, root, comm, m

FORWARD(reduce, basic_linear, "linear", (REDUCE), (REDUCE_ARGS), 0, 0)
FORWARD(reduce, chain, "chain", (REDUCE, uint32_t segsize, int chains, int most),
        (REDUCE_ARGS, segsize, chains, most), segsize, chains)
FORWARD(reduce, pipeline, "pipeline", (REDUCE, uint32_t segsize, int most),
        (REDUCE_ARGS, segsize, most), segsize, 0)
FORWARD(reduce, binary, "binary", (REDUCE, uint32_t segsize, int most),
        (REDUCE_ARGS, segsize, most), segsize, 0)
FORWARD(reduce, binomial, "binomial", (REDUCE, uint32_t segsize, int most),
        (REDUCE_ARGS, segsize, most), segsize, 0)
FORWARD(reduce, in_order_binary, "in-order_binary", (REDUCE, uint32_t segsize, int most),
        (REDUCE_ARGS, segsize, most), segsize, 0)
FORWARD(reduce, redscat_gather, "rabenseifner", (REDUCE), (REDUCE_ARGS), 0, 0)

/* The linear one is a gather and a broadcast, as the library chooses them. */
#define ALLGATHER                                                                                  \
    const void *in, int n_in, MPI_Datatype in_type, void *out, int n_out, MPI_Datatype out_type,   \
        MPI_Comm comm, module *m
#define ALLGATHER_ARGS in, n_in, in_type, out, n_out, out_type, comm, m

FORWARD(allgather, basic_linear, "linear", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(allgather, bruck, "bruck", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(allgather, recursivedoubling, "recursive_doubling", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(allgather, ring, "ring", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(allgather, neighborexchange, "neighbor", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)
FORWARD(allgather, two_procs, "two_proc", (ALLGATHER), (ALLGATHER_ARGS), 0, 0)

/* 0, or -1; the others are looked for all the same. */
static int find(void *function, const char *name, struct err *err)
{
    void *at = dlsym(RTLD_NEXT, name);
    if (!at)
        return err_set(err, "this Open MPI has no '%s'", name);
    memcpy(function, &at, sizeof at);
    return 0;
}

#define FIND(collective, function)                                                                 \
    find(&real_##collective##_##function, "ompi_coll_base_" #collective "_intra_" #function, err)

static int find_bcast(struct err *err)
{
    return FIND(bcast, basic_linear) | FIND(bcast, chain) | FIND(bcast, pipeline) |
           FIND(bcast, split_bintree) | FIND(bcast, bintree) | FIND(bcast, binomial) |
           FIND(bcast, knomial) | FIND(bcast, scatter_allgather) |
           FIND(bcast, scatter_allgather_ring);
}

static int find_reduce(struct err *err)
{
    return FIND(reduce, basic_linear) | FIND(reduce, chain) | FIND(reduce, pipeline) |
           FIND(reduce, binary) | FIND(reduce, binomial) | FIND(reduce, in_order_binary) |
           FIND(reduce, redscat_gather);
}

static int find_allgather(struct err *err)
{
    return FIND(allgather, basic_linear) | FIND(allgather, bruck) |
           FIND(allgather, recursivedoubling) | FIND(allgather, ring) |
           FIND(allgather, neighborexchange) | FIND(allgather, two_procs);
}

static int find_all(struct err *err)
{
    return find_bcast(err) | find_reduce(err) | find_allgather(err);
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
#endif
