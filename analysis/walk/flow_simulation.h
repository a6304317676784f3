/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_simulation.h - messages on the links of a platform (platform.h), in the order of time, by
 * the rules that SimGrid 3.32 has under the options of harness/run/libraries/smpi_launcher.c
 * (src/kernel/lmm/ there).
 *
 * After its latency a message begins when every exclusive link of its route is free.
 * Of the messages that wait for a link, the one that set out first goes first, unless
 * another of its links is busy; then the next possible one. A finished message frees
 * its links in route order, and each link is assigned before the next is freed: so a
 * message between the same two ranks does not follow at once if another one can.
 *
 * Without shared links a message lasts its bytes over the least rate. On shared links rates are
 * max-min fair in inverse proportion to the routes' penalties, none above the least rate of the
 * route (Bertsekas & Gallager, Data Networks, section 6.5); they are found anew whenever a message
 * begins or ends, for the messages that share links with it, or with those that do.
 *
 * Cost: O(log messages in flight) for a message without shared links, plus
 * one step per set of links that other messages wait for at one of its
 * links; with shared links, O(messages x links) of those that share. */
#pragma once

#include "analysis/walk/engine.h"
#include "analysis/walk/platform.h"

/* Kinds of events of a message: what engine_event has for its rank. One more is in
 * flow_simulation.c. */
enum { FLOW_SIMULATION_READY = -1, FLOW_SIMULATION_FREE = -2 };

struct flow_simulation;

/* Called when the arrival time of a message is known: at its end, or earlier. */
typedef void flow_simulation_arrived(void *state, int message, double at);

/* New simulation. Its events go to the engine's queue. */
struct flow_simulation *flow_simulation_new(const struct platform *platform, struct engine *engine,
                                            flow_simulation_arrived *arrived, void *state);
void flow_simulation_free(struct flow_simulation *carry);

/* Resets: no message in flight, all links free. */
void flow_simulation_restart(struct flow_simulation *carry);

/* A message (any unused number from 1) sets out at `start` on the route, with the link
 * time of this many bytes: FLOW_SIMULATION_READY comes when its latency is over. `group`: see
 * flow_simulation_mixed. */
void flow_simulation_set_out(struct flow_simulation *carry, int message,
                             const struct platform_route *route, double bytes, double start,
                             double latency, int group);

/* 1 when, since the restart, messages of different groups waited for a link at one time, or came to
 * it together: which of them was first decided something. */
int flow_simulation_mixed(const struct flow_simulation *carry);

/* Handles an event of a message taken from the queue. All kinds but
 * FLOW_SIMULATION_READY come after all READY events of that time. */
void flow_simulation_event(struct flow_simulation *carry, const struct engine_event *event,
                           double now);

/* Call it after all events of that time were handled. */
void flow_simulation_settle(struct flow_simulation *carry, double now);
