/* SPDX-License-Identifier: BSD-3-Clause */
/* shared_samples.h - the timed points of a launch, by what ran: if the same runs at a
 * second point, under another name, the samples of the first are used for both. Pure C.
 *
 * Two points ran the same if cell, algorithm, parameters and component are equal
 * by the proof of the call before timing, and at least one of them ran another
 * algorithm than requested. Two points that ran the requested algorithms are
 * timed separately, unless one equals the other in effect (schedule_in_effect).
 * The library's own choice is always timed. Owns its rows; starts from { 0 }. */
#pragma once

#include "harness/study/records.h"

struct shared_samples_row {
    uint64_t what;           /* digest of the cell and of what ran */
    int renamed;             /* 1: not the requested algorithm, or equal to another one in effect */
    struct outcome *outcome; /* of the point that was timed, which has its id; NULL: not kept */
};

struct shared_samples {
    struct shared_samples_row *row;
    size_t n;
};

/* The row of a point that was timed and at which the same ran, or NULL: it is timed. ran: what is
 * known of it before timing (status, verified, ran_*). */
const struct shared_samples_row *shared_samples_find(const struct shared_samples *once,
                                                     const struct point *point,
                                                     const struct outcome *ran);

/* Notes that a point was timed, if others may be the same; keep: with its outcome. */
void shared_samples_note(struct shared_samples *once, const struct point *point,
                         const struct outcome *outcome, int keep);

/* Uses the samples of the row for this outcome, too. The row has an outcome. */
void shared_samples_take(struct outcome *outcome, const struct shared_samples_row *row);

void shared_samples_clear(struct shared_samples *once);
