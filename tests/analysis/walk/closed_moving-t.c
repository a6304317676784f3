/* SPDX-License-Identifier: BSD-3-Clause */
/* closed_moving-t.c - the stage walker against the closed forms of the collectives in which blocks
 * change hands, and of those that combine and leave a result with every rank (written by hand,
 * without schedules), for every P where they are claimed to be equal; and the many messages of an
 * all-to-all, walked without keeping them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analysis/walk/closed.h"
#include "analysis/walk/stage_walk.h"
#include "tests/tap.h"

static const double ALPHA = 3e-5, BETA = 2.5e-9, ROUNDING = 1e-12;
enum { MOST_PROCS = 200 };

static int gamma_procs[] = { 3, 4, 5, 6, 7, 8, 16, 64 };
static double gamma_values[] = { 1.11, 1.22, 1.28, 1.45, 1.54, 1.6, 3.1, 11.0 };
static double fan_in_values[] = { 1.3, 1.5, 1.8, 2.4, 2.9, 3.3, 7.7, 21.0 };
static const struct gamma fan_in = { 8, gamma_procs, fan_in_values, 0.2, 0.33, NULL };
static const struct gamma gamma_table = { 8, gamma_procs, gamma_values, 0.7, 0.16, &fan_in };

/* only_powers: elsewhere some messages of a rank come in one stage, and r of them is not their
 * number. Messages that are cut in P are cut evenly, and in those of 2^k blocks, too. */
static const struct claim {
    const char *collective, *name;
    int fanout, only_powers;
} claims[] = {
    { "alltoall", "linear", 0, 0 },
    { "alltoall", "pairwise", 0, 0 },
    { "alltoall", "modified_bruck", 0, 0 },
    { "alltoall", "linear_sync", 0, 0 },
    { "alltoall", "linear_sync", 5, 0 },
    { "alltoall", "mpich_brucks", 0, 0 },
    { "alltoall", "mpich_pairwise", 0, 0 },
    { "alltoall", "mpich_scattered", 0, 0 },
    { "alltoall", "mpich_scattered", 1, 0 },
    { "alltoallv", "basic_linear", 0, 0 },
    { "alltoallv", "pairwise", 0, 0 },
    { "alltoallv", "mpich_scattered", 7, 0 },
    { "allgatherv", "ring", 0, 0 },
    { "allgatherv", "neighbor", 0, 0 },
    { "allgatherv", "bruck", 0, 0 },
    { "allgatherv", "mpich_brucks", 0, 0 },
    { "allgatherv", "mpich_recursive_doubling", 0, 0 },
    { "allgatherv", "mpich_ring", 0, 0 },
    { "gather", "binomial", 0, 1 },
    { "gather", "mpich_binomial", 0, 1 },
    { "scatter", "basic_linear", 0, 0 },
    { "scatter", "binomial", 0, 0 },
    { "scatter", "linear_nb", 0, 0 },
    { "scatter", "linear_nb", 4, 0 },
    { "barrier", "linear", 0, 0 },
    { "barrier", "double_ring", 0, 0 },
    { "barrier", "recursive_doubling", 0, 1 },
    { "barrier", "bruck", 0, 0 },
    { "barrier", "tree", 0, 1 },
    { "allreduce", "basic_linear", 0, 0 },
    { "allreduce", "recursive_doubling", 0, 0 },
    { "allreduce", "mpich_recursive_doubling", 0, 0 },
    { "allreduce", "ring", 0, 0 },
    { "allreduce", "rabenseifner", 0, 0 },
    { "allreduce", "mpich_reduce_scatter_allgather", 0, 0 },
    { "allreduce", "circulant", 0, 0 },
    { "reduce_scatter", "linear", 0, 0 },
    { "reduce_scatter", "ring", 0, 0 },
    { "reduce_scatter", "mpich_pairwise", 0, 0 },
    { "reduce_scatter", "recursive_halving", 0, 0 },
    { "reduce_scatter", "mpich_recursive_halving", 0, 0 },
    { "reduce_scatter", "circulant", 0, 0 },
    { "reduce_scatter_block", "linear", 0, 0 },
    { "reduce_scatter_block", "mpich_pairwise", 0, 0 },
    { "reduce_scatter_block", "recursive_halving", 0, 0 },
    { "reduce_scatter_block", "mpich_recursive_halving", 0, 0 },
    { "reduce_scatter_block", "circulant", 0, 0 },
    { "scan", "linear", 0, 0 },
    { "scan", "recursive_doubling", 0, 1 },
    { "scan", "openmpi_recursive_doubling", 0, 1 },
    { "scan", "mpich_recursive_doubling", 0, 1 },
    { "exscan", "linear", 0, 0 },
    { "exscan", "recursive_doubling", 0, 1 },
    { "exscan", "openmpi_recursive_doubling", 0, 1 },
    { "exscan", "mpich_recursive_doubling", 0, 1 },
};

/* Of an allreduce so many that P blocks are equal, and so are 2^k. */
static uint64_t bytes_for(const struct algorithm *alg, int procs)
{
    return strcmp(algorithm_collective(alg)->name, "allreduce") == 0 ? (uint64_t)procs * 512
                                                                     : 70000;
}

/* Walked over closed, less one; the bytes combined are compared, too. */
static double difference(const struct algorithm *alg, int procs, int root, int fanout)
{
    struct schedule s;
    struct stage_profile p;
    struct err err = { 0 };
    if (schedule_init(&s, alg, procs, root, bytes_for(alg, procs), 0, fanout, &err) < 0 ||
        stage_walk(&s, &p, &err) < 0) {
        diag("%s P=%d: %s", alg->name, procs, err.text);
        return NAN;
    }
    const double walked = stage_time(&p, &gamma_table, ALPHA, BETA),
                 combined = stage_reduced(&p, &gamma_table, ALPHA, BETA),
                 wanted = closed_combined(CLOSED_STAGE, &s, &gamma_table);
    stage_profile_clear(&p);
    if (fabs(combined - wanted) > ROUNDING * wanted) {
        diag("%s P=%d: %g bytes combined (want %g)", alg->name, procs, combined, wanted);
        return NAN;
    }
    return walked / closed_time(CLOSED_STAGE, &s, &gamma_table, ALPHA, BETA) - 1;
}

static void check_claims(void)
{
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        const struct algorithm *alg = algorithm_find(claims[i].collective, claims[i].name);
        int wrong = 0;
        for (int procs = 2; procs <= MOST_PROCS; procs++) {
            const int root = algorithm_collective(alg)->rooted ? procs * 2 / 3 : 0;
            if (claims[i].only_powers && (procs & (procs - 1)))
                continue;
            const double apart = difference(alg, procs, root, claims[i].fanout);
            if (!(fabs(apart) < ROUNDING) && wrong++ < 3)
                diag("P=%d: walked / closed = 1 + %g", procs, apart);
        }
        ok(wrong == 0, "%s %s%s%.0d: walked equals the closed form for %s from 2 to %d",
           algorithm_collective(alg)->name, alg->name, claims[i].fanout ? ", fan-out " : "",
           claims[i].fanout, claims[i].only_powers ? "2^n ranks" : "all numbers of ranks",
           MOST_PROCS);
    }
}

static long most_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* 4,096 ranks send 16.8 million messages; kept, they would be hundreds of MiB. */
static void check_many(void)
{
    static const char *const names[] = { "linear", "linear_sync", "mpich_scattered", "pairwise" };
    const int procs = getenv("COLLSEL_LONG") ? 4096 : 1536;
    const uint64_t others = (uint64_t)procs - 1;
#ifdef __SANITIZE_ADDRESS__
    const long most = 80000; /* what is freed stays a while */
#else
    const long most = 20000;
#endif
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct schedule s;
        struct stage_profile p;
        struct err err = { 0 };
        const long before = most_kib();
        schedule_init(&s, algorithm_find("alltoall", names[i]), procs, 0, 8, 0, 0, &err);
        ok(stage_walk(&s, &p, &err) == 0 && p.operations == (uint64_t)procs * (2 * others + 1),
           "alltoall %s among %d ranks is walked, every message of it%s", names[i], procs,
           err.text);
        stage_profile_clear(&p);
        const long grown = most_kib() - before;
        ok(grown < most, "… in less than %ld KiB (%ld)", most, grown);
    }
}

/* Receives of many in one round, one of which nobody sends: the rank that waits is named. */
static uint64_t one_round(const struct schedule *s, int rank)
{
    (void)s, (void)rank;
    return 1;
}

static void lacks_one(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    for (int other = 0; other < s->procs; other++)
        if (other != rank) {
            round_recv(out, BUF_RECV, 0, 1, other);
            if (rank != 13 || other != 70)
                round_send(out, BUF_SEND, 0, 1, other);
        }
}

/* Many messages, two of each rank: each is taken once. */
static void takes_two(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    for (int times = 0; times < 2; times++)
        for (int other = 0; other < s->procs; other++)
            if (other != rank) {
                round_recv(out, BUF_RECV, 0, 1, other);
                round_send(out, BUF_SEND, 0, 1, other);
            }
}

static void check_made_up(void)
{
    struct algorithm alg = { .name = "made_up", .collective = "alltoall", .rounds = one_round };
    struct schedule s;
    struct stage_profile p;
    struct err err = { 0 };
    alg.round = lacks_one;
    schedule_init(&s, &alg, 100, 0, 1, 0, 0, &err);
    is_int(-1, stage_walk(&s, &p, &err), "one message of many is never sent");
    is_str("made_up never ends: rank 70 waits in round 0 for a message from rank 13", err.text,
           "… and the walk says which");
    alg.round = takes_two;
    schedule_init(&s, &alg, 100, 0, 1, 0, 0, &err);
    is_int(0, stage_walk(&s, &p, &err), "two messages of each of many are taken");
    is_int(1, (long long)p.stages, "… in one stage");
    is_int(198, p.n_loads ? p.loads[0].receives + p.loads[p.n_loads - 1].receives : 0,
           "… all of them");
    stage_profile_clear(&p);
}

int main(void)
{
    check_many();
    check_made_up();
    check_claims();
    return tap_done();
}
