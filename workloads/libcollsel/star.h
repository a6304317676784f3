/* SPDX-License-Identifier: BSD-3-Clause */
/* star.h - the self-tuning algorithm of STAR-MPI (Faraj, Yuan & Lowenthal, ICS 2006, Figure 2) for
 * one kind of call: chooses the candidate of the next call. Pure: the caller reports the time of
 * each call, and sums over the ranks the values to agree on.
 *
 * Measure_Select: every candidate runs `iterations` calls; it is judged by its fastest call, each
 * the mean over ranks. With groups, the first candidate of each group runs, then all others of the
 * best group. Monitor_Adapt: the best candidate runs; after delta x iterations calls the ranks'
 * mean time is compared with the second best's. If it is at most (1 + epsilon) times that, delta is
 * doubled. If it is more, and so are the last `iterations` calls, the second best takes over (delta
 * is reset; the new times count for the replaced one). If it is more, but the last calls are not,
 * delta is reset. If the new candidate is of an unmeasured group, that group is measured first.
 *
 * Other than in the paper's figure: its lines 29 and 30 divide the rank's own totals, not the sums
 * of all ranks, so that ranks come to decide differently; its line 26 counts calls only at the end
 * of a period, so that none ever ends; line 37 is done after both branches, as the text says; and
 * delta has an upper bound, of which the text says that there may be one.
 *
 * The fastest of several calls favours candidates with a large variance, and nothing bounds what
 * the search costs. The judge STAR_SURE is our addition: another search, with a bound on its cost
 * (star_sure.h).
 *
 * Times are whole nanoseconds: their sums are the same on every rank, in whatever order they are
 * added. */
#pragma once

#include "workloads/libcollsel/star_sure.h"

enum star_judge { STAR_SURE, STAR_FASTEST, N_STAR_JUDGES };

/* "sure", "fastest"; ends with NULL. */
extern const char *const star_judge_words[];

struct star_options {
    enum star_judge judge; /* STAR_FASTEST: the paper's */
    double cost;           /* of STAR_SURE: share of the time that trials may cost */
    int iterations;        /* ITER: 10 in the paper */
    int most_delta;        /* of 2, 4, 8 ... */
    int groups;            /* 1: with groups */
    double epsilon;        /* 0.1 in the paper */
};

/* The paper's. */
extern const struct star_options star_usual;

enum star_stage { STAR_MEASURE, STAR_MONITOR };

struct star;

/* Of n candidates, at least one; group: a number for each one's group. Of STAR_SURE candidates
 * are not wanted yet (0, NULL). */
struct star *star_new(const struct star_options *options, int n, const int *group);

/* Of STAR_SURE alone. star_wants, 1: its candidates are wanted, to be given by star_begin; the
 * first is the library's own call. star_tell, star_learn: what is known of one. */
int star_wants(const struct star *star);
void star_begin(struct star *star, int n, const struct star_prior *prior);
void star_tell(const struct star *star, int candidate, struct star_learnt *learnt);
void star_learn(struct star *star, int candidate, const struct star_learnt *learnt);

/* Frees; NULL is fine. */
void star_free(struct star *star);

/* The candidate of the next call. */
int star_next(const struct star *star);

/* Which of the paper's two stages the next call belongs to: Measure_Select or Monitor_Adapt. Of
 * STAR_SURE: a trial or not. */
enum star_stage star_stage(const struct star *star);

/* Reports the time of that call on this rank. Returns how many numbers at *values
 * must now be summed over all ranks, elementwise, before star_agreed; 0: none. */
size_t star_record(struct star *star, int64_t ns, int64_t **values);
void star_agreed(struct star *star, int procs);

/* After each call: what the library did itself on this rank for it, the agreement with it. */
void star_own(struct star *star, int64_t ns);

/* Before star_record: what the library's start took on this rank, and all collectives so far. */
void star_whole(struct star *star, int64_t start_ns, int64_t all_ns);

/* The time by which a candidate is judged, in seconds per call; below
 * 0: not measured. calls: number of calls behind it; may be NULL. */
double star_seconds(const struct star *star, int candidate, int *calls);

/* The candidate that was chosen; -1: none yet. */
int star_choice(const struct star *star);

/* What this rank has saved, of STAR_SURE; of others it is not known. */
enum star_word star_saving(const struct star *star, struct star_saving *saving);

/* Numbers of agreements among the ranks, and of changes of the candidate. */
int star_agreements(const struct star *star);
int star_changes(const struct star *star);
