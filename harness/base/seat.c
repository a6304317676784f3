/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/seat.h"

#include <string.h>

void seat_shape(int there, int procs, int *nodes, int *ppn)
{
    *ppn = (procs + there - 1) / there;
    *nodes = (procs + *ppn - 1) / *ppn;
}

static int round_robin(const struct seating *s)
{
    return strcmp(s->mapping, "node") == 0;
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
