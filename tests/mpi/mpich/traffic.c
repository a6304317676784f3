/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic of MPICH's algorithms, message for message, against their schedules.
 *
 * PMPI cannot see them, but every message of the UCX netmod is one call of ucp_tag_send_nbx, which
 * interpose_mpich.h counts by destination. For P = 2 … 9 and the size of the launch each algorithm
 * is forced on the first P ranks; after one call every rank must have sent to every other exactly
 * the messages and bytes of its schedule. TAP. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "workloads/call.h"
#include "workloads/interpose_mpich.h"
#include "workloads/native.h"
#include "workloads/schedules/schedule.h"
#include "workloads/team.h"

enum { MOST_RANKS = 64, MOST_BYTES = 160000, PREFIX = sizeof "mpich_" - 1 };

struct sent {
    uint64_t messages[MOST_RANKS], bytes[MOST_RANKS];
};

/* Bytes of a message of an equal block. Around the borders at which MPICH changes what it sends:
 * pieces of 32 KiB, blocks that pass through inner nodes. */
static const uint64_t sizes[] = { 1, 7, 13, 1024, 1025, 4097, 20000, 40000 };

static void scheduled(const struct schedule *s, int rank, struct sent *want)
{
    struct round round = { 0 };
    *want = (struct sent){ 0 };
    for (uint64_t k = 0, n = schedule_rounds(s, rank); k < n; k++) {
        schedule_round(s, rank, k, &round);
        for (size_t i = 0; i < round.n; i++)
            if (round.ops[i].kind == OP_SEND) {
                want->messages[round.ops[i].peer]++;
                want->bytes[round.ops[i].peer] += round.ops[i].bytes;
            }
    }
    round_free(&round);
}

/* Bytes of a message of a derived type cannot be seen; its number can. */
static int compare(const struct sent *want, int rank, int procs, uint64_t *messages,
                   struct err *err)
{
    for (int r = 0; r < procs; r++) {
        uint64_t seen, bytes;
        interpose_sent(r, &seen, &bytes);
        *messages += seen;
        if (seen != want->messages[r] || (bytes != UINT64_MAX && bytes != want->bytes[r]))
            return err_set(err, "%d -> %d: sent %llu of %llu bytes, scheduled %llu of %llu", rank,
                           r, (unsigned long long)seen, (unsigned long long)bytes,
                           (unsigned long long)want->messages[r],
                           (unsigned long long)want->bytes[r]);
    }
    return 0;
}

static int call_once(const struct schedule *s, const struct team *team, struct call_args *args,
                     uint64_t *messages, struct err *err)
{
    struct sent want;
    args->bytes = s->bytes;
    args->root = s->root;
    args->blocks = &s->blocks;
    call_counts_init(args, s->collective);
    interpose_watch();
    const int rc = call_native(s->collective)(args);
    interpose_stop();
    call_counts_clear(args);
    if (rc != MPI_SUCCESS)
        return err_set(err, "%llu bytes: MPI error %d", (unsigned long long)s->bytes, rc);
    scheduled(s, team->rank, &want);
    if (compare(&want, team->rank, team->procs, messages, err) < 0)
        return err_prefix(err, "%llu bytes, root %d", (unsigned long long)s->bytes, s->root);
    return 0;
}

/* All sizes and roots for which the schedule is that of the algorithm itself: what MPICH refuses,
 * with COLLECTIVE_FALLBACK = error, is not asked of it. */
static int call_sizes(const struct algorithm *alg, const struct team *team, struct call_args *args,
                      uint64_t *messages, struct err *err)
{
    const int roots = collective_is_rooted(alg->collective) ? 2 : 1;
    int status = 0;
    for (size_t b = 0; b < sizeof sizes / sizeof *sizes; b++)
        for (int i = 0; i < roots && status == 0; i++) {
            struct schedule s;
            if (schedule_init(&s, alg, team->procs, i * (team->procs / 2), sizes[b], 0, 0, NULL) ==
                    0 &&
                s.alg == alg)
                status = call_once(&s, team, args, messages, err);
        }
    return status;
}

static int call_all(const struct algorithm *alg, const struct team *team,
                    const struct execute_buffers *buffers, uint64_t *messages, struct err *err)
{
    struct point point = { .cell = { .procs = team->procs } };
    struct call_args args = {
        .buffers = *buffers, .rank = team->rank, .procs = team->procs, .seed = 1
    };
    snprintf(point.cell.collective, NAME_SIZE, "%s", alg->collective);
    snprintf(point.candidate.algorithm, NAME_SIZE, "mpich:%.50s", alg->name + PREFIX);
    int status = native_library.force(&point, team->control, &args.comm, err);
    if (team_agree(team, status, err) == 0)
        status = call_sizes(alg, team, &args, messages, err);
    native_library.release(&args.comm);
    return team_agree(team, status, err);
}

/* Among so many ranks some size runs it. */
static int is_run(const struct algorithm *alg, int procs)
{
    struct schedule s;
    for (size_t b = 0; b < sizeof sizes / sizeof *sizes; b++)
        if (schedule_init(&s, alg, procs, 0, sizes[b], 0, 0, NULL) == 0 && s.alg == alg)
            return 1;
    return 0;
}

static void run_team(const struct team *team, const struct execute_buffers *buffers)
{
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a)) {
        struct err err = { 0 };
        uint64_t mine = 0, all = 0;
        if (strncmp(a->name, "mpich_", PREFIX) != 0 || !is_run(a, team->procs))
            continue;
        const int status = call_all(a, team, buffers, &mine, &err);
        MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, team->control);
        if (team->rank == 0 &&
            !ok(status == 0 && all > 0, "P = %d, %s %s: the %llu messages scheduled", team->procs,
                a->collective, a->name + PREFIX, (unsigned long long)all))
            diag("%s", err.text);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    struct err err = { 0 };
    struct execute_buffers buffers = { 0 };
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (native_library.open(MPI_COMM_WORLD, &err) < 0 || ranks > MOST_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (!interpose_learn(MPI_COMM_WORLD)) {
        if (rank == 0)
            tap_skip_all("messages do not all go through UCX here");
        MPI_Finalize();
        return 0;
    }
    for (int b = BUF_DATA; b <= BUF_RECV; b++)
        buffers.at[b] = calloc((size_t)ranks, MOST_BYTES);
    for (int procs = 2; procs <= ranks; procs += procs == 9 ? ranks > 9 ? ranks - 9 : 1 : 1) {
        struct team team;
        if (team_init(&team, MPI_COMM_WORLD, procs, &err) < 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (team.rank >= 0)
            run_team(&team, &buffers);
        team_clear(&team);
    }
    for (int b = BUF_DATA; b <= BUF_RECV; b++)
        free(buffers.at[b]);
    MPI_Finalize();
    return rank == 0 ? tap_done() : 0;
}
