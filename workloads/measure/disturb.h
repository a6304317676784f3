/* SPDX-License-Identifier: BSD-3-Clause */
/* disturb.h - whether something else ran where a rank was to run.
 *
 * Two signs: the system switched the rank out although it could have gone on (ru_nivcsw of
 * getrusage(2)), and the machine below a virtual one took time from its processors ("steal" of
 * /proc/stat). Both are counters; they are looked at outside of the timed region. */
#ifndef WORKLOADS_MEASURE_DISTURB_H
#define WORKLOADS_MEASURE_DISTURB_H

#include <stdint.h>

struct disturb {
    int watches_steal; /* this process does, for its node; 0 where nothing was ever stolen */
    uint64_t stolen;   /* ticks, as last read */
    int64_t read_ns;   /* when */
    long switches;
};

/* for_node: this process watches what is stolen from its node; one of a node suffices. */
void disturb_init(struct disturb *d, int for_node);

/* Before calls, and after them: 1 when there was a sign meanwhile. What was stolen is read at most
 * every few milliseconds, which is finer than it is counted. */
void disturb_begin(struct disturb *d);
int disturb_end(struct disturb *d);

/* The number behind "cpu ... " that counts stolen ticks in a text as of /proc/stat; 0 where there
 * is none. */
uint64_t disturb_stolen(const char *stat);

#endif
