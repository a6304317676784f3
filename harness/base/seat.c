/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/seat.h"

#include <string.h>

/* a / b, rounded up, of a >= 1: a + b may not fit an int. */
static int divide_up(int a, int b)
{
    return (a - 1) / b + 1;
}

void seat_shape(int there, int procs, int *nodes, int *ppn)
{
    *ppn = divide_up(procs, there);
    *nodes = divide_up(procs, *ppn);
}

void seat_pack(const char *mapping, int there, int room, int procs, int *nodes, int *ppn)
{
    const int all = strcmp(mapping, "node") == 0;
    if (all) {
        *nodes = there < procs ? there : procs;
        *ppn = divide_up(procs, *nodes);
        return;
    }
    *nodes = divide_up(procs, room);
    *ppn = *nodes > 1 ? room : procs;
    if (*nodes > there)
        seat_shape(there, procs, nodes, ppn);
}

static int round_robin(const struct seating *s)
{
    return strcmp(s->mapping, "node") == 0;
}

int seat_room(const char *occupied, int sockets, int cores)
{
    return strcmp(occupied, "node") == 0     ? 1
           : strcmp(occupied, "socket") == 0 ? sockets
                                             : sockets * cores;
}

void seat_spread(const char *spread, const char *mapping, int there, int room, int procs,
                 int *nodes, int *ppn)
{
    if (strcmp(spread, "packed") == 0)
        seat_pack(mapping, there, room, procs, nodes, ppn);
    else
        seat_shape(there, procs, nodes, ppn);
}

int seat_check(const struct seating *s, struct err *err)
{
    if (!round_robin(s) && strcmp(s->mapping, "core") != 0 && strcmp(s->mapping, "socket") != 0)
        return err_set(err, "'%s' is not a mapping (want core, socket or node)", s->mapping);
    if (s->nodes < 1 || s->ppn < 1 || s->procs < 1 ||
        (long long)s->procs > (long long)s->nodes * s->ppn)
        return err_set(err, "%d ranks do not fit on %d nodes of %d", s->procs, s->nodes, s->ppn);
    return 0;
}

struct seating seat_known(struct seating seating)
{
    const struct seating nobody = { .mapping = "core" };
    return seat_check(&seating, NULL) == 0 ? seating : nobody;
}

int seat_same(const struct seating *a, const struct seating *b)
{
    return a->nodes == b->nodes && a->ppn == b->ppn && a->procs == b->procs &&
           a->sockets == b->sockets && a->cores == b->cores && a->cache_cores == b->cache_cores &&
           a->switch_nodes == b->switch_nodes &&
           (a->ppn <= 1 || strcmp(a->mapping, b->mapping) == 0);
}

int seat_node(const struct seating *s, int rank)
{
    return round_robin(s) ? rank % s->nodes : rank / s->ppn;
}

int seat_local(const struct seating *s, int rank)
{
    return round_robin(s) ? rank / s->nodes : rank % s->ppn;
}

struct seat seat_of(const struct seating *s, int rank)
{
    struct seat seat = { seat_node(s, rank), -1, -1 };
    const int local = seat_local(s, rank);
    if (s->ppn > s->sockets * s->cores)
        return seat;
    if (strcmp(s->mapping, "socket") == 0) {
        seat.socket = local % s->sockets;
        seat.core = local / s->sockets;
    } else {
        seat.socket = local / s->cores;
        seat.core = local % s->cores;
    }
    return seat;
}

int seat_count(const struct seating *s, int node)
{
    const int left =
        round_robin(s) ? (s->procs - node + s->nodes - 1) / s->nodes : s->procs - node * s->ppn;
    return left < 0 ? 0 : left < s->ppn ? left : s->ppn;
}

enum channel seat_between(struct seat x, struct seat y, int cache_cores)
{
    if (x.node != y.node)
        return CHANNEL_NODE;
    if (x.core < 0 || y.core < 0)
        return CHANNEL_CORE;
    if (x.socket != y.socket)
        return CHANNEL_SOCKET;
    return cache_cores && x.core / cache_cores == y.core / cache_cores ? CHANNEL_CACHE
                                                                       : CHANNEL_CORE;
}

enum channel seat_channel(const struct seating *s, int a, int b)
{
    return a == b ? CHANNEL_NONE : seat_between(seat_of(s, a), seat_of(s, b), s->cache_cores);
}

int seat_team(const struct seating *s, enum channel channel, int procs, char *member)
{
    int n = 0;
    for (int r = 0; r < s->procs && (member || n < procs); r++) {
        const int is =
            n < procs && (r == 0 || channel == CHANNEL_NONE || seat_channel(s, 0, r) == channel);
        if (member)
            member[r] = (char)is;
        n += is;
    }
    return n;
}

const char *const channel_words[N_CHANNELS + 1] = {
    [CHANNEL_NONE] = "",         [CHANNEL_CACHE] = "cache", [CHANNEL_CORE] = "core",
    [CHANNEL_SOCKET] = "socket", [CHANNEL_NODE] = "node",
};

const char *channel_name(enum channel channel)
{
    return channel_words[channel];
}

int channel_parse(const char *name, enum channel *channel, struct err *err)
{
    for (int i = 0; i < N_CHANNELS; i++) {
        if (strcmp(channel_words[i], name) == 0) {
            *channel = (enum channel)i;
            return 0;
        }
    }
    return err_set(err, "'%s' is not a channel (want cache, core, socket, node or nothing)", name);
}
