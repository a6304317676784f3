/* SPDX-License-Identifier: BSD-3-Clause */
/* kept.h - the rounds of a schedule, made once for walks of it that follow each other
 * (schedule_keep). */
#ifndef WORKLOADS_SCHEDULES_KEPT_H
#define WORKLOADS_SCHEDULES_KEPT_H

#include "workloads/schedules/round.h"

struct kept_round;

/* Owns what it holds. Start from { 0 }. */
struct kept {
    struct op *ops; /* of all rounds, rank by rank */
    struct kept_round *rounds;
    size_t *first; /* of each rank: its first round; the last is the end of all */
    size_t n_ops, n_rounds, n_ranks, room_ops, room_rounds, room_first;
    uint64_t sends; /* among the ops */
};

/* Operations and rounds that are kept at most: some 15 MB. */
enum { KEPT_MOST = 1 << 18 };

/* Nothing is kept any more; the memory is used again. */
void kept_empty(struct kept *kept);

/* The next rank, of so many rounds; then each of its rounds. -1: more than KEPT_MOST. */
int kept_begin_rank(struct kept *kept, uint64_t rounds);
int kept_add(struct kept *kept, const struct round *round);

/* Number of rounds of a rank; *out becomes round k of a rank, whose operations are lent: they stay
 * those of `kept`. */
uint64_t kept_rounds(const struct kept *kept, int rank);
void kept_round(const struct kept *kept, int rank, uint64_t k, struct round *out);

/* Frees what it holds. */
void kept_clear(struct kept *kept);

#endif
