/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.h - replays a schedule on the platform of a cluster's simulation (platform.h), rank by
 * rank in the order of time: models the messages of the measuring program as SMPI does, without
 * SMPI. Our own; the rules are in docs/simulation.md. All numbers are from the cluster file;
 * nothing is fitted.
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
 * Operations of a rank are computed as soon as they are certain, ahead of other ranks: only what
 * happens on links is an event.
 *
 * Cost: per message one event, or two where others wait for its links (shared links:
 * flow_simulation.h), and two visits to a hash. Memory: O(ranks + messages under way + operations
 * of the rounds under way). */
#pragma once

#include "analysis/walk/platform.h"
#include "workloads/schedules/schedule.h"

/* More ranks than this are walked by classes where the platform and the schedules are symmetric
 * (symmetry.h): the ranks of one node, in place of all. Where messages of several nodes meet on a
 * link, their order differs from node to node in a walk of all; schedules of several rounds are
 * then walked whole, and those of one round differ a little (docs/notebook/2026-12-01-symmetry.md).
 */
enum { REPLAY_WHOLE = 2048 };

/* Parts that every rank runs in sequence, without synchronisation between them. */
struct replay_part {
    const struct schedule *schedule;
    int plain; /* receives are never posted early: a barrier, a ping-pong */
};

struct replay_call {
    const struct replay_part *part;
    size_t parts;
    int times;             /* repetitions of all parts */
    const int *member;     /* rank of the launch of each rank of the schedules; NULL: the same */
    const double *begin_s; /* when each rank calls; NULL: all at 0 */
    const int *order;      /* order of ranks for events of equal time: all ranks in
                              that order; NULL: theirs */
    int whole;             /* of so many ranks or fewer each is walked; 0: REPLAY_WHOLE */
};

struct replay; /* reusable state of walks on one platform */

/* Creates and frees it. The platform is borrowed and must outlive it. */
struct replay *replay_new(const struct platform *platform);
void replay_free(struct replay *replay);

/* Walks a call. end_s[r]: when rank r has done all of it. Returns 0, or -1 with *err: a schedule
 * that never ends. *messages (NULL: not wanted) counts them. */
int replay_walk(struct replay *replay, const struct replay_call *call, double *end_s,
                uint64_t *messages, struct err *err);
