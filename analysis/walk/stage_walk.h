/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_walk.h - the stage walker: from a schedule to its cost (DESIGN.md section 9; Nuriyev &
 * Lastovetsky eq. 5). One walker serves every algorithm of every collective.
 *
 * stage(a rank's sends of a round) = 1 + the larger of the stage of the rank's previous sends and
 * the stage of the messages it has received in EARLIER rounds. A receive counts in the stage in
 * which its message was sent, but never before a receive that the rank completed earlier. Stages
 * are counted from 1 in every phase of the schedule (struct round), and the phases add up.
 *
 * A rank sends and receives at the same time (full duplex), so a stage costs the largest, over
 * ranks, of gamma(sends + 1) * (alpha + largest message sent * beta) and r(receives) * (alpha +
 * largest message received * beta), r being gamma_receives: measured, or proportional.
 *
 * The walk itself does not depend on gamma, alpha or beta: it yields per stage the loads that can
 * dominate: for each (sends, receives) seen, the largest bytes. Evaluate it any number of times.
 *
 * Cost: memory O(ranks + stages + messages in flight), the last kept small by running receivers
 * first; nothing is kept per segment. */
#pragma once

#include "analysis/walk/gamma.h"
#include "workloads/schedules/schedule.h"

struct stage_load {
    uint32_t sends, receives; /* of one rank in this stage; one of them is 0 */
    uint64_t bytes;           /* largest message among them */
    uint64_t reduced;         /* bytes that the rank combines of what it receives in this stage */
};

/* Consecutive stages with equal loads are one run. */
struct stage_run {
    uint64_t stages;     /* how many in a row */
    size_t first, count; /* loads[first .. first+count-1] */
};

struct stage_profile {
    struct stage_run *runs;
    size_t n_runs;
    struct stage_load *loads;
    size_t n_loads;
    uint64_t stages;     /* in all */
    uint64_t operations; /* sends, receives, copies and reductions walked */
};

/* Rounds of one rank, each of which may be a stage that is kept: some 100 bytes. */
enum { STAGE_MOST_ROUNDS = 1 << 24 };

/* Walks all ranks. Returns 0, or -1 with *err set (more rounds than that, or a schedule that
 * never ends). */
int stage_walk(const struct schedule *s, struct stage_profile *profile, struct err *err);

/* T(alpha, beta, gamma) in seconds; alpha in s, beta in s/byte. */
double stage_time(const struct stage_profile *profile, const struct gamma *gamma, double alpha,
                  double beta);

/* Bytes that a reduction combines in the dominating loads at these alpha and
 * beta. Multiply by the combining time per byte and add to the time, if alpha
 * and beta are of messages only. (Fitted to times of the reduction itself,
 * alpha and beta contain it: each incoming byte is combined once.) */
double stage_reduced(const struct stage_profile *profile, const struct gamma *gamma, double alpha,
                     double beta);

/* T = a*alpha + b*beta for given alpha, beta: the coefficients of the loads that dominate there.
 * Returns 1 when the same loads dominate for all alpha, beta >= 0 (the model is linear), else 0. */
int stage_coefficients(const struct stage_profile *profile, const struct gamma *gamma, double alpha,
                       double beta, double *a, double *b);

void stage_profile_clear(struct stage_profile *profile);
