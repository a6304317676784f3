/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.h - replays a schedule on the platform that a simulation of the cluster would have
 * (platform.h), rank by rank in the order of time: what SMPI does with the measuring program's
 * messages, without SMPI. Ours; the rules are those of docs/simulation.md, the numbers the cluster
 * file's own, and nothing is fitted.
 *
 * Rounds are run as workloads/execute/execute.c runs them: receives are posted, sends start one
 * after the other, receives of the next round are posted early (round_early), and all are waited
 * for; a round of one message is a blocking call. A send costs its rank send_cost (blocking) or
 * isend_cost; below eager_bytes it then sets out, else when its receive is posted, too; from
 * rendezvous_bytes on a blocking one costs nothing and the sender waits until it has arrived. A
 * receive below rendezvous_bytes costs recv_cost when it is taken. A message sets out with its
 * latency (times the factor for its size), and crosses its links (flow_simulation.h) with its bytes
 * and an envelope of 16, at their rate times the bandwidth factor. A message of no bytes is one of
 * one byte. Copies and reductions cost what the file says.
 *
 * What a rank does is reckoned as soon as it is certain, ahead of the time of the others: only what
 * happens on links is an event.
 *
 * Cost: per message one event, or two where others wait for its links (shared links:
 * flow_simulation.h), and two visits to a hash. Memory: O(ranks + messages under way + operations
 * of the rounds under way).
 */
#ifndef ANALYSIS_WALK_REPLAY_H
#define ANALYSIS_WALK_REPLAY_H

#include "analysis/walk/platform.h"
#include "workloads/schedules/schedule.h"

/* What every rank does, part after part, without waiting for others between them. */
struct replay_part {
    const struct schedule *schedule;
    int plain; /* receives are never posted early: a barrier, a ping-pong */
};

struct replay_call {
    const struct replay_part *part;
    size_t parts;
    int times;             /* all parts, so many times */
    const int *member;     /* rank of the launch of each rank of the schedules; NULL: the same */
    const double *begin_s; /* when each rank calls; NULL: all at 0 */
    const int *order;      /* of what happens at one time the first rank's comes first: all ranks in
                              that order; NULL: theirs */
};

struct replay; /* the memory of walks on one platform */

/* A new memory, and its end. The platform is borrowed and must outlive it. */
struct replay *replay_new(const struct platform *platform);
void replay_free(struct replay *replay);

/* Walks a call. end_s[r]: when rank r has done all of it. Returns 0, or -1 with *err: a schedule
 * that never ends. *messages (NULL: not wanted) counts them. */
int replay_walk(struct replay *replay, const struct replay_call *call, double *end_s,
                uint64_t *messages, struct err *err);

#endif
