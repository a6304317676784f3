/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.h - the queue walker: the collisions of Sugiyama, Morie & Nanri (link_walk.h) among the
 * messages that really leave together, without steps of the whole group. Ours, beyond the walk in
 * steps, in which nobody goes on before the worst link of a step is through.
 *
 * A round begins when the one before it has ended. Its receives are posted, and with them those of
 * the next round that may be (round_early), its sends leave at once; but a message of
 * costs->rendezvous_bytes or more leaves when its receive is posted, too (of two ranks' messages
 * the k-th send belongs to the k-th receive). A round ends when its receives are there, its sends
 * are delivered (shorter ones: have left), and its copies are made, one after the other. Reductions
 * cost nothing.
 *
 * A message of m bytes takes t(m) alone, t as in link_walk.h.
 * Of this, m times the slope of t between its two largest sizes is the time in which its bytes pass
 * a link (one slower or faster than a node's by its rate); the rest comes before, and with it the
 * latency of a route longer than the ping-pong's. Every link has a queue. Messages that leave at
 * one time join the queues of all links of their routes, and each is through when the last of its
 * links has carried all messages queued by then: C messages that meet on one link all take
 * t(C m), as in Sugiyama, but others continue. Later messages queue behind them. Rounds of one
 * rank that leave at one time, since nothing held the rank up, join one after the other. Messages
 * within a node take t(m) of their channel.
 *
 * Links are independent: that a message waiting on one link leaves its other
 * links idle is not modelled, so the time is too short where long routes cross.
 *
 * Cost: O(messages (log messages under way + hops)); more than 2 million are not walked.
 * Memory: O(ranks^2), the messages and the rounds under way. */
#pragma once

#include "analysis/walk/link_walk.h"

/* Walks a schedule on a network with its ranks in place. *seconds: of the slowest rank; NaN where
 * messages are too many. Returns 0, or -1 with *err: a schedule that never ends, another number of
 * ranks than the net's. */
int queue_walk(const struct links_net *net, const struct schedule *s,
               const struct links_costs *costs, double *seconds, struct err *err);
