/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_simulation.h - messages on the links of a platform (platform.h), in the order of time, by
 * the rules that SimGrid 3.32 has under the options of harness/run/libraries/smpi_launcher.c
 * (src/kernel/lmm/ there).
 *
 * A message whose latency is over begins when every link of its route that carries one at a time is
 * free. Of those that wait for a link the one that set out first goes first, unless another of its
 * links is busy; then the next that can. A message that ends frees its links in their order, and
 * each is given away before the next is free: so a message between the same two ranks does not
 * follow at once where another could.
 *
 * Without shared links a message lasts its bytes over the least rate. On shared links rates are
 * max-min fair in inverse proportion to the routes' penalties, none above the least rate of the
 * route (Bertsekas & Gallager, Data Networks, section 6.5); they are found anew whenever a message
 * begins or ends, for the messages that share links with it, or with those that do.
 *
 * Cost: O(log messages under way) for a message without shared links, and as much as there are sets
 * of links that others wait for at one of its own; with shared links, O(messages x links) of those
 * that share. */
#ifndef ANALYSIS_WALK_FLOW_SIMULATION_H
#define ANALYSIS_WALK_FLOW_SIMULATION_H

#include "analysis/walk/engine.h"
#include "analysis/walk/platform.h"

/* Kinds of events of a message: what engine_event has for its rank. One more is of shares.h. */
enum { FLOW_SIMULATION_READY = -1, FLOW_SIMULATION_FREE = -2 };

struct flow_simulation;

/* Where messages go when the time at which they have arrived is known: at their end, or before. */
typedef void flow_simulation_arrived(void *state, int message, double at);

/* Events are put in the engine's line. */
struct flow_simulation *flow_simulation_new(const struct platform *platform, struct engine *engine,
                                            flow_simulation_arrived *arrived, void *state);
void flow_simulation_free(struct flow_simulation *carry);

/* Nothing is on its way and all links are free. */
void flow_simulation_restart(struct flow_simulation *carry);

/* A message (any number from 1 that is not under way) sets out at `start` on the route, and needs
 * so many bytes' time on its links: FLOW_SIMULATION_READY comes when its latency is over. */
void flow_simulation_set_out(struct flow_simulation *carry, int message,
                             const struct platform_route *route, double bytes, double start,
                             double latency);

/* An event of a message was taken out of the line. All kinds but FLOW_SIMULATION_READY: after all
 * of that kind at that time. */
void flow_simulation_event(struct flow_simulation *carry, const struct engine_event *event,
                           double now);

/* All events of that time have been handed over. */
void flow_simulation_settle(struct flow_simulation *carry, double now);

#endif
