/* SPDX-License-Identifier: BSD-3-Clause */
/* steps.h - for generators that produce a rank's rounds in order: they either write
 * one wanted round or count all rounds. Such a generator calls steps_next() before
 * it appends the operations of each round, and skips the round if it returns 0. */
#pragma once

#include "workloads/schedules/round.h"

struct steps {
    uint64_t n;        /* rounds so far */
    uint64_t wanted;   /* the one that is written */
    struct round *out; /* into this; NULL: they are counted */
};

/* One more round; 1 when it is the wanted one, which is then in this phase. */
static inline int steps_next(struct steps *steps, int phase)
{
    if (steps->n++ != steps->wanted || !steps->out)
        return 0;
    steps->out->phase = phase;
    return 1;
}

/* 1 when the next round is not the wanted one: it is counted, and what is in it need not be found.
 */
static inline int steps_pass(struct steps *steps)
{
    if (steps->n == steps->wanted && steps->out)
        return 0;
    steps->n++;
    return 1;
}
