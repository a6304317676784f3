/* SPDX-License-Identifier: BSD-3-Clause */
/* warming.h - decides when the warm-up is long enough.
 *
 * A library sets up connections and chooses protocols while the first calls of a size run: MPICH
 * over UCX takes 55 to 70 calls for that, at ten to twenty times the steady time. So short calls
 * are made a hundred times, or for a fortieth of the point's budget, and then on until the last
 * third of them is at most 5 % quicker (in the median) than the third before, or a third of the
 * budget is spent. Calls of 5 ms and more are made only as often as required. A longer slow phase
 * is cut from the timed calls (harness/base/robust.h). Pure arithmetic, no MPI. */
#pragma once

#include "harness/base/base.h"

enum { WARM_MOST = 2000 }; /* calls that are made to settle, whatever they do */

struct warm_rule {
    int least;       /* calls in any case; 0: no warm-up at all */
    double budget_s; /* seconds per point; 0: no budget */
};

/* How many calls to make next, at most block_max, or 0 where the timed ones may begin. seconds:
 * times of the n calls so far; elapsed_s: wall time they took; scratch: room for n. */
int warm_next(const struct warm_rule *rule, const double *seconds, int n, double elapsed_s,
              double *scratch, int block_max);

/* Detects other activity on a rank's processor.
 *
 * Two signs: the system preempted the rank (ru_nivcsw of getrusage(2)),
 * and the host of a virtual machine took processor time ("steal" of
 * /proc/stat). Both are counters, read outside of the timed region. */

struct disturb {
    int watches_steal; /* 1: this process does, for its node; 0 without any steal */
    uint64_t stolen;   /* ticks, as last read */
    int64_t read_ns;   /* when */
    long switches;
};

/* for_node: this process watches what is stolen from its node; one of a node suffices. */
void disturb_init(struct disturb *d, int for_node);

/* Call them before and after the calls; end returns 1 on a sign in between.
 * Steal is read at most every few milliseconds, finer than its resolution. */
void disturb_begin(struct disturb *d);
int disturb_end(struct disturb *d);

/* The number behind "cpu ... " that counts stolen ticks in a text as of /proc/stat; 0 where there
 * is none. */
uint64_t disturb_stolen(const char *stat);
