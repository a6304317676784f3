/* SPDX-License-Identifier: BSD-3-Clause */
/* prove-t.c - every algorithm of the table is proved over a spread of process counts (every P in
 * 1 … 130 with COLLSEL_LONG), sizes, elements, segment counts, fan-outs, roots and blocks that
 * differ; and schedules that were broken on purpose are refused, each for its own reason. An
 * argument names the one collective whose algorithms are proved. */
#include <stdlib.h>

#include "tests/tap.h"
#include "workloads/schedules/collectives.h"
#include "workloads/schedules/prove.h"

enum { MAX_PROCS = 130 };

/* ---- all are right ---- */

struct tally {
    long proved, refused;
    uint64_t messages;
};

static int is_long(void)
{
    return getenv("COLLSEL_LONG") != NULL;
}

/* Schedules of many rounds (barriers between steps) are proved for one size, and those of large
 * buffers (all-to-alls through a mesh) for small ones. */
static int is_too_much(const struct schedule *s)
{
    enum { MANY_ROUNDS = 30000, LARGE = 1 << 20, VERY_LARGE = 1 << 25 };
    const uint64_t rounds = schedule_rounds(s, 0) * (uint64_t)s->procs;
    uint64_t bytes = 0;
    for (int rank = 0; rank < s->procs; rank++)
        bytes += schedule_temp_bytes(s, rank);
    return bytes > (is_long() ? VERY_LARGE : LARGE) ||
           (!is_long() && rounds > MANY_ROUNDS && s->bytes != 40);
}

static void prove_one(const struct algorithm *alg, const struct schedule_arguments *a,
                      struct tally *tally)
{
    struct schedule s;
    struct proof proof;
    struct err err = { 0 };
    const int made = schedule_make(&s, alg, a, &err);
    if (made < 0 && alg->unfit)
        return; /* it says why it cannot run */
    if (made == 0 && is_too_much(&s))
        return;
    if (made == 0 && prove(&s, &proof, &err) == 0) {
        tally->proved++;
        tally->messages += proof.messages;
    } else if (tally->refused++ < 5) {
        diag("P=%d root=%d bytes=%llu of %llu segment=%llu fanout=%d %s seed=%llu: %s", a->procs,
             a->root, (unsigned long long)a->bytes, (unsigned long long)a->element_bytes,
             (unsigned long long)a->segment_bytes, a->fanout, block_sizes_words[a->sizes],
             (unsigned long long)a->seed, err.text);
    }
}

/* Segment sizes that make 1, 2, 3, 5 and 8 segments, or not a whole number of them. */
static void prove_segments(const struct algorithm *alg, struct schedule_arguments a,
                           struct tally *tally)
{
    static const uint64_t counts[] = { 2, 3, 5, 8 };
    prove_one(alg, &a, tally);
    for (size_t i = 0; alg->segmented && i < sizeof counts / sizeof *counts; i++)
        if (a.bytes >= counts[i]) {
            a.segment_bytes = (a.bytes + counts[i] - 1) / counts[i];
            prove_one(alg, &a, tally);
        }
    a.segment_bytes = 7 + a.bytes / 9;
    if (alg->segmented && a.bytes > 7)
        prove_one(alg, &a, tally);
}

/* Where buffers hold P blocks, these are small; so are the elements of eight bytes. */
static void prove_sizes(const struct algorithm *alg, struct schedule_arguments a,
                        struct tally *tally)
{
    const uint64_t p = (uint64_t)a.procs;
    const uint64_t sizes[] = { 0, 1, p - 1, p, p + 1, 2 * p + 1, 40, 7 * p + 3 };
    const struct collective *c = algorithm_collective(alg);
    const int many = collective_gives(c, 2) > 1 || c->recv.amount == AMOUNT_EACH;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        a.bytes = many ? sizes[i] % 41 : sizes[i];
        prove_segments(alg, a, tally);
    }
    a.element_bytes = 8;
    for (size_t i = 1; i < 6; i++) {
        a.bytes = 8 * (many ? sizes[i] % 7 : sizes[i]);
        prove_segments(alg, a, tally);
    }
}

/* Blocks that differ, of bytes and of elements. */
static void prove_uneven(const struct algorithm *alg, struct schedule_arguments a,
                         struct tally *tally)
{
    if (!algorithm_collective(alg)->uneven)
        return;
    for (a.sizes = SIZES_RANDOM; a.sizes < N_SIZES; a.sizes++)
        for (a.bytes = 0; a.bytes < 12; a.bytes += 3) {
            a.seed = (uint64_t)a.procs + a.bytes;
            a.element_bytes = a.bytes == 9 ? 3 : 1;
            prove_segments(alg, a, tally);
        }
}

/* For an operation that does not commute; refused is what keeps no order. */
static void prove_ordered(const struct algorithm *alg, struct schedule_arguments a,
                          struct tally *tally)
{
    if (!algorithm_collective(alg)->combines || !alg->in_order)
        return;
    a.ordered = 1;
    for (a.bytes = 1; a.bytes < 40; a.bytes = 3 * a.bytes + 1)
        prove_segments(alg, a, tally);
}

/* All of a long check; else all small ones, and some around powers of two. Many ranks without a
 * root send P^2 messages: of these none. */
static int is_proved(int procs, int has_root)
{
    const int many = procs == 64 || procs == 65 || procs == 129;
    return is_long() || procs <= 13 || procs == 16 || procs == 17 || procs == 24 || procs == 31 ||
           procs == 33 || (many && has_root);
}

static void prove_all(const struct algorithm *alg)
{
    if (alg->levels)
        return; /* combinations: levels-t proves them, with seats */
    const int has_root = algorithm_collective(alg)->rooted;
    struct tally tally = { 0 };
    static const int fanouts[] = { 0, 2, 3, 7, 40 };
    static const char *const limits[] = { "1", "2", "5" };
    int n = 0;
    for (int procs = 1; procs <= MAX_PROCS; procs++) {
        const int roots[] = { 0, procs / 2, procs - 1 };
        struct schedule_arguments a = { .procs = procs };
        if (!is_proved(procs, has_root))
            continue;
        for (int i = 0; i < 3; i++) {
            a.root = roots[i];
            if (i == 0 || (has_root && roots[i] != roots[i - 1]))
                prove_sizes(alg, a, &tally);
        }
        a.root = has_root ? procs / 3 : 0;
        prove_uneven(alg, a, &tally);
        prove_ordered(alg, a, &tally);
        a.bytes = 31;
        for (size_t i = 1; alg->default_fanout && i < sizeof fanouts / sizeof *fanouts; i++) {
            a.fanout = fanouts[i];
            prove_segments(alg, a, &tally);
        }
        for (size_t i = 0; alg->limits && i < sizeof limits / sizeof *limits; i++) {
            a.levels = limits[i];
            prove_segments(alg, a, &tally);
        }
        n++;
    }
    ok(tally.refused == 0 && tally.proved > 0,
       "%s %s: %ld schedules proved for %d numbers of processes up to %d (%llu messages)",
       algorithm_collective(alg)->name, alg->name, tally.proved, n, MAX_PROCS,
       (unsigned long long)tally.messages);
}

/* ---- wrong ones are refused ---- */

/* The algorithm that is spoilt, and how: each spoils the rounds of the real one. */
static const char *const victim = "chain";

static uint64_t rounds(const struct schedule *s, int rank)
{
    return algorithm_find("bcast", victim)->rounds(s, rank);
}

static void real_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    algorithm_find("bcast", victim)->round(s, rank, k, out);
}

static void forgets_receive(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 5 && k == 2)
        out->n = 0;
}

static void forgets_send(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 0 && k == 2)
        out->n = 0;
}

static void shrinks(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 0 && k == 1)
        out->ops[0].bytes--;
}

static void shifts(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 0 && k == 1)
        out->ops[0].offset--;
}

static void goes_beyond(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 2 && k == 2)
        out->ops[0].offset++;
}

/* Receives segment 0 and forwards it in the same round. */
static void forwards_early(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    for (size_t i = 0; rank == 1 && k < 3 && i < out->n; i++)
        if (out->ops[i].kind == OP_SEND)
            out->ops[i].offset += s->segment_bytes;
}

static void receives_twice(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 2 && k == 0)
        round_recv(out, BUF_DATA, 3, 2, 5);
}

static void sends_unheld(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank > 1 || k > 0)
        return;
    if (rank == 1)
        round_send(out, BUF_DATA, 0, s->bytes, 0);
    else
        round_recv(out, BUF_DATA, 0, s->bytes, 1);
}

static void talks_to_nobody(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 0 && k == 0)
        out->ops[0].peer = s->procs;
}

static void talks_to_itself(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 3 && k == 0)
        out->ops[0].peer = rank;
}

/* Everybody passes the token on and then receives it: right with buffered sends only. */
static void relies_on_buffers(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    int next = (rank + 1) % s->procs, before = (rank + s->procs - 1) % s->procs;
    if (k == 0)
        round_send(out, BUF_DATA, 0, 0, next);
    else if (k == 1)
        round_recv(out, BUF_DATA, 0, 0, before);
}

static void swaps_rounds(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, rank == 1 && k < 2 ? 1 - k : k, out);
}

static void copies_onto_itself(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 0 && k == 0)
        round_copy(out, BUF_DATA, 2, BUF_DATA, 2, 4);
}

/* Right but for its last byte, which is overwritten. */
static void spoils(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 5 && k + 1 == rounds(s, rank))
        round_copy(out, BUF_DATA, s->bytes - 1, BUF_DATA, 0, 1);
}

/* Nobody sends or receives the last segment. */
static void leaves_out(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    size_t kept = 0;
    real_round(s, rank, k, out);
    for (size_t i = 0; i < out->n; i++)
        if (out->ops[i].offset < 2 * s->segment_bytes)
            out->ops[kept++] = out->ops[i];
    out->n = kept;
}

static void reduces(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    real_round(s, rank, k, out);
    if (rank == 5 && k == 0)
        round_reduce(out, BUF_DATA, 0, BUF_DATA, 4, 4);
}

/* One chain of five ranks, twelve bytes in three segments of four. */
static const struct {
    void (*round)(const struct schedule *s, int rank, uint64_t k, struct round *out);
    const char *claim, *message;
} spoilt[] = {
    { forgets_receive, "a receive that is missing",
      "rank 4, round 3: send of 4 bytes to rank 5, which never receives it" },
    { forgets_send, "a send that is missing",
      "rank 1, round 2: receive of 4 bytes from rank 0, which never sends it" },
    { shrinks, "a message of another size",
      "rank 1, round 1: receive of 4 bytes from rank 0, which sends 3" },
    { shifts, "the wrong bytes", "ends with another byte in place of byte 4 of data" },
    { goes_beyond, "bytes beyond the buffer",
      "rank 2, round 2: receive of bytes 9 to 13 of data, which has 12" },
    { forwards_early, "a byte that is sent while it is received",
      "rank 1, round 1: sends bytes of data to rank 2 that a receive writes" },
    { receives_twice, "a byte that is received twice in a round",
      "rank 2, round 0: receives the same bytes of data from rank 1 and rank 5" },
    { sends_unheld, "a byte that is sent before it is there",
      "rank 1, round 0: sends byte 0 of data, which it does not hold" },
    { talks_to_nobody, "a peer that does not exist",
      "rank 0, round 0: send with rank 6, which is no other rank of 6" },
    { talks_to_itself, "a message to oneself",
      "rank 3, round 0: receive with rank 3, which is no other rank of 6" },
    { relies_on_buffers, "a circle of sends",
      "rank 0, round 0: deadlock: 0 waits to send to 1, 1 waits to send to 2, 2 waits to send to "
      "3, 3 waits to send to 4" },
    { swaps_rounds, "rounds in the wrong order",
      "rank 1, round 0: sends byte 0 of data, which it "
      "does not hold" },
    { copies_onto_itself, "a copy onto itself",
      "rank 0, round 0: copy onto the bytes of data that it reads" },
    { spoils, "a byte that is spoilt afterwards",
      "rank 5, round 3: ends with another byte in place of byte 11 of data" },
    { leaves_out, "a segment that nobody sends", "rank 1, round 4: ends without byte 8 of data" },
    { reduces, "a reduction in a broadcast", "rank 5, round 0: a reduction, and bcast has none" },
};

static void check_spoilt(void)
{
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
        const struct algorithm alg = { .name = "spoilt",
                                       .recipe = algorithm_find("bcast", victim)->recipe,
                                       .collective = "bcast",
                                       .segmented = 1,
                                       .default_fanout = 1,
                                       .rounds = rounds,
                                       .round = spoilt[i].round };
        struct schedule s;
        struct err err = { 0 };
        schedule_init(&s, &alg, 6, 0, 12, 4, 1, &err);
        is_int(-1, prove(&s, NULL, &err), "refused: %s", spoilt[i].claim);
        has_str(spoilt[i].message, err.text, "… and says so");
    }
}

/* ---- reductions: the linear one of four ranks to rank 2, spoilt at its root ---- */

static uint64_t sum_rounds(const struct schedule *s, int rank)
{
    return algorithm_find("reduce", "linear")->rounds(s, rank);
}

static uint64_t sum_temp(const struct schedule *s, int rank)
{
    return algorithm_find("reduce", "linear")->temp_bytes(s, rank);
}

static void sum_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    algorithm_find("reduce", "linear")->round(s, rank, k, out);
}

/* The last operation of a round of the root. */
static struct op *last_op(const struct schedule *s, int rank, uint64_t k, uint64_t wanted,
                          struct round *out)
{
    sum_round(s, rank, k, out);
    return rank == s->root && k == wanted ? &out->ops[out->n - 1] : NULL;
}

static void counts_twice(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (last_op(s, rank, k, 2, out))
        round_reduce(out, BUF_RECV, 3, BUF_TEMP, 3, 1);
}

static void counts_itself_twice(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (last_op(s, rank, k, 3, out))
        round_reduce(out, BUF_RECV, 0, BUF_SEND, 0, 1);
}

static void leaves_one_out(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct op *op = last_op(s, rank, k, 2, out);
    if (op)
        op->bytes--;
}

static void overwrites(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct op *op = last_op(s, rank, k, 3, out);
    if (op)
        op->kind = OP_COPY;
}

static void mixes_positions(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct op *op = last_op(s, rank, k, 2, out);
    if (op) {
        op->src_offset++;
        op->bytes--;
    }
}

static void adds_to_nothing(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct op *op = last_op(s, rank, k, 0, out);
    if (op)
        op->buf = BUF_TEMP, round_reduce(out, BUF_RECV, 0, BUF_TEMP, 0, 1);
}

static void adds_nothing(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (last_op(s, rank, k, 0, out))
        round_reduce(out, BUF_RECV, 0, BUF_TEMP, 5, 1);
}

static void changes_its_own(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (last_op(s, rank, k, 3, out))
        round_reduce(out, BUF_SEND, 4, BUF_TEMP, 4, 1);
}

/* A sum that is whole and in order, at the place of another. */
static void misplaces(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (last_op(s, rank, k, 3, out))
        round_copy(out, BUF_RECV, 0, BUF_RECV, 1, 1);
}

/* Rank 1 before rank 0 is taken: every contribution, but not in order. */
static void changes_the_order(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    sum_round(s, rank, rank == s->root && k > 1 ? 5 - k : k, out);
}

static const struct {
    void (*round)(const struct schedule *s, int rank, uint64_t k, struct round *out);
    const char *claim, *message;
} spoilt_sums[] = {
    { counts_twice, "a contribution that counts twice",
      "rank 2, round 2: counts the contribution of rank 1 to byte 3 twice" },
    { counts_itself_twice, "the root's own that counts twice",
      "rank 2, round 3: counts the contribution of rank 2 to byte 0 twice" },
    { leaves_one_out, "a contribution that is missing",
      "rank 2, round 4: ends without the contribution of rank 1 to byte 5" },
    { overwrites, "a sum that is overwritten",
      "rank 2, round 4: ends without the contribution of rank 1 to byte 0" },
    { mixes_positions, "bytes of two positions combined",
      "rank 2, round 2: combines byte 1 of the message with byte 0 of it" },
    { adds_to_nothing, "a sum into what is not there",
      "rank 2, round 0: combines byte 0 of recv, which it does not hold" },
    { adds_nothing, "a sum of what is not there",
      "rank 2, round 0: combines byte 5 of temp, which it does not hold" },
    { changes_its_own, "an input that is changed",
      "rank 2, round 4: ends with another byte in place of byte 4 of send" },
    { misplaces, "a sum at the place of another",
      "rank 2, round 4: ends with another byte in place of byte 0 of recv" },
    { changes_the_order, "operands out of order, where the algorithm keeps it",
      "rank 2, round 4: byte 0 was not combined in the order of ranks" },
};

static void check_spoilt_sums(void)
{
    for (size_t i = 0; i < sizeof spoilt_sums / sizeof *spoilt_sums; i++) {
        struct algorithm alg = { .name = "spoilt",
                                 .collective = "reduce",
                                 .in_order = 1,
                                 .rounds = sum_rounds,
                                 .round = spoilt_sums[i].round,
                                 .temp_bytes = sum_temp };
        struct schedule s;
        struct err err = { 0 };
        schedule_init(&s, &alg, 4, 2, 6, 0, 0, &err);
        is_int(-1, prove(&s, NULL, &err), "refused: %s", spoilt_sums[i].claim);
        has_str(spoilt_sums[i].message, err.text, "… and says so");
        alg.in_order = 0;
        if (spoilt_sums[i].round == changes_the_order)
            is_int(0, prove(&s, NULL, &err), "… and right where it does not");
    }
}

/* ---- schedules made up for collectives that have none: the rows alone say what is right ---- */

static uint64_t one_round_each(const struct schedule *s, int rank)
{
    (void)s, (void)rank;
    return 1;
}

static uint64_t block_at(const struct schedule *s, int i)
{
    return (uint64_t)i * s->bytes;
}

/* The root's block of each rank. */
static void scatter_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    if (rank != s->root) {
        round_recv(out, BUF_RECV, 0, s->bytes, s->root);
        return;
    }
    for (int r = 0; r < s->procs; r++)
        if (r != rank)
            round_send(out, BUF_SEND, block_at(s, r), s->bytes, r);
    round_copy(out, BUF_RECV, 0, BUF_SEND, block_at(s, rank), s->bytes);
}

/* Everybody's block of each rank. */
static void exchange_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    for (int r = 0; r < s->procs; r++) {
        if (r == rank)
            continue;
        round_recv(out, BUF_RECV, block_at(s, r), s->bytes, r);
        round_send(out, BUF_SEND, block_at(s, r), s->bytes, r);
    }
    round_copy(out, BUF_RECV, block_at(s, rank), BUF_SEND, block_at(s, rank), s->bytes);
}

static uint64_t a_block_each(const struct schedule *s, int rank)
{
    (void)rank;
    return block_at(s, s->procs);
}

/* The same, combined where it arrives. */
static void combining_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    for (int r = 0; r < s->procs; r++) {
        if (r == rank)
            continue;
        round_recv(out, BUF_TEMP, block_at(s, r), s->bytes, r);
        round_send(out, BUF_SEND, block_at(s, r), s->bytes, r);
    }
    round_copy(out, BUF_RECV, 0, BUF_SEND, block_at(s, rank), s->bytes);
    for (int r = 0; r < s->procs; r++)
        if (r != rank)
            round_reduce(out, BUF_RECV, 0, BUF_TEMP, block_at(s, r), s->bytes);
}

static uint64_t two_rounds_each(const struct schedule *s, int rank)
{
    (void)s, (void)rank;
    return 2;
}

/* What the ranks before have, from the rank before; with its own to the next. */
static void scan_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k == 1) {
        if (rank + 1 < s->procs)
            round_send(out, BUF_RECV, 0, s->bytes, rank + 1);
        return;
    }
    if (rank > 0)
        round_recv(out, BUF_TEMP, 0, s->bytes, rank - 1);
    round_copy(out, BUF_RECV, 0, BUF_SEND, 0, s->bytes);
    if (rank > 0)
        round_reduce(out, BUF_RECV, 0, BUF_TEMP, 0, s->bytes);
}

static void exscan_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k == 1) {
        if (rank + 1 < s->procs)
            round_send(out, BUF_TEMP, 0, s->bytes, rank + 1);
        return;
    }
    if (rank > 0)
        round_recv(out, BUF_RECV, 0, s->bytes, rank - 1);
    round_copy(out, BUF_TEMP, 0, BUF_SEND, 0, s->bytes);
    if (rank > 0)
        round_reduce(out, BUF_TEMP, 0, BUF_RECV, 0, s->bytes);
}

static const struct {
    struct algorithm alg;
    const char *as, *message; /* another collective that it is not, and what is said then */
} made_up[] = {
    { { .name = "scatter",
        .collective = "scatter",
        .rounds = one_round_each,
        .round = scatter_round },
      NULL,
      NULL },
    { { .name = "exchange",
        .collective = "alltoall",
        .rounds = one_round_each,
        .round = exchange_round },
      "alltoallv",
      NULL },
    { { .name = "combine",
        .collective = "reduce_scatter_block",
        .rounds = one_round_each,
        .round = combining_round,
        .temp_bytes = a_block_each },
      "reduce_scatter",
      NULL },
    { { .name = "scan",
        .collective = "scan",
        .in_order = 1,
        .rounds = two_rounds_each,
        .round = scan_round,
        .temp_bytes = a_block_each },
      "exscan",
      "the contribution of rank 1 to byte 0, too" },
    { { .name = "exscan",
        .collective = "exscan",
        .in_order = 1,
        .rounds = two_rounds_each,
        .round = exscan_round,
        .temp_bytes = a_block_each },
      "scan",
      "without byte 0 of recv" },
};

static void check_made_up(void)
{
    for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++) {
        struct algorithm alg = made_up[i].alg;
        int refused = 0;
        struct err err = { 0 };
        struct schedule s;
        for (int procs = 1; procs <= 9; procs++)
            for (uint64_t bytes = 0; bytes <= 5; bytes += 5)
                refused += schedule_init(&s, &alg, procs, procs / 2, bytes, 0, 0, &err) < 0 ||
                           prove(&s, NULL, &err) < 0;
        ok(refused == 0, "%s: its row says what it promises%s%s", alg.collective,
           *err.text ? ": " : "", err.text);
        if (!made_up[i].as)
            continue;
        alg.collective = made_up[i].as;
        schedule_init(&s, &alg, 4, 0, 5, 0, 0, &err);
        err.text[0] = '\0';
        is_int(made_up[i].message ? -1 : 0, prove(&s, NULL, &err), "… as %s", alg.collective);
        if (made_up[i].message)
            has_str(made_up[i].message, err.text, "… is refused for what it is not");
    }
}

static void check_counts(void)
{
    struct schedule s;
    struct proof proof;
    struct err err = { 0 };
    schedule_init(&s, algorithm_find("bcast", "binomial"), 16, 3, 100, 10, 0, &err);
    is_int(0, prove(&s, &proof, &err), "binomial, 16 ranks, ten segments is right");
    is_int(15 * 10, (long long)proof.messages, "… in (P-1) n messages");
    is_int(15 * 100, (long long)proof.bytes, "… of (P-1) m bytes");
    schedule_init(&s, algorithm_find("reduce", "rabenseifner"), 16, 3, 160, 0, 0, &err);
    is_int(0, prove(&s, &proof, &err), "Rabenseifner, 16 ranks is right");
    is_int(16 * 4 + 15, (long long)proof.messages, "… in P log2 P messages and P - 1");
    is_int(15 * 160 + 4 * 80, (long long)proof.bytes,
           "… of (P - 1) m bytes and log2 P m/2 for the gather");
}

/* Sizes are as they are said to be: no row of blocks is larger than another, each way. */
static void check_blocks(void)
{
    int wrong = 0, differ[N_SIZES] = { 0 };
    for (struct blocks b = { .by = BLOCKS_OF_BOTH, .element_bytes = 4 }; b.sizes < N_SIZES;
         b.sizes++)
        for (b.procs = 1; b.procs <= 9; b.procs++)
            for (b.count = 0; b.count < 20; b.count += 5)
                for (int i = 0; i < b.procs; i++) {
                    uint64_t given = 0, got = 0;
                    b.seed = b.count;
                    for (int j = 0; j < b.procs; j++) {
                        wrong +=
                            blocks_given_at(&b, i, j) != given || blocks_got_at(&b, j, i) != got;
                        given += blocks_bytes(&b, i, j);
                        got += blocks_bytes(&b, j, i);
                        differ[b.sizes] += blocks_bytes(&b, i, j) != b.count * 4;
                        wrong += blocks_bytes(&b, i, j) % 4 != 0;
                    }
                    wrong += given != (uint64_t)b.procs * b.count * 4 || got != given;
                    wrong += blocks_given_at(&b, i, b.procs) != given;
                }
    is_int(0, wrong, "blocks stand one after the other, and each row and column is as large");
    ok(!differ[SIZES_EQUAL] && differ[SIZES_RANDOM] && differ[SIZES_ZEROS] &&
           differ[SIZES_ONE_LARGE],
       "they differ where they are to");
}

static void check_elements(void)
{
    struct schedule_arguments a = { .procs = 4, .bytes = 10, .element_bytes = 8 };
    struct schedule s;
    struct err err = { 0 };
    const struct algorithm *linear = algorithm_find("allreduce", "basic_linear");
    is_int(-1, schedule_make(&s, linear, &a, &err), "10 bytes of elements of 8 are refused");
    has_str("10 bytes are no whole number of elements of 8", err.text, "… for that");
    a.sizes = SIZES_ZEROS;
    a.bytes = 16;
    is_int(-1, schedule_make(&s, linear, &a, &err), "blocks that differ, where all are equal");
    has_str("the blocks of MPI_Allreduce are all of one size", err.text, "… are refused");
    a = (struct schedule_arguments){ .procs = 4, .bytes = 64, .ordered = 1 };
    is_int(0, schedule_make(&s, linear, &a, &err), "an operation that does not commute, in order");
    is_int(-1, schedule_make(&s, algorithm_find("reduce", "binomial"), &a, &err), "… and not");
    has_str("the operation does not commute", err.text, "… is refused for that");
    a = (struct schedule_arguments){
        .procs = 4, .bytes = 64, .segment_bytes = 13, .element_bytes = 8
    };
    schedule_make(&s, algorithm_find("bcast", "pipeline"), &a, &err);
    is_int(16, (long long)s.segment_bytes, "a segment of 13 bytes is one of two elements");
    a.segment_bytes = 12;
    schedule_make(&s, algorithm_find("bcast", "pipeline"), &a, &err);
    is_int(8, (long long)s.segment_bytes, "one of 12 is one of one");
    a.segment_bytes = 7;
    schedule_make(&s, algorithm_find("bcast", "pipeline"), &a, &err);
    is_int(1, (long long)s.segments, "one of 7 is none");
}

/* A reduction that starts within an element. */
static void cuts_elements(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct op *op = last_op(s, rank, k, 3, out);
    if (op)
        op->bytes = 4, op->offset = op->src_offset = 0;
}

static void check_cut(void)
{
    const struct algorithm alg = { .name = "spoilt",
                                   .collective = "reduce",
                                   .rounds = sum_rounds,
                                   .round = cuts_elements,
                                   .temp_bytes = sum_temp };
    const struct schedule_arguments a = { .procs = 4, .root = 2, .bytes = 16, .element_bytes = 8 };
    struct schedule s;
    struct err err = { 0 };
    schedule_make(&s, &alg, &a, &err);
    is_int(-1, prove(&s, NULL, &err), "refused: a reduction of half an element");
    has_str("reduction of bytes 0 to 4 of recv cuts an element of 8", err.text, "… and says so");
}

/* ---- barriers that let somebody go too early ---- */

static uint64_t two_rounds(const struct schedule *s, int rank)
{
    (void)s, (void)rank;
    return 2;
}

/* A message to one side, then to the other: a rank hears of two others. */
static void asks_neighbours(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int next = (rank + 1) % s->procs, before = (rank + s->procs - 1) % s->procs;
    round_send(out, BUF_DATA, 0, 0, k ? before : next);
    round_recv(out, BUF_DATA, 0, 0, k ? next : before);
}

/* One and two places on, at one time: what comes in cannot be told on in the same round. */
static void tells_too_early(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    for (int places = 1; k == 0 && places < 3; places++) {
        round_send(out, BUF_DATA, 0, 0, (rank + places) % s->procs);
        round_recv(out, BUF_DATA, 0, 0, (rank + s->procs - places) % s->procs);
    }
}

static void check_spoilt_barriers(void)
{
    struct algorithm alg = {
        .name = "spoilt", .collective = "barrier", .rounds = two_rounds, .round = asks_neighbours
    };
    struct schedule s;
    struct err err = { 0 };
    schedule_init(&s, &alg, 3, 0, 0, 0, 0, &err);
    is_int(0, prove(&s, NULL, &err), "a barrier of three ranks that hear of both neighbours");
    schedule_init(&s, &alg, 4, 0, 0, 0, 0, &err);
    is_int(-1, prove(&s, NULL, &err), "refused: the same of four");
    has_str("rank 0, round 2: ends without having heard of rank 2", err.text, "… and says so");
    alg.round = tells_too_early;
    schedule_init(&s, &alg, 4, 0, 0, 0, 0, &err);
    is_int(-1, prove(&s, NULL, &err), "refused: a barrier in which word comes too late to be told");
    has_str("rank 0, round 2: ends without having heard of rank 1", err.text, "… and says so");
}

/* Of a collective, and one of the algorithms that are named behind it. */
static int is_wanted(const struct algorithm *a, char **words)
{
    if (!*words)
        return 1;
    if (strcmp(algorithm_collective(a)->name, *words++) != 0)
        return 0;
    int found = !*words;
    for (; *words; words++)
        found |= strcmp(a->name, *words) == 0;
    return found;
}

/* Arguments: a collective, and algorithms of it; none: all. */
int main(int argc, char **argv)
{
    (void)argc;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        if (is_wanted(a, argv + 1))
            prove_all(a);
    check_spoilt();
    check_spoilt_sums();
    check_spoilt_barriers();
    check_made_up();
    check_counts();
    check_blocks();
    check_elements();
    check_cut();
    return tap_done();
}
