/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall.c - all-to-all, of equal blocks and of different sizes. Buffers: SEND and RECV (procs x
 * bytes) on every rank; the block for rank r, or from it, stands after those of the ranks before r.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_alltoall.c and
 * coll_base_alltoallv.c), and for mpich_* of MPICH 4.0.2 (src/mpi/coll/alltoall, alltoallv).
 * MPI_Alltoall of zero bytes returns before any algorithm in both: no messages. MPI_Alltoallv does
 * not: Open MPI sends an empty message for an empty block, MPICH sends none. */
#include "workloads/schedules/algorithm_rows.h"

/* ---- batches: a rank is done with those that are at most `most` places away before it takes up
 * the next as many. It receives from the ranks after it and sends to those before it. ---- */

/* Of so many places around the ring, in rounds of at most `most`. */
static uint64_t batches(int places, int most)
{
    return (uint64_t)(places / most + (places % most != 0));
}

/* The ranks first … end - 1 places away. */
static void batch(const struct schedule *s, int rank, int first, int end, struct round *out)
{
    for (int i = first; i < end; i++)
        recv_block(s, rank, rank_after(s, rank, i), out);
    for (int i = first; i < end; i++)
        send_block(s, rank, rank_before(s, rank, i), out);
}

/* ---- linear: all at once ---- */

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    batch(s, rank, 1, s->procs, out);
    keep_block(s, rank, out);
}

/* ---- linear of different sizes: all at once, both ways in the order of ranks ---- */

static void v_linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    for (int src = 0; src < s->procs; src++)
        if (src != rank)
            recv_block(s, rank, src, out);
    for (int dst = 0; dst < s->procs; dst++)
        if (dst != rank)
            send_block(s, rank, dst, out);
    keep_block(s, rank, out);
}

/* ---- linear with so many requests at a time (the fan-out). The library takes up a next one as
 * soon as any ends; which one that is nobody knows beforehand. Here as many as may be under way are
 * a round, in the library's order. ---- */

static int at_a_time(const struct schedule *s)
{
    return s->fanout == 0 || s->fanout >= s->procs ? s->procs : s->fanout;
}

static uint64_t sync_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return batches(s->procs - 1, at_a_time(s));
}

static void sync_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int most = at_a_time(s), first = 1 + (int)k * most;
    batch(s, rank, first, most < s->procs - first ? first + most : s->procs, out);
    if (k == 0)
        keep_block(s, rank, out);
}

/* No limit: all at once. */
static const char *sync_in_effect(const struct schedule *s)
{
    return at_a_time(s) >= s->procs - 1 ? "linear" : NULL;
}

/* ---- pairwise: in step k a rank sends to the one k + 1 places after it and receives from the one
 * as many places before it. MPICH: where there are 2^n ranks, both are rank XOR k + 1. ---- */

static void step_between(const struct schedule *s, int rank, uint64_t k, int src, int dst,
                         struct round *out)
{
    recv_block(s, rank, src, out);
    send_block(s, rank, dst, out);
    if (k == 0)
        keep_block(s, rank, out);
}

static void pairwise_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int places = (int)k + 1;
    step_between(s, rank, k, rank_before(s, rank, places), rank_after(s, rank, places), out);
}

static void mpich_pairwise_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int partner = rank ^ ((int)k + 1);
    if (is_power_of_two(s->procs))
        step_between(s, rank, k, partner, partner, out);
    else
        pairwise_round(s, rank, k, out);
}

/* ---- MPICH's scattered: batches of so many ranks (the fan-out), the first of which is the rank
 * itself. Of different sizes: nothing is sent for an empty block. ---- */

static uint64_t scattered_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return batches(s->procs, at_a_time(s));
}

static void scattered_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int most = at_a_time(s), first = (int)k * most;
    batch(s, rank, k == 0 ? 1 : first, most < s->procs - first ? first + most : s->procs, out);
    if (k == 0)
        keep_block(s, rank, out);
}

static void v_scattered_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    size_t kept = 0;
    scattered_round(s, rank, k, out);
    for (size_t i = 0; i < out->n; i++)
        if (out->ops[i].bytes)
            out->ops[kept++] = out->ops[i];
    out->n = kept;
}

/* ---- Bruck: the blocks are turned so that block i is that for the rank i places after. In step k
 * the blocks whose number has bit k go 2^k places on, all in one message; what comes in takes their
 * places. In the end block i is that from the rank i places before.
 *
 * TEMP holds the blocks, and behind them two places for what is packed for a message, in turn; what
 * comes in is put into RECV, until the result is. ---- */

/* Blocks of a message: the numbers below procs with this bit. At most half of all. */
static uint64_t blocks_with(const struct schedule *s, uint64_t bit)
{
    const uint64_t whole = (uint64_t)s->procs / (2 * bit) * bit,
                   rest = (uint64_t)s->procs % (2 * bit);
    return whole + (rest > bit ? rest - bit : 0);
}

static uint64_t packed_at(const struct schedule *s, uint64_t k)
{
    const uint64_t procs = (uint64_t)s->procs;
    return (procs + k % 2 * (procs / 2)) * s->bytes;
}

/* Copies runs of blocks whose numbers have a bit out of TEMP, or into it. */
static void pack(const struct schedule *s, uint64_t k, struct round *out)
{
    const uint64_t bit = UINT64_C(1) << k, procs = (uint64_t)s->procs, m = s->bytes;
    uint64_t to = packed_at(s, k);
    for (uint64_t i = bit; i < procs; i += 2 * bit) {
        const uint64_t run = min_u64(bit, procs - i) * m;
        round_copy(out, BUF_TEMP, to, BUF_TEMP, i * m, run);
        to += run;
    }
}

static void unpack(const struct schedule *s, uint64_t k, struct round *out)
{
    const uint64_t bit = UINT64_C(1) << k, procs = (uint64_t)s->procs, m = s->bytes;
    uint64_t from = 0;
    for (uint64_t i = bit; i < procs; i += 2 * bit) {
        const uint64_t run = min_u64(bit, procs - i) * m;
        round_copy(out, BUF_TEMP, i * m, BUF_RECV, from, run);
        from += run;
    }
}

static uint64_t bruck_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return 1 + doubling_steps(s);
}

static void bruck_turn(const struct schedule *s, int rank, struct round *out)
{
    const uint64_t low = (uint64_t)rank * s->bytes, high = (uint64_t)(s->procs - rank) * s->bytes;
    round_copy(out, BUF_TEMP, 0, BUF_SEND, low, high);
    if (rank > 0)
        round_copy(out, BUF_TEMP, high, BUF_SEND, 0, low);
}

static void bruck_step(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int places = 1 << k;
    const uint64_t bytes = blocks_with(s, UINT64_C(1) << k) * s->bytes;
    round_recv(out, BUF_RECV, 0, bytes, rank_before(s, rank, places));
    round_send(out, BUF_TEMP, packed_at(s, k), bytes, rank_after(s, rank, places));
    unpack(s, k, out);
}

static void bruck_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k == 0)
        bruck_turn(s, rank, out);
    else
        bruck_step(s, rank, k - 1, out);
    if (k < doubling_steps(s)) {
        pack(s, k, out);
        return;
    }
    for (int i = 0; i < s->procs; i++)
        round_copy(out, BUF_RECV, (uint64_t)rank_before(s, rank, i) * s->bytes, BUF_TEMP,
                   (uint64_t)i * s->bytes, s->bytes);
}

static uint64_t bruck_temp(const struct schedule *s, int rank)
{
    const uint64_t procs = (uint64_t)s->procs;
    (void)rank;
    return (procs + 2 * (procs / 2)) * s->bytes;
}

/* clang-format off */
const struct algorithm alltoall_rows[] = {
    { .name = "linear", .rounds = one_round, .round = linear_round,
      .help = "every rank sends each rank its block, all at once" },
    { .name = "pairwise", .rounds = rounds_to_all, .round = pairwise_round,
      .help = "P - 1 steps: to the rank k places after, from the rank k places before" },
    { .name = "modified_bruck", .rounds = bruck_rounds, .round = bruck_round,
      .temp_bytes = bruck_temp,
      .help = "ceil(log2 P) steps: half of the blocks go 2^k places on, packed into one message" },
    { .name = "linear_sync", .default_fanout = FANOUT_UNLIMITED, .in_effect = sync_in_effect,
      .rounds = sync_rounds, .round = sync_round,
      .help = "linear with so many requests at a time (fan-out; default: all at once)" },
    { .name = "two_proc", .unfit = unless_two, .rounds = rounds_to_all, .round = pairwise_round,
      .help = "two ranks exchange their blocks; the library refuses it among more" },
    { .name = "mpich_brucks", .rounds = bruck_rounds, .round = bruck_round,
      .temp_bytes = bruck_temp,
      .help = "MPICH: as modified_bruck" },
    { .name = "mpich_pairwise", .rounds = rounds_to_all, .round = mpich_pairwise_round,
      .help = "MPICH: as pairwise; of 2^n ranks with rank XOR k" },
    { .name = "mpich_scattered", .default_fanout = 32, .rounds = scattered_rounds,
      .round = scattered_round,
      .help = "MPICH: linear in batches of so many ranks (fan-out, 32 by default)" },
    { .name = NULL },
};

const struct algorithm alltoallv_rows[] = {
    { .name = "basic_linear", .sends_empty = 1, .rounds = one_round, .round = v_linear_round,
      .help = "every rank sends each rank its block, all at once" },
    { .name = "pairwise", .sends_empty = 1, .rounds = rounds_to_all, .round = pairwise_round,
      .help = "P - 1 steps: to the rank k places after, from the rank k places before" },
    { .name = "mpich_scattered", .always = "mpich40",
      .default_fanout = 32, .rounds = scattered_rounds, .round = v_scattered_round,
      .help = "MPICH: in batches of so many ranks (fan-out, 32 by default); no empty message" },
    { .name = NULL },
};
/* clang-format on */
