/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.c - barrier. No buffers: every message is empty. There is no root.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_barrier.c), and for mpich_* of
 * MPICH 4.0.2 (src/mpi/coll/barrier). One process returns before any algorithm: no messages. */
#include "workloads/schedules/algorithm_rows.h"

static void send_empty(int dst, struct round *out)
{
    round_send(out, BUF_DATA, 0, 0, dst);
}

static void recv_empty(int src, struct round *out)
{
    round_recv(out, BUF_DATA, 0, 0, src);
}

/* A message each way, at one time. */
static void exchange(int src, int dst, struct round *out)
{
    recv_empty(src, out);
    send_empty(dst, out);
}

/* ---- linear: rank 0 waits for all others, then tells one after the other ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    return rank == 0 ? (uint64_t)s->procs : 2;
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    out->phase = k > 0;
    if (rank > 0 && k == 0)
        send_empty(0, out);
    else if (rank > 0)
        recv_empty(0, out);
    else if (k > 0)
        send_empty((int)k, out);
    for (int src = 1; rank == 0 && k == 0 && src < s->procs; src++)
        recv_empty(src, out);
}

/* ---- double ring: a message goes around the ring from rank 0 on, twice ---- */

static uint64_t ring_rounds(const struct schedule *s, int rank)
{
    (void)s, (void)rank;
    return 4;
}

static void ring_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if ((k % 2 == 0) == (rank == 0))
        send_empty(rank_after(s, rank, 1), out);
    else
        recv_empty(rank_before(s, rank, 1), out);
}

/* ---- recursive doubling: in step k exchanges with rank XOR 2^k among the first 2^n ranks; each
 * further rank exchanges with one of these: its message goes there before, the answer comes after.
 * The further rank waits for the answer from the beginning on. ---- */

static int group_of(const struct schedule *s)
{
    return 1 << floor_log2((unsigned)s->procs);
}

static int has_further(const struct schedule *s, int rank)
{
    return rank + group_of(s) < s->procs;
}

static uint64_t doubling_rounds(const struct schedule *s, int rank)
{
    if (s->procs == 1)
        return 0;
    if (rank >= group_of(s))
        return 1;
    return (uint64_t)(floor_log2((unsigned)s->procs) + 2 * has_further(s, rank));
}

static void doubling_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int group = group_of(s), before = has_further(s, rank), step = (int)k - before;
    if (rank >= group)
        exchange(rank - group, rank - group, out);
    else if (step < 0)
        recv_empty(rank + group, out);
    else if (step == floor_log2((unsigned)s->procs))
        send_empty(rank + group, out);
    else
        exchange(rank ^ 1 << step, rank ^ 1 << step, out);
}

/* ---- Bruck, or dissemination: in step k to the rank 2^k places after, from the one before ---- */

static void bruck_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    exchange(rank_before(s, rank, 1 << k), rank_after(s, rank, 1 << k), out);
}

/* ---- the same with K - 1 messages a step, each to a rank K^n places after the one before. Around
 * the end a rank may be met again, or itself ---- */

static int radix_of(const struct schedule *s)
{
    return s->fanout < s->procs ? s->fanout : s->procs;
}

static uint64_t k_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    uint64_t n = 0;
    for (long long held = 1; held < s->procs; held *= radix_of(s))
        n++;
    return n;
}

static void k_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    long long shift = 1;
    while (k-- > 0)
        shift *= radix_of(s);
    for (int i = 1; i < radix_of(s); i++) {
        const int far = (int)(i * shift % s->procs);
        if (far)
            exchange(rank_before(s, rank, far), rank_after(s, rank, far), out);
    }
}

/* ---- tree: up a binomial tree to rank 0, smallest subtrees first, and down, largest first ---- */

static uint64_t tree_rounds(const struct schedule *s, int rank)
{
    const int children = tree_count_children(&tree_binomial_low, s->procs, 0, rank);
    return (uint64_t)(2 * children + 2 * (rank > 0));
}

static void tree_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int children = tree_count_children(&tree_binomial_low, s->procs, 0, rank);
    const int i = (int)k - children - 2 * (rank > 0);
    out->phase = (int)k >= children + (rank > 0);
    if ((int)k < children)
        recv_empty(tree_binomial_ascending.child(s->procs, 0, rank, (int)k), out);
    else if (i >= 0)
        send_empty(tree_binomial_low.child(s->procs, 0, rank, i), out);
    else if (i == -2)
        send_empty(tree_binomial_low.parent(s->procs, 0, rank), out);
    else
        recv_empty(tree_binomial_low.parent(s->procs, 0, rank), out);
}

/* ---- two ranks exchange a message; one has nobody to wait for ---- */

static const char *more_than_two(const struct schedule *s)
{
    return s->procs > 2 ? unless_two(s) : NULL;
}

/* clang-format off */
const struct algorithm barrier_rows[] = {
    { .name = "linear", .rounds = linear_rounds, .round = linear_round,
      .help = "rank 0 waits for a message of every rank, then sends one to each" },
    { .name = "double_ring", .rounds = ring_rounds, .round = ring_round,
      .help = "a message goes around all ranks, twice" },
    { .name = "recursive_doubling", .rounds = doubling_rounds, .round = doubling_round,
      .help = "exchanges with rank XOR 2^k; ranks beyond 2^n have one of these speak for them" },
    { .name = "bruck", .rounds = rounds_of_doubling, .round = bruck_round,
      .help = "ceil(log2 P) steps: to the rank 2^k places after, from the one before" },
    { .name = "two_proc", .unfit = more_than_two, .rounds = rounds_of_doubling,
      .round = bruck_round,
      .help = "two ranks exchange a message; the library refuses it among more" },
    { .name = "tree", .rounds = tree_rounds, .round = tree_round,
      .help = "up a binomial tree to rank 0, and down" },
    { .name = "mpich_dissemination", .always = "mpich40",
      .rounds = rounds_of_doubling, .round = bruck_round,
      .help = "MPICH: as bruck" },
    { .name = "mpich_k_dissemination", .group = "messages",
      .default_fanout = MPICH_RADIX, .min_fanout = 2, .rounds = k_rounds, .round = k_round,
      .help = "MPICH: ceil(log_K P) steps of K - 1 messages (fan-out K, 2 by default)" },
    { .name = NULL },
};
/* clang-format on */
