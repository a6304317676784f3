/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/trees.h"

#include <limits.h>

enum { MAX_CHAINS = 32 };

int floor_log2(unsigned n)
{
    return (int)(sizeof n * CHAR_BIT) - 1 - __builtin_clz(n);
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
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

static int binomial_low_child(int procs, int k, int v, int i)
{
    (void)k;
    if (v == procs - 1)
        return -1;
    int bit = floor_log2((unsigned)(procs - 1 - v));
    if (v)
        bit = min_int(bit, __builtin_ctz((unsigned)v) - 1);
    return i <= bit ? v + (1 << (bit - i)) : -1;
}

const struct tree tree_binomial_low = { "binomial_low", binomial_low_parent, binomial_low_child };

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

const struct tree tree_knomial = { "knomial", knomial_parent, knomial_child };
