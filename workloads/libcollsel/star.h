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
 * The fastest of several calls favours candidates with a large variance. The judge STAR_SURE is our
 * addition: it judges a candidate by the median of its calls. Each runs STAR_FIRST calls.
 * Candidates far slower than the best are dropped; the others run all `iterations`. The best, if
 * not the library's own call, may be best by chance. So these two run again in turns (a duel), and
 * the candidate takes over only if it is significantly faster in one or two rounds; else the next
 * best has its duel, up to STAR_CHALLENGERS of them. Candidates of a duel are judged by the median
 * of their turns, each a mean of calls. In Monitor_Adapt the choice also stays while it takes at
 * most (1 + epsilon) times its own earlier time, so a candidate that lost a duel is not tried again
 * because of earlier luck.
 *
 * Every STAR_PAIR_EVERY calls the choice and the library's own call run in turn again. The saving
 * is estimated from these pairs of turns: their ratio times the choice's time. So both sides are
 * means and include the same slow phases.
 *
 * Times are whole nanoseconds: their sums are the same on every rank, in whatever order they are
 * added. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    STAR_FIRST = 3,       /* calls of a candidate before it may be given up */
    STAR_CHALLENGERS = 3, /* most candidates with a duel in one search */
    STAR_ROUNDS = 2,      /* of a duel, at most */
    STAR_TURNS = 5,       /* of each of the two in a round */
    STAR_TURN_CALLS = 5,  /* the first is ignored, since it follows the other one's turn */
    STAR_PAIR_EVERY = 60, /* calls of a settled choice before the next turn of the default */
    STAR_PAIR_CALLS = 3,  /* of either in such a pair of turns; the first is ignored */
    STAR_PAIRS = 4,       /* least number of pairs for an estimate of the saving */
    STAR_ROUND = 2 * STAR_TURNS * STAR_TURN_CALLS,
    STAR_DUELS = STAR_CHALLENGERS * STAR_ROUNDS * STAR_ROUND /* calls of all of them, at most */
};

enum star_judge { STAR_SURE, STAR_FASTEST, N_STAR_JUDGES };

/* "sure", "fastest"; ends with NULL. */
extern const char *const star_judge_words[];

struct star_options {
    enum star_judge judge; /* STAR_FASTEST: the paper's */
    int own;               /* candidate of the library's own call; -1: none */
    int iterations;        /* ITER: 10 in the paper */
    int most_delta;        /* of 2, 4, 8 ... */
    int groups;            /* 1: with groups */
    double epsilon;        /* 0.1 in the paper */
};

/* The paper's. */
extern const struct star_options star_usual;

enum star_stage { STAR_MEASURE, STAR_MONITOR };

struct star;

/* Of n candidates, at least one; group: a number for each one's group. */
struct star *star_new(const struct star_options *options, int n, const int *group);

/* Frees; NULL is fine. */
void star_free(struct star *star);

/* The candidate of the next call. */
int star_next(const struct star *star);

/* Which of the paper's two stages the next call belongs to: Measure_Select or Monitor_Adapt. */
enum star_stage star_stage(const struct star *star);

/* Reports the time of that call on this rank. Returns how many numbers at *values
 * must now be summed over all ranks, elementwise, before star_agreed; 0: none. */
size_t star_record(struct star *star, int64_t ns, int64_t **values);
void star_agreed(struct star *star, int procs);

/* The time by which a candidate is judged, in seconds per call; below
 * 0: not measured. calls: number of calls behind it; may be NULL. */
double star_seconds(const struct star *star, int candidate, int *calls);

/* The candidate that was chosen; -1: candidates are still tried. */
int star_choice(const struct star *star);

/* Time this rank has saved so far compared with the library's own calls, including the cost of
 * trying: intervals (saved_s -+ half_s) held it in 97 to 98 % (planted runs; target 99). */
struct star_saving {
    double saved_s, half_s;
    int is_known; /* 0: not known, too few pairs of turns */
    int pairs;
};
enum star_word { STAR_NOT_SETTLED, STAR_GAINED, STAR_LOST };
enum star_word star_saving(const struct star *star, struct star_saving *saving);

/* Numbers of agreements among the ranks, and of changes of the candidate. */
int star_agreements(const struct star *star);
int star_changes(const struct star *star);
