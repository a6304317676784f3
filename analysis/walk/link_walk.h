/* SPDX-License-Identifier: BSD-3-Clause */
/* link_walk.h - the walk in steps: from a schedule and a network to its time, with the
 * collisions of messages on links (Sugiyama, Morie & Nanri, "Topology Aware Performance Prediction
 * of Collective Communication Algorithms on Multi-Dimensional Mesh/Torus", sections IV and V). One
 * walker serves every algorithm of every collective on every network of harness/study/topology.h.
 *
 * The steps of all ranks start together. A step is what stage_walk.h calls a stage: the sends of a
 * round are in step 1 + the larger of the step of the rank's previous sends and the steps of the
 * messages that it has received in earlier rounds, counted anew in every phase. Of algorithms whose
 * rounds are steps of the whole group (allgather) it is the number of the round.
 *
 * Every message of a step is routed. C is the most messages on one link in one direction. A step of
 * messages of M bytes costs t(C M), where t is the time of a ping-pong message, linear between the
 * sizes that were measured. Beyond the paper, which has equal messages and equal links: t of the
 * greatest total of bytes on one link, a link slower or faster than a node's counted by its rate.
 * A message within a node crosses no link: it takes t of its channel's own ping-pong, or t of the
 * nodes' where there is none, and the step as long as whatever takes longest.
 *
 * Copies cost t_mem: in a step, the largest over ranks of the sum of the rank's own copies. Local
 * work before the first send is step 0. Reductions cost nothing here.
 *
 * The algorithm's time is the sum over its steps. The paper's model without collisions is the same
 * with C = 1. Its own remedy for small messages (section VII.A, not evaluated there): the latency
 * of the longest route of a step beyond that of the ping-pong's.
 *
 * Cost: every message is inspected once. It is routed unless its step equals,
 * message by message, a recent step (on this network, in any walk; with equal
 * messages, of any size). If the previous walk was of the same schedule, and
 * nothing is copied, only its steps are summed with new costs. */
#pragma once

#include "analysis/walk/curve.h"
#include "analysis/walk/post.h"
#include "harness/study/topology.h"
#include "workloads/schedules/schedule.h"

/* A network with the ranks of a launch in their places; and the steps seen lately. */
struct links_net;

/* order: which node of the network is the k-th of the launch (topology_order). NULL with *err. */
struct links_net *links_net_new(const struct topology *topology, const char *order,
                                const struct seating *seating, struct err *err);
void links_net_free(struct links_net *net);

/* The node of the network that a rank is on; the channel between two ranks. */
int links_net_node(const struct links_net *net, int rank);
enum channel links_net_channel(const struct links_net *net, int a, int b);
const struct topology *links_net_topology(const struct links_net *net);

/* Seconds. Borrowed. */
struct links_costs {
    const struct curve *message;               /* t: ping-pong, one way */
    const struct curve *copy;                  /* t_mem; no points: copies cost nothing */
    double latency;                            /* of the ping-pong's route, by the cluster file */
    double latency_scale;                      /* times the cluster file's latencies */
    const struct factor_list *latency_factors; /* by message size, too; NULL: 1 */
    uint64_t rendezvous_bytes;  /* queue.h: the sender does not wait for shorter messages */
    const struct curve *inside; /* t within a node, of N_CHANNELS; NULL, or no points: as message */
};

/* A message's way, for the walks in the order of time. */
struct links_trip {
    int hops;
    double latency; /* of its route, by the cluster file */
    double head;    /* seconds before its bytes flow; more on routes longer than the ping-pong's */
    double body;    /* seconds in which they flow, at the rate of a node's link */
};

/* Its route (into `route`, which has room for links_net_room links) and its times, alone. slope: of
 * a link, links_slope. */
struct links_trip links_trip(const struct links_net *net, const struct links_costs *costs,
                             double slope, const struct walk_message *m, int *route);

/* Links of the longest route, and one more. */
size_t links_net_room(const struct links_net *net);

/* 0, or -1 with *err: the schedule has another number of ranks than the net. */
int links_net_fits(const struct links_net *net, const struct schedule *s, struct err *err);

/* The cluster file's factor on latencies for messages of so many bytes. */
double links_latency_factor(const struct factor_list *factors, uint64_t bytes);

/* Seconds per byte of a link: of t between its two largest sizes. */
double links_slope(const struct curve *t);

/* The messages of a step on one link. */
struct links_load {
    int link;
    uint32_t messages;
    uint64_t bytes; /* at most UINT64_MAX: does not wrap */
};

/* The sum of two loads, at most UINT64_MAX. */
uint64_t links_add_bytes(uint64_t a, uint64_t b);

struct links_step {
    int phase;
    uint64_t number; /* in its phase, from 1; 0: before any send */
    size_t messages;
    uint64_t largest;    /* message, in bytes */
    uint32_t collisions; /* C: most messages on one link; 0: none crosses a link */
    double link_bytes;   /* most on one link, as if all links had the rate of a node's */
    int hops;            /* most links on a route */
    double latency;      /* of the longest route, by the cluster file */
    double copy_s;
    /* The largest message of each channel, in bytes; below 0: none. */
    double most[N_CHANNELS];
};

/* Sums over the steps, in seconds, and the most in any step. */
struct links_result {
    uint64_t steps, operations;
    uint64_t local_steps; /* steps within nodes only, on a channel without a ping-pong */
    uint64_t largest;     /* message, in bytes */
    uint64_t collisions;
    double link_bytes;
    int hops;
    double network_s; /* t(C M) */
    double alone_s;   /* t(M) */
    double latency_s; /* of routes longer than the ping-pong's; below 0 where they are shorter */
    double copy_s;
    double queue_s; /* of queue.h, whoever walks it; NaN: not walked */
};

/* Callback for every step, with the loads of its links. */
struct links_watch {
    void *arg;
    int (*step)(void *arg, const struct links_step *step, const struct links_load *load, size_t n);
};

/* Walks all ranks; watch may be NULL. The net caches steps and is otherwise unchanged. Returns 0,
 * or -1 with *err set: a schedule that never ends, another number of ranks than the net's. */
int links_walk(struct links_net *net, const struct schedule *s, const struct links_costs *costs,
               const struct links_watch *watch, struct links_result *result, struct err *err);
