/* SPDX-License-Identifier: BSD-3-Clause */
/* star.h - the algorithm that tunes itself of STAR-MPI (Faraj, Yuan & Lowenthal, ICS 2006, Figure
 * 2), for one kind of call: which candidate the next call runs. Pure: whoever calls tells the time
 * of each call, and adds up among the ranks what is to be agreed on.
 *
 * Measure_Select: every candidate runs `iterations` calls; what counts of it is the fastest one of
 * them, each the mean over ranks. With groups, of each group its first candidate runs, then all
 * others of the best group. Monitor_Adapt: the best candidate runs; after delta * iterations calls
 * the ranks' mean time is compared with the second best's: not more than (1 + epsilon) times that,
 * and delta is doubled; more, and the last `iterations` calls, too, and the second best takes over
 * (delta is as in the beginning; what was measured now counts for the one that goes); more, but not
 * these: delta is as in the beginning. Where the one that takes over is of a group that was not
 * measured, the group is measured first.
 *
 * Other than in the paper's figure: its lines 29 and 30 divide the rank's own totals, not the sums
 * of all ranks, so that ranks come to decide differently; its line 26 counts calls only at the end
 * of a period, so that none ever ends; line 37 is done after both branches, as the text says; and
 * delta has an upper bound, of which the text says that there may be one.
 *
 * The fastest of so many calls favours what varies most. The judge STAR_SURE is ours, beside the
 * paper's: what counts of a candidate is the median of its calls. Each runs STAR_FIRST calls.
 * Those that were far slower than the best one are given up; the others run all `iterations`. What
 * is best then, and is not the library's own call, may have been lucky among many: the two run once
 * more, by turns, and it takes over only where it is surely faster in these, after one round or
 * two; else the next best has its duel, up to STAR_CHALLENGERS of them. What counts of those who
 * were in a duel is the median of their turns, each a mean of calls. What is watched is kept up to
 * (1 + epsilon) times what it took itself, too, so that nothing that has lost a duel is tried again
 * for the luck that it had before.
 *
 * What is chosen so is, every STAR_PAIR_EVERY calls, called in turn with the library's own call
 * again. What was saved is estimated from these pairs of turns: their ratio, times what the choice
 * took, so that both sides are means and both had the same slow stretches.
 *
 * Times are whole nanoseconds: their sums are the same on every rank, in whatever order they are
 * added. */
#ifndef WORKLOADS_LIBCOLLSEL_STAR_H
#define WORKLOADS_LIBCOLLSEL_STAR_H

#include <stddef.h>
#include <stdint.h>

enum {
    STAR_FIRST = 3,       /* calls of a candidate before it may be given up */
    STAR_CHALLENGERS = 3, /* that have a duel in one search, at most */
    STAR_ROUNDS = 2,      /* of a duel, at most */
    STAR_TURNS = 5,       /* of each of the two in a round */
    STAR_TURN_CALLS = 5,  /* of which the first, that the other one's has gone before, counts not */
    STAR_PAIR_EVERY =
        60, /* calls of the choice, once settled; then the default has its turn again */
    STAR_PAIR_CALLS = 3, /* of either in such a pair of turns; the first counts not */
    STAR_PAIRS = 4,      /* without so many nothing is said of what is saved */
    STAR_ROUND = 2 * STAR_TURNS * STAR_TURN_CALLS,
    STAR_DUELS = STAR_CHALLENGERS * STAR_ROUNDS * STAR_ROUND /* calls of all of them, at most */
};

enum star_judge { STAR_SURE, STAR_FASTEST, N_STAR_JUDGES };

/* "sure", "fastest"; ends with NULL. */
extern const char *const star_judge_words[];

struct star_options {
    enum star_judge judge; /* STAR_FASTEST: the paper's */
    int own;               /* the candidate that is the library's own call; -1: none is */
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

/* The time of that call on this rank. How many numbers at *values are now to be added up among all
 * ranks, each in its place, before star_agreed; 0: none. */
size_t star_record(struct star *star, int64_t ns, int64_t **values);
void star_agreed(struct star *star, int procs);

/* What counts of a candidate, in seconds a call; below 0: it was not measured. calls: of how many
 * it was made; may be NULL. */
double star_seconds(const struct star *star, int candidate, int *calls);

/* The candidate that was chosen; -1: candidates are still tried. */
int star_choice(const struct star *star);

/* What this rank saved so far over the library's own call in every call, what trying took included:
 * of such intervals (saved_s -+ half_s) 97 to 98 % held it (planted runs; aim 99). */
struct star_saving {
    double saved_s, half_s;
    int is_known; /* 0: nothing is known of it, of too few pairs of turns */
    int pairs;
};
enum star_word { STAR_NOT_SETTLED, STAR_GAINED, STAR_LOST };
enum star_word star_saving(const struct star *star, struct star_saving *saving);

/* How often the ranks agreed, and took another candidate than before. */
int star_agreements(const struct star *star);
int star_changes(const struct star *star);

#endif
