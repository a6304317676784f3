/* SPDX-License-Identifier: BSD-3-Clause */
/* rooted.c - gather to the root and scatter from it along trees whose subtrees are consecutive
 * ranks (around the end): k-nomial, and Bine (bine.h). Ranks are counted from the root. A rank
 * holds the blocks of its subtree in TEMP, in this order; the root those of all in RECV or SEND, in
 * the order of ranks, so that what goes around the end is two messages with it. The blocks of all
 * children come in at once, and go out at once. */
#include "workloads/schedules/bine.h"
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/recipe.h"

static int knomial_below(int procs, int k, int v, int *first)
{
    long long all = 1;
    *first = v;
    if (v == 0)
        return procs;
    while (v % (all * k) == 0)
        all *= k;
    return all < procs - v ? (int)all : procs - v;
}

static const struct recipe_tree bine_up = { &tree_bine_ascending, bine_below },
                                bine_down = { &tree_bine, bine_below },
                                knomial_up = { &tree_knomial_ascending, knomial_below },
                                knomial_down = { &tree_knomial, knomial_below };

/* A rank and its subtree: n ranks, counted from the root, from `first` on. */
struct node {
    const struct schedule *s;
    const struct tree *tree;
    int v, first, n;
};

static struct node node_at(const struct schedule *s, int v)
{
    const struct recipe_tree *t = s->alg->recipe;
    struct node node = { .s = s, .tree = t->tree, .v = v };
    node.n = t->below(s->procs, s->fanout, v, &node.first);
    return node;
}

static int child_at(const struct node *node, int i)
{
    return node->tree->child(node->s->procs, node->s->fanout, node->v, i);
}

static int parent_of(const struct node *node)
{
    return node->tree->parent(node->s->procs, node->s->fanout, node->v);
}

static int is_leaf(const struct node *node)
{
    return child_at(node, 0) < 0;
}

/* Where a subtree's blocks are: so many bytes of a buffer, from `at` on. */
struct place {
    enum op_buffer buf;
    uint64_t at, bytes;
};

/* Piece i of the blocks of a subtree in the buffer of the node that holds them with others, or its
 * own (holder itself). What the root holds, or sends to or gets from, is cut where its ranks begin
 * anew. Returns 0 when there is none. */
static int piece(const struct node *holder, const struct node *part, int i, enum op_buffer at_root,
                 int with_root, struct place *p)
{
    const struct schedule *s = holder->s;
    const int from = unshifted(s, part->first), before_end = s->procs - from;
    const int head = with_root && part->n > before_end ? before_end : part->n;
    const int n = i == 0 ? head : part->n - head;
    const int procs = s->procs, within = (part->first - holder->first + procs) % procs;
    if (n == 0 || i > 1)
        return 0;
    p->buf = holder->v == 0 ? at_root : BUF_TEMP;
    p->at = holder->v == 0 ? (i ? 0 : (uint64_t)from) : (uint64_t)(within + (i ? head : 0));
    p->at *= s->bytes;
    p->bytes = (uint64_t)n * s->bytes;
    return 1;
}

/* The own block of a node among those of its subtree. */
static struct place own_place(const struct node *node, enum op_buffer at_root)
{
    const struct schedule *s = node->s;
    const int at = node->v == 0 ? s->root : (node->v - node->first + s->procs) % s->procs;
    return (struct place){ node->v == 0 ? at_root : BUF_TEMP, (uint64_t)at * s->bytes, s->bytes };
}

static uint64_t tree_rounds(const struct schedule *s, int rank)
{
    const struct node node = node_at(s, shifted(s, rank));
    return 1 + (uint64_t)(node.v > 0 && !is_leaf(&node));
}

static void gather_children(const struct node *node, struct round *out)
{
    struct place p;
    for (int i = 0, c; (c = child_at(node, i)) >= 0; i++) {
        const struct node part = node_at(node->s, c);
        for (int k = 0; piece(node, &part, k, BUF_RECV, node->v == 0, &p); k++)
            round_recv(out, p.buf, p.at, p.bytes, unshifted(node->s, c));
    }
    const struct place own = own_place(node, BUF_RECV);
    round_copy(out, own.buf, own.at, BUF_SEND, 0, own.bytes);
}

static void gather_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct node node = node_at(s, shifted(s, rank));
    const int leaf = is_leaf(&node);
    struct place p;
    if (k == 0 && (node.v == 0 || !leaf)) {
        gather_children(&node, out);
        return;
    }
    const int parent = parent_of(&node), to = unshifted(s, parent);
    for (int i = 0; piece(&node, &node, i, BUF_RECV, parent == 0, &p); i++)
        round_send(out, leaf ? BUF_SEND : p.buf, leaf ? 0 : p.at, p.bytes, to);
}

static uint64_t tree_temp(const struct schedule *s, int rank)
{
    const struct node node = node_at(s, shifted(s, rank));
    return node.v == 0 || is_leaf(&node) ? 0 : (uint64_t)node.n * s->bytes;
}

static void scatter_children(const struct node *node, struct round *out)
{
    struct place p;
    for (int i = 0, c; (c = child_at(node, i)) >= 0; i++) {
        const struct node part = node_at(node->s, c);
        for (int k = 0; piece(node, &part, k, BUF_SEND, node->v == 0, &p); k++)
            round_send(out, p.buf, p.at, p.bytes, unshifted(node->s, c));
    }
    const struct place own = own_place(node, BUF_SEND);
    round_copy(out, BUF_RECV, 0, own.buf, own.at, own.bytes);
}

static void scatter_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct node node = node_at(s, shifted(s, rank));
    const int leaf = is_leaf(&node);
    struct place p;
    if (node.v == 0 || k == 1) {
        scatter_children(&node, out);
        return;
    }
    const int parent = parent_of(&node), from = unshifted(s, parent);
    for (int i = 0; piece(&node, &node, i, BUF_SEND, parent == 0, &p); i++)
        round_recv(out, leaf ? BUF_RECV : p.buf, leaf ? 0 : p.at, p.bytes, from);
}

/* clang-format off */
#define TREE_ROWS(round_, bine_tree, knomial_tree, way)                                            \
    { { .name = "bine", .group = "messages", .recipe = &(bine_tree), .rounds = tree_rounds,        \
        .round = (round_), .temp_bytes = tree_temp, .help = "blocks " way " a Bine tree" },        \
      { .name = "knomial", .group = "messages", .default_fanout = 4, .min_fanout = 2,              \
        .recipe = &(knomial_tree), .rounds = tree_rounds, .round = (round_),                       \
        .temp_bytes = tree_temp,                                                                   \
        .help = "blocks " way " a k-nomial tree (fan-out is the radix, 4 by default)" },           \
      { .name = NULL } }
/* clang-format on */

const struct algorithm gather_trees[] = TREE_ROWS(gather_round, bine_up, knomial_up, "up");
const struct algorithm scatter_trees[] = TREE_ROWS(scatter_round, bine_down, knomial_down, "down");
