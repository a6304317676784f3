/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/walk/rank_places.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* Memories of a socket; 1 where nothing is known. */
static int memories_of_socket(const struct seating *s, int memory_cores)
{
    return memory_cores > 0 && s->cores > memory_cores
               ? (s->cores + memory_cores - 1) / memory_cores
               : 1;
}

/* Where a rank that may be on any socket of its node is taken to be: the digits of its local number
 * added up, modulo the sockets. */
static int anywhere(int local, int sockets)
{
    int sum = 0;
    for (; local; local /= sockets > 1 ? sockets : 2)
        sum += local % (sockets > 1 ? sockets : 2);
    return sum % sockets;
}

/* A rank that is bound to no core. */
static void float_away(const struct seating *s, int rank, int sockets, int each, struct place *p)
{
    const int local = seat_local(s, rank);
    const int socket = strcmp(s->mapping, "node") == 0 ? anywhere(local, sockets) : local % sockets;
    p->cache = -1;
    p->socket = p->node * sockets + socket;
    p->memory = p->socket * each + local / sockets % each;
}

static struct place place_of(const struct seating *s, int rank, int memory_cores, int floating)
{
    const struct seat seat = seat_of(s, rank);
    const int sockets = s->sockets > 0 ? s->sockets : 1;
    const int each = memories_of_socket(s, memory_cores);
    struct place p = { .node = seat.node, .socket = -1, .cache = -1 };
    p.memory = seat.node * sockets * each;
    if (seat.core < 0)
        return p;
    p.socket = seat.node * sockets + seat.socket;
    p.memory = p.socket * each + (memory_cores > 0 ? seat.core / memory_cores : 0);
    if (s->cache_cores > 0)
        p.cache = p.socket * s->cores + seat.core / s->cache_cores;
    if (floating)
        float_away(s, rank, sockets, each, &p);
    return p;
}

void places_init(struct places *places, const struct seating *seating, int memory_cores,
                 int floating)
{
    *places = (struct places){ .procs = seating->procs, .floating = floating };
    places->rank = memory_zeros((size_t)seating->procs, sizeof *places->rank);
    for (int i = 0; i < seating->procs; i++) {
        const struct place p = place_of(seating, i, memory_cores, floating);
        places->rank[i] = p;
        places->nodes = p.node >= places->nodes ? p.node + 1 : places->nodes;
        places->memories = p.memory >= places->memories ? p.memory + 1 : places->memories;
    }
}

void places_clear(struct places *places)
{
    free(places->rank);
    *places = (struct places){ .procs = 0 };
}

enum channel places_channel(const struct places *places, int a, int b)
{
    const struct place *x = &places->rank[a], *y = &places->rank[b];
    if (x->node != y->node)
        return CHANNEL_NODE;
    if (x->socket != y->socket)
        return CHANNEL_SOCKET;
    return x->cache >= 0 && x->cache == y->cache ? CHANNEL_CACHE : CHANNEL_CORE;
}
