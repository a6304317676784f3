/* SPDX-License-Identifier: BSD-3-Clause */
/* gather.c - gather to the root. Buffers: SEND (bytes) on every rank; RECV (procs x bytes) at the
 * root, the block of rank r at r x bytes.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_gather.c), and for mpich_* of
 * MPICH 4.0.2 (src/mpi/coll/gather). MPI_Gather of zero bytes returns before any algorithm in both:
 * no messages. */
#include "workloads/schedules/algorithm_rows.h"

static void keep_own_block(const struct schedule *s, struct round *out)
{
    round_copy(out, BUF_RECV, (uint64_t)s->root * s->bytes, BUF_SEND, 0, s->bytes);
}

/* ---- linear: everybody sends at once; the root receives by rank, one after the other ---- */

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank != s->root)
        round_send(out, BUF_SEND, 0, s->bytes, s->root);
    else if ((int)k == s->root)
        keep_own_block(s, out);
    else
        round_recv(out, BUF_RECV, k * s->bytes, s->bytes, (int)k);
}

/* ---- linear with synchronisation: the root asks each rank in turn by an empty message, for a
 * first segment, and waits for it before it asks the next; the rest of the block (a message even
 * when there is no rest) comes while the next rank is asked ---- */

static uint64_t first_segment(const struct schedule *s)
{
    return s->segments == 1 ? s->bytes : s->segment_bytes;
}

/* The i-th rank that is asked. */
static int asked(const struct schedule *s, int i)
{
    return i < s->root ? i : i + 1;
}

static uint64_t sync_rounds(const struct schedule *s, int rank)
{
    return rank == s->root ? (uint64_t)s->procs : 3;
}

static void sync_root_round(const struct schedule *s, int k, struct round *out)
{
    uint64_t first = first_segment(s);
    if (k > 0) {
        int src = asked(s, k - 1);
        round_recv(out, BUF_RECV, (uint64_t)src * s->bytes + first, s->bytes - first, src);
    }
    if (k == s->procs - 1) {
        keep_own_block(s, out);
        return;
    }
    int src = asked(s, k);
    round_recv(out, BUF_RECV, (uint64_t)src * s->bytes, first, src);
    round_send(out, BUF_RECV, 0, 0, src);
}

static void sync_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    uint64_t first = first_segment(s);
    if (rank == s->root)
        sync_root_round(s, (int)k, out);
    else if (k == 0)
        round_recv(out, BUF_SEND, 0, 0, s->root);
    else if (k == 1)
        round_send(out, BUF_SEND, 0, first, s->root);
    else
        round_send(out, BUF_SEND, first, s->bytes - first, s->root);
}

/* ---- binomial: up a tree in which each subtree is of consecutive ranks, counted from the root;
 * the smallest first. The root turns the blocks to the order of ranks, unless it is rank 0. MPICH
 * receives most of them where they stay, in the same messages. ---- */

/* Where a rank has the blocks of its subtree. */
static enum op_buffer held_in(const struct schedule *s, int v)
{
    return v == 0 && s->root == 0 ? BUF_RECV : BUF_TEMP;
}

static uint64_t binomial_rounds(const struct schedule *s, int rank)
{
    const int v = shifted(s, rank);
    return (uint64_t)(tree_count_children(&tree_binomial_ascending, s->procs, 0, v) + (v > 0));
}

static void send_subtree(const struct schedule *s, int v, struct round *out)
{
    const int size = tree_binomial_size(s->procs, v);
    round_send(out, size == 1 ? BUF_SEND : BUF_TEMP, 0, (uint64_t)size * s->bytes,
               unshifted(s, tree_binomial_ascending.parent(s->procs, 0, v)));
}

static void turn(const struct schedule *s, struct round *out)
{
    const uint64_t low = (uint64_t)s->root * s->bytes;
    const uint64_t high = (uint64_t)(s->procs - s->root) * s->bytes;
    round_copy(out, BUF_RECV, low, BUF_TEMP, 0, high);
    round_copy(out, BUF_RECV, 0, BUF_TEMP, high, low);
}

static void binomial_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int v = shifted(s, rank);
    const int child = tree_binomial_ascending.child(s->procs, 0, v, (int)k);
    if (child >= 0)
        round_recv(out, held_in(s, v), (uint64_t)(child - v) * s->bytes,
                   (uint64_t)tree_binomial_size(s->procs, child) * s->bytes, unshifted(s, child));
    else if (v > 0)
        send_subtree(s, v, out);
    if (k == 0 && (child >= 0 || v == 0))
        round_copy(out, held_in(s, v), 0, BUF_SEND, 0, s->bytes);
    if (v == 0 && s->root > 0 && k + 1 == binomial_rounds(s, rank))
        turn(s, out);
}

static uint64_t binomial_temp(const struct schedule *s, int rank)
{
    const int v = shifted(s, rank), size = tree_binomial_size(s->procs, v);
    return size == 1 || held_in(s, v) == BUF_RECV ? 0 : (uint64_t)size * s->bytes;
}

/* ---- linear, when the root says so: it calls all ranks by empty messages, one after the other,
 * and then takes their blocks as above. Ours, for experiments that end at the root before the
 * others know (harness/study/point.h). ---- */

static uint64_t called_rounds(const struct schedule *s, int rank)
{
    return rounds_of_root(s, rank) + 1;
}

static void called_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k > 0) {
        linear_round(s, rank, k - 1, out);
    } else if (rank != s->root) {
        round_recv(out, BUF_SEND, 0, 0, s->root);
    } else {
        for (int dst = 0; dst < s->procs; dst++)
            if (dst != s->root)
                round_send(out, BUF_RECV, 0, 0, dst);
    }
}

/* clang-format off */
const struct algorithm gather_rows[] = {
    { .name = "basic_linear", .rounds = rounds_of_root, .round = linear_round,
      .help = "every rank sends its block to the root at once, without synchronisation" },
    { .name = "binomial", .rounds = binomial_rounds, .round = binomial_round,
      .temp_bytes = binomial_temp,
      .help = "up a binomial tree, from each rank the blocks of its subtree" },
    { .name = "linear_sync", .segmented = 1, .rounds = sync_rounds, .round = sync_round,
      .help = "the root asks the ranks in turn; each sends a first segment, then the rest" },
    { .name = "mpich_binomial", .always = "mpich40",
      .rounds = binomial_rounds, .round = binomial_round, .temp_bytes = binomial_temp,
      .help = "MPICH: as binomial" },
    { .name = "called_linear", .rounds = called_rounds, .round = called_round,
      .help = "the root calls all ranks; each then sends its block at once (ours, for "
              "experiments)" },
    { .name = NULL },
};
/* clang-format on */
