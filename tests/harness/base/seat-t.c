/* SPDX-License-Identifier: BSD-3-Clause */
/* seat-t.c - which node, socket and core each rank shall have. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/seat.h"
#include "tests/tap.h"

struct vector {
    struct seating seating;
    const char *seats; /* "node.socket.core" of each rank, "node" alone: no core */
};

/* Written by hand from the words in seat.h. */
static const struct vector vectors[] = {
    { { "core", 1, 4, 4, 2, 2, 0, { .group = { 0 } } }, "0.0.0 0.0.1 0.1.0 0.1.1" },
    { { "socket", 1, 4, 4, 2, 2, 0, { .group = { 0 } } }, "0.0.0 0.1.0 0.0.1 0.1.1" },
    { { "node", 1, 4, 4, 2, 2, 0, { .group = { 0 } } }, "0.0.0 0.0.1 0.1.0 0.1.1" },
    { { "core", 2, 4, 7, 2, 2, 0, { .group = { 0 } } },
      "0.0.0 0.0.1 0.1.0 0.1.1 1.0.0 1.0.1 1.1.0" },
    { { "socket", 2, 4, 7, 2, 2, 0, { .group = { 0 } } },
      "0.0.0 0.1.0 0.0.1 0.1.1 1.0.0 1.1.0 1.0.1" },
    { { "node", 2, 4, 7, 2, 2, 0, { .group = { 0 } } },
      "0.0.0 1.0.0 0.0.1 1.0.1 0.1.0 1.1.0 0.1.1" },
    /* fewer ranks on a node than it has cores */
    { { "core", 4, 2, 8, 2, 8, 0, { .group = { 0 } } },
      "0.0.0 0.0.1 1.0.0 1.0.1 2.0.0 2.0.1 3.0.0 3.0.1" },
    { { "socket", 4, 2, 8, 2, 8, 0, { .group = { 0 } } },
      "0.0.0 0.1.0 1.0.0 1.1.0 2.0.0 2.1.0 3.0.0 3.1.0" },
    { { "node", 4, 2, 8, 2, 8, 0, { .group = { 0 } } },
      "0.0.0 1.0.0 2.0.0 3.0.0 0.0.1 1.0.1 2.0.1 3.0.1" },
    { { "socket", 2, 3, 5, 2, 8, 0, { .group = { 0 } } }, "0.0.0 0.1.0 0.0.1 1.0.0 1.1.0" },
    { { "socket", 1, 5, 5, 4, 2, 0, { .group = { 0 } } }, "0.0.0 0.1.0 0.2.0 0.3.0 0.0.1" },
    { { "core", 3, 1, 3, 1, 18, 0, { .group = { 0 } } }, "0.0.0 1.0.0 2.0.0" },
    /* more ranks than cores, or cores not known */
    { { "core", 2, 3, 6, 1, 2, 0, { .group = { 0 } } }, "0 0 0 1 1 1" },
    { { "node", 2, 3, 6, 1, 2, 0, { .group = { 0 } } }, "0 1 0 1 0 1" },
    { { "node", 3, 2, 5, 0, 0, 0, { .group = { 0 } } }, "0 1 2 0 1" },
};

static void check_vector(const struct vector *v)
{
    const struct seating *s = &v->seating;
    char text[512] = "";
    size_t used = 0;
    int counts[16] = { 0 };
    for (int r = 0; r < s->procs; r++) {
        const struct seat seat = seat_of(s, r);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", r ? " " : "", seat.node);
        if (seat.core >= 0)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, ".%d.%d", seat.socket, seat.core);
        is_int(counts[seat.node]++, seat_local(s, r), "rank %d's number on node %d", r, seat.node);
    }
    is_str(v->seats, text, "%s, %d x %d, %d ranks, %d sockets of %d cores", s->mapping, s->nodes,
           s->ppn, s->procs, s->sockets, s->cores);
    is_int(0, seat_check(s, NULL), "can be asked");
    for (int n = 0; n < s->nodes; n++)
        is_int(counts[n], seat_count(s, n), "%d ranks on node %d", counts[n], n);
}

struct shape {
    int there, procs, nodes, ppn;
};

static const struct shape shapes[] = {
    { 4, 1, 1, 1 }, { 4, 4, 4, 1 }, { 4, 5, 3, 2 },    { 4, 6, 3, 2 },       { 4, 7, 4, 2 },
    { 4, 8, 4, 2 }, { 1, 9, 1, 9 }, { 51, 80, 40, 2 }, { 124, 124, 124, 1 }, { INT_MAX, 5, 5, 1 },
};

static void check_shapes(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        int nodes, ppn;
        seat_shape(shapes[i].there, shapes[i].procs, &nodes, &ppn);
        is_int(shapes[i].ppn, ppn, "%d ranks on %d nodes: %d each", shapes[i].procs,
               shapes[i].there, shapes[i].ppn);
        is_int(shapes[i].nodes, nodes, "on %d of them", shapes[i].nodes);
    }
}

static void check_refusals(void)
{
    static const struct seating wrong[] = {
        { "cores", 1, 1, 1, 1, 1, 0, { .group = { 0 } } },
        { "", 1, 1, 1, 1, 1, 0, { .group = { 0 } } },
        { "core", 0, 1, 1, 1, 1, 0, { .group = { 0 } } },
        { "core", 1, 0, 1, 1, 1, 0, { .group = { 0 } } },
        { "core", 1, 1, 0, 1, 1, 0, { .group = { 0 } } },
        { "core", 2, 2, 5, 1, 1, 0, { .group = { 0 } } },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct err err = { 0 };
        is_int(-1, seat_check(&wrong[i], &err), "'%s', %d x %d, %d ranks: refused",
               wrong[i].mapping, wrong[i].nodes, wrong[i].ppn, wrong[i].procs);
        ok(*err.text, "with a reason: %s", err.text);
    }
}

/* Two nodes of two sockets of four cores, two of which share a cache. */
static void check_channels(void)
{
    static const struct {
        const char *mapping;
        int a, b;
        enum channel channel;
    } v[] = {
        { "core", 0, 1, CHANNEL_CACHE },   { "core", 0, 2, CHANNEL_CORE },
        { "core", 2, 3, CHANNEL_CACHE },   { "core", 1, 2, CHANNEL_CORE },
        { "core", 3, 4, CHANNEL_SOCKET },  { "core", 0, 8, CHANNEL_NODE },
        { "core", 15, 7, CHANNEL_NODE },   { "socket", 0, 1, CHANNEL_SOCKET },
        { "socket", 0, 2, CHANNEL_CACHE }, { "socket", 0, 4, CHANNEL_CORE },
        { "socket", 1, 3, CHANNEL_CACHE }, { "socket", 0, 8, CHANNEL_NODE },
        { "node", 0, 1, CHANNEL_NODE },    { "node", 0, 2, CHANNEL_CACHE },
        { "node", 0, 4, CHANNEL_CORE },    { "node", 0, 8, CHANNEL_SOCKET },
        { "node", 9, 9, CHANNEL_NONE },    { "node", 3, 1, CHANNEL_CACHE },
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        const struct seating s = { v[i].mapping, 2, 8, 16, 2, 4, 2, { .group = { 0 } } };
        is_int((int)v[i].channel, (int)seat_channel(&s, v[i].a, v[i].b),
               "%s: ranks %d and %d: channel '%s'", v[i].mapping, v[i].a, v[i].b,
               channel_words[v[i].channel]);
    }
    const struct seating whole = { "core", 2, 8, 16, 2, 4, 0, { .group = { 0 } } },
                         unknown = { "core", 2, 8, 16, 2, 2, 1, { .group = { 0 } } };
    is_int(CHANNEL_CORE, (int)seat_channel(&whole, 0, 1), "no caches given: core");
    is_int(CHANNEL_CORE, (int)seat_channel(&unknown, 0, 7), "more ranks than cores: core");
    for (int c = 0; c < N_CHANNELS; c++) {
        enum channel back = N_CHANNELS;
        is_int(0, channel_parse(channel_words[(enum channel)c], &back, NULL), "'%s' reads back",
               channel_words[(enum channel)c]);
        is_int(c, (int)back, "as itself");
    }
    struct err err = { 0 };
    enum channel none;
    is_int(-1, channel_parse("numa", &none, &err), "another word: refused: %s", err.text);
}

/* Two nodes of two sockets of four cores, two of which share a cache; 12 ranks. */
static void check_team(void)
{
    static const struct {
        const char *mapping;
        enum channel channel;
        int procs, n;
        const char *members;
    } v[] = {
        { "core", CHANNEL_NONE, 3, 3, "111000000000" },
        { "core", CHANNEL_CACHE, 2, 2, "110000000000" },
        { "core", CHANNEL_CACHE, 4, 2, "110000000000" },
        { "core", CHANNEL_CORE, 3, 3, "101100000000" },
        { "core", CHANNEL_SOCKET, 4, 4, "100011100000" },
        { "core", CHANNEL_NODE, 5, 5, "100000001111" },
        { "socket", CHANNEL_CACHE, 2, 2, "101000000000" },
        { "socket", CHANNEL_CORE, 3, 3, "100010100000" },
        { "socket", CHANNEL_SOCKET, 3, 3, "110100000000" },
        { "node", CHANNEL_NODE, 3, 3, "110100000000" },
        { "node", CHANNEL_SOCKET, 9, 3, "100000001010" },
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        const int all = strcmp(v[i].mapping, "node") == 0;
        const struct seating s = { v[i].mapping, 2, all ? 6 : 8, 12, 2, 4, 2, { .group = { 0 } } };
        char member[13] = "";
        is_int(v[i].n, seat_team(&s, v[i].channel, v[i].procs, member),
               "%s: %d of %d on channel '%s'", v[i].mapping, v[i].n, v[i].procs,
               channel_words[v[i].channel]);
        for (int r = 0; r < 12; r++)
            member[r] = (char)('0' + member[r]);
        is_str(v[i].members, member, "rank 0 and the nearest in rank");
        is_int(v[i].n, seat_team(&s, v[i].channel, v[i].procs, NULL), "counted alone");
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        check_vector(&vectors[i]);
    check_shapes();
    check_refusals();
    check_channels();
    check_team();
    return tap_done();
}
