/* SPDX-License-Identifier: BSD-3-Clause */
/* selector.c - does SMPI's selector take what a rule here decides? Under SMPI each collective is
 * called at both sides of every border of the rule's tables; rank 0 says what each call should
 * send, by the schedule that is decided. What was sent SMPI's trace tells (tests/cli/selector.t).
 * Usage, under smpirun: selector RULE NODES PPN MAPPING [every]. An all-to-all that is not decided
 * ends the program, and is called with `every` alone. Lines on standard output: call K COLLECTIVE
 * BYTES STATUS ALGORITHM REST   the K-th call; STATUS: ok, or error (of MPI) REST: bytes by which a
 * message may differ, as the message is cut in 2^n parts with a rest, of which MPICH 4.0 gives one
 * byte each to the first parts, and SMPI all to the last send K FROM TO BYTES its messages, in the
 * order of a pair */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/number.h"
#include "workloads/schedules/collectives.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/schedule.h"

/* The tables' borders and what follows them; of MPICH's functions, what is before them. */
static const int sizes[] = {
    1,      4,      5,      8,      9,      16,     17,     32,      33,      64,
    65,     512,    513,    1024,   1025,   2048,   2049,   4096,    4097,    8192,
    8193,   12287,  12288,  16384,  16385,  32768,  32769,  65536,   65537,   131072,
    131073, 262143, 262144, 262145, 524287, 524288, 524289, 1048576, 1048577,
};

/* Of these a call sends messages between all ranks, of which there are then too many. */
static const int few_sizes[] = { 8, 9, 1024, 1025, 32768, 32769, 131073 };

enum { MANY_PROCS = 32, MOST_PROCS = 128, LARGEST = 1048577 };

/* Beyond so many ranks an allreduce among the nodes cuts the message, too. */
enum { HALVED_BY_NODE = 512 };

static const char *const names[] = { "barrier",   "bcast",     "reduce",
                                     "allreduce", "allgather", "alltoall" };

struct ranks {
    const char *rule;
    struct seating seats;
    int rank;
    int calls;
    int every;
};

static int call(const char *name, char *give, char *get, int bytes)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    if (strcmp(name, "barrier") == 0)
        return MPI_Barrier(world);
    if (strcmp(name, "bcast") == 0)
        return MPI_Bcast(get, bytes, MPI_BYTE, 0, world);
    if (strcmp(name, "reduce") == 0)
        return MPI_Reduce(give, get, bytes, MPI_BYTE, MPI_BAND, 0, world);
    if (strcmp(name, "allreduce") == 0)
        return MPI_Allreduce(give, get, bytes, MPI_BYTE, MPI_BAND, world);
    if (strcmp(name, "allgather") == 0)
        return MPI_Allgather(give, bytes, MPI_BYTE, get, bytes, MPI_BYTE, world);
    return MPI_Alltoall(give, bytes, MPI_BYTE, get, bytes, MPI_BYTE, world);
}

static int make(const struct ranks *r, const char *name, uint64_t bytes, struct decision *d,
                struct schedule *s, struct err *err)
{
    const struct algorithm *alg = algorithm_find(name, d->algorithm);
    const struct schedule_arguments a = { .procs = r->seats.procs,
                                          .bytes = bytes,
                                          .segment_bytes = d->segment_bytes,
                                          .fanout = d->fanout,
                                          .levels = algorithm_levels(d->algorithm),
                                          .seats = r->seats };
    return alg ? schedule_make(s, alg, &a, err) : err_set(err, "no such algorithm");
}

static void print_sends(const struct schedule *s, int number)
{
    struct round round = { 0 };
    for (int rank = 0; rank < s->procs; rank++)
        for (uint64_t k = 0; k < schedule_rounds(s, rank); k++) {
            schedule_round(s, rank, k, &round);
            for (size_t i = 0; i < round.n; i++)
                if (round.ops[i].kind == OP_SEND)
                    printf("send %d %d %d %llu\n", number, rank, round.ops[i].peer,
                           (unsigned long long)round.ops[i].bytes);
        }
    round_free(&round);
}

static int rest_of(const char *algorithm, const struct seating *seats, int bytes)
{
    const int whole = strncmp(algorithm, "mpich_reduce_scatter_", 21) == 0;
    const int by_node =
        strcmp(algorithm, "mvapich2_two_level") == 0 && seats->procs > HALVED_BY_NODE;
    int power = 1;
    while (2 * power <= (whole ? seats->procs : seats->nodes))
        power *= 2;
    return whole || by_node ? bytes % power : 0;
}

/* Calls it, and says what is to be sent. SMPI keeps in variables that all ranks share what it has
 * chosen: ranks wait for each other before the next call. */
static void try(struct ranks *r, const char *name, int bytes, char *give, char *get)
{
    struct decision d;
    struct schedule s;
    struct err err = { 0 };
    const int known = decide(r->rule, name, r->seats.procs, (uint64_t)bytes, &r->seats, &d);
    if (!known && strcmp(name, "alltoall") == 0 && !r->every)
        return;
    const int status = call(name, give, get, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    const int number = r->calls++;
    if (r->rank)
        return;
    printf("call %d %s %d %s ", number, name, bytes, status == MPI_SUCCESS ? "ok" : "error");
    if (!known)
        printf("refused: %s\n", d.why ? d.why : "unknown");
    else if (make(r, name, (uint64_t)bytes, &d, &s, &err) < 0)
        printf("%s: %s\n", d.algorithm, err.text);
    else
        printf("%s %d\n", d.algorithm, rest_of(d.algorithm, &r->seats, bytes));
    if (known && !*err.text)
        print_sends(&s, number);
}

int main(int argc, char **argv)
{
    struct ranks r = { .rule = argc > 1 ? argv[1] : "" };
    int procs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    uint64_t nodes = 0, ppn = 0;
    r.every = argc == 6;
    if (argc < 5 || parse_u64(argv[2], &nodes, NULL) < 0 || parse_u64(argv[3], &ppn, NULL) < 0)
        return 2;
    r.seats = (struct seating){
        .mapping = argv[4], .nodes = (int)nodes, .ppn = (int)ppn, .procs = procs
    };
    const int blocks = procs > MOST_PROCS ? 1 : procs > MANY_PROCS ? procs / 8 + 1 : procs;
    const size_t most = (size_t)blocks * LARGEST;
    char *give = SMPI_SHARED_MALLOC(most),
         *get = SMPI_SHARED_MALLOC(most); /* the same of all ranks */
    /* The first call finds out which ranks share a node, by messages. */
    for (size_t c = 0; c < sizeof names / sizeof *names; c++)
        call(names[c], give, get, 1), MPI_Barrier(MPI_COMM_WORLD);
    for (size_t c = 0; c < sizeof names / sizeof *names; c++) {
        const int to_all = strcmp(names[c], "allgather") == 0 || strcmp(names[c], "alltoall") == 0;
        const int few = to_all && procs > MANY_PROCS;
        const int *size = few ? few_sizes : sizes;
        size_t n = few ? sizeof few_sizes / sizeof *few_sizes : sizeof sizes / sizeof *sizes;
        if (strcmp(names[c], "barrier") == 0)
            n = 1;
        for (size_t i = 0; i < n && !(to_all && procs > MOST_PROCS); i++)
            try(&r, names[c], size[i], give, get);
    }
    SMPI_SHARED_FREE(give);
    SMPI_SHARED_FREE(get);
    MPI_Finalize();
    return 0;
}
