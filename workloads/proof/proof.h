/* SPDX-License-Identifier: BSD-3-Clause */
/* proof.h - proves that every timed call ran the same as the call before timing.
 *
 * The library's interposed functions add to plain counters while a gate is open (native.h). One
 * call outside of timing says what a call adds: functions entered with their segments and fan-outs,
 * or messages sent with their sizes and receivers. After the timed calls each counter must stand at
 * that many times it. Between the clock reads nothing is added but the counters' own increments. */
#pragma once

#include "harness/base/base.h"

enum { PROOF_COUNTERS = 256 };

/* What an interposer counts. */
struct proof_source {
    int *gate;                         /* 1: counts, 0: does not */
    uint64_t *counters;                /* NULL: nothing is counted */
    int n;                             /* at most PROOF_COUNTERS */
    void (*name)(int, char *, size_t); /* of a counter, for messages: "entries of ..." */
};

struct proof {
    const struct proof_source *source; /* NULL: nothing can be counted */
    uint64_t unit[PROOF_COUNTERS];     /* increments of one timed unit */
    uint64_t calls;                    /* timed units so far */
};

/* begin sets counters to zero; take adds the increments since then, times `times`, to the unit. */
void proof_begin(const struct proof *proof);
void proof_take(struct proof *proof, int times);

/* On this rank: -1 with *err that names the first counter that is not calls times its unit. */
int proof_check(const struct proof *proof, struct err *err);
