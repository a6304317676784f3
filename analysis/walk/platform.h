/* SPDX-License-Identifier: BSD-3-Clause */
/* platform.h - the platform of a cluster's simulation (harness/run/backends/sim_backend.c and
 * sim_backend.c write it for SimGrid), as links and routes between the ranks of a launch, for the
 * walk that replays it (replay.h). All numbers are from the cluster file; nothing is fitted.
 *
 * A link is one of three:
 *   - one: it carries one message after the other (a node's link to a switch, a core's seat; the
 *     loopback of such a node);
 *   - shared: all its messages share its rate (trunks, memories, bridges, the links of a torus, a
 *     mesh or a fat tree, and all links where a backplane is given);
 *   - bound: limits each message to its rate (channels inside a node). */
#pragma once

#include "harness/base/seat.h"
#include "harness/study/cluster.h"

enum platform_kind { PLATFORM_ONE, PLATFORM_SHARED, PLATFORM_BOUND };

struct platform_link {
    enum platform_kind kind;
    double rate;    /* bytes per second */
    double latency; /* seconds */
};

struct platform; /* of a cluster, with the ranks of a launch in their seats */

/* One message's way: its links in order, ids 0 ... platform_links - 1. */
struct platform_route {
    int *link; /* room for platform_most_links */
    int n;
    double latency; /* seconds, of all links */
    double rate;    /* bytes per second, of the slowest */
    double penalty; /* its share of a shared link is inversely proportional to this */
};

/* NULL with *err: the cluster cannot be simulated this way. */
struct platform *platform_new(const struct cluster *cluster, const struct seating *seating,
                              struct err *err);
void platform_free(struct platform *platform);

/* The cluster that it was made of (borrowed), and its number of links. */
const struct cluster *platform_cluster(const struct platform *platform);
int platform_links(const struct platform *platform);
const struct platform_link *platform_link(const struct platform *platform, int link);

/* Links of the longest route. */
int platform_most_links(const struct platform *platform);

/* The way from a rank of the launch to another one. */
void platform_route(const struct platform *platform, int src, int dst,
                    struct platform_route *route);

/* Where the links go when every rank takes the seat of another one, to[rank]: link[i] becomes the
 * link of each, or -1 where no route has it. 1; 0: routes do not go to routes, or the ranks are not
 * so many. */
int platform_moves(const struct platform *platform, const int *to, int procs, int *link);

/* The cost or factor of a list for this many bytes, by its last entry that begins
 * at or below: seconds (0: the list is empty), and a factor (1: no such entry). */
static inline double platform_cost(const struct cost_list *list, uint64_t bytes)
{
    double seconds = 0;
    for (size_t i = 0; i < list->n && (i == 0 || list->v[i].from_bytes <= bytes); i++)
        seconds = list->v[i].seconds + list->v[i].seconds_per_byte * (double)bytes;
    return seconds;
}
static inline double platform_factor(const struct factor_list *list, uint64_t bytes)
{
    double value = 1;
    for (size_t i = 0; i < list->n && list->v[i].from_bytes <= bytes; i++)
        value = list->v[i].factor;
    return value;
}
