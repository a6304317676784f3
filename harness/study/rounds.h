/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds.h - number of launches of a point.
 *
 * Round r is repeat r of the plan's launches: -r1, -r2, ... The first rounds (`repeats`)
 * measure all points. Each later round, up to `repeats_max`, measures uncertain points:
 * those whose interval over launches is wider than the study's precision. Of a cell's
 * candidates it measures only those that may be the best: whose interval reaches that of the
 * best, within `tie_pct`. A round is decided only from earlier rounds, so the result is the
 * same at any time, also when a sweep is resumed. Pure functions of a plan and its store.
 *
 * An adaptive plan (adaptive.h) has no rounds that measure all points: the
 * points of each round are decided like those of later rounds of other plans. */
#pragma once

#include "harness/base/robust.h"
#include "harness/study/adaptive.h"
#include "harness/study/store.h"

enum { REPEATS_LEAST = 6, REPEATS_MOST = 12 }; /* repeats, repeats_max = auto */

/* The study's settings; `auto` resolved. */
struct rounds_rule {
    int repeats, most; /* the least and the largest number of launches of a point */
    double precision, confidence, tie_pct;
    enum statistic statistic;
    int retries;  /* a point with more failed jobs is given up; -1: all unfinished are */
    int adaptive; /* 1: the plan is */
    int until;    /* last round to decide; 0: all possible */
    struct adaptive_rule plan; /* of an adaptive plan */
    const struct prior *prior; /* prior if prior.csv is not written yet; NULL: read the file */
};

/* The rule of a study file. retries: as in the rule. */
struct rounds_rule rounds_rule_of(const struct study *study, int retries);

/* The same from DIR/manifest.json, or the defaults where there is none. 0, or -1 with *err: it
 * cannot be read. */
int rounds_rule_read(const char *dir, int retries, struct rounds_rule *rule, struct err *err);

/* Rounds that measure everything: `repeats`, of an adaptive plan none. */
int rounds_whole(const struct rounds_rule *rule);

/* Number of rounds of a plan. simulated: no library runs; exact: one call is the value. */
int rounds_planned(const struct rounds_rule *rule, int simulated, int exact);

/* The budget in seconds of a point in a launch: the study's budget divided by
 * the first rounds of the plan. In a later round with `wanted` of a launch's
 * n points these share the budget of all, at most four shares each. */
double rounds_budget(const struct rounds_rule *rule, double budget_s, const struct plan *plan,
                     const struct launch *launch, size_t wanted);

/* How many shares of a first launch that is: 1 to 4. */
double rounds_shares(const struct rounds_rule *rule, const struct launch *launch, size_t wanted);

enum round_need {
    ROUND_WANTED,
    ROUND_ENOUGH, /* precise enough */
    ROUND_LATER   /* earlier rounds are unfinished: undecided */
};

/* What is decided, by point. Owns it. */
struct rounds {
    struct rounds_rule rule;
    struct round_point *point; /* by id */
    size_t n;
    struct adaptive adaptive; /* of an adaptive plan, instead of these */
    int decided;              /* its rounds up to here */
    int open;                 /* 1: the last of these has unfinished points */
};

/* Decides. dir: where the plan lies, with prior.csv of an adaptive one. 0, or -1 with *err (samples
 * that cannot be read) and nothing to free. */
int rounds_make(const struct plan *plan, const char *dir, const struct store *store,
                const struct rounds_rule *rule, struct rounds *rounds, struct err *err);

/* Whether a point is wanted in this repeat. */
enum round_need rounds_need(const struct rounds *rounds, const char *point, int repeat);

/* Points of a launch that are wanted; *later (NULL: unused) gets the number of undecided ones. */
size_t rounds_wanted(const struct rounds *rounds, const struct plan *plan,
                     const struct launch *launch, size_t *later);

/* Why an adaptive plan measures a point no further, after adaptive_sum_up; "": it is among the best
 * of its cell. Returns buf. */
const char *rounds_reason(const struct rounds *rounds, const char *point, char buf[REASON_SIZE]);

/* Core-seconds that a launch of an adaptive plan may take: its share, by what is expected, of what
 * its round may take of the budget (adaptive_left). INFINITY: there is no budget. */
double rounds_allowed(const struct rounds *rounds, const struct plan *plan,
                      const struct launch *launch);

void rounds_free(struct rounds *rounds);
