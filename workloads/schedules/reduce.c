/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce.c - reduction to the root. Buffers: SEND, a rank's own contribution, which stays as it is;
 * RECV, the result, at the root; TEMP, what a rank has combined so far and what has just come in.
 * Messages are cut between elements.
 *
 * The messages (who to whom, how many, of which bytes, in which order) are those of Open MPI 4.1.4
 * (ompi/mca/coll/base/coll_base_reduce.c) with an operation that commutes, and for mpich_* of MPICH
 * 4.0.2 (src/mpi/coll/reduce). The library's max_requests is the fan-out of pipeline and of the
 * trees: so many sends of a leaf are under way at a time where it has more segments than that;
 * else, and by default, one follows the other. A chain has a fan-out of its own: there the limit is
 * named behind it ("chain.8"). MPI_Reduce of no elements returns before any algorithm in both: no
 * messages. One process copies its contribution. */
#include "workloads/schedules/bine.h"
#include "workloads/schedules/halving.h"
#include "workloads/schedules/algorithm_rows.h"

/* ---- where things are ---- */

/* Bytes of a rank's buffers by position in the message. */
static void send_part(enum op_buffer buf, struct part p, int dst, struct round *out)
{
    round_send(out, buf, p.offset, p.bytes, dst);
}

static void recv_part(enum op_buffer buf, struct part p, int src, struct round *out)
{
    round_recv(out, buf, p.offset, p.bytes, src);
}

/* The sum is made in the result's place at the root, elsewhere in TEMP, from its start. */
static enum op_buffer sum_buffer(const struct schedule *s, int rank)
{
    return rank == s->root ? BUF_RECV : BUF_TEMP;
}

/* Where TEMP goes on behind the sum. */
static uint64_t inbox_at(const struct schedule *s, enum op_buffer sum)
{
    return sum == BUF_TEMP ? s->bytes : 0;
}

/* ---- segments up a tree: the library's reduce_generic. A rank takes segment k of its children one
 * after the other and sends segment k - 1 on while the first one's comes in. The first child's goes
 * where the sum is made, the others' into two inboxes in turn, so that the next can come in while
 * one is combined. ---- */

static const struct tree *tree_of(const struct schedule *s)
{
    return s->alg->recipe;
}

/* In the tree of consecutive ranks v is counted from the last one, and the order kept. */
static int position(const struct schedule *s, int rank)
{
    return s->alg->in_order ? s->procs - 1 - rank : shifted(s, rank);
}

static int rank_at(const struct schedule *s, int v)
{
    return s->alg->in_order ? s->procs - 1 - v : unshifted(s, v);
}

/* A rank in its tree. */
struct node {
    int v, children;
    enum op_buffer sum;
    struct part all;
};

static struct node node_of(const struct schedule *s, int rank)
{
    struct node n = { .v = position(s, rank), .all = whole(s) };
    n.children = tree_count_children(tree_of(s), s->procs, s->fanout, n.v);
    n.sum = n.v == 0 ? sum_buffer(s, rank) : BUF_TEMP;
    return n;
}

/* In order, the top of the tree is the last rank, which then sends the result to another root. */
static int takes_part_in_hand_over(const struct schedule *s, int rank)
{
    return (s->alg->in_order && s->root != s->procs - 1) &&
           (rank == s->root || rank == s->procs - 1);
}

/* Segments that a leaf has under way at a time: the fan-out, or the limit beside it. */
static uint64_t at_a_time(const struct schedule *s)
{
    const uint64_t limit =
        (uint64_t)(s->alg->default_fanout == FANOUT_UNLIMITED ? s->fanout : s->limit);
    return limit && limit < s->segments ? limit : 1;
}

/* Rounds without the hand-over. */
static uint64_t climb_rounds(const struct schedule *s, const struct node *n)
{
    return n->children ? n->all.segments * (uint64_t)n->children + (n->v > 0)
                       : (n->all.segments - 1) / at_a_time(s) + 1;
}

static uint64_t flow_rounds(const struct schedule *s, int rank)
{
    struct node n = node_of(s, rank);
    return climb_rounds(s, &n) + (uint64_t)takes_part_in_hand_over(s, rank);
}

/* Segment k of child i: comes in, and is combined. */
static void take_segment(const struct schedule *s, const struct node *n, uint64_t k, int i,
                         struct round *out)
{
    int child = rank_at(s, tree_of(s)->child(s->procs, s->fanout, n->v, i));
    struct part segment = segment_of(&n->all, k);
    uint64_t inbox = s->alg->in_order ? k * (uint64_t)n->children + (uint64_t)i : (uint64_t)i - 1;
    if (i == 0 && !s->alg->in_order) {
        recv_part(n->sum, segment, child, out);
        /* Combines what the rank has itself into what came in. */
        round_reduce(out, n->sum, segment.offset, BUF_SEND, segment.offset, segment.bytes);
        return;
    }
    uint64_t at = inbox_at(s, n->sum) + inbox % 2 * n->all.segment_bytes;
    round_recv(out, BUF_TEMP, at, segment.bytes, child);
    if (i == 0)
        round_copy(out, n->sum, segment.offset, BUF_SEND, segment.offset, segment.bytes);
    round_reduce(out, n->sum, segment.offset, BUF_TEMP, at, segment.bytes);
}

static void climb_round(const struct schedule *s, const struct node *n, uint64_t round,
                        struct round *out)
{
    int parent = n->v ? rank_at(s, tree_of(s)->parent(s->procs, s->fanout, n->v)) : -1;
    if (n->children == 0) {
        const uint64_t first = round * at_a_time(s), end = first + at_a_time(s);
        for (uint64_t k = first; k < end && k < n->all.segments; k++)
            send_part(BUF_SEND, segment_of(&n->all, k), parent, out);
        return;
    }
    uint64_t k = round / (uint64_t)n->children;
    int i = (int)(round % (uint64_t)n->children);
    if (n->v > 0 && i == 0 && k > 0)
        send_part(n->sum, segment_of(&n->all, k - 1), parent, out);
    if (k < n->all.segments)
        take_segment(s, n, k, i, out);
}

static void hand_over(const struct schedule *s, const struct node *n, struct round *out)
{
    if (n->v == 0)
        round_send(out, n->sum, 0, s->bytes, s->root);
    else
        round_recv(out, BUF_RECV, 0, s->bytes, s->procs - 1);
}

static void flow_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct node n = node_of(s, rank);
    if (k < climb_rounds(s, &n))
        climb_round(s, &n, k, out);
    else
        hand_over(s, &n, out);
}

static uint64_t flow_temp(const struct schedule *s, int rank)
{
    struct node n = node_of(s, rank);
    int inboxes = s->alg->in_order ? 2 : n.children - 1;
    if (n.children == 0)
        return 0;
    return inbox_at(s, n.sum) + (uint64_t)(inboxes < 2 ? inboxes : 2) * n.all.segment_bytes;
}

/* ---- linear: the root takes the ranks one after the other, from the last one down, so that the
 * order of the operands is that of the ranks ---- */

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank != s->root) {
        round_send(out, BUF_SEND, 0, s->bytes, s->root);
        return;
    }
    int src = s->procs - 1 - (int)k;
    enum op_buffer from = src == s->root ? BUF_SEND : BUF_TEMP;
    if (src != s->root)
        round_recv(out, k ? BUF_TEMP : BUF_RECV, 0, s->bytes, src);
    if (k > 0)
        round_reduce(out, BUF_RECV, 0, from, 0, s->bytes);
    else if (src == s->root)
        round_copy(out, BUF_RECV, 0, BUF_SEND, 0, s->bytes);
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    return rank == s->root ? s->bytes : 0;
}

/* ---- Rabenseifner: folding and halving (halving.h), then a binomial gather to the root ---- */

/* Rank 0 gives its part to a root that has left; from then on that is v = 0. */
static void change_root(struct halving *h)
{
    const struct part first = halving_window(h, 0, h->fold.levels);
    if (h->rank == h->s->root) {
        if (steps_next(&h->steps, 2))
            recv_part(h->sum, first, 0, h->steps.out);
        h->v = 0;
    } else if (h->v == 0) {
        if (steps_next(&h->steps, 2))
            send_part(h->sum, first, h->s->root, h->steps.out);
        h->v = -1;
    }
}

/* Whoever is on the root's side of the pair takes the other's window. top: the root's number; -1:
 * it took the place of v = 0. Returns 1 when the rank has sent its own and is done. */
static int gather_step(struct halving *h, int step, int top)
{
    int partner = h->v ^ (1 << step);
    int peer = partner == 0 && top < 0 ? h->s->root : fold_rank(&h->fold, partner);
    int sends = partner >> step == (top < 0 ? 0 : top) >> step;
    struct part p = halving_window(h, sends ? h->v : partner, step + 1);
    if (steps_next(&h->steps, 2)) {
        if (sends)
            send_part(h->sum, p, peer, h->steps.out);
        else
            recv_part(h->sum, p, peer, h->steps.out);
    }
    return sends;
}

/* Writes round `wanted` of the rank into out, or counts the rounds when out is NULL. */
static uint64_t halving_walk(const struct schedule *s, int rank, uint64_t wanted, struct round *out)
{
    const enum op_buffer sum = sum_buffer(s, rank);
    struct halving h = halving_of(s, rank, sum, inbox_at(s, sum), wanted, out);
    const int top = fold_number(&h.fold, s->root);
    halving_fold(&h);
    halving_scatter(&h);
    if (top < 0)
        change_root(&h);
    for (int step = h.fold.levels - 1; h.v >= 0 && step >= 0; step--)
        if (gather_step(&h, step, top))
            break;
    return h.steps.n;
}

/* The sum, and what comes in: less than the message. */
static uint64_t halving_temp(const struct schedule *s, int rank)
{
    return inbox_at(s, sum_buffer(s, rank)) + s->bytes;
}

/* One chain is a pipeline. */
static const char *chain_substitute(const struct schedule *s)
{
    return s->fanout == 1 ? "pipeline" : NULL;
}

static const char *rabenseifner_substitute(const struct schedule *s)
{
    return halving_is_too_short(s) ? "linear" : NULL;
}

/* MPICH has it for operations of MPI's alone. */
static const char *mpich_scatter_substitute(const struct schedule *s)
{
    return halving_is_too_short(s) || s->users ? "mpich_binomial" : NULL;
}

/* clang-format off */
#define FLOW(tree)                                                                                 \
    .recipe = &tree, .rounds = flow_rounds, .round = flow_round, .temp_bytes = flow_temp

const struct algorithm reduce_rows[] = {
    { .name = "linear", .in_order = 1, .rounds = rounds_of_root, .round = linear_round,
      .temp_bytes = linear_temp,
      .help = "every rank sends to the root, which combines them one after the other" },
    { .name = "chain", .segmented = 1, .default_fanout = 4, .min_fanout = 1, .limits = 1,
      .substitute = chain_substitute, FLOW(tree_chain),
      .help = "segments up K chains to the root (fan-out K, 4 by default); chain.N: N sends at a "
              "time" },
    { .name = "pipeline", .segmented = 1, .default_fanout = FANOUT_UNLIMITED,
      .min_fanout = 1, FLOW(tree_pipeline),
      .help = "segments up one chain through all ranks" },
    { .name = "binary", .segmented = 1, .default_fanout = FANOUT_UNLIMITED,
      .min_fanout = 1, FLOW(tree_binary),
      .help = "segments up a balanced binary tree" },
    { .name = "binomial", .segmented = 1, .default_fanout = FANOUT_UNLIMITED,
      .min_fanout = 1, FLOW(tree_binomial_ascending),
      .help = "segments up a binomial tree, smallest subtrees first" },
    { .name = "in-order_binary", .segmented = 1, .default_fanout = FANOUT_UNLIMITED,
      .min_fanout = 1, .in_order = 1, FLOW(tree_in_order_binary),
      .help = "segments up a binary tree of consecutive ranks to the last one, then to the root" },
    { .name = "rabenseifner", .substitute = rabenseifner_substitute, .recipe = &halving_openmpi,
      .walk = halving_walk, .temp_bytes = halving_temp,
      .help = "reduce-scatter by halving, then binomial gather" },
    { .name = "mpich_binomial", FLOW(tree_binomial_ascending),
      .help = "MPICH: the whole message up a binomial tree, smallest subtrees first" },
    { .name = "mpich_reduce_scatter_gather", .substitute = mpich_scatter_substitute,
      .recipe = &halving_mpich_reduce, .walk = halving_walk, .temp_bytes = halving_temp,
      .help = "MPICH: as rabenseifner, in blocks of equal size; extra ranks are folded in whole" },
    { .name = "bine", .group = "messages", .segmented = 1,
      FLOW(tree_bine_ascending),
      .help = "segments up a Bine tree, smallest subtrees first" },
    { .name = "knomial", .group = "messages", .segmented = 1,
      .default_fanout = 4, .min_fanout = 2, FLOW(tree_knomial_ascending),
      .help = "segments up a k-nomial tree (fan-out is the radix, 4 by default)" },
    { .name = NULL },
};
/* clang-format on */
