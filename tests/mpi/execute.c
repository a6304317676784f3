/* SPDX-License-Identifier: BSD-3-Clause */
/* execute.c - the executor on a real (or simulated) MPI: every algorithm of the table, for the
 * process counts given as arguments, spreads of sizes, segments and roots, must leave the data that
 * MPI promises. TAP on rank 0. Run under a launcher with at least as many ranks as the largest
 * count. With the word "all" first, every size meets every segment length from every root and with
 * every kind of blocks; without it each pair of these does (a Latin square). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/number.h"
#include "tests/tap.h"
#include "workloads/measure/call.h"
#include "workloads/execute/execute.h"
#include "workloads/measure/team.h"

enum { MOST_BYTES = 70000, MOST_RANKS = 64 };

static const uint64_t sizes[] = { 0, 1, 2, 3, 7, 64, 1000, 4096, 65537 };
static const uint64_t segments[] = { 0, 1000, 8192 };
static int all_cases;

struct case_at {
    const struct algorithm *alg;
    int root;
    uint64_t bytes, segment;
    enum block_sizes block_sizes;
    const char *levels; /* of a combination, whose ranks sit as they are said to; NULL: of none */
    struct seating seats;
};

/* Two runs in a row without synchronisation between them, then the data. */
static int run_case(const struct case_at *c, const struct team *team,
                    const struct execute_buffers *buffers, struct err *err)
{
    const struct collective *data = algorithm_collective(c->alg);
    const struct schedule_arguments asked = { .procs = team->procs,
                                              .root = c->root,
                                              .bytes = c->bytes,
                                              .segment_bytes = c->segment,
                                              .sizes = c->block_sizes,
                                              .seed = c->bytes + 3,
                                              .levels = c->levels,
                                              .seats = c->seats };
    struct schedule s;
    if (schedule_make(&s, c->alg, &asked, err) < 0)
        return c->alg->unfit && (!c->levels || c->block_sizes != SIZES_EQUAL)
                   ? 0 /* it says why it cannot run */
                   : -1;
    const struct call_args args = { .buffers = *buffers,
                                    .bytes = c->bytes,
                                    .blocks = &s.blocks,
                                    .root = c->root,
                                    .rank = team->rank,
                                    .procs = team->procs,
                                    .seed = c->bytes + 1,
                                    .comm = team->work };
    struct executor *ex = executor_new(&s, team->work, buffers, &execute_xor_bytes, err);
    if (!ex)
        return -1;
    call_fill(data, &args);
    const int rc = executor_run(ex);
    const int again = executor_run(ex);
    executor_free(ex);
    if (rc != MPI_SUCCESS || again != MPI_SUCCESS)
        return err_set(err, "MPI error %d", rc ? rc : again);
    return call_check(data, &args, err);
}

/* Sizes, segments and roots of an algorithm, one case after the other without synchronisation
 * between them; *cases counts. The ranks agree at the end: the error is the first case's of one. */
static int run_algorithm(const struct case_at *like, const struct team *team,
                         const struct execute_buffers *buffers, int *cases, struct err *err)
{
    const struct algorithm *alg = like->alg;
    const struct collective *of = algorithm_collective(alg);
    const int roots[] = { 0, team->procs - 1, team->procs / 2 };
    const size_t n_sizes = of->source == FROM_NOBODY ? 1 : sizeof sizes / sizeof *sizes;
    const size_t n_segments = alg->segmented ? sizeof segments / sizeof *segments : 1;
    const size_t n_roots = of->rooted ? sizeof roots / sizeof *roots : 1;
    const size_t n_blocks = of->uneven ? N_SIZES : 1;
    int failed = 0;
    struct case_at c = *like;
    for (size_t i = 0; i < n_sizes * n_segments * n_roots * n_blocks; i++) {
        const size_t size = i % n_sizes, segment = i / n_sizes % n_segments;
        const size_t root = i / n_sizes / n_segments % n_roots;
        const size_t block = i / n_sizes / n_segments / n_roots;
        if (!all_cases &&
            ((n_roots > 1 && (size + segment) % n_roots != root) ||
             (n_blocks > 1 && n_segments > 1 && (size + segment) % n_blocks != block)))
            continue;
        c.root = roots[root];
        c.segment = segments[segment];
        c.bytes = sizes[size];
        c.block_sizes = (enum block_sizes)block;
        struct err here = { 0 };
        ++*cases;
        if (run_case(&c, team, buffers, &here) == 0 || failed)
            continue;
        failed = err_set(err, "root %d, %llu bytes, segment %llu, %s blocks: %s", c.root,
                         (unsigned long long)c.bytes, (unsigned long long)c.segment,
                         block_sizes_words[block], here.text);
    }
    return team_agree(team, failed, err);
}

/* A collective with schedules has its call and its data here. */
static void check_calls(void)
{
    for (const struct collective *c = collectives; c->name; c++)
        if (c->rows[0])
            ok(call_native(c) != NULL, "%s can be called", c->call);
}

static void run_team(const struct team *team, const struct execute_buffers *buffers)
{
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a)) {
        struct err err = { 0 };
        int cases = 0;
        const struct case_at like = { .alg = a };
        const int status = run_algorithm(&like, team, buffers, &cases, &err);
        if (team->rank == 0 && !ok(status == 0, "%s %s, P = %d: right data in %d cases",
                                   algorithm_collective(a)->name, a->name, team->procs, cases))
            diag("%s", err.text);
    }
}

static const char *const combined[][2] = {
    { "bcast", "two_level.binomial.chain" },
    { "bcast", "three_level.basic_linear.binomial.scatter_allgather" },
    { "reduce", "two_level.binomial.pipeline" },
    { "reduce", "three_level.chain.binomial.linear" },
    { "allreduce", "two_level.binomial.ring" },
    { "allreduce", "two_level.recursive_doubling.rabenseifner" },
    { "allreduce", "three_level.linear.binomial.recursive_doubling" },
    { "barrier", "two_level.linear.bruck" },
};

/* Ranks on nodes of three, of two sockets, whatever the machine: filled one after the other, and in
 * turns. */
static void run_combined(const struct team *team, const struct execute_buffers *buffers)
{
    const int nodes = (team->procs + 2) / 3;
    if (team->procs == 2 || team->procs == 3)
        return; /* all on one node, as P = 1 is */
    for (size_t i = 0; i < sizeof combined / sizeof *combined; i++)
        for (int turns = 0; turns < 2; turns++) {
            const struct case_at like = { .alg = algorithm_find(combined[i][0], combined[i][1]),
                                          .levels = algorithm_levels(combined[i][1]),
                                          .seats = { .mapping = turns ? "node" : "core",
                                                     .nodes = nodes,
                                                     .ppn = 3,
                                                     .procs = team->procs,
                                                     .sockets = 2,
                                                     .cores = 2 } };
            struct err err = { 0 };
            int cases = 0;
            const int status = run_algorithm(&like, team, buffers, &cases, &err);
            if (team->rank == 0 &&
                !ok(status == 0, "%s %s, %s, P = %d: right data in %d cases", combined[i][0],
                    combined[i][1], like.seats.mapping, team->procs, cases))
                diag("%s", err.text);
        }
}

static const char *const moving[][2] = {
    { "allgather", "two_level.binomial.ring" },
    { "allgather", "two_level.chain.bruck" },
    { "gather", "two_level.binomial.basic_linear" },
    { "scatter", "two_level.basic_linear.binomial" },
    { "reduce_scatter", "two_level.binomial.ring" },
};

/* Nodes of two: what moves blocks wants groups of one size. */
static void run_moving(const struct team *team, const struct execute_buffers *buffers)
{
    const int turned = 2 * (int)(sizeof moving / sizeof *moving);
    for (int i = 0; i < turned && team->procs % 2 == 0 && team->procs > 2; i++) {
        const struct case_at like = { .alg = algorithm_find(moving[i / 2][0], moving[i / 2][1]),
                                      .levels = algorithm_levels(moving[i / 2][1]),
                                      .seats = { .mapping = i % 2 ? "node" : "core",
                                                 .nodes = team->procs / 2,
                                                 .ppn = 2,
                                                 .procs = team->procs } };
        struct err err = { 0 };
        int cases = 0;
        const int status = run_algorithm(&like, team, buffers, &cases, &err);
        if (team->rank == 0 &&
            !ok(status == 0, "%s %s, %s, P = %d: right data in %d cases", moving[i / 2][0],
                moving[i / 2][1], like.seats.mapping, team->procs, cases))
            diag("%s", err.text);
    }
}

/* ---- a schedule made for the test: what the table has not (REDUCE, a TEMP that is used again)
 * ---- The root combines everybody's bytes, one rank after the other, through one TEMP buffer: a
 * receive that was posted early would overwrite what the reduction still reads. */

static uint64_t sum_rounds(const struct schedule *s, int rank)
{
    return rank == s->root ? (uint64_t)s->procs - 1 : 1;
}

static void sum_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank != s->root) {
        round_send(out, BUF_DATA, 0, s->bytes, s->root);
        return;
    }
    const int src = (s->root + 1 + (int)k) % s->procs;
    round_recv(out, BUF_TEMP, 0, s->bytes, src);
    round_reduce(out, BUF_DATA, 0, BUF_TEMP, 0, s->bytes);
}

static uint64_t sum_temp(const struct schedule *s, int rank)
{
    return rank == s->root ? s->bytes : 0;
}

static const struct algorithm sum_algorithm = { .name = "sum",
                                                .collective = "bcast",
                                                .help = "",
                                                .rounds = sum_rounds,
                                                .round = sum_round,
                                                .temp_bytes = sum_temp };

static int sum_is_right(const unsigned char *data, uint64_t bytes, const struct team *team)
{
    for (uint64_t i = 0; i < bytes; i++) {
        unsigned want = 0;
        for (int r = 0; r < team->procs; r++)
            want ^= (unsigned)(r + 1) * (unsigned)(i + 1);
        if (data[i] != (unsigned char)want)
            return 0;
    }
    return 1;
}

static void run_sum(const struct team *team, const struct execute_buffers *buffers)
{
    unsigned char *data = buffers->at[BUF_DATA];
    const uint64_t bytes = 50000;
    struct schedule s;
    struct err err = { 0 };
    if (schedule_init(&s, &sum_algorithm, team->procs, 0, bytes, 0, 0, &err) < 0)
        return;
    if (team->rank == 0 && team->procs > 1)
        ok(executor_new(&s, team->work, buffers, NULL, &err) == NULL,
           "a schedule that reduces wants an operation");
    struct executor *ex = executor_new(&s, team->work, buffers, &execute_xor_bytes, &err);
    for (uint64_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)((unsigned)(team->rank + 1) * (unsigned)(i + 1));
    const int status = ex && executor_run(ex) == MPI_SUCCESS ? 0 : -1;
    executor_free(ex);
    if (team_agree(team, status, &err) == 0 && team->rank == 0)
        ok(sum_is_right(data, bytes, team),
           "P = %d: one TEMP used again and again, reduced rightly", team->procs);
}

/* ---- schedules that must be refused ---- */

static void far_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)rank;
    (void)k;
    round_send(out, BUF_DATA, 1, s->bytes, 0);
}

static uint64_t one_round(const struct schedule *s, int rank)
{
    (void)s;
    (void)rank;
    return 1;
}

static const struct algorithm far_algorithm = {
    .name = "far", .collective = "bcast", .help = "", .rounds = one_round, .round = far_round
};

static void run_refusals(const struct team *team, const struct execute_buffers *buffers)
{
    struct schedule s;
    struct err err = { 0 };
    if (schedule_init(&s, &far_algorithm, team->procs, 0, 100, 0, 0, &err) == 0)
        ok(executor_new(&s, team->work, buffers, NULL, &err) == NULL,
           "a schedule that leaves its buffer is refused");
    has_str("of a buffer of 100", err.text, "and told why");
    if (schedule_init(&s, algorithm_find("bcast", "binomial"), team->procs + 1, 0, 100, 0, 0,
                      &err) == 0)
        ok(executor_new(&s, team->work, buffers, NULL, &err) == NULL,
           "a schedule for another number of ranks is refused");
    if (schedule_init(&s, &far_algorithm, team->procs, 0, UINT64_C(1) << 31, 0, 0, &err) == 0)
        ok(executor_new(&s, team->work, buffers, NULL, &err) == NULL,
           "a message that MPI cannot count is refused");
}

/* ---- a call that fails, and the next one. The root's message is longer than rank 1's receive, so
 * that its wait fails while the receive of its next round is posted already. ---- */

#ifdef MPI_IS_openmpi /* MPICH ends the program there, and SMPI does not tell */
enum { PART = 100 };

static uint64_t spoilt_rounds(const struct schedule *s, int rank)
{
    (void)s;
    return rank == 0 ? 1 : rank == 1 ? 2 : 0;
}

static void spoilt_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)s;
    if (rank == 0)
        round_send(out, BUF_DATA, 0, 2 * PART, 1);
    else
        round_recv(out, BUF_DATA, (5 + k) * PART, PART, 0);
}

/* Three parts go to rank 1, which takes two. */
static void three_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)s;
    for (uint64_t i = 0; rank == 0 && i < 3; i++)
        round_send(out, BUF_DATA, i * PART, PART, 1);
    if (rank == 1)
        round_recv(out, BUF_DATA, k * PART, PART, 0);
}

static int run_rounds(const struct algorithm *alg, struct team *team,
                      const struct execute_buffers *buffers)
{
    struct schedule s;
    struct err err = { 0 };
    schedule_init(&s, alg, team->procs, 0, 10 * PART, 0, 0, &err);
    struct executor *ex = executor_new(&s, team->work, buffers, NULL, &err);
    const int rc = ex ? executor_run(ex) : MPI_ERR_OTHER;
    executor_free(ex);
    return rc;
}

/* Bytes of rank 0, in three parts: 1, 2, 3. */
static int has_parts(const unsigned char *data)
{
    for (int i = 0; i < 10 * PART; i++)
        if (data[i] != (i < 2 * PART ? 1 + i / PART : 0))
            return 0;
    return 1;
}

/* The part that is left over comes now, if it has not come before. */
static void take_third(const struct team *team)
{
    unsigned char part[PART];
    int there = 0;
    MPI_Barrier(team->control);
    MPI_Iprobe(0, MPI_ANY_TAG, team->work, &there, MPI_STATUS_IGNORE);
    if (there && team->rank == 1)
        MPI_Recv(part, PART, MPI_BYTE, 0, MPI_ANY_TAG, team->work, MPI_STATUS_IGNORE);
}

static void run_failure(struct team *team, const struct execute_buffers *buffers)
{
    const struct algorithm spoilt = {
        .name = "spoilt", .collective = "bcast", .rounds = spoilt_rounds, .round = spoilt_round
    };
    const struct algorithm three = {
        .name = "three", .collective = "bcast", .rounds = spoilt_rounds, .round = three_round
    };
    unsigned char *data = buffers->at[BUF_DATA];
    struct err err = { 0 };
    const int rc = run_rounds(&spoilt, team, buffers);
    const int told = (rc != MPI_SUCCESS) == (team->rank == 1);
    const int all_told = team_agree(team, told ? 0 : -1, &err);
    if (team->rank == 0)
        ok(all_told == 0, "P = %d: a message that is too long fails on its receiver", team->procs);
    team_renew(team);
    for (int i = 0; i < 10 * PART; i++)
        data[i] = team->rank == 0 && i < 3 * PART ? (unsigned char)(1 + i / PART) : 0;
    const int good = run_rounds(&three, team, buffers) == MPI_SUCCESS;
    const int status = good && (team->rank != 1 || has_parts(data)) ? 0 : -1;
    take_third(team);
    const int all = team_agree(team, status, &err);
    if (team->rank == 0)
        ok(all == 0, "P = %d: … and the next call has its own messages", team->procs);
}
#endif

static void run_size(int procs, const struct execute_buffers *buffers)
{
    struct team team;
    struct err err = { 0 };
    if (team_init(&team, MPI_COMM_WORLD, procs, &err) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (team.rank >= 0) {
        run_team(&team, buffers);
        run_combined(&team, buffers);
        run_moving(&team, buffers);
        run_sum(&team, buffers);
#ifdef MPI_IS_openmpi
        if (procs > 1)
            run_failure(&team, buffers);
#endif
    }
    if (team.rank == 0 && team.procs > 1) /* one rank alone copies, whatever its algorithm */
        run_refusals(&team, buffers);
    team_clear(&team);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    struct execute_buffers buffers = { .pretends = 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    buffers.at[BUF_DATA] = malloc(MOST_BYTES);
    buffers.at[BUF_SEND] = malloc((size_t)MOST_BYTES * MOST_RANKS);
    buffers.at[BUF_RECV] = malloc((size_t)MOST_BYTES * MOST_RANKS);
    if (rank == 0)
        check_calls();
    all_cases = argc > 1 && strcmp(argv[1], "all") == 0;
    for (int i = 1 + all_cases; i < argc; i++) {
        int64_t procs = 0;
        if (parse_i64(argv[i], &procs, NULL) < 0 || procs < 1 || procs > ranks ||
            procs > MOST_RANKS)
            MPI_Abort(MPI_COMM_WORLD, 2);
        run_size((int)procs, &buffers);
    }
    free(buffers.at[BUF_DATA]);
    free(buffers.at[BUF_SEND]);
    free(buffers.at[BUF_RECV]);
    const int status = rank == 0 ? tap_done() : 0;
    MPI_Finalize();
    return status;
}
