/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/bine.h"

/* ---- base -2: the digits at odd places count less than nothing ---- */

static const unsigned ODD = 0xaaaaaaaau;

static unsigned ones(int n)
{
    return (1u << n) - 1;
}

int bine_neighbour(int bits, int v, int n)
{
    const int power = 1 << n, far = n % 2 ? (1 + power) / 3 : (1 - power) / 3;
    return (v % 2 ? v - far : v + far) & (int)ones(bits);
}

/* Those that v reaches by way of its first n neighbours: 2^n of them, from the returned one on. */
static int first_of_kin(int bits, int v, int n)
{
    const int below = (int)(ODD & ones(n)), above = (int)(~ODD & ones(n));
    return (v % 2 ? v - above : v - below) & (int)ones(bits);
}

static int bits_of(const struct team *t)
{
    return floor_log2((unsigned)t->procs);
}

static int butterfly_peer(const struct team *t, int v, int step, int i, int way)
{
    (void)way;
    return i ? PEER_END : bine_neighbour(bits_of(t), v, step + 1);
}

static struct run butterfly_sent(const struct team *t, int v, int step, int i)
{
    (void)i;
    return (struct run){ first_of_kin(bits_of(t), v, step), 1 << step, 1 };
}

const struct pattern pattern_bine = { .steps = bits_of,
                                      .peer = butterfly_peer,
                                      .sent = butterfly_sent };

struct fold {
    int bits, folded;
};

static struct fold fold_of(int procs)
{
    const int bits = floor_log2((unsigned)procs);
    return (struct fold){ bits, procs - (1 << bits) };
}

static int is_folded(const struct fold *f, int v)
{
    return v < 2 * f->folded && v % 2;
}

static int member_of(const struct fold *f, int v)
{
    return v < 2 * f->folded ? v / 2 : v - f->folded;
}

static int rank_of(const struct fold *f, int member)
{
    return member < f->folded ? 2 * member : member + f->folded;
}

/* How many equal digits a member has at its end; of the first one that is more than all. */
static int equal_digits(const struct fold *f, int member)
{
    const unsigned digits = (((unsigned)member + ODD) ^ ODD) & ones(f->bits);
    if (member == 0)
        return f->bits + 1;
    return __builtin_ctz(digits & 1 ? ~digits : digits);
}

static int bine_parent(int procs, int k, int v)
{
    const struct fold f = fold_of(procs);
    const int member = member_of(&f, v);
    (void)k;
    if (is_folded(&f, v))
        return v - 1;
    return rank_of(&f, bine_neighbour(f.bits, member, equal_digits(&f, member)));
}

/* Neighbours that a member passes its message to. */
static int passes_to(const struct fold *f, int v)
{
    return is_folded(f, v) ? 0 : equal_digits(f, member_of(f, v)) - 1;
}

static int has_folded(const struct fold *f, int v)
{
    return v < 2 * f->folded && !is_folded(f, v);
}

/* The child that differs in n digits. */
static int child_of(const struct fold *f, int v, int n)
{
    return rank_of(f, bine_neighbour(f->bits, member_of(f, v), n));
}

static int bine_child(int procs, int k, int v, int i)
{
    const struct fold f = fold_of(procs);
    const int n = passes_to(&f, v) - i;
    (void)k;
    if (n > 0)
        return child_of(&f, v, n);
    return n == 0 && has_folded(&f, v) ? v + 1 : -1;
}

static int bine_ascending_child(int procs, int k, int v, int i)
{
    const struct fold f = fold_of(procs);
    const int n = i + 1 - has_folded(&f, v);
    (void)k;
    if (n == 0)
        return v + 1;
    return n <= passes_to(&f, v) ? child_of(&f, v, n) : -1;
}

const struct tree tree_bine = { "bine", bine_parent, bine_child };
const struct tree tree_bine_ascending = { "bine_ascending", bine_parent, bine_ascending_child };

int bine_below(int procs, int k, int v, int *first)
{
    const struct fold f = fold_of(procs);
    const int n = passes_to(&f, v);
    (void)k;
    *first = v;
    if (is_folded(&f, v))
        return 1;
    const int kin = first_of_kin(f.bits, member_of(&f, v), n), end = kin + (1 << n);
    *first = rank_of(&f, kin);
    if (end < 1 << f.bits)
        return rank_of(&f, end) - *first;
    return procs - *first + (end > 1 << f.bits ? rank_of(&f, end - (1 << f.bits)) : 0);
}
