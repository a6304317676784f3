/* SPDX-License-Identifier: BSD-3-Clause */
/* kept.h - the rounds of a schedule, made once for walks of it that follow each other
 * (schedule_keep). */
#pragma once

#include "workloads/schedules/round.h"

struct kept_round;

/* One step of a walk (analysis/walk/ranks.h): a rank begins or ends a round;
 * sends a message that is received at once, or that waits in a place; a
 * waiting message is received; or a step of all ranks has ended. */
enum kept_what { KEPT_BEGIN, KEPT_END, KEPT_PASS, KEPT_SEND, KEPT_RECEIVE, KEPT_STEP };

struct kept_step {
    enum kept_what what;
    int rank;    /* that begins, ends or sends; of a step: the upper half of its number */
    uint32_t at; /* of the rounds: that begins; of the ops: that is sent; the number's lower half */
    int place;   /* of a message that waits */
};

/* Record of a walk, for later walks; written during the walk. */
struct kept_walk {
    int walked; /* to its end */
    struct kept_step *step;
    size_t n, room;
    int places;
};

/* Owns what it holds. Start from { 0 }. */
struct kept {
    struct op *ops; /* of all rounds, rank by rank */
    struct kept_round *rounds;
    size_t *first; /* of each rank: its first round; the last is the end of all */
    size_t n_ops, n_rounds, n_ranks, room_ops, room_rounds, room_first;
    uint64_t sends;                 /* among the ops */
    struct kept_walk any, in_steps; /* in any order; in steps of all ranks */
};

/* Operations and rounds that are kept at most: some 15 MB. */
enum { KEPT_MOST = 1 << 18 };

/* Empties it; the memory is reused. */
void kept_empty(struct kept *kept);

/* The next rank, of so many rounds; then each of its rounds. -1: more than KEPT_MOST. */
int kept_begin_rank(struct kept *kept, uint64_t rounds);
int kept_add(struct kept *kept, const struct round *round);

/* Number of rounds of a rank; *out becomes round k of a rank, whose operations are lent: they stay
 * those of `kept`. */
uint64_t kept_rounds(const struct kept *kept, int rank);
void kept_round(const struct kept *kept, int rank, uint64_t k, struct round *out);

/* The same of a round whatever its rank (kept_step), and which round it is. */
void kept_nth_round(const struct kept *kept, size_t nth, struct round *out);
size_t kept_place_of(const struct kept *kept, int rank, uint64_t k);

/* Records the next step of a walk. */
void kept_note(struct kept_walk *walk, struct kept_step step);

/* round_early of a rank's round k and its next round, which must exist; cached. One
 * thread at a time, while nothing of both rounds is struck out by a borrower. */
size_t kept_early(const struct kept *kept, int rank, uint64_t k);

void kept_clear(struct kept *kept);
