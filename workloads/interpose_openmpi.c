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

static void note(const char *name, uint32_t segment_bytes, int fanout)
{
    if (watch.watching && watch.n < MOST_SEEN)
        watch.seen[watch.n++] = (struct interposed){ name, segment_bytes, fanout };
}

/* FORWARD(function, name shown, declared extra parameters, their names, segment, fan-out) */
#define FORWARD(function, shown, params, args, segment, fanout)                                    \
    typedef int function##_type params;                                                            \
    static function##_type *real_##function;                                                       \
    function##_type ompi_coll_base_bcast_intra_##function;                                         \
    int ompi_coll_base_bcast_intra_##function params                                               \
    {                                                                                              \
        note(shown, segment, fanout);                                                              \
        return real_##function args;                                                               \
    }

#define COMMON      void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, module *m
#define COMMON_ARGS buf, count, type, root, comm, m

FORWARD(basic_linear, "basic_linear", (COMMON), (COMMON_ARGS), 0, 0)
FORWARD(chain, chains == 1 ? "pipeline" : "chain", (COMMON, uint32_t segsize, int32_t chains),
        (COMMON_ARGS, segsize, chains), segsize, chains == 1 ? 0 : chains)
FORWARD(pipeline, "pipeline", (COMMON, uint32_t segsize), (COMMON_ARGS, segsize), segsize, 0)
FORWARD(split_bintree, "split_binary_tree", (COMMON, uint32_t segsize), (COMMON_ARGS, segsize),
        segsize, 0)
FORWARD(bintree, "binary_tree", (COMMON, uint32_t segsize), (COMMON_ARGS, segsize), segsize, 0)
FORWARD(binomial, "binomial", (COMMON, uint32_t segsize), (COMMON_ARGS, segsize), segsize, 0)
FORWARD(knomial, "knomial", (COMMON, uint32_t segsize, int radix), (COMMON_ARGS, segsize, radix),
        segsize, radix)
FORWARD(scatter_allgather, "scatter_allgather", (COMMON, uint32_t segsize), (COMMON_ARGS, segsize),
        0, 0)
FORWARD(scatter_allgather_ring, "scatter_allgather_ring", (COMMON, uint32_t segsize),
        (COMMON_ARGS, segsize), 0, 0)

static int find(void *function, const char *name, struct err *err)
{
    void *at = dlsym(RTLD_NEXT, name);
    if (!at)
        return err_set(err, "this Open MPI has no '%s'", name);
    memcpy(function, &at, sizeof at);
    return 0;
}

#define FIND(function) find(&real_##function, "ompi_coll_base_bcast_intra_" #function, err)

int interpose_open(struct err *err)
{
    return FIND(basic_linear) < 0 || FIND(chain) < 0 || FIND(pipeline) < 0 ||
                   FIND(split_bintree) < 0 || FIND(bintree) < 0 || FIND(binomial) < 0 ||
                   FIND(knomial) < 0 || FIND(scatter_allgather) < 0 ||
                   FIND(scatter_allgather_ring) < 0
               ? -1
               : 0;
}

void interpose_watch(void)
{
    watch.watching = 1;
    watch.n = 0;
}

const struct interposed *interpose_seen(int *n)
{
    watch.watching = 0;
    *n = watch.n;
    return watch.n ? &watch.seen[watch.n - 1] : NULL;
}
#endif
