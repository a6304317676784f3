/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/levels.h"

static int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

static int is_mapping(const struct seating *s, const char *mapping)
{
    return strcmp(s->mapping, mapping) == 0;
}

const char *level_name(enum level level)
{
    static const char *const names[N_LEVELS] = {
        [LEVEL_CACHE] = "cache",
        [LEVEL_SOCKET] = "socket",
        [LEVEL_NODE] = "node",
        [LEVEL_SWITCH] = "switch",
    };
    return names[level];
}

int level_known(const struct seating *s, enum level level)
{
    const int inside = level == LEVEL_CACHE || level == LEVEL_SOCKET;
    return s->procs > 0 && (!inside || s->ppn <= s->sockets * s->cores);
}

/* ---- within a node on which `count` ranks are. local: a rank's number on it ---- */

/* Ranks on a socket; they have its first cores. */
static int on_socket(const struct seating *s, int count, int socket)
{
    if (is_mapping(s, "socket"))
        return divide_up(count - socket, s->sockets);
    const int left = count - socket * s->cores;
    return left < 0 ? 0 : left < s->cores ? left : s->cores;
}

static int sockets_used(const struct seating *s, int count)
{
    if (is_mapping(s, "socket"))
        return count < s->sockets ? count : s->sockets;
    return divide_up(count, s->cores);
}

/* Groups of a level on so many first cores of a socket; the group of a core; its first core. */
static int in_socket(const struct seating *s, enum level level, int cores)
{
    if (level == LEVEL_RANK)
        return cores;
    return level == LEVEL_CACHE && s->cache_cores ? divide_up(cores, s->cache_cores) : 1;
}

static int group_core(const struct seating *s, enum level level, int group)
{
    if (level == LEVEL_RANK)
        return group;
    return level == LEVEL_CACHE && s->cache_cores ? group * s->cache_cores : 0;
}

/* Whether the ranks of a node are numbered as its groups are, whatever its sockets. */
static int is_plain(const struct seating *s, enum level level)
{
    return level == LEVEL_RANK && (!is_mapping(s, "socket") || !level_known(s, LEVEL_SOCKET));
}

static int in_node(const struct seating *s, enum level level, int count)
{
    int n = 0;
    if (level == LEVEL_NODE || count == 0)
        return count > 0;
    if (level == LEVEL_RANK)
        return count;
    for (int i = 0; i < sockets_used(s, count); i++)
        n += in_socket(s, level, on_socket(s, count, i));
    return n;
}

static int node_group(const struct seating *s, enum level level, int count, int local)
{
    if (level == LEVEL_NODE)
        return 0;
    if (is_plain(s, level))
        return local;
    const int turns = is_mapping(s, "socket");
    const int socket = turns ? local % s->sockets : local / s->cores;
    const int core = turns ? local / s->sockets : local % s->cores;
    int n = in_socket(s, level, core + 1) - 1;
    for (int i = 0; i < socket; i++)
        n += in_socket(s, level, on_socket(s, count, i));
    return n;
}

/* The number on the node of the first rank of a group. */
static int node_first(const struct seating *s, enum level level, int count, int group)
{
    if (level == LEVEL_NODE || is_plain(s, level))
        return level == LEVEL_NODE ? 0 : group;
    int socket = 0;
    for (int n; group >= (n = in_socket(s, level, on_socket(s, count, socket))); socket++)
        group -= n;
    const int core = group_core(s, level, group);
    return is_mapping(s, "socket") ? core * s->sockets + socket : socket * s->cores + core;
}

/* ---- nodes ---- */

static int nodes_used(const struct seating *s)
{
    if (is_mapping(s, "node"))
        return s->procs < s->nodes ? s->procs : s->nodes;
    return divide_up(s->procs, s->ppn);
}

static int rank_at(const struct seating *s, int node, int local)
{
    return is_mapping(s, "node") ? local * s->nodes + node : node * s->ppn + local;
}

/* Of the first `longer` nodes each has a rank more than the others; else all but the last are full.
 */
static int before_node(const struct seating *s, enum level level, int node)
{
    if (!is_mapping(s, "node")) {
        const int used = nodes_used(s), full = node < used ? node : used - 1;
        return full * in_node(s, level, s->ppn) +
               (node < used ? 0 : in_node(s, level, seat_count(s, used - 1)));
    }
    const int even = s->procs / s->nodes, longer = s->procs % s->nodes;
    const int before = node < longer ? node : longer;
    return before * in_node(s, level, even + 1) + (node - before) * in_node(s, level, even);
}

static int node_of(const struct seating *s, enum level level, int group)
{
    if (!is_mapping(s, "node"))
        return group / in_node(s, level, s->ppn);
    const int even = s->procs / s->nodes, longer = s->procs % s->nodes;
    const int past = longer * in_node(s, level, even + 1);
    return group < past ? group / in_node(s, level, even + 1)
                        : longer + (group - past) / in_node(s, level, even);
}

static int of_switch(const struct seating *s)
{
    const int nodes = seat_switch_nodes(s);
    return nodes ? nodes : s->nodes;
}

/* ---- the interface ---- */

int level_count(const struct seating *s, enum level level)
{
    if (level == LEVEL_ALL)
        return 1;
    if (level == LEVEL_SWITCH)
        return divide_up(nodes_used(s), of_switch(s));
    return before_node(s, level, nodes_used(s));
}

int level_group(const struct seating *s, enum level level, int rank)
{
    const int node = seat_node(s, rank);
    if (level == LEVEL_ALL)
        return 0;
    if (level == LEVEL_SWITCH)
        return node / of_switch(s);
    return before_node(s, level, node) +
           node_group(s, level, seat_count(s, node), seat_local(s, rank));
}

int level_first(const struct seating *s, enum level level, int group)
{
    if (level == LEVEL_ALL || level == LEVEL_SWITCH)
        return rank_at(s, group * of_switch(s), 0);
    const int node = node_of(s, level, group);
    return rank_at(s, node,
                   node_first(s, level, seat_count(s, node), group - before_node(s, level, node)));
}

struct level_team level_team(const struct seating *s, enum level below, enum level above, int root,
                             int rank)
{
    const int group = level_group(s, above, rank);
    const int last = group + 1 == level_count(s, above);
    struct level_team t = { .seats = s, .below = below, .root = root };
    t.first = level_group(s, below, level_first(s, above, group));
    t.n = (last ? level_count(s, below) : level_group(s, below, level_first(s, above, group + 1))) -
          t.first;
    if (root >= 0 && level_group(s, above, root) == group)
        t.top = level_group(s, below, root) - t.first;
    return t;
}

int level_rank(const struct level_team *t, int member)
{
    const int group = t->first + member;
    if (t->root >= 0 && level_group(t->seats, t->below, t->root) == group)
        return t->root;
    return level_first(t->seats, t->below, group);
}

int level_member(const struct level_team *t, int rank)
{
    const int member = level_group(t->seats, t->below, rank) - t->first;
    return level_rank(t, member) == rank ? member : -1;
}
