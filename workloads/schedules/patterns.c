/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/patterns.h"

/* ---- one's own block to all ---- */

static int simple_steps(const struct team *t)
{
    return t->procs > 1;
}

static int simple_peer(const struct team *t, int v, int step, int i, int way)
{
    (void)step;
    return i + 1 < t->procs ? team_around(t, v, way * (i + 1)) : PEER_END;
}

const struct pattern pattern_simple = { .steps = simple_steps, .peer = simple_peer };

static int others(const struct team *t)
{
    return t->procs - 1;
}

static int direct_ring_peer(const struct team *t, int v, int step, int i, int way)
{
    return i ? PEER_END : team_around(t, v, way * (step + 1));
}

const struct pattern pattern_direct_ring = { .steps = others, .peer = direct_ring_peer };

static int pair_peer(const struct team *t, int v, int step, int i, int way)
{
    (void)t, (void)way;
    return i ? PEER_END : v ^ (step + 1);
}

const struct pattern pattern_pair = { .steps = others, .peer = pair_peer };

/* ---- ring ---- */

static int ring_peer(const struct team *t, int v, int step, int i, int way)
{
    (void)step;
    return i ? PEER_END : team_around(t, v, way);
}

static struct run ring_sent(const struct team *t, int v, int step, int i)
{
    (void)i;
    return (struct run){ team_around(t, v, -step), 1, 1 };
}

const struct pattern pattern_ring = { .steps = others, .peer = ring_peer, .sent = ring_sent };

/* ---- meshes ---- */

int mesh_2d_side(const struct schedule *s, int k)
{
    return k < 2 ? s->mesh.flat[k] : 1;
}

int mesh_3d_side(const struct schedule *s, int k)
{
    return k < 3 ? s->mesh.deep[k] : 1;
}

int doubling_side(const struct schedule *s, int k)
{
    return k < 31 && 1 << k < s->procs ? 2 : 1;
}

int mesh_peer(int v, int side, int stride, int i, int way)
{
    const int here = v / stride % side, there = (here + way * (i + 1) + side) % side;
    return i + 1 < side ? v + (there - here) * stride : PEER_END;
}

/* Members one apart in dimension k: all of the dimensions before it. */
static int stride_of(int (*side)(const struct schedule *s, int k), const struct schedule *s, int k)
{
    int stride = 1;
    for (int i = 0; i < k; i++)
        stride *= side(s, i);
    return stride;
}

static int dimensions(int (*side)(const struct schedule *s, int k), const struct schedule *s)
{
    int n = 0;
    while (side(s, n) > 1)
        n++;
    return n;
}

/* What it has of the dimensions before. */
static struct run box_of(int v, int stride)
{
    return (struct run){ v - v % stride, stride, 1 };
}

#define MESH_PATTERN(id)                                                                           \
    static int id##_steps(const struct team *t)                                                    \
    {                                                                                              \
        return dimensions(id##_side, t->s);                                                        \
    }                                                                                              \
    static int id##_peer(const struct team *t, int v, int step, int i, int way)                    \
    {                                                                                              \
        const int stride = stride_of(id##_side, t->s, step);                                       \
        return mesh_peer(v, id##_side(t->s, step), stride, i, way);                                \
    }                                                                                              \
    static struct run id##_sent(const struct team *t, int v, int step, int i)                      \
    {                                                                                              \
        (void)i;                                                                                   \
        return box_of(v, stride_of(id##_side, t->s, step));                                        \
    }                                                                                              \
    const struct pattern pattern_##id = { .steps = id##_steps,                                     \
                                          .peer = id##_peer,                                       \
                                          .sent = id##_sent };

MESH_PATTERN(mesh_2d)
MESH_PATTERN(mesh_3d)
MESH_PATTERN(doubling)

/* ---- recursive multiplying ---- */

static int radix_of(const struct schedule *s)
{
    return s->fanout ? s->fanout : 2;
}

int members_of_multiplying(const struct schedule *s)
{
    int all = 1;
    while (all <= s->procs / radix_of(s))
        all *= radix_of(s);
    return s->procs / all * all;
}

/* Members one apart in dimension k, and how many are on a line through it. */
static int multiplied(const struct team *t, int k)
{
    int stride = 1;
    for (int i = 0; i < k; i++)
        stride *= radix_of(t->s);
    return stride;
}

static int multiplying_side(const struct team *t, int k)
{
    const int rest = t->procs / multiplied(t, k);
    return rest < radix_of(t->s) ? rest : radix_of(t->s);
}

static int multiplying_steps(const struct team *t)
{
    int n = 0;
    for (int left = t->procs; left > 1; left /= radix_of(t->s))
        n++;
    return n;
}

static int multiplying_peer(const struct team *t, int v, int step, int i, int way)
{
    return mesh_peer(v, multiplying_side(t, step), multiplied(t, step), i, way);
}

static struct run multiplying_sent(const struct team *t, int v, int step, int i)
{
    (void)i;
    return box_of(v, multiplied(t, step));
}

const struct pattern pattern_multiplying = { .steps = multiplying_steps,
                                             .peer = multiplying_peer,
                                             .sent = multiplying_sent };

/* ---- Bruck and its like: a member has its own block and those of the next ones, and sends the
 * first of them back ---- */

/* Blocks before a step, no more than the members: radix^step. */
static int bruck_held(const struct team *t, int step)
{
    long long n = 1;
    for (int i = 0; i < step && n < t->procs; i++)
        n *= radix_of(t->s);
    return n < t->procs ? (int)n : t->procs;
}

static int bruck_steps(const struct team *t)
{
    int n = 0;
    while (bruck_held(t, n) < t->procs)
        n++;
    return n;
}

static int bruck_peer(const struct team *t, int v, int step, int i, int way)
{
    const long long distance = (i + 1LL) * bruck_held(t, step);
    return i + 1 < radix_of(t->s) && distance < t->procs ? team_around(t, v, -way * (int)distance)
                                                         : PEER_END;
}

static struct run bruck_sent(const struct team *t, int v, int step, int i)
{
    const int held = bruck_held(t, step), lack = t->procs - (i + 1) * held;
    return (struct run){ v, lack < held ? lack : held, 1 };
}

const struct pattern pattern_bruck = {
    .steps = bruck_steps, .peer = bruck_peer, .sent = bruck_sent, .turned = 1
};
const struct pattern pattern_bruck_in_place = { .steps = bruck_steps,
                                                .peer = bruck_peer,
                                                .sent = bruck_sent };

static int log_steps(const struct team *t)
{
    return ceil_log2(t->procs);
}

/* ceil(procs / 2^(steps - step)). */
static int circulant_held(const struct team *t, int step)
{
    const int shift = log_steps(t) - step;
    return (int)(((long long)t->procs + (1LL << shift) - 1) >> shift);
}

static int circulant_peer(const struct team *t, int v, int step, int i, int way)
{
    return i ? PEER_END : team_around(t, v, -way * circulant_held(t, step));
}

static struct run circulant_sent(const struct team *t, int v, int step, int i)
{
    (void)i;
    return (struct run){ v, circulant_held(t, step + 1) - circulant_held(t, step), 1 };
}

const struct pattern pattern_circulant = {
    .steps = log_steps, .peer = circulant_peer, .sent = circulant_sent, .turned = 1
};

/* ---- Sparbit ---- */

static int sparbit_distance(const struct team *t, int step)
{
    return 1 << (log_steps(t) - 1 - step);
}

static int sparbit_peer(const struct team *t, int v, int step, int i, int way)
{
    return i ? PEER_END : team_around(t, v, way * sparbit_distance(t, step));
}

static struct run sparbit_sent(const struct team *t, int v, int step, int i)
{
    const int distance = sparbit_distance(t, step);
    (void)i;
    return (struct run){ v, (t->procs - 1 - distance) / (2 * distance) + 1, -2 * distance };
}

const struct pattern pattern_sparbit = { .steps = log_steps,
                                         .peer = sparbit_peer,
                                         .sent = sparbit_sent };
