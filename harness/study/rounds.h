/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds.h - how many launches a point gets.
 *
 * A round is one launch of every launch of the plan: -r1, -r2, ... The first rounds (`repeats`)
 * measure everything. Each one after them, up to `repeats_max`, measures what is still uncertain:
 * points whose interval over launches is wider than the study's precision, and of a cell's
 * candidates only those that may still be its best: whose interval reaches that of the best, within
 * `tie_pct`. What is decided of a round rests on the rounds before it alone, so whoever asks, now
 * or when a sweep is resumed, is told the same. Pure functions of a plan and its store. */
#ifndef HARNESS_STUDY_ROUNDS_H
#define HARNESS_STUDY_ROUNDS_H

#include "harness/base/robust.h"
#include "harness/study/store.h"

enum { REPEATS_LEAST = 6, REPEATS_MOST = 12 }; /* repeats, repeats_max = auto */

/* What a study says of it; `auto` resolved. */
struct rounds_rule {
    int repeats, most; /* the least and the largest number of launches of a point */
    double precision, confidence, tie_pct;
    enum statistic statistic;
    int retries; /* a point that broke more jobs is given up; -1: so is all that is not finished */
};

/* What the study file says. retries: as in the rule. */
struct rounds_rule rounds_rule_of(const struct study *study, int retries);

/* The same from DIR/manifest.json, or the defaults where there is none. 0, or -1 with *err: it
 * cannot be read. */
int rounds_rule_read(const char *dir, int retries, struct rounds_rule *rule, struct err *err);

/* The budget in seconds of a point in a launch: the study's shared by the first rounds of the plan.
 * In a further round that measures `wanted` of a launch's n points these get what the others leave,
 * four shares at most. */
double rounds_budget(const struct rounds_rule *rule, double budget_s, const struct plan *plan,
                     const struct launch *launch, size_t wanted);

/* How many shares of a first launch that is: 1 to 4. */
double rounds_shares(const struct rounds_rule *rule, const struct launch *launch, size_t wanted);

enum round_need {
    ROUND_WANTED,
    ROUND_ENOUGH, /* what is known suffices */
    ROUND_LATER   /* rounds before it are not finished: not decided */
};

/* What is decided, by point. Owns it. */
struct rounds {
    struct rounds_rule rule;
    struct round_point *point; /* by id */
    size_t n;
};

/* Decides. 0, or -1 with *err (samples that cannot be read) and nothing to free. */
int rounds_make(const struct plan *plan, const struct store *store, const struct rounds_rule *rule,
                struct rounds *rounds, struct err *err);

/* Is the point wanted in this repeat? */
enum round_need rounds_need(const struct rounds *rounds, const char *point, int repeat);

/* Points of a launch that are wanted; *later (NULL: not asked) gets how many are not decided. */
size_t rounds_wanted(const struct rounds *rounds, const struct plan *plan,
                     const struct launch *launch, size_t *later);

/* Frees what it holds. */
void rounds_free(struct rounds *rounds);

#endif
