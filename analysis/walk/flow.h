/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.h - the flow walk: the messages of a schedule as flows that share links, event by event.
 * Ours, beyond the walk in steps of Sugiyama, Morie & Nanri (link_walk.h), whose steps start
 * together on all ranks and last as long as the busiest link: here a rank goes on when its own
 * operations are done, so that messages of several steps meet.
 *
 * A message of m bytes takes t(m) alone, t as in link_walk.h. Of this, m times the slope of t
 * between its two largest sizes is the time in which its bytes flow at the rate of a link; the rest
 * comes before, and with it the latency of a route longer than the ping-pong's. Flows share a link
 * max-min fairly (Bertsekas & Gallager, Data Networks, section 6.5), in equal parts, or, as SimGrid
 * does, in inverse proportion to the latency of their routes; the rates change whenever a flow
 * begins or ends. A link slower or faster than a node's has its own rate. A message within a node
 * crosses no link and takes t(m).
 *
 * A round ends when its receives are there, its sends are delivered (messages below
 * costs->rendezvous_bytes: have left), and its copies are made.
 *
 * Cost: for each message the flows of all ranks are looked at a few times, so messages x ranks
 * of more than 600,000 are not walked. */
#ifndef ANALYSIS_WALK_FLOW_H
#define ANALYSIS_WALK_FLOW_H

#include "analysis/walk/link_walk.h"

/* Whether flows share a link in equal parts or by the latency of their routes. */
enum flow_sharing { FLOW_EQUAL, FLOW_BY_LATENCY };

/* Walks a schedule on a network with its ranks in place. *seconds: of the slowest rank; NaN where
 * messages x ranks are too many. Returns 0, or -1 with *err: a schedule that never ends, another
 * number of ranks than the net's. */
int flow_walk(const struct links_net *net, const struct schedule *s,
              const struct links_costs *costs, enum flow_sharing sharing, double *seconds,
              struct err *err);

#endif
