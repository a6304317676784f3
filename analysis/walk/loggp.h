/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.h - the LogGP walk: from a schedule to its time with separate latency and gap (LogP, Culler
 * et al. 1993; LogGP, Alexandrov et al. 1995), for every algorithm of every collective.
 *
 * In the stage walk a stage has one cost, in a pipeline or not. Here every rank has a clock and
 * one processor that sends and receives in turn:
 *   - the sends of a round go out one after the other from the round's start; each occupies the
 *     sender for send(m) and can be received in full latency(m) after its own start;
 *   - the receives of a round follow the sends, in the order of arrival; one is complete at the
 *     later of its arrival and receive(m) after the processor became free;
 *   - a round ends when its last send and receive do (eager: a send does not wait for its
 * receiver); copies and reductions are free. So a message to an idle rank costs latency(m), the
 * next segment of a full pipeline what the busiest relay does for it: receive(m) + children *
 * send(m).
 *
 * Time is that of the slowest rank. The path that decided it is counted: with latencies scaled by
 * one number and both gaps by another, time = scale.latency * path.latency + scale.gap * path.gap.
 *
 * PORTS. Ranks of one node share its port to the network, with a rate in bytes per
 * second each way. If the busiest port needs more time for all its bytes than the gaps
 * of the path, it decides instead: time = scale.latency * path.latency + port_s, and
 * path.gap is 0. This bounds throughput; the arrival times of the bytes are ignored.
 *
 * Cost: memory O(ranks + messages in flight + receives of the widest round); of an all-to-all at
 * once at most some 2 million receives of 32 bytes (ranks.h). */
#ifndef ANALYSIS_WALK_LOGGP_H
#define ANALYSIS_WALK_LOGGP_H

#include "analysis/walk/ranks.h"

/* Seconds as a function of bytes, linear between points of ascending bytes and, with the slope of
 * the first and last two, beyond them; never below 0. One point: a constant. */
struct curve {
    size_t n;
    double *bytes, *seconds; /* owned */
};

struct loggp_costs {
    struct curve latency, send, receive;
    double port; /* seconds per byte of a node's port, each way; 0: no limit */
};

/* Which ranks share a node. */
struct loggp_place {
    int nodes, ppn;  /* ppn < 2: none do */
    int round_robin; /* rank modulo nodes; else rank / ppn */
};

struct loggp_scale {
    double latency, gap; /* >= 0 */
};

/* Time in seconds (clock.time) and the path's sums, before the scales. */
struct loggp_result {
    struct walk_clock clock;
    double port_s; /* 0 where no port decided */
    uint64_t operations;
};

/* Walks all ranks. Returns 0, or -1 with *err set (a schedule that never ends). */
int loggp_walk(const struct schedule *s, const struct loggp_costs *costs, struct loggp_place place,
               struct loggp_scale scale, struct loggp_result *result, struct err *err);

/* Seconds at so many bytes. */
double curve_value(const struct curve *curve, double bytes);

/* Adds a point; one of the same bytes is replaced. */
void curve_add(struct curve *curve, double bytes, double seconds);

/* Frees what they hold. */
void curve_clear(struct curve *curve);
void loggp_costs_clear(struct loggp_costs *costs);

#endif
