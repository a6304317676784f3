/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather.c - allgather, of equal blocks and of different sizes. Buffers: SEND, a rank's own
 * block; RECV (procs x bytes) on every rank, the block of rank r after those of the ranks before
 * it. There is no root.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_allgather.c and
 * coll_base_allgatherv.c) with MPI_BYTE elements, and for mpich_* of MPICH 4.0.2
 * (src/mpi/coll/allgather, allgatherv). A call in which nobody gives anything returns before any
 * algorithm in both: no messages. An empty block of some rank is a message, too, but where the
 * algorithm says otherwise.
 *
 * Round k of every rank is step k of the algorithm; what follows the last step is local work. The
 * libraries copy a rank's own block to RECV and send it from there. Here step 0 sends it from SEND
 * and copies it, which is as many bytes. */
#include "workloads/schedules/block_spread.h"
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/sequence.h"

/* ---- where blocks are: in a buffer that begins with that of rank `first` and goes on around the
 * ring ---- */

struct layout {
    enum op_buffer buf;
    int first;
};

/* Where block i of a layout begins, i <= procs. */
static uint64_t place(const struct schedule *s, struct layout in, int i)
{
    const uint64_t before = schedule_got_at(s, in.first, 0);
    if (i <= s->procs - in.first)
        return schedule_got_at(s, in.first + i, 0) - before;
    return schedule_got_at(s, s->procs, 0) - before +
           schedule_got_at(s, i - (s->procs - in.first), 0);
}

/* Blocks from … from + n - 1 of a layout, as a part of one segment. */
static struct part blocks(const struct schedule *s, struct layout in, int from, int n)
{
    const uint64_t at = place(s, in, from);
    return part_of(at, place(s, in, from + n) - at, 0);
}

/* A rank's own block, sent in step 0, goes to where it stays: block i of a layout. */
static void keep_own(const struct schedule *s, struct layout in, int i, struct round *out)
{
    const struct part own = blocks(s, in, i, 1);
    round_copy(out, in.buf, own.offset, BUF_SEND, 0, own.bytes);
}

static const struct layout in_recv = { BUF_RECV, 0 };

/* What a rank exchanges in a step: `sent` blocks from block `from` on for `got` blocks that come to
 * block `into`. */
struct step {
    int dst, from, sent;
    int src, into, got;
};

static void exchange(const struct schedule *s, struct layout in, int own, uint64_t k,
                     const struct step *e, struct round *out)
{
    const struct part take = blocks(s, in, e->into, e->got);
    const struct part give = blocks(s, in, k ? e->from : own, e->sent);
    round_recv(out, in.buf, take.offset, take.bytes, e->src);
    round_send(out, k ? in.buf : BUF_SEND, k ? give.offset : 0, give.bytes, e->dst);
    if (k == 0)
        keep_own(s, in, own, out);
}

/* ---- ring: in step k a rank passes on to the right the block that is k places to its left ---- */

static void ring_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct step e = { .dst = rank_after(s, rank, 1),
                            .from = rank_before(s, rank, (int)k),
                            .sent = 1,
                            .src = rank_before(s, rank, 1),
                            .into = rank_before(s, rank, (int)k + 1),
                            .got = 1 };
    exchange(s, in_recv, rank, k, &e, out);
}

/* ---- neighbor exchange: in step 0 the pairs (0,1), (2,3) … exchange their blocks; then every rank
 * exchanges with its two neighbours in turn the two blocks that the other got the step before ----
 */

/* First of the two blocks that a rank got in step k; in step 0 those of its pair. */
static int pair_of_step(const struct schedule *s, int rank, int k)
{
    const int pair = rank - rank % 2, upwards = (rank + k) % 2 == 0, far = k + k % 2;
    return upwards ? rank_after(s, pair, far) : rank_before(s, pair, far);
}

static uint64_t neighbor_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return (uint64_t)s->procs / 2;
}

static void neighbor_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int step = (int)k, right = (rank + step) % 2 == 0;
    const int peer = right ? rank_after(s, rank, 1) : rank_before(s, rank, 1);
    struct step e = { .dst = peer, .sent = 1, .src = peer, .into = peer, .got = 1 };
    if (step > 0) {
        e.from = pair_of_step(s, rank, step - 1);
        e.into = pair_of_step(s, rank, step);
        e.sent = e.got = 2;
    }
    exchange(s, in_recv, rank, k, &e, out);
}

/* ---- recursive doubling: in step k groups of 2^k ranks exchange all that they have ---- */

static void doubling_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int group = 1 << k, partner = rank ^ group;
    const struct step e = { .dst = partner,
                            .from = rank & -group,
                            .sent = group,
                            .src = partner,
                            .into = partner & -group,
                            .got = group };
    exchange(s, in_recv, rank, k, &e, out);
}

/* ---- Bruck: block b of the buffer is that of rank + b. In step k a rank has its first 2^k blocks,
 * sends them (or as many as still lack) 2^k places to the left, and gets the next ones from the
 * right. Last, the blocks are turned to where they belong: Open MPI turns them within RECV, by way
 * of scratch; MPICH gathers in scratch and copies them to RECV. ---- */

static void bruck_step(const struct schedule *s, enum op_buffer buf, int rank, uint64_t k,
                       struct round *out)
{
    const int distance = 1 << k,
              blocks = (int)min_u64((uint64_t)distance, (uint64_t)(s->procs - distance));
    const struct step e = { .dst = rank_before(s, rank, distance),
                            .from = 0,
                            .sent = blocks,
                            .src = rank_after(s, rank, distance),
                            .into = distance,
                            .got = blocks };
    exchange(s, (struct layout){ buf, rank }, 0, k, &e, out);
}

/* Bytes of the blocks before a rank's own, which go to the beginning, and of the others. */
struct turn {
    uint64_t low, high;
};

static struct turn turn_of(const struct schedule *s, int rank)
{
    const uint64_t low = schedule_got_at(s, rank, 0);
    return (struct turn){ low, schedule_got_at(s, s->procs, 0) - low };
}

static uint64_t bruck_rounds(const struct schedule *s, int rank)
{
    return doubling_steps(s) + (rank > 0);
}

static void bruck_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k < doubling_steps(s)) {
        bruck_step(s, BUF_RECV, rank, k, out);
    } else {
        const struct turn turn = turn_of(s, rank);
        round_copy(out, BUF_TEMP, 0, BUF_RECV, 0, turn.high);
        round_copy(out, BUF_RECV, 0, BUF_RECV, turn.high, turn.low);
        round_copy(out, BUF_RECV, turn.low, BUF_TEMP, 0, turn.high);
    }
}

static uint64_t bruck_temp(const struct schedule *s, int rank)
{
    return rank > 0 ? turn_of(s, rank).high : 0;
}

/* From scratch: MPICH's; and Open MPI's of different sizes, whose messages are of the blocks where
 * they stay, on both sides of the end. */
static uint64_t scratch_bruck_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return doubling_steps(s) + 1;
}

static void scratch_bruck_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k < doubling_steps(s)) {
        bruck_step(s, BUF_TEMP, rank, k, out);
    } else {
        const struct turn turn = turn_of(s, rank);
        round_copy(out, BUF_RECV, turn.low, BUF_TEMP, 0, turn.high);
        if (rank > 0)
            round_copy(out, BUF_RECV, 0, BUF_TEMP, turn.high, turn.low);
    }
}

static uint64_t scratch_bruck_temp(const struct schedule *s, int rank)
{
    (void)rank;
    return schedule_got_at(s, s->procs, 0);
}

/* ---- MPICH's ring of different sizes: blocks are sent in pieces of at most 32 KiB
 * (parts.h); the n-th piece comes in while the n-th goes out, and nothing is sent for an empty
 * block ---- */

static uint64_t pieces(const struct schedule *s, int block)
{
    return pieces_of(s, schedule_block_bytes(s, block, 0));
}

/* All blocks have as many: they are equal, or none is longer than a piece. */
static int pieces_are_alike(const struct schedule *s)
{
    const int may_be_all = s->blocks.sizes == SIZES_ONE_LARGE || s->blocks.sizes == SIZES_LISTED;
    const uint64_t times = may_be_all ? (uint64_t)s->procs : 2;
    return s->blocks.sizes == SIZES_EQUAL || s->bytes <= piece_bytes(s) / times;
}

/* All pieces of the blocks of a rank and of all before it but one. */
static uint64_t pieces_in_turn(const struct schedule *s, int rank)
{
    uint64_t sum = 0;
    if (pieces_are_alike(s))
        return (uint64_t)(s->procs - 1) * pieces(s, rank);
    for (int i = 0; i < s->procs - 1; i++)
        sum += pieces(s, rank_before(s, rank, i));
    return sum;
}

/* Piece k of these; empty where there is none. */
static struct part piece(const struct schedule *s, int rank, uint64_t k)
{
    const uint64_t most = piece_bytes(s), first = pieces(s, rank);
    uint64_t i = 0, n;
    if (pieces_are_alike(s)) {
        i = k / first;
        k %= first;
    } else {
        while (i + 1 < (uint64_t)s->procs && k >= (n = pieces(s, rank_before(s, rank, (int)i))))
            k -= n, i++;
    }
    if (i + 1 >= (uint64_t)s->procs)
        return (struct part){ 0 };
    const struct part block = blocks(s, in_recv, rank_before(s, rank, (int)i), 1);
    return part_of(block.offset + k * most, min_u64(most, block.bytes - k * most), 0);
}

static uint64_t pieces_rounds(const struct schedule *s, int rank)
{
    const uint64_t sent = pieces_in_turn(s, rank);
    const uint64_t got = pieces_in_turn(s, rank_before(s, rank, 1));
    return sent > got ? sent : got;
}

static void pieces_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int left = rank_before(s, rank, 1), own = k < pieces(s, rank);
    const struct part give = piece(s, rank, k), take = piece(s, left, k);
    if (take.bytes)
        round_recv(out, BUF_RECV, take.offset, take.bytes, left);
    if (give.bytes)
        round_send(out, own ? BUF_SEND : BUF_RECV,
                   own ? give.offset - place(s, in_recv, rank) : give.offset, give.bytes,
                   rank_after(s, rank, 1));
    if (k == 0)
        keep_own(s, in_recv, rank, out);
}

/* ---- allgatherv as a gather of different sizes, which is linear and sends nothing for an empty
 * block, and a broadcast of one element, the row of all blocks ---- */

static uint64_t gatherv_rounds(const struct schedule *s, int rank)
{
    return rank == 0 ? (uint64_t)s->procs : 1;
}

static void gatherv_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int src = rank == 0 ? (int)k : rank;
    const uint64_t bytes = schedule_block_bytes(s, src, 0), at = schedule_got_at(s, src, 0);
    if (rank > 0 && bytes)
        round_send(out, BUF_SEND, 0, bytes, 0);
    else if (src > 0 && bytes)
        round_recv(out, BUF_RECV, at, bytes, src);
    else if (src == 0)
        round_copy(out, BUF_RECV, at, BUF_SEND, 0, bytes);
}

static uint64_t gatherv_bcast_rounds(const struct schedule *s, int rank)
{
    if (border_of_givers(s, s->procs) == 0)
        return 0;
    return gatherv_rounds(s, rank) + sequence_rounds(s, rank);
}

static void gatherv_bcast_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t before = gatherv_rounds(s, rank);
    if (k < before) {
        gatherv_round(s, rank, k, out);
        return;
    }
    sequence_round(s, rank, k - before, out);
    out->phase += SEQUENCE_MOST_PHASES;
}

/* ---- what runs instead ---- */

static const char *doubling_substitute(const struct schedule *s)
{
    return is_power_of_two(s->procs) ? NULL : "bruck";
}

static const char *neighbor_substitute(const struct schedule *s)
{
    return s->procs % 2 ? "ring" : NULL;
}

/* Forced, MPICH refuses it (it is not planned then); unforced it would go the way of Bruck. */
static const char *mpich_doubling_substitute(const struct schedule *s)
{
    return is_power_of_two(s->procs) ? NULL : "mpich_brucks";
}

/* Of equal blocks, and of different sizes. */
/* clang-format off */
#define NEIGHBOURS                                                                                 \
    { .name = "ring", .rounds = rounds_to_all, .round = ring_round,                                \
      .help = "P - 1 steps: every rank passes a block on to its right-hand neighbour" },           \
    { .name = "neighbor", .substitute = neighbor_substitute, .rounds = neighbor_rounds,            \
      .round = neighbor_round,                                                                     \
      .help = "P/2 steps: exchanges of two blocks with either neighbour in turn; odd P: ring" },   \
    { .name = "two_proc", .unfit = unless_two, .rounds = rounds_to_all, .round = ring_round,       \
      .help = "two ranks exchange their blocks; the library refuses it among more" }

const struct algorithm allgather_rows[] = {
    { .name = "linear",
      .recipe = &(const struct sequence){ { { WAY_UP, .buf = { BUF_DATA, BUF_SEND, BUF_RECV,
                BUF_TEMP } }, { WAY_DOWN, .of_all = 1, .buf = { BUF_RECV,
                [BUF_TEMP] = BUF_TEMP } } } },
      .prepare = sequence_prepare, .rounds = sequence_rounds, .round = sequence_round,
      .temp_bytes = sequence_temp_bytes,
      .help = "the gather to rank 0 and then the broadcast that Open MPI chooses" },
    { .name = "bruck", .rounds = bruck_rounds, .round = bruck_round, .temp_bytes = bruck_temp,
      .help = "ceil(log2 P) steps to the rank 2^k to the left, then the blocks are turned in "
              "memory" },
    { .name = "recursive_doubling", .substitute = doubling_substitute, .rounds = rounds_of_doubling,
      .round = doubling_round,
      .help = "log2 P steps: exchanges of all there is with rank XOR 2^k; else than 2^n ranks: "
              "bruck" },
    NEIGHBOURS,
    { .name = "mpich_brucks", .rounds = scratch_bruck_rounds, .round = scratch_bruck_round,
      .temp_bytes = scratch_bruck_temp,
      .help = "MPICH: as bruck, gathered in scratch and copied from there" },
    { .name = "mpich_recursive_doubling", .substitute = mpich_doubling_substitute,
      .rounds = rounds_of_doubling, .round = doubling_round,
      .help = "MPICH: as recursive_doubling, for 2^n ranks only" },
    { .name = "mpich_ring", .rounds = rounds_to_all, .round = ring_round,
      .help = "MPICH: as ring" },
    { .name = NULL },
};

const struct algorithm allgatherv_rows[] = {
    { .name = "gatherv_bcast",
      .recipe = &(const struct sequence){ { { WAY_DOWN, .of_all = 1, .as_one = 1,
                .buf = { BUF_RECV } } } },
      .prepare = sequence_prepare, .rounds = gatherv_bcast_rounds, .round = gatherv_bcast_round,
      .help = "a linear gather to rank 0 and then the broadcast that Open MPI chooses" },
    { .name = "bruck", .rounds = scratch_bruck_rounds, .round = scratch_bruck_round,
      .temp_bytes = scratch_bruck_temp,
      .help = "ceil(log2 P) steps to the rank 2^k to the left" },
    NEIGHBOURS,
    { .name = "mpich_brucks", .rounds = scratch_bruck_rounds, .round = scratch_bruck_round,
      .temp_bytes = scratch_bruck_temp,
      .help = "MPICH: as bruck" },
    { .name = "mpich_recursive_doubling", .substitute = mpich_doubling_substitute,
      .rounds = rounds_of_doubling, .round = doubling_round,
      .help = "MPICH: log2 P steps: exchanges of all there is with rank XOR 2^k; for 2^n ranks "
              "only" },
    { .name = "mpich_ring", .rounds = pieces_rounds, .round = pieces_round,
      .help = "MPICH: as ring, in pieces of at most 32 KiB; no empty message" },
    { .name = NULL },
};
/* clang-format on */
