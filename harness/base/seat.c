/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/seat.h"

#include "harness/base/rng.h"

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

static int same_network(const struct seat_network *a, const struct seat_network *b)
{
    return memcmp(a->group, b->group, sizeof a->group) == 0 && a->shuffled == b->shuffled &&
           (!a->shuffled || a->seed == b->seed) && a->listed == b->listed;
}

int seat_same(const struct seating *a, const struct seating *b)
{
    return a->nodes == b->nodes && a->ppn == b->ppn && a->procs == b->procs &&
           a->sockets == b->sockets && a->cores == b->cores && a->cache_cores == b->cache_cores &&
           same_network(&a->network, &b->network) &&
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

int seat_switch_nodes(const struct seating *s)
{
    return s->network.shuffled || s->network.listed ? 0 : s->network.group[0];
}

void seat_shuffle(uint64_t seed, int nodes, int *position)
{
    struct rng rng;
    for (int k = 0; k < nodes; k++)
        position[k] = k;
    rng_init(&rng, seed);
    rng_shuffle(&rng, position, (size_t)nodes, sizeof *position);
}

const char *seat_network_text(const struct seat_network *n, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = 0;
    for (int i = 0; i < SEAT_LEVELS && n->group[i] && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%d", i ? "," : "", n->group[i]);
    if (n->shuffled && used && used < size)
        snprintf(buf + used, size - used, ":%d:%llu", n->shuffled, (unsigned long long)n->seed);
    return buf;
}

static int wrong_network(const char *text, struct err *err)
{
    return err_set(err,
                   "'%s' is not a tree of switches (want nodes below a switch of each level, each "
                   "number a multiple of the one before, and for a shuffle :NODES:SEED)",
                   text);
}

/* The next number of the text, which ends at one of `ends`, or with the text; -1: none. */
static int next_number(const char **text, const char *ends, uint64_t *number)
{
    char digits[24];
    const size_t n = strcspn(*text, ends);
    if (n == 0 || n >= sizeof digits)
        return -1;
    memcpy(digits, *text, n);
    digits[n] = 0;
    *text += n;
    return parse_u64(digits, number, NULL);
}

static int parse_groups(const char **text, struct seat_network *n)
{
    uint64_t number, before = 1;
    for (int i = 0; i < SEAT_LEVELS; i++, before = number) {
        if (next_number(text, ",:", &number) < 0 || number < 1 || number > INT_MAX ||
            number % before)
            return -1;
        n->group[i] = (int)number;
        if (**text != ',')
            return 0;
        ++*text;
    }
    return -1;
}

int seat_network_parse(const char *text, struct seat_network *network, struct err *err)
{
    struct seat_network n = { .shuffled = 0 };
    const char *at = text;
    uint64_t nodes = 0;
    if (*text && parse_groups(&at, &n) < 0)
        return wrong_network(text, err);
    if (*at == ':') {
        at++;
        if (next_number(&at, ":", &nodes) < 0 || nodes < 1 || nodes > INT_MAX || *at++ != ':' ||
            next_number(&at, "", &n.seed) < 0)
            return wrong_network(text, err);
        n.shuffled = (int)nodes;
    }
    *network = n;
    return 0;
}
