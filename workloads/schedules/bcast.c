/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast.c - broadcast. Buffer DATA: the root's bytes, on every rank.
 *
 * The messages (who to whom, how many, of which bytes, in which order) are those of Open MPI 4.1.4
 * (ompi/mca/coll/base/coll_base_bcast.c), and for mpich_* of MPICH 4.0.2 (src/mpi/coll/bcast),
 * which cuts at bytes, whatever the elements. MPI_Bcast of zero bytes returns before any algorithm
 * in both: no messages. */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/bine.h"
#include "workloads/schedules/doubling.h"

static void send_segment(const struct part *p, uint64_t k, int dst, struct round *out)
{
    struct part segment = segment_of(p, k);
    round_send(out, BUF_DATA, segment.offset, segment.bytes, dst);
}

static void recv_segment(const struct part *p, uint64_t k, int src, struct round *out)
{
    struct part segment = segment_of(p, k);
    round_recv(out, BUF_DATA, segment.offset, segment.bytes, src);
}

/* ---- segments down a tree: the library's bcast_intra_generic ---- */

/* Rounds of a rank below the root, receiving and forwarding the segments of a part. */
static uint64_t relay_rounds(const struct schedule *s, const struct tree *tree, int v,
                             const struct part *p)
{
    return p->segments + (tree->child(s->procs, s->fanout, v, 0) >= 0);
}

/* Round k: receive segment k, forward segment k - 1. */
static void relay(const struct schedule *s, const struct tree *tree, int v, const struct part *p,
                  uint64_t k, struct round *out)
{
    if (k < p->segments)
        recv_segment(p, k, unshifted(s, tree->parent(s->procs, s->fanout, v)), out);
    if (k == 0)
        return;
    for (int i = 0, c; (c = tree->child(s->procs, s->fanout, v, i)) >= 0; i++)
        send_segment(p, k - 1, unshifted(s, c), out);
}

static const struct tree *tree_of(const struct schedule *s)
{
    return s->alg->recipe;
}

static uint64_t tree_rounds(const struct schedule *s, int rank)
{
    const int v = shifted(s, rank);
    const struct part all = whole(s);
    return v == 0 ? all.segments : relay_rounds(s, tree_of(s), v, &all);
}

static void tree_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    int v = shifted(s, rank);
    struct part all = whole(s);
    if (v > 0) {
        relay(s, tree_of(s), v, &all, k, out);
        return;
    }
    for (int i = 0, c; (c = tree_of(s)->child(s->procs, s->fanout, 0, i)) >= 0; i++)
        send_segment(&all, k, unshifted(s, c), out);
}

/* ---- linear ---- */

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    if (rank != s->root) {
        round_recv(out, BUF_DATA, 0, s->bytes, s->root);
        return;
    }
    for (int dst = 0; dst < s->procs; dst++)
        if (dst != s->root)
            round_send(out, BUF_DATA, 0, s->bytes, dst);
}

/* ---- split binary tree: the left subtree relays the first half, the right one the second; then
 * each rank of the left exchanges halves with its twin of the right. With an even number of ranks
 * the last one has no twin and gets the second half from the root. The library sends to the
 * children by blocking sends, one after the other; here they start together, as in the published
 * model. ---- */

static struct part half(const struct schedule *s, int right)
{
    const struct part p = cut_even(s, (uint64_t)right, (uint64_t)right + 1, 2);
    return part_of(p.offset, p.bytes, s->segment_bytes);
}

static int is_right(int v)
{
    return v % 2 == 0;
}

/* Rounds of the tree phase. */
static uint64_t split_tree_rounds(const struct schedule *s, int v)
{
    struct part mine = half(s, v > 0 && is_right(v));
    return v == 0 ? mine.segments : relay_rounds(s, &tree_binary, v, &mine);
}

static uint64_t split_rounds(const struct schedule *s, int rank)
{
    int v = shifted(s, rank);
    return split_tree_rounds(s, v) + (v > 0 || s->procs % 2 == 0);
}

static void split_root_round(const struct schedule *s, uint64_t k, struct round *out)
{
    struct part left = half(s, 0), right = half(s, 1);
    send_segment(&left, k, unshifted(s, 1), out);
    if (s->procs > 2 && k < right.segments)
        send_segment(&right, k, unshifted(s, 2), out);
}

static void split_exchange(const struct schedule *s, int v, struct round *out)
{
    struct part mine = half(s, is_right(v)), other = half(s, !is_right(v));
    out->phase = 1;
    if (v == 0) {
        round_send(out, BUF_DATA, mine.offset, mine.bytes, unshifted(s, s->procs - 1));
    } else if (v == s->procs - 1 && s->procs % 2 == 0) {
        round_recv(out, BUF_DATA, other.offset, other.bytes, s->root);
    } else {
        int twin = unshifted(s, is_right(v) ? v - 1 : v + 1);
        round_recv(out, BUF_DATA, other.offset, other.bytes, twin);
        round_send(out, BUF_DATA, mine.offset, mine.bytes, twin);
    }
}

static void split_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    int v = shifted(s, rank);
    if (k == split_tree_rounds(s, v)) {
        split_exchange(s, v, out);
    } else if (v == 0) {
        split_root_round(s, k, out);
    } else {
        struct part mine = half(s, is_right(v));
        relay(s, &tree_binary, v, &mine, k, out);
    }
}

/* Half the message is empty or shorter than a segment: the library runs a pipeline. */
static const char *split_substitute(const struct schedule *s)
{
    const uint64_t shorter = cut_even(s, 1, 2, 2).bytes;
    return shorter == 0 || s->segment_bytes > shorter ? "pipeline" : NULL;
}

/* ---- scatter, then allgather: the message is cut into one block per rank (rounded up, so the last
 * ones may be short or empty); block b belongs to shifted rank b ---- */

/* The bytes of blocks first … first + n - 1. MPICH cuts between any two bytes. */
static struct part blocks(const struct schedule *s, int first, int n)
{
    const int of_bytes = strncmp(s->alg->name, "mpich_", 6) == 0;
    return cut_up(s->bytes, of_bytes ? 1 : s->element_bytes, (uint64_t)first,
                  (uint64_t)first + (uint64_t)n, (uint64_t)s->procs);
}

/* Ranks whose block is not empty: the scatter is a binomial tree of these. */
static int scatter_procs(const struct schedule *s)
{
    const uint64_t size = blocks(s, 0, 1).bytes;
    return (int)((s->bytes + size - 1) / size);
}

/* Rounds of the scatter: one receive, then one send after the other. */
static uint64_t scatter_rounds(const struct schedule *s, int v)
{
    int procs = scatter_procs(s);
    return v >= procs ? 0
                      : (uint64_t)((v > 0) + tree_count_children(&tree_binomial_low, procs, 0, v));
}

static void scatter_round(const struct schedule *s, int v, uint64_t k, struct round *out)
{
    int procs = scatter_procs(s);
    if (v > 0 && k == 0) {
        struct part p = blocks(s, v, v & -v);
        recv_segment(&p, 0, unshifted(s, tree_binomial_low.parent(procs, 0, v)), out);
        return;
    }
    int child = tree_binomial_low.child(procs, 0, v, (int)k - (v > 0));
    struct part p = blocks(s, child, child - v);
    send_segment(&p, 0, unshifted(s, child), out);
}

/* Allgather by a ring: in step k, send block v - k to the right, receive v - k - 1 from the left.
 */
static uint64_t ring_rounds(const struct schedule *s, int rank)
{
    return scatter_rounds(s, shifted(s, rank)) + (uint64_t)s->procs - 1;
}

static void ring_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    int v = shifted(s, rank), procs = s->procs;
    uint64_t before = scatter_rounds(s, v);
    if (k < before) {
        scatter_round(s, v, k, out);
        return;
    }
    int step = (int)(k - before);
    int sent = v - step + (v < step ? procs : 0), got = sent ? sent - 1 : procs - 1;
    struct part give = blocks(s, sent, 1), take = blocks(s, got, 1);
    out->phase = 1;
    recv_segment(&take, 0, rank ? rank - 1 : procs - 1, out);
    send_segment(&give, 0, rank + 1 < procs ? rank + 1 : 0, out);
}

/* Allgather by recursive doubling (steps.h). Writes round `wanted` into out, or counts the
 * rounds when out is NULL. */
static uint64_t doubling_walk(const struct schedule *s, int v, uint64_t wanted, struct round *out)
{
    struct doubling d = { s, v, unshifted, BUF_DATA, blocks, 0, { 0, wanted, out } };
    doubling_gather(&d);
    return d.steps.n;
}

static uint64_t doubling_rounds(const struct schedule *s, int rank)
{
    int v = shifted(s, rank);
    return scatter_rounds(s, v) + doubling_walk(s, v, 0, NULL);
}

static void doubling_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    int v = shifted(s, rank);
    uint64_t before = scatter_rounds(s, v);
    if (k < before) {
        scatter_round(s, v, k, out);
        return;
    }
    doubling_walk(s, v, k - before, out);
    out->phase = 1;
}

/* One chain is a pipeline. */
static const char *chain_substitute(const struct schedule *s)
{
    return s->fanout == 1 ? "pipeline" : NULL;
}

/* Open MPI goes linear when there are fewer elements than ranks; MPICH does not. */
static const char *scatter_substitute(const struct schedule *s)
{
    return schedule_count(s) < (uint64_t)s->procs ? "basic_linear" : NULL;
}

/* ---- MPICH's binomial tree: unsegmented, blocking sends one after the other ---- */

static uint64_t mpich_binomial_rounds(const struct schedule *s, int rank)
{
    int v = shifted(s, rank);
    return (uint64_t)((v > 0) + tree_count_children(&tree_binomial_low, s->procs, 0, v));
}

static void mpich_binomial_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    int v = shifted(s, rank);
    if (v > 0 && k == 0) {
        round_recv(out, BUF_DATA, 0, s->bytes,
                   unshifted(s, tree_binomial_low.parent(s->procs, 0, v)));
        return;
    }
    int child = tree_binomial_low.child(s->procs, 0, v, (int)k - (v > 0));
    round_send(out, BUF_DATA, 0, s->bytes, unshifted(s, child));
}

/* clang-format off */
#define DOWN(tree) .recipe = &tree, .rounds = tree_rounds, .round = tree_round

const struct algorithm bcast_rows[] = {
    { .name = "basic_linear", .rounds = one_round, .round = linear_round,
      .help = "the root sends the whole message to every rank at once" },
    { .name = "chain", .segmented = 1, .default_fanout = 4, .min_fanout = 1,
      .substitute = chain_substitute, DOWN(tree_chain),
      .help = "segments down K chains below the root (fan-out K, 4 by default)" },
    { .name = "pipeline", .segmented = 1, DOWN(tree_pipeline),
      .help = "segments down one chain through all ranks" },
    { .name = "split_binary_tree", .segmented = 1, .substitute = split_substitute,
      .rounds = split_rounds, .round = split_round,
      .help = "half the message down either side of a binary tree, then the sides exchange halves" },
    { .name = "binary_tree", .segmented = 1, DOWN(tree_binary),
      .help = "segments down a balanced binary tree" },
    { .name = "binomial", .segmented = 1, DOWN(tree_binomial),
      .help = "segments down a binomial tree, to all children of a rank at once" },
    { .name = "knomial", .segmented = 1, .default_fanout = 4, .min_fanout = 2, DOWN(tree_knomial),
      .help = "segments down a k-nomial tree (fan-out is the radix, 4 by default)" },
    { .name = "scatter_allgather", .substitute = scatter_substitute, .rounds = doubling_rounds,
      .round = doubling_round,
      .help = "binomial scatter, then allgather by recursive doubling" },
    { .name = "scatter_allgather_ring", .substitute = scatter_substitute, .rounds = ring_rounds,
      .round = ring_round,
      .help = "binomial scatter, then allgather around a ring" },
    { .name = "mpich_binomial", .rounds = mpich_binomial_rounds, .round = mpich_binomial_round,
      .help = "MPICH: the whole message down a binomial tree, one child after the other" },
    { .name = "mpich_scatter_recursive_doubling_allgather", .rounds = doubling_rounds,
      .round = doubling_round,
      .help = "MPICH: as scatter_allgather, also with fewer bytes than ranks" },
    { .name = "mpich_scatter_ring_allgather", .rounds = ring_rounds, .round = ring_round,
      .help = "MPICH: as scatter_allgather_ring, also with fewer bytes than ranks" },
    { .name = NULL },
};

const struct algorithm bcast_bine[] = {
    { .name = "bine", .group = "messages", .segmented = 1, DOWN(tree_bine),
      .help = "segments down a Bine tree, to all children of a rank at once" },
    { .name = NULL },
};
/* clang-format on */
