/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather.c - allgather. Buffers: SEND (bytes) and RECV (procs x bytes) on every rank; the block
 * of rank r is at r x bytes of RECV. There is no root.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_allgather.c) with MPI_BYTE
 * elements, and for mpich_* of MPICH 4.0.2 (src/mpi/coll/allgather). MPI_Allgather of zero bytes
 * returns before any algorithm in both: no messages.
 *
 * Round k of every rank is step k of the algorithm; what follows the last step is local work. The
 * libraries copy a rank's own block to RECV and send it from there. Here step 0 sends it from SEND
 * and copies it, which is as many bytes.
 *
 * Not here: Open MPI's basic_linear, which is whatever gather and broadcast the library chooses,
 * and two_proc, which it refuses to run among more. */
#include "workloads/schedules/parts.h"
#include "workloads/schedules/portable.h"

static const struct algorithm bruck_row, ring_row, mpich_brucks_row; /* below */

/* Smallest n with 2^n >= procs. */
static uint64_t ceil_log2(int procs)
{
    uint64_t n = 0;
    while ((UINT64_C(1) << n) < (uint64_t)procs)
        n++;
    return n;
}

static int is_power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

/* A rank's own block, sent in step 0, goes to where it stays in a buffer. */
static void keep_own(const struct schedule *s, enum op_buffer buf, int block, struct round *out)
{
    round_copy(out, buf, (uint64_t)block * s->bytes, BUF_SEND, 0, s->bytes);
}

/* The only round of one process. */
static void alone(const struct schedule *s, struct round *out)
{
    keep_own(s, BUF_RECV, 0, out);
}

/* What a rank exchanges in a step: `sent` blocks from block `from` on for `got` blocks that come to
 * block `into`. */
struct step {
    int dst, from, sent;
    int src, into, got;
};

/* Step k on a buffer in which the own block is block `own`. */
static void exchange(const struct schedule *s, enum op_buffer buf, int own, uint64_t k,
                     const struct step *e, struct round *out)
{
    const uint64_t m = s->bytes;
    round_recv(out, buf, (uint64_t)e->into * m, (uint64_t)e->got * m, e->src);
    if (k > 0) {
        round_send(out, buf, (uint64_t)e->from * m, (uint64_t)e->sent * m, e->dst);
        return;
    }
    round_send(out, BUF_SEND, 0, m, e->dst);
    keep_own(s, buf, own, out);
}

/* ---- ring: in step k a rank passes on to the right the block that is k places to its left ---- */

static uint64_t ring_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    if (s->bytes == 0)
        return 0;
    return s->procs == 1 ? 1 : (uint64_t)s->procs - 1;
}

static void ring_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (s->procs == 1) {
        alone(s, out);
        return;
    }
    const struct step e = { .dst = rank_after(s, rank, 1),
                            .from = rank_before(s, rank, (int)k),
                            .sent = 1,
                            .src = rank_before(s, rank, 1),
                            .into = rank_before(s, rank, (int)k + 1),
                            .got = 1 };
    exchange(s, BUF_RECV, rank, k, &e, out);
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
    return s->bytes == 0 ? 0 : (uint64_t)s->procs / 2;
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
    exchange(s, BUF_RECV, rank, k, &e, out);
}

/* ---- recursive doubling: in step k groups of 2^k ranks exchange all that they have ---- */

static uint64_t doubling_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    if (s->bytes == 0)
        return 0;
    return s->procs == 1 ? 1 : ceil_log2(s->procs);
}

static void doubling_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (s->procs == 1) {
        alone(s, out);
        return;
    }
    const int group = 1 << k, partner = rank ^ group;
    const struct step e = { .dst = partner,
                            .from = rank & -group,
                            .sent = group,
                            .src = partner,
                            .into = partner & -group,
                            .got = group };
    exchange(s, BUF_RECV, rank, k, &e, out);
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
    exchange(s, buf, 0, k, &e, out);
}

static uint64_t bruck_rounds(const struct schedule *s, int rank)
{
    return doubling_rounds(s, rank) + (s->bytes > 0 && rank > 0);
}

static void bruck_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (s->procs == 1) {
        alone(s, out);
    } else if (k < ceil_log2(s->procs)) {
        bruck_step(s, BUF_RECV, rank, k, out);
    } else {
        const uint64_t low = (uint64_t)rank * s->bytes;
        const uint64_t high = (uint64_t)(s->procs - rank) * s->bytes;
        round_copy(out, BUF_TEMP, 0, BUF_RECV, 0, high);
        round_copy(out, BUF_RECV, 0, BUF_RECV, high, low);
        round_copy(out, BUF_RECV, low, BUF_TEMP, 0, high);
    }
}

static uint64_t bruck_temp(const struct schedule *s, int rank)
{
    return rank > 0 ? (uint64_t)(s->procs - rank) * s->bytes : 0;
}

static uint64_t mpich_brucks_rounds(const struct schedule *s, int rank)
{
    return doubling_rounds(s, rank) + (s->bytes > 0 && s->procs > 1);
}

static void mpich_brucks_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (s->procs == 1) {
        alone(s, out);
    } else if (k < ceil_log2(s->procs)) {
        bruck_step(s, BUF_TEMP, rank, k, out);
    } else {
        const uint64_t low = (uint64_t)rank * s->bytes;
        const uint64_t high = (uint64_t)(s->procs - rank) * s->bytes;
        round_copy(out, BUF_RECV, low, BUF_TEMP, 0, high);
        if (rank > 0)
            round_copy(out, BUF_RECV, 0, BUF_TEMP, high, low);
    }
}

static uint64_t mpich_brucks_temp(const struct schedule *s, int rank)
{
    (void)rank;
    return (uint64_t)s->procs * s->bytes;
}

/* ---- what runs instead ---- */

static const struct algorithm *doubling_substitute(const struct schedule *s)
{
    return is_power_of_two(s->procs) ? NULL : &bruck_row;
}

static const struct algorithm *neighbor_substitute(const struct schedule *s)
{
    return s->procs % 2 ? &ring_row : NULL;
}

/* Forced, MPICH refuses it (it is not planned then); unforced it would go the way of Bruck. */
static const struct algorithm *mpich_doubling_substitute(const struct schedule *s)
{
    return is_power_of_two(s->procs) ? NULL : &mpich_brucks_row;
}

/* ---- the table's rows ---- */

static const struct algorithm ring_row = {
    .name = "ring",
    .collective = "allgather",
    .help = "P - 1 steps: every rank passes a block on to its right-hand neighbour",
    .rounds = ring_rounds,
    .round = ring_round,
};

static const struct algorithm neighbor_row = {
    .name = "neighbor",
    .collective = "allgather",
    .help = "P/2 steps: exchanges of two blocks with either neighbour in turn; odd P: ring",
    .substitute = neighbor_substitute,
    .rounds = neighbor_rounds,
    .round = neighbor_round,
};

static const struct algorithm recursive_doubling_row = {
    .name = "recursive_doubling",
    .collective = "allgather",
    .help = "log2 P steps: exchanges of all there is with rank XOR 2^k; else than 2^n ranks: bruck",
    .substitute = doubling_substitute,
    .rounds = doubling_rounds,
    .round = doubling_round,
};

static const struct algorithm bruck_row = {
    .name = "bruck",
    .collective = "allgather",
    .help = "ceil(log2 P) steps to the rank 2^k to the left, then the blocks are turned in memory",
    .rounds = bruck_rounds,
    .round = bruck_round,
    .temp_bytes = bruck_temp,
};

static const struct algorithm mpich_brucks_row = {
    .name = "mpich_brucks",
    .collective = "allgather",
    .help = "MPICH: as bruck, gathered in scratch and copied from there",
    .rounds = mpich_brucks_rounds,
    .round = mpich_brucks_round,
    .temp_bytes = mpich_brucks_temp,
};

static const struct algorithm mpich_recursive_doubling_row = {
    .name = "mpich_recursive_doubling",
    .collective = "allgather",
    .help = "MPICH: as recursive_doubling, for 2^n ranks only",
    .substitute = mpich_doubling_substitute,
    .rounds = doubling_rounds,
    .round = doubling_round,
};

static const struct algorithm mpich_ring_row = {
    .name = "mpich_ring",
    .collective = "allgather",
    .help = "MPICH: as ring",
    .rounds = ring_rounds,
    .round = ring_round,
};

const struct algorithm *const allgather_algorithms[] = {
    &bruck_row,      &recursive_doubling_row, &ring_row,
    &neighbor_row,   &mpich_brucks_row,       &mpich_recursive_doubling_row,
    &mpich_ring_row, PORTABLE_ALLGATHER,      NULL,
};
