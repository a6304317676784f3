/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
#include "workloads/interpose_openmpi.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "workloads/origin.h"

enum { MOST_SEEN = 8, PER_FUNCTION = 3, FOREIGN_SIZE = 256 };

/* The functions that are seen; of a collective, as coll/base calls them. */
#define FUNCTIONS(F)                                                                               \
    F(bcast, basic_linear)                                                                         \
    F(bcast, chain)                                                                                \
    F(bcast, pipeline)                                                                             \
    F(bcast, split_bintree)                                                                        \
    F(bcast, bintree)                                                                              \
    F(bcast, binomial)                                                                             \
    F(bcast, knomial)                                                                              \
    F(bcast, scatter_allgather)                                                                    \
    F(bcast, scatter_allgather_ring)                                                               \
    F(reduce, basic_linear)                                                                        \
    F(reduce, chain)                                                                               \
    F(reduce, pipeline)                                                                            \
    F(reduce, binary)                                                                              \
    F(reduce, binomial)                                                                            \
    F(reduce, in_order_binary)                                                                     \
    F(reduce, redscat_gather)                                                                      \
    F(allgather, basic_linear)                                                                     \
    F(allgather, bruck)                                                                            \
    F(allgather, recursivedoubling)                                                                \
    F(allgather, ring)                                                                             \
    F(allgather, neighborexchange)                                                                 \
    F(allgather, two_procs)

#define SYMBOL(collective, function) "ompi_coll_base_" #collective "_intra_" #function

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
                 int fanout, const void *caller)
{
    const uint64_t open = (uint64_t)watch.gate;
    uint64_t *c = &watch.counters[at * PER_FUNCTION];
    c[0] += open;
    c[1] += open * segment_bytes;
    c[2] += open * (uint64_t)fanout;
    if (!watch.watching || watch.n == MOST_SEEN)
        return;
    watch.caller = watch.caller ? watch.caller : caller;
    watch.seen_at[watch.n] = at;
    watch.seen[watch.n++] = (struct interposed){ collective, name, segment_bytes, fanout,
                                                 *watch.foreign[at] ? watch.foreign[at] : NULL };
}

/* FORWARD(collective, function, name shown, declared parameters, their names, segment, fan-out) */
#define FORWARD(collective, function, shown, params, args, segment, fanout)                        \
    typedef int collective##_##function##_type params;                                             \
    static collective##_##function##_type *real_##collective##_##function;                         \
    collective##_##function##_type ompi_coll_base_##collective##_intra_##function;                 \
    int ompi_coll_base_##collective##_intra_##function params                                      \
    {                                                                                              \
        note(AT_##collective##_##function, #collective, shown, segment, fanout,                    \
             __builtin_return_address(0));                                                         \
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
static int find(void *function, int at, struct err *err)
{
    void *found = dlsym(RTLD_NEXT, symbols[at]);
    if (!found)
        return err_set(err, "this Open MPI has no '%s'", symbols[at]);
    memcpy(function, &found, sizeof found);
    if (origin_is(found, "libmpi.so", watch.foreign[at], FOREIGN_SIZE))
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

const char *interpose_foreign(char *name, size_t size)
{
    for (int i = 0; i < watch.n; i++)
        if (watch.seen[i].foreign) {
            snprintf(name, size, "%s", symbols[watch.seen_at[i]]);
            return watch.seen[i].foreign;
        }
    return NULL;
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
                                                    "fan-outs in" };
    snprintf(buf, size, "%s %s", what[i % PER_FUNCTION], symbols[i / PER_FUNCTION]);
}

const struct proof_source *interpose_counts(void)
{
    static const struct proof_source source = { &watch.gate, watch.counters,
                                                N_FUNCTIONS * PER_FUNCTION, counter_name };
    return &source;
}
#endif
