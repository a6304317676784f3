/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_trees.c - MPICH's algorithms over trees with a fan-out
 * (src/mpi/coll, bcast_intra_tree.c, bcast_intra_pipelined_tree.c,
 * allreduce_intra_tree.c, algorithms/treealgo, 4.2.1), over the trees that they take
 * unless told: k-ary ones of a broadcast, k-nomial ones of an allreduce.
 *
 * A message is cut into chunks of the segment size, the first of them with what is left over. */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/steps.h"

static struct part chunk_of(const struct schedule *s, uint64_t k)
{
    const struct part all = whole(s);
    const uint64_t first = s->bytes - (s->segments - 1) * all.segment_bytes;
    return k == 0 ? part_of(0, first, 0)
                  : part_of(first + (k - 1) * all.segment_bytes, all.segment_bytes, 0);
}

/* ---- broadcast: a chunk comes in while the one before goes to all children at once ---- */

static uint64_t bcast_rounds(const struct schedule *s, int rank)
{
    const int v = shifted(s, rank);
    return s->segments + (v > 0 && tree_kary.child(s->procs, s->fanout, v, 0) >= 0);
}

static void bcast_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int v = shifted(s, rank);
    const uint64_t behind = v > 0, next = k - behind;
    if (v > 0 && k < s->segments) {
        const struct part take = chunk_of(s, k);
        round_recv(out, BUF_DATA, take.offset, take.bytes,
                   unshifted(s, tree_kary.parent(s->procs, s->fanout, v)));
    }
    if (k < behind)
        return;
    const struct part give = chunk_of(s, next);
    for (int i = 0, c; (c = tree_kary.child(s->procs, s->fanout, v, i)) >= 0; i++)
        round_send(out, BUF_DATA, give.offset, give.bytes, unshifted(s, c));
}

/* ---- allreduce: chunk by chunk, up the tree of rank 0 from one child after the other, and down
 * again to all children at once ---- */

/* An operation that does not commute keeps the order of ranks. */
static void combine(const struct schedule *s, const struct part *p, struct round *out)
{
    if (!s->ordered) {
        round_reduce(out, BUF_RECV, p->offset, BUF_TEMP, 0, p->bytes);
        return;
    }
    round_reduce(out, BUF_TEMP, 0, BUF_RECV, p->offset, p->bytes);
    round_copy(out, BUF_RECV, p->offset, BUF_TEMP, 0, p->bytes);
}

static void take_child(const struct schedule *s, struct steps *steps, const struct part *p,
                       int rank, int i)
{
    if (!steps_next(steps, 0))
        return;
    round_recv(steps->out, BUF_TEMP, 0, p->bytes,
               tree_knomial_consecutive.child(s->procs, s->fanout, rank, i));
    if (i == 0)
        round_copy(steps->out, BUF_RECV, p->offset, BUF_SEND, p->offset, p->bytes);
    combine(s, p, steps->out);
}

static void ask_parent(const struct schedule *s, struct steps *steps, const struct part *p,
                       int rank, int leaf)
{
    const int parent = tree_knomial_consecutive.parent(s->procs, s->fanout, rank);
    if (steps_next(steps, 0))
        round_send(steps->out, leaf ? BUF_SEND : BUF_RECV, p->offset, p->bytes, parent);
    if (steps_next(steps, 0))
        round_recv(steps->out, BUF_RECV, p->offset, p->bytes, parent);
}

static uint64_t rounds_of_segment(int rank, int children)
{
    return (uint64_t)(children + (children > 0) + 2 * (rank > 0));
}

static uint64_t tree_rounds(const struct schedule *s, int rank)
{
    const int children = tree_count_children(&tree_knomial_consecutive, s->procs, s->fanout, rank);
    return s->segments * rounds_of_segment(rank, children);
}

static void tree_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct tree *tree = &tree_knomial_consecutive;
    const int children = tree_count_children(tree, s->procs, s->fanout, rank);
    const uint64_t each = rounds_of_segment(rank, children);
    const struct part p = chunk_of(s, k / each);
    struct steps steps = { 0, k % each, out };
    for (int i = 0; i < children; i++)
        take_child(s, &steps, &p, rank, i);
    if (rank > 0)
        ask_parent(s, &steps, &p, rank, children == 0);
    if (children && steps_next(&steps, 0))
        for (int i = 0; i < children; i++)
            round_send(out, BUF_RECV, p.offset, p.bytes, tree->child(s->procs, s->fanout, rank, i));
}

/* clang-format off */
const struct algorithm bcast_mpich_trees[] = {
    { .name = "mpich_tree", .group = "messages",
      .default_fanout = MPICH_RADIX, .min_fanout = 1, .rounds = bcast_rounds, .round = bcast_round,
      .help = "MPICH: the whole message down a k-ary tree (fan-out K, 2 by default), to all at "
              "once" },
    { .name = "mpich_pipelined_tree", .group = "messages", .segmented = 1,
      .default_fanout = MPICH_RADIX, .min_fanout = 1, .rounds = bcast_rounds, .round = bcast_round,
      .help = "MPICH: segments down a k-ary tree (fan-out K, 2 by default), the odd one first" },
    { .name = NULL },
};

const struct algorithm allreduce_mpich_tree[] = {
    { .name = "mpich_tree", .segmented = 1, .default_fanout = MPICH_RADIX, .min_fanout = 2,
      .in_order = IN_ORDER_IF_ASKED, .rounds = tree_rounds, .round = tree_round,
      .temp_bytes = temp_of_message,
      .help = "MPICH: segments up a k-nomial tree (fan-out K, 2 by default) to rank 0, and down" },
    { .name = NULL },
};
/* clang-format on */
