/* SPDX-License-Identifier: BSD-3-Clause */
/* star_sure.h - the judge `sure` of star.h: a search whose cost has a bound. Candidate 0 is the
 * library's own call. It runs until another candidate is surely faster.
 *
 * Calls come in blocks. A block is planned before it begins, from numbers that all ranks have:
 * first calls of the choice, then turns of candidates. At its end the ranks add up their times,
 * once.
 *
 * The account. A trial may cost what it takes beyond the choice. All trials, the agreements and the
 * library's own work may cost the share `cost` of the time of all calls of this kind so far, and a
 * quarter of what the choice has gained; less a part of the library's start, which all kinds of
 * calls pay by their time. A turn is planned only where the most that it is expected
 * to cost fits into what is left. Nothing is tried before 2 / cost calls.
 *
 * A candidate's first calls are looks: up to LOOKS single calls. The first one may take 1.5 times
 * what is expected of it. It is given up when its fastest look is slower than the choice by far.
 * Else it has turns: TURN calls beside as many of the choice, after one of each that does not
 * count. It is given up when it is surely not 1 % faster (two standard errors), and becomes the
 * choice when it surely is (three). The choice has turns of the library's own call beside it, more
 * and more rarely; these alone say what is gained. A choice that loses in them gives way.
 *
 * A call counts as at most CAP times the mean in comparisons, and in full in the account.
 * When the choice becomes much slower or faster for two blocks, all candidates are tried again;
 * also after so many calls that this costs less than a hundredth of them. */
#pragma once

#include "harness/base/base.h"

enum { STAR_PAIRS = 3 }; /* least number of pairs of turns for an estimate of the saving */

/* What is expected of a candidate: messages one after the other, and bytes that go one after the
 * other. Of the library's own call the steps of an agreement are wanted alone. */
struct star_prior {
    double steps, bytes;
};

/* What is known of a candidate of STAR_SURE, for another run (star_sure.c). */
struct star_learnt {
    int is_choice, state, looks;
    double ever, least, n, mean, squares;
};

/* Time this rank has saved so far compared with the library's own calls, including the cost of
 * trying (spent_s): intervals (saved_s -+ half_s) held it in all of 570 planted runs (target: 99
 * %).
 */
struct star_saving {
    double saved_s, half_s, spent_s;
    int is_known; /* 0: not known, too few pairs of turns */
    int pairs;
};
enum star_word { STAR_NOT_SETTLED, STAR_GAINED, STAR_LOST };

struct sure;

/* A search without candidates yet. cost: the share of time that trials may take, 0.02 for 2 %. To
 * be freed by sure_free, which takes NULL. */
struct sure *sure_new(double cost);
void sure_free(struct sure *s);

/* 1: the account has what it costs to list and prepare candidates: star_begin is wanted. */
int sure_wants(const struct sure *s);
void sure_begin(struct sure *s, int n, const struct star_prior *prior);

/* The candidate of the next call, the same on all ranks; 0: the library's own call. */
int sure_next(const struct sure *s);

/* 1 when that call is part of a turn or a look; 0: the choice runs. */
int sure_is_trial(const struct sure *s);

/* Takes the time of that call on this rank. Returns how many numbers at *values must now be summed
 * over all ranks, elementwise, before sure_agreed; 0: none, the block goes on. */
size_t sure_record(struct sure *s, int64_t ns, int64_t **values);

/* Takes what the library did itself on this rank for a call, in ns. */
void sure_own(struct sure *s, int64_t ns);

/* Before sure_record: what the library's start took on this rank, and all collectives so far. */
void sure_whole(struct sure *s, int64_t start_ns, int64_t all_ns);

/* After that sum over so many ranks: judges the block that ended, and plans the next one. */
void sure_agreed(struct sure *s, int procs);

/* As the functions of star.h. */
double sure_seconds(const struct sure *s, int candidate, int *calls);
int sure_choice(const struct sure *s);
enum star_word sure_saving(const struct sure *s, struct star_saving *saving);
int sure_changes(const struct sure *s);
void sure_tell(const struct sure *s, int candidate, struct star_learnt *learnt);
/* 1: sure_tell may have said so. */
int sure_is_sound(const struct star_learnt *learnt);
void sure_learn(struct sure *s, int candidate, const struct star_learnt *learnt);
