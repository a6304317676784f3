/* SPDX-License-Identifier: BSD-3-Clause */
/* disturb.h - detects other activity on a rank's processor.
 *
 * Two signs: the system preempted the rank (ru_nivcsw of getrusage(2)),
 * and the host of a virtual machine took processor time ("steal" of
 * /proc/stat). Both are counters, read outside of the timed region. */
#pragma once

#include <stdint.h>

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
