/* SPDX-License-Identifier: BSD-3-Clause */
/* scatter.c - scatter from the root. Buffers: SEND (procs x bytes) at the root, the block of rank r
 * at r x bytes; RECV (bytes) on every rank.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_scatter.c), and for mpich_* of
 * MPICH 4.0.2 (src/mpi/coll/scatter). MPI_Scatter of zero bytes returns before any algorithm in
 * both: no messages. */
#include "workloads/schedules/algorithm_rows.h"

static void keep_own(const struct schedule *s, struct round *out)
{
    round_copy(out, BUF_RECV, 0, BUF_SEND, (uint64_t)s->root * s->bytes, s->bytes);
}

/* The root sends the rank `dst` its block, or has its own. */
static void give(const struct schedule *s, int dst, struct round *out)
{
    if (dst == s->root)
        keep_own(s, out);
    else
        round_send(out, BUF_SEND, (uint64_t)dst * s->bytes, s->bytes, dst);
}

/* ---- linear: the root sends each rank its block, by rank, one after the other ---- */

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank == s->root)
        give(s, (int)k, out);
    else
        round_recv(out, BUF_RECV, 0, s->bytes, s->root);
}

/* ---- linear without waiting: the root sends at once what it can; every so many ranks (the
 * fan-out, from rank 0 on) it waits until a block is sent. The library waits for that block alone,
 * here the root waits for those before it, too. ---- */

static int at_a_time(const struct schedule *s)
{
    return s->fanout <= 1 || s->fanout >= s->procs ? 0 : s->fanout;
}

static uint64_t nb_rounds(const struct schedule *s, int rank)
{
    const int most = at_a_time(s), others = s->procs - 1;
    return rank == s->root && most ? (uint64_t)(1 + others / most + (others % most != 0)) : 1;
}

static void nb_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int most = at_a_time(s);
    if (rank != s->root) {
        round_recv(out, BUF_RECV, 0, s->bytes, s->root);
        return;
    }
    int dst = most && k ? ((int)k - 1) * most + 1 : 0;
    const int last = most ? (int)k * most : s->procs - 1;
    for (; dst <= last && dst < s->procs; dst++)
        give(s, dst, out);
}

/* ---- binomial: down a tree in which each subtree is of consecutive ranks, counted from the root;
 * the largest first. The root turns its blocks to that order, unless it is rank 0. ---- */

/* Where a rank has the blocks of its subtree. */
static enum op_buffer held_in(const struct schedule *s, int v)
{
    return v == 0 && s->root == 0 ? BUF_SEND : BUF_TEMP;
}

/* Rounds before a rank sends. */
static int turns_or_receives(const struct schedule *s, int v)
{
    return v > 0 || s->root > 0;
}

static uint64_t binomial_rounds(const struct schedule *s, int rank)
{
    const int v = shifted(s, rank);
    return (uint64_t)(turns_or_receives(s, v) +
                      tree_count_children(&tree_binomial_low, s->procs, 0, v));
}

static void turn(const struct schedule *s, struct round *out)
{
    const uint64_t low = (uint64_t)s->root * s->bytes;
    const uint64_t high = (uint64_t)(s->procs - s->root) * s->bytes;
    keep_own(s, out);
    if (s->root == 0)
        return;
    round_copy(out, BUF_TEMP, 0, BUF_SEND, low, high);
    round_copy(out, BUF_TEMP, high, BUF_SEND, 0, low);
}

static void receive_subtree(const struct schedule *s, int v, struct round *out)
{
    const int parent = unshifted(s, tree_binomial_low.parent(s->procs, 0, v));
    const int size = tree_binomial_size(s->procs, v);
    if (size == 1) {
        round_recv(out, BUF_RECV, 0, s->bytes, parent);
        return;
    }
    round_recv(out, BUF_TEMP, 0, (uint64_t)size * s->bytes, parent);
    round_copy(out, BUF_RECV, 0, BUF_TEMP, 0, s->bytes);
}

static void binomial_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int v = shifted(s, rank), before = turns_or_receives(s, v);
    if ((int)k < before) {
        if (v > 0)
            receive_subtree(s, v, out);
        else
            turn(s, out);
        return;
    }
    const int child = tree_binomial_low.child(s->procs, 0, v, (int)k - before);
    round_send(out, held_in(s, v), (uint64_t)(child - v) * s->bytes,
               (uint64_t)tree_binomial_size(s->procs, child) * s->bytes, unshifted(s, child));
    if (k == 0)
        keep_own(s, out);
}

static uint64_t binomial_temp(const struct schedule *s, int rank)
{
    const int v = shifted(s, rank), size = tree_binomial_size(s->procs, v);
    return size == 1 || held_in(s, v) == BUF_SEND ? 0 : (uint64_t)size * s->bytes;
}

/* clang-format off */
const struct algorithm scatter_rows[] = {
    { .name = "basic_linear", .rounds = rounds_of_root, .round = linear_round,
      .help = "the root sends each rank its block, one after the other" },
    { .name = "binomial", .rounds = binomial_rounds, .round = binomial_round,
      .temp_bytes = binomial_temp,
      .help = "down a binomial tree, to each rank the blocks of its subtree" },
    { .name = "linear_nb", .default_fanout = FANOUT_UNLIMITED, .rounds = nb_rounds,
      .round = nb_round,
      .help = "linear, all at once; or the root waits every so many ranks (fan-out)" },
    { .name = "mpich_binomial", .always = "mpich40",
      .rounds = binomial_rounds, .round = binomial_round, .temp_bytes = binomial_temp,
      .help = "MPICH: as binomial" },
    { .name = NULL },
};
/* clang-format on */
