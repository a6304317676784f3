/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - the messages that Open MPI's algorithms really send, against their schedules.
 *
 * All of a collective's messages go through the library's table of functions for messages, mca_pml
 * (ompi/mca/pml/pml.h, the same in 4.1 to 6.0 but for one entry): ours are put there, count per
 * destination while a call runs, and forward. For some P of 2 … size of the launch (all of them
 * with COLLSEL_LONG) each algorithm is forced on the first P ranks; after one call every rank must
 * have sent to every other exactly the messages and bytes of its schedule, around P and 2^k
 * elements, too: of what another algorithm may run for, and with COLLSEL_LONG of all. Arguments
 * name the collectives; without any, all. TAP. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/traffic.h"
#include "tests/tap.h"
#include "workloads/proof/native.h"
#include "workloads/measure/team.h"

/* Places in mca_pml; 5.0 has one more function before them. */
enum { PML_ISEND_INIT = OMPI_MAJOR_VERSION >= 5 ? 10 : 9, PML_ISEND, PML_SEND };

typedef int isend_function(const void *buf, size_t count, MPI_Datatype type, int dst, int tag,
                           int mode, MPI_Comm comm, MPI_Request *request);
typedef int send_function(const void *buf, size_t count, MPI_Datatype type, int dst, int tag,
                          int mode, MPI_Comm comm);

/* The library calls us without an argument of ours. */
static struct {
    int on;
    struct sent sent;
    isend_function *isend_init, *isend;
    send_function *send;
} monitor;

/* A rank of the communicator is one of the world: teams are its first ranks. A message to oneself,
 * which 5.0's pairwise alltoallv sends, is a copy in the schedules. */
static void count_message(size_t count, MPI_Datatype type, int dst, MPI_Comm comm)
{
    int size, rank;
    if (!monitor.on || dst < 0 || dst >= MOST_RANKS)
        return;
    MPI_Comm_rank(comm, &rank);
    if (dst == rank)
        return;
    MPI_Type_size(type, &size);
    monitor.sent.messages[dst]++;
    monitor.sent.bytes[dst] += count * (size_t)size;
}

/* One that is started later; the library starts it once. */
static int count_isend_init(const void *buf, size_t count, MPI_Datatype type, int dst, int tag,
                            int mode, MPI_Comm comm, MPI_Request *request)
{
    count_message(count, type, dst, comm);
    return monitor.isend_init(buf, count, type, dst, tag, mode, comm, request);
}

static int count_isend(const void *buf, size_t count, MPI_Datatype type, int dst, int tag, int mode,
                       MPI_Comm comm, MPI_Request *request)
{
    count_message(count, type, dst, comm);
    return monitor.isend(buf, count, type, dst, tag, mode, comm, request);
}

static int count_send(const void *buf, size_t count, MPI_Datatype type, int dst, int tag, int mode,
                      MPI_Comm comm)
{
    count_message(count, type, dst, comm);
    return monitor.send(buf, count, type, dst, tag, mode, comm);
}

/* Puts a function into the table; what was there goes to *was. */
static void put(void **table, int at, void *was, const void *ours)
{
    memcpy(was, &table[at], sizeof *table);
    memcpy(&table[at], ours, sizeof *table);
}

/* 0, or -1: the library has no such table. */
static int watch_messages(void)
{
    isend_function *const isend_init = count_isend_init, *const isend = count_isend;
    send_function *const send = count_send;
    void **table = dlsym(RTLD_DEFAULT, "mca_pml");
    if (!table)
        return -1;
    put(table, PML_ISEND_INIT, &monitor.isend_init, &isend_init);
    put(table, PML_ISEND, &monitor.isend, &isend);
    put(table, PML_SEND, &monitor.send, &send);
    return 0;
}

/* One way to force an algorithm and to call it. */
struct force {
    const char *collective, *name;
    uint64_t segment;
    int fanout;
    int ordered;            /* with an operation that does not commute */
    enum block_sizes sizes; /* of blocks that may differ */
};

/* The schedule that sends the same. */
static const struct algorithm *schedule_of(const struct force *f)
{
    const char *name = strcmp(f->name, "bruck-k-fanout") == 0     ? "bruck_k"
                       : strcmp(f->name, "direct-messaging") == 0 ? "simple"
                                                                  : f->name;
    return algorithm_find(f->collective, name);
}

static const struct force forces[] = {
    { "bcast", "basic_linear", 0, 0, 0, 0 },
    { "bcast", "chain", 0, 0, 0, 0 },
    { "bcast", "chain", 1024, 0, 0, 0 },
    { "bcast", "chain", 1000, 2, 0, 0 },
    { "bcast", "chain", 1024, 1, 0, 0 },
    { "bcast", "pipeline", 0, 0, 0, 0 },
    { "bcast", "pipeline", 1024, 0, 0, 0 },
    { "bcast", "split_binary_tree", 0, 0, 0, 0 },
    { "bcast", "split_binary_tree", 1024, 0, 0, 0 },
    { "bcast", "split_binary_tree", 1000, 0, 0, 0 },
    { "bcast", "binary_tree", 0, 0, 0, 0 },
    { "bcast", "binary_tree", 1024, 0, 0, 0 },
    { "bcast", "binomial", 0, 0, 0, 0 },
    { "bcast", "binomial", 1024, 0, 0, 0 },
    { "bcast", "knomial", 0, 0, 0, 0 },
    { "bcast", "knomial", 1024, 2, 0, 0 },
    { "bcast", "knomial", 1000, 3, 0, 0 },
    { "bcast", "scatter_allgather", 0, 0, 0, 0 },
    { "bcast", "scatter_allgather_ring", 0, 0, 0, 0 },
    { "gather", "basic_linear", 0, 0, 0, 0 },
    { "gather", "binomial", 0, 0, 0, 0 },
    { "gather", "linear_sync", 1000, 0, 0, 0 },
    { "allgather", "linear", 0, 0, 0, 0 },
#if OMPI_MAJOR_VERSION >= 6
    { "allgather", "bruck-k-fanout", 0, 2, 0, 0 },
    { "allgather", "bruck-k-fanout", 0, 3, 0, 0 },
    { "allgather", "bruck-k-fanout", 0, 4, 0, 0 },
    { "allgather", "direct-messaging", 0, 0, 0, 0 },
#else
    { "allgather", "bruck", 0, 0, 0, 0 },
#endif
#if OMPI_MAJOR_VERSION >= 5
    { "allgather", "sparbit", 0, 0, 0, 0 },
    { "allgatherv", "sparbit", 0, 0, 0, 0 },
    { "allgatherv", "sparbit", 0, 0, .sizes = SIZES_RANDOM },
    { "allgatherv", "sparbit", 0, 0, .sizes = SIZES_ZEROS },
#endif
    { "allgather", "recursive_doubling", 0, 0, 0, 0 },
    { "allgather", "ring", 0, 0, 0, 0 },
    { "allgather", "neighbor", 0, 0, 0, 0 },
    { "allgather", "two_proc", 0, 0, 0, 0 },
    { "allgatherv", "gatherv_bcast", 0, 0, 0, 0 },
    { "allgatherv", "gatherv_bcast", 0, 0, .sizes = SIZES_RANDOM },
    { "allgatherv", "gatherv_bcast", 0, 0, .sizes = SIZES_ZEROS },
    { "allgatherv", "bruck", 0, 0, 0, 0 },
    { "allgatherv", "bruck", 0, 0, .sizes = SIZES_RANDOM },
    { "allgatherv", "bruck", 0, 0, .sizes = SIZES_ZEROS },
    { "allgatherv", "ring", 0, 0, .sizes = SIZES_RANDOM },
    { "allgatherv", "ring", 0, 0, .sizes = SIZES_ZEROS },
    { "allgatherv", "neighbor", 0, 0, .sizes = SIZES_RANDOM },
    { "allgatherv", "neighbor", 0, 0, .sizes = SIZES_ZEROS },
    { "allgatherv", "two_proc", 0, 0, .sizes = SIZES_ONE_LARGE },
    { "alltoall", "linear", 0, 0, 0, 0 },
    { "alltoall", "pairwise", 0, 0, 0, 0 },
    { "alltoall", "modified_bruck", 0, 0, 0, 0 },
    { "alltoall", "linear_sync", 0, 0, 0, 0 },
    { "alltoall", "linear_sync", 0, 1, 0, 0 },
    { "alltoall", "linear_sync", 0, 3, 0, 0 },
    { "alltoall", "two_proc", 0, 0, 0, 0 },
    { "alltoallv", "basic_linear", 0, 0, 0, 0 },
    { "alltoallv", "basic_linear", 0, 0, .sizes = SIZES_ZEROS },
    { "alltoallv", "pairwise", 0, 0, .sizes = SIZES_RANDOM },
    { "alltoallv", "pairwise", 0, 0, .sizes = SIZES_ONE_LARGE },
    { "scatter", "basic_linear", 0, 0, 0, 0 },
    { "scatter", "binomial", 0, 0, 0, 0 },
    { "scatter", "linear_nb", 0, 0, 0, 0 },
    { "scatter", "linear_nb", 0, 2, 0, 0 },
    { "barrier", "linear", 0, 0, 0, 0 },
    { "barrier", "double_ring", 0, 0, 0, 0 },
    { "barrier", "recursive_doubling", 0, 0, 0, 0 },
    { "barrier", "bruck", 0, 0, 0, 0 },
    { "barrier", "two_proc", 0, 0, 0, 0 },
    { "barrier", "tree", 0, 0, 0, 0 },
    { "reduce", "linear", 0, 0, 0, 0 },
    { "reduce", "chain", 0, 0, 0, 0 },
    { "reduce", "chain", 1024, 0, 0, 0 },
    { "reduce", "chain", 1000, 2, 0, 0 },
    { "reduce", "chain", 1024, 1, 0, 0 },
    { "reduce", "chain.3", 1024, 2, 0, 0 },
    { "reduce", "pipeline", 0, 0, 0, 0 },
    { "reduce", "pipeline", 1024, 0, 0, 0 },
    { "reduce", "pipeline", 1024, 3, 0, 0 },
    { "reduce", "binary", 0, 0, 0, 0 },
    { "reduce", "binary", 1000, 0, 0, 0 },
    { "reduce", "binary", 1000, 2, 0, 0 },
    { "reduce", "binomial", 0, 0, 0, 0 },
    { "reduce", "binomial", 1024, 0, 0, 0 },
    { "reduce", "binomial", 1024, 1, 0, 0 },
    { "reduce", "in-order_binary", 0, 0, 0, 0 },
    { "reduce", "in-order_binary", 1000, 0, 0, 0 },
    { "reduce", "in-order_binary", 1000, 5, 0, 0 },
    { "reduce", "rabenseifner", 0, 0, 0, 0 },
#if OMPI_MAJOR_VERSION >= 6
    { "reduce", "knomial", 0, 0, 0, 0 },
    { "reduce", "knomial", 0, 2, 0, 0 },
    { "reduce", "knomial", 0, 3, 0, 0 },
#endif
    { "allreduce", "basic_linear", 0, 0, 0, 0 },
    { "allreduce", "nonoverlapping", 0, 0, 0, 0 },
    { "allreduce", "nonoverlapping", 0, 0, .ordered = 1 },
    { "allreduce", "recursive_doubling", 0, 0, 0, 0 },
    { "allreduce", "recursive_doubling", 0, 0, .ordered = 1 },
    { "allreduce", "ring", 0, 0, 0, 0 },
    { "allreduce", "segmented_ring", 0, 0, 0, 0 },
    { "allreduce", "segmented_ring", 1, 0, 0, 0 },
    { "allreduce", "segmented_ring", 700, 0, 0, 0 },
    { "allreduce", "segmented_ring", 1024, 0, 0, 0 },
    { "allreduce", "rabenseifner", 0, 0, 0, 0 },
    { "allreduce", "rabenseifner", 0, 0, .ordered = 1 },
    { "reduce_scatter", "non-overlapping", 0, 0, 0, 0 },
    { "reduce_scatter", "non-overlapping", 0, 0, .ordered = 1, .sizes = SIZES_ZEROS },
    { "reduce_scatter", "recursive_halving", 0, 0, 0, 0 },
    { "reduce_scatter", "recursive_halving", 0, 0, .sizes = SIZES_RANDOM },
    { "reduce_scatter", "recursive_halving", 0, 0, .sizes = SIZES_ZEROS },
    { "reduce_scatter", "recursive_halving", 0, 0, .sizes = SIZES_ONE_LARGE },
    { "reduce_scatter", "ring", 0, 0, 0, 0 },
    { "reduce_scatter", "ring", 0, 0, .sizes = SIZES_RANDOM },
    { "reduce_scatter", "ring", 0, 0, .sizes = SIZES_ZEROS },
    { "reduce_scatter", "butterfly", 0, 0, 0, 0 },
    { "reduce_scatter", "butterfly", 0, 0, .ordered = 1, .sizes = SIZES_RANDOM },
    { "reduce_scatter", "butterfly", 0, 0, .sizes = SIZES_ZEROS },
    { "reduce_scatter_block", "basic_linear", 0, 0, 0, 0 },
    { "reduce_scatter_block", "basic_linear", 0, 0, .ordered = 1 },
    { "reduce_scatter_block", "recursive_doubling", 0, 0, 0, 0 },
    { "reduce_scatter_block", "recursive_doubling", 0, 0, .ordered = 1 },
    { "reduce_scatter_block", "recursive_halving", 0, 0, 0, 0 },
    { "reduce_scatter_block", "recursive_halving", 0, 0, .ordered = 1 },
    { "reduce_scatter_block", "butterfly", 0, 0, 0, 0 },
    { "reduce_scatter_block", "butterfly", 0, 0, .ordered = 1 },
    { "scan", "linear", 0, 0, 0, 0 },
    { "scan", "recursive_doubling", 0, 0, 0, 0 },
    { "scan", "recursive_doubling", 0, 0, .ordered = 1 },
    { "exscan", "linear", 0, 0, 0, 0 },
    { "exscan", "recursive_doubling", 0, 0, 0, 0 },
    { "exscan", "recursive_doubling", 0, 0, .ordered = 1 },
};

/* From 5.0 on an alltoallv sends nothing for an empty block, where 4.1 sends an empty message; nor
 * does an allgatherv by sparbit. */
static int sends_empty(const struct force *f)
{
    return OMPI_MAJOR_VERSION < 5 ||
           (strcmp(f->collective, "alltoallv") != 0 &&
            (strcmp(f->collective, "allgatherv") != 0 || strcmp(f->name, "sparbit") != 0));
}

/* What 6.0 runs otherwise than the schedule, which is 4.1's: fewer elements than ranks are halved,
 * too, and a reduction that is part of another collective is by two chains where 4.1's is by one.
 */
static int is_otherwise(const struct force *f, const struct schedule *s)
{
    if (OMPI_MAJOR_VERSION < 6)
        return 0;
    if (strcmp(f->collective, "allreduce") == 0 && strcmp(f->name, "rabenseifner") == 0)
        return s->alg != s->asked && !f->ordered;
    return s->choice[0].alg && strcmp(s->choice[0].collective->name, "reduce") == 0 &&
           strcmp(s->choice[0].asked->name, "chain") == 0;
}

/* In elements. */
static const uint64_t counts[] = { 0, 1, 7, 13, 1024, 1025, 4097, 20000, 37777 };

static int compare(const struct sent *want, const struct sent *seen, int rank, int procs,
                   struct err *err)
{
    for (int r = 0; r < procs; r++)
        if (want->messages[r] != seen->messages[r] || want->bytes[r] != seen->bytes[r])
            return err_set(
                err, "%d to %d: scheduled %llu messages of %llu bytes, seen %llu of %llu", rank, r,
                (unsigned long long)want->messages[r], (unsigned long long)want->bytes[r],
                (unsigned long long)seen->messages[r], (unsigned long long)seen->bytes[r]);
    return 0;
}

/* One call, counted. */
static int call_counted(const struct force *f, struct call_args *args)
{
    const struct collective *c = collective_find(f->collective);
    call_counts_init(args, c);
    memset(&monitor.sent, 0, sizeof monitor.sent);
    monitor.on = 1;
    const int rc = call_native(c)(args);
    monitor.on = 0;
    call_counts_clear(args);
    return rc;
}

/* 0 when the messages are the scheduled ones. */
static int call_checked(const struct force *f, const struct team *team, struct call_args *args,
                        struct err *err)
{
    const struct schedule_arguments a = { .procs = team->procs,
                                          .root = args->root,
                                          .bytes = args->bytes,
                                          .segment_bytes = f->segment,
                                          .fanout = f->fanout,
                                          .levels = algorithm_levels(f->name),
                                          .element_bytes = args->type->bytes,
                                          .ordered = f->ordered,
                                          .sizes = f->sizes,
                                          .seed = 5 };
    const struct algorithm *alg = schedule_of(f);
    struct schedule s;
    struct sent want;
    if (schedule_make(&s, alg, &a, err) < 0)
        return -1;
    args->blocks = &s.blocks;
    const int rc = call_counted(f, args);
    if (rc != MPI_SUCCESS)
        return err_set(err, "MPI error %d", rc);
    traffic_scheduled(&s, team->rank, sends_empty(f), &want);
    if (is_otherwise(f, &s))
        return 0;
    if (compare(&want, &monitor.sent, team->rank, team->procs, err) < 0)
        return err_prefix(err, "%llu elements of %llu bytes, root %d",
                          (unsigned long long)schedule_count(&s),
                          (unsigned long long)s.element_bytes, s.root);
    return 0;
}

/* Of a force among so many ranks; returns how many. Every second one, the others of the next force
 * or number of ranks; all of a long check. */
static size_t counts_of(const struct force *f, int procs, uint64_t all[MOST_COUNTS])
{
    const int is_long = getenv("COLLSEL_LONG") != NULL;
    const struct algorithm *alg = schedule_of(f);
    size_t n = 0;
    for (size_t i = is_long ? 0 : (size_t)(f - forces + procs) % 2;
         i < sizeof counts / sizeof *counts; i += is_long ? 1 : 2)
        all[n++] = counts[i];
    return (alg && alg->substitute) || is_long ? traffic_add_borders(all, n, procs) : n;
}

/* All sizes and roots of a force on its communicator; *messages counts those of this rank. */
static int call_sizes(const struct force *f, const struct team *team, struct call_args *args,
                      uint64_t *messages, struct err *err)
{
    const int roots = collective_of(f->collective)->rooted ? 2 : 1;
    uint64_t all[MOST_COUNTS];
    const size_t n = counts_of(f, team->procs, all);
    int status = 0;
    for (size_t b = 0; b < n; b++) /* all calls, also after an error: other ranks make them */
        for (int i = 0; i < roots; i++) {
            args->root = i * (team->procs / 2);
            args->bytes = all[b] * args->type->bytes;
            if (call_checked(f, team, args, status == 0 ? err : NULL) < 0)
                status = -1;
            for (int r = 0; r < team->procs; r++)
                *messages += monitor.sent.messages[r];
        }
    return status;
}

static int call_all(const struct force *f, const struct team *team,
                    const struct execute_buffers *buffers, uint64_t *messages, struct err *err)
{
    struct point point = { .candidate = { .segment_bytes = f->segment, .fanout = f->fanout } };
    struct call_type type;
    struct call_args args = {
        .buffers = *buffers, .rank = team->rank, .procs = team->procs, .seed = 1, .type = &type
    };
    const size_t n_types = collective_of(f->collective)->combines ? 2 : 1;
    snprintf(point.cell.collective, NAME_SIZE, "%s", f->collective);
    snprintf(point.candidate.algorithm, NAME_SIZE, "openmpi:%s", f->name);
    int status = native_library.force(&point, team->control, &args.comm, err);
    for (size_t t = 0; t < n_types && status == 0; t++) {
        type = traffic_types[t];
        if (f->ordered)
            MPI_Op_create(traffic_combine, 0, &type.op);
        status = call_sizes(f, team, &args, messages, err);
        if (f->ordered)
            MPI_Op_free(&type.op);
    }
    native_library.release(&args.comm);
    return team_agree(team, status, err);
}

/* Of all collectives, or those that are named; what the library refuses is not asked of it. */
static int is_asked(const struct force *f, int procs, char **names)
{
    const struct algorithm *alg = schedule_of(f);
    struct schedule s;
    if (alg && alg->unfit && schedule_init(&s, alg, procs, 0, 1, 0, 0, NULL) < 0)
        return 0;
    for (char **name = names; *name; name++)
        if (strcmp(*name, f->collective) == 0)
            return 1;
    return !*names;
}

static void run_team(const struct team *team, const struct execute_buffers *buffers, char **names)
{
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        const struct force *f = &forces[i];
        if (!is_asked(f, team->procs, names))
            continue;
        struct err err = { 0 };
        uint64_t mine = 0, all = 0;
        const int status = call_all(f, team, buffers, &mine, &err);
        MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, team->control);
        if (team->rank == 0 &&
            !ok(status == 0 && (all > 0 || !sends_empty(f)),
                "P = %d, %s %s, segment %llu, fan-out %d%s, %s: the %llu messages scheduled",
                team->procs, f->collective, f->name, (unsigned long long)f->segment, f->fanout,
                f->ordered ? ", in order" : "", block_sizes_words[f->sizes],
                (unsigned long long)all))
            diag("%s", err.text);
    }
}

/* All of a long check; else odd and even ones, powers of two and their neighbours. */
static int is_tried(int procs)
{
    return getenv("COLLSEL_LONG") || procs < 6 || procs == 8;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    struct err err = { 0 };
    struct execute_buffers buffers = { .pretends = 0 };
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (native_library.open(MPI_COMM_WORLD, &err) < 0 || ranks > MOST_RANKS || watch_messages() < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    buffers.at[BUF_DATA] = calloc(1, MOST_BYTES);
    buffers.at[BUF_SEND] = calloc((size_t)ranks, MOST_BYTES);
    buffers.at[BUF_RECV] = calloc((size_t)ranks, MOST_BYTES);
    for (int procs = 2; procs <= ranks; procs++) {
        struct team team;
        if (!is_tried(procs))
            continue;
        if (team_init(&team, MPI_COMM_WORLD, procs, &err) < 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (team.rank >= 0)
            run_team(&team, &buffers, argv + 1);
        team_clear(&team);
    }
    free(buffers.at[BUF_DATA]);
    free(buffers.at[BUF_SEND]);
    free(buffers.at[BUF_RECV]);
    MPI_Barrier(MPI_COMM_WORLD);
    const int status = rank == 0 ? tap_done() : 0;
    MPI_Finalize();
    return status;
}
