/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - the messages that Open MPI's algorithms really send, against their schedules.
 *
 * With pml_monitoring_enable=1 the library reports every send by calling the exported
 * mca_common_monitoring_record_pml; ours comes first, counts per destination while a call runs, and
 * forwards. For P = 2 … size of the launch each algorithm is forced on the first P ranks; after one
 * call every rank must have sent to every other exactly the messages and bytes of its schedule.
 * TAP. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "workloads/call.h"
#include "workloads/native.h"
#include "workloads/schedules/schedule.h"
#include "workloads/team.h"

enum { MOST_RANKS = 64, MOST_BYTES = 40000 };

struct sent {
    uint64_t messages[MOST_RANKS], bytes[MOST_RANKS];
};

/* The library calls us without an argument of ours. */
static struct {
    int on;
    struct sent sent;
} monitor;

void mca_common_monitoring_record_pml(int world_rank, size_t data_size, int tag);

void mca_common_monitoring_record_pml(int world_rank, size_t data_size, int tag)
{
    static void (*real)(int, size_t, int);
    if (!real) {
        void *at = dlsym(RTLD_NEXT, "mca_common_monitoring_record_pml");
        memcpy(&real, &at, sizeof real);
    }
    if (monitor.on && world_rank >= 0 && world_rank < MOST_RANKS) {
        monitor.sent.messages[world_rank]++;
        monitor.sent.bytes[world_rank] += data_size;
    }
    if (real)
        real(world_rank, data_size, tag);
}

/* One way to force an algorithm. */
struct force {
    const char *collective, *name;
    uint64_t segment;
    int fanout;
};

static const struct force forces[] = {
    { "bcast", "basic_linear", 0, 0 },
    { "bcast", "chain", 0, 0 },
    { "bcast", "chain", 1024, 0 },
    { "bcast", "chain", 1000, 2 },
    { "bcast", "chain", 1024, 1 },
    { "bcast", "pipeline", 0, 0 },
    { "bcast", "pipeline", 1024, 0 },
    { "bcast", "split_binary_tree", 0, 0 },
    { "bcast", "split_binary_tree", 1024, 0 },
    { "bcast", "split_binary_tree", 1000, 0 },
    { "bcast", "binary_tree", 0, 0 },
    { "bcast", "binary_tree", 1024, 0 },
    { "bcast", "binomial", 0, 0 },
    { "bcast", "binomial", 1024, 0 },
    { "bcast", "knomial", 0, 0 },
    { "bcast", "knomial", 1024, 2 },
    { "bcast", "knomial", 1000, 3 },
    { "bcast", "scatter_allgather", 0, 0 },
    { "bcast", "scatter_allgather_ring", 0, 0 },
    { "gather", "basic_linear", 0, 0 },
    { "gather", "linear_sync", 1000, 0 },
    { "allgather", "bruck", 0, 0 },
    { "allgather", "recursive_doubling", 0, 0 },
    { "allgather", "ring", 0, 0 },
    { "allgather", "neighbor", 0, 0 },
    { "reduce", "linear", 0, 0 },
    { "reduce", "chain", 0, 0 },
    { "reduce", "chain", 1024, 0 },
    { "reduce", "chain", 1000, 2 },
    { "reduce", "chain", 1024, 1 },
    { "reduce", "pipeline", 0, 0 },
    { "reduce", "pipeline", 1024, 0 },
    { "reduce", "binary", 0, 0 },
    { "reduce", "binary", 1000, 0 },
    { "reduce", "binomial", 0, 0 },
    { "reduce", "binomial", 1024, 0 },
    { "reduce", "in-order_binary", 0, 0 },
    { "reduce", "in-order_binary", 1000, 0 },
    { "reduce", "rabenseifner", 0, 0 },
};

static const uint64_t sizes[] = { 0, 1, 7, 13, 1024, 1025, 4097, 20000, 37777 };

static void scheduled(const struct schedule *s, int rank, struct sent *want)
{
    struct round round = { 0 };
    memset(want, 0, sizeof *want);
    for (uint64_t k = 0; k < schedule_rounds(s, rank); k++) {
        schedule_round(s, rank, k, &round);
        for (size_t i = 0; i < round.n; i++) {
            if (round.ops[i].kind != OP_SEND)
                continue;
            want->messages[round.ops[i].peer]++;
            want->bytes[round.ops[i].peer] += round.ops[i].bytes;
        }
    }
    round_free(&round);
}

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

/* One call, counted; 0 when the messages are the scheduled ones. */
static int call_once(const struct force *f, const struct team *team, MPI_Comm comm, uint64_t bytes,
                     int root, const struct execute_buffers *buffers, struct err *err)
{
    const struct call_args args = { .buffers = *buffers,
                                    .bytes = bytes,
                                    .root = root,
                                    .rank = team->rank,
                                    .procs = team->procs,
                                    .seed = 1,
                                    .comm = comm };
    struct schedule s;
    struct sent want;
    memset(&monitor.sent, 0, sizeof monitor.sent);
    monitor.on = 1;
    const int rc = call_native(collective_find(f->collective))(&args);
    monitor.on = 0;
    if (rc != MPI_SUCCESS)
        return err_set(err, "MPI error %d", rc);
    if (schedule_init(&s, algorithm_find(f->collective, f->name), team->procs, root, bytes,
                      f->segment, f->fanout, err) < 0)
        return -1;
    scheduled(&s, team->rank, &want);
    if (compare(&want, &monitor.sent, team->rank, team->procs, err) < 0)
        return err_prefix(err, "%llu bytes, root %d", (unsigned long long)bytes, root);
    return 0;
}

/* All sizes and roots of a force; *messages counts those of this rank. */
static int call_all(const struct force *f, const struct team *team,
                    const struct execute_buffers *buffers, uint64_t *messages, struct err *err)
{
    struct point point = { .candidate = { .segment_bytes = f->segment, .fanout = f->fanout } };
    MPI_Comm comm;
    snprintf(point.cell.collective, NAME_SIZE, "%s", f->collective);
    snprintf(point.candidate.algorithm, NAME_SIZE, "openmpi:%s", f->name);
    int status = native_library.force(&point, team->control, &comm, err);
    for (size_t b = 0; b < sizeof sizes / sizeof *sizes && status == 0; b++)
        for (int i = 0; i < 2 && status == 0; i++) {
            status = call_once(f, team, comm, sizes[b], i * (team->procs / 2), buffers, err);
            for (int r = 0; r < team->procs; r++)
                *messages += monitor.sent.messages[r];
        }
    native_library.release(&comm);
    return team_agree(team, status, err);
}

static void run_team(const struct team *team, const struct execute_buffers *buffers)
{
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        const struct force *f = &forces[i];
        struct err err = { 0 };
        uint64_t mine = 0, all = 0;
        const int status = call_all(f, team, buffers, &mine, &err);
        MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, team->control);
        if (team->rank == 0 &&
            !ok(status == 0 && all > 0,
                "P = %d, %s %s, segment %llu, fan-out %d: the %llu messages scheduled", team->procs,
                f->collective, f->name, (unsigned long long)f->segment, f->fanout,
                (unsigned long long)all))
            diag("%s", err.text);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    struct err err = { 0 };
    struct execute_buffers buffers = { .pretends = 0 };
    native_library.set_environment();
    setenv("OMPI_MCA_pml_monitoring_enable", "1", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (native_library.open(MPI_COMM_WORLD, &err) < 0 || ranks > MOST_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    buffers.at[BUF_DATA] = calloc(1, MOST_BYTES);
    buffers.at[BUF_SEND] = calloc(1, MOST_BYTES);
    buffers.at[BUF_RECV] = calloc((size_t)ranks, MOST_BYTES);
    for (int procs = 2; procs <= ranks; procs++) {
        struct team team;
        if (team_init(&team, MPI_COMM_WORLD, procs, &err) < 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (team.rank >= 0)
            run_team(&team, &buffers);
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
