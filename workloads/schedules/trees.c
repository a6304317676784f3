/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/trees.h"

#include "harness/base/base.h"

enum { MAX_CHAINS = 32 };

int floor_log2(unsigned n)
{
    return (int)(sizeof n * CHAR_BIT) - 1 - __builtin_clz(n);
}

int ceil_log2(int procs)
{
    return procs > 1 ? floor_log2((unsigned)procs - 1) + 1 : 0;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

int tree_count_children(const struct tree *tree, int procs, int k, int v)
{
    int n = 0;
    while (tree->child(procs, k, v, n) >= 0)
        n++;
    return n;
}

/* ---- chains: the first `longer` of them have `length` ranks, the others one fewer ---- */

struct chains {
    int n, length, longer;
};

static struct chains chains_of(int procs, int k)
{
    struct chains c = { .n = min_int(min_int(k, MAX_CHAINS), procs - 1) };
    c.length = (procs - 1 + c.n - 1) / c.n;
    c.longer = procs - 1 - c.n * (c.length - 1);
    return c;
}

/* First rank of chain i; for i = n, one past the last rank. */
static int chain_head(const struct chains *c, int i)
{
    return 1 + i * c->length - (i > c->longer ? i - c->longer : 0);
}

static int chain_of(const struct chains *c, int v)
{
    int i = (v - 1) / c->length;
    if (i < c->longer)
        return i;
    return c->longer + (v - chain_head(c, c->longer)) / (c->length - 1);
}

static int chain_parent(int procs, int k, int v)
{
    if (k == 1)
        return v - 1;
    struct chains c = chains_of(procs, k);
    return chain_head(&c, chain_of(&c, v)) == v ? 0 : v - 1;
}

static int chain_child(int procs, int k, int v, int i)
{
    if (k == 1)
        return i == 0 && v + 1 < procs ? v + 1 : -1;
    if (procs == 1)
        return -1;
    struct chains c = chains_of(procs, k);
    if (v == 0)
        return i < c.n ? chain_head(&c, i) : -1;
    return i == 0 && v + 1 < chain_head(&c, chain_of(&c, v) + 1) ? v + 1 : -1;
}

const struct tree tree_chain = { "chain", chain_parent, chain_child };

static int pipeline_parent(int procs, int k, int v)
{
    (void)k;
    return chain_parent(procs, 1, v);
}

static int pipeline_child(int procs, int k, int v, int i)
{
    (void)k;
    return chain_child(procs, 1, v, i);
}

const struct tree tree_pipeline = { "pipeline", pipeline_parent, pipeline_child };

/* ---- binary: level l holds the ranks 2^l - 1 … 2^(l+1) - 2 ---- */

static int binary_parent(int procs, int k, int v)
{
    (void)procs, (void)k;
    int width = 1 << floor_log2((unsigned)v + 1);
    int parent = v - width / 2;
    return parent < width - 1 ? parent : parent - width / 2;
}

static int binary_child(int procs, int k, int v, int i)
{
    (void)k;
    int width = 1 << floor_log2((unsigned)v + 1);
    int room = procs - 1 - v; /* compared before it is added: v + 2 width may exceed an int */
    return i < 2 && width <= room / (i + 1) ? v + width * (i + 1) : -1;
}

const struct tree tree_binary = { "binary", binary_parent, binary_child };

/* ---- binomial: by the highest bit, and by the lowest ---- */

static int binomial_parent(int procs, int k, int v)
{
    (void)procs, (void)k;
    return v ^ (1 << floor_log2((unsigned)v));
}

static int binomial_child(int procs, int k, int v, int i)
{
    (void)k;
    int bit = (v ? floor_log2((unsigned)v) + 1 : 0) + i;
    return bit < 31 && (1 << bit) <= procs - 1 - v ? v + (1 << bit) : -1;
}

const struct tree tree_binomial = { "binomial", binomial_parent, binomial_child };

static int binomial_low_parent(int procs, int k, int v)
{
    (void)procs, (void)k;
    return v & (v - 1);
}

/* The largest bit that is a distance from v to a child of its, or -1. */
static int binomial_reach(int procs, int v)
{
    if (v == procs - 1)
        return -1;
    int bit = floor_log2((unsigned)(procs - 1 - v));
    return v ? min_int(bit, __builtin_ctz((unsigned)v) - 1) : bit;
}

static int binomial_low_child(int procs, int k, int v, int i)
{
    (void)k;
    int bit = binomial_reach(procs, v);
    return i <= bit ? v + (1 << (bit - i)) : -1;
}

static int binomial_ascending_child(int procs, int k, int v, int i)
{
    (void)k;
    return i <= binomial_reach(procs, v) ? v + (1 << i) : -1;
}

const struct tree tree_binomial_low = { "binomial_low", binomial_low_parent, binomial_low_child };
const struct tree tree_binomial_ascending = { "binomial_ascending", binomial_low_parent,
                                              binomial_ascending_child };

int tree_binomial_size(int procs, int v)
{
    return v ? min_int(v & -v, procs - v) : procs;
}

/* ---- k-nomial ---- */

/* The largest power of k that is a distance from v to a child of its: below v's lowest non-zero
 * digit, and below procs. 0 when v can have no children. */
static long long knomial_reach(int procs, int k, int v)
{
    long long mask = 1;
    while (mask < procs && v % (k * mask) == 0)
        mask *= k;
    return mask / k;
}

static int knomial_parent(int procs, int k, int v)
{
    (void)procs;
    long long mask = k;
    while (v % mask == 0)
        mask *= k;
    return (int)(v / mask * mask);
}

static int knomial_child(int procs, int k, int v, int i)
{
    for (long long mask = knomial_reach(procs, k, v); mask > 0; mask /= k) {
        int here = min_int(k - 1, (int)((procs - 1 - v) / mask));
        if (i < here)
            return (int)(v + (i + 1) * mask);
        i -= here;
    }
    return -1;
}

static int knomial_ascending_child(int procs, int k, int v, int i)
{
    const long long reach = knomial_reach(procs, k, v);
    for (long long mask = 1; mask <= reach; mask *= k) {
        const int here = min_int(k - 1, (int)((procs - 1 - v) / mask));
        if (i < here)
            return (int)(v + (i + 1) * mask);
        i -= here;
    }
    return -1;
}

const struct tree tree_knomial = { "knomial", knomial_parent, knomial_child };
const struct tree tree_knomial_ascending = { "knomial_ascending", knomial_parent,
                                             knomial_ascending_child };

/* ---- k-ary ---- */

static int kary_parent(int procs, int k, int v)
{
    (void)procs;
    return (v - 1) / k;
}

static int kary_child(int procs, int k, int v, int i)
{
    const long long child = (long long)v * k + 1 + i;
    return i < k && child < procs ? (int)child : -1;
}

const struct tree tree_kary = { "kary", kary_parent, kary_child };

/* ---- k-nomial of consecutive ranks: below a rank come k - 1 subtrees of k^(n - 1) ranks, then as
 * many of k^(n - 2), ... 1, as far as there are ranks ---- */

/* k^(n - 1), the size of the root's first subtrees: it has n digits to count by. */
static long long consecutive_reach(int procs, int k)
{
    long long reach = 1;
    while (reach * k < procs)
        reach *= k;
    return reach;
}

/* Goes down to v: its parent, and the size of its own first subtrees. */
static int consecutive_descend(int procs, int k, int v, long long *reach)
{
    int parent = -1, at = 0;
    long long first = 1;
    *reach = consecutive_reach(procs, k);
    for (; at != v; *reach /= k) {
        const long long below = (v - first) / *reach;
        if (below >= k - 1) {
            first += (k - 1) * *reach;
            continue;
        }
        parent = at;
        at = (int)(first + below * *reach);
        first = at + 1LL;
    }
    return parent;
}

static int consecutive_parent(int procs, int k, int v)
{
    long long reach;
    return consecutive_descend(procs, k, v, &reach);
}

static int consecutive_child(int procs, int k, int v, int i)
{
    long long reach, child = v + 1LL;
    consecutive_descend(procs, k, v, &reach);
    for (; reach > 0 && i >= k - 1; i -= k - 1, reach /= k)
        child += (k - 1) * reach;
    child += i * reach;
    return reach > 0 && child < procs ? (int)child : -1;
}

const struct tree tree_knomial_consecutive = { "knomial_consecutive", consecutive_parent,
                                               consecutive_child };

/* ---- binary, in the order of ranks ---- */

struct subtree {
    int top, size; /* v of its root; ranks in it */
    int parent;    /* of its root; -1: none */
};

/* Child i of a subtree; its size is 0 where there is none. */
static struct subtree subtree_child(struct subtree t, int i)
{
    int second = t.size / 2, first = t.size - 1 - second;
    if (first == 0) /* the only one */
        return (struct subtree){ t.top + 1, i == 0 ? second : 0, t.top };
    return i == 0 ? (struct subtree){ t.top + 1, first, t.top }
                  : (struct subtree){ t.top + 1 + first, second, t.top };
}

/* The subtree below v. */
static struct subtree subtree_of(int procs, int v)
{
    struct subtree t = { 0, procs, -1 };
    while (t.top != v) {
        struct subtree first = subtree_child(t, 0);
        t = v < first.top + first.size ? first : subtree_child(t, 1);
    }
    return t;
}

static int in_order_parent(int procs, int k, int v)
{
    (void)k;
    return subtree_of(procs, v).parent;
}

static int in_order_child(int procs, int k, int v, int i)
{
    (void)k;
    struct subtree t = subtree_of(procs, v);
    if (i > 1 || t.size < 2)
        return -1;
    struct subtree child = subtree_child(t, i);
    return child.size ? child.top : -1;
}

const struct tree tree_in_order_binary = { "in_order_binary", in_order_parent, in_order_child };
