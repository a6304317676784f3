/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds.h - lower bound of the time of a call for any algorithm, from the cluster file's rates
 * of the machine; and whether a measured time is implausible.
 *
 * Counted are the bytes that every algorithm must move: into and out of the ranks of a node over
 * all its links; into and out of a switch over its trunk; into the memories of a node, the bytes
 * that its ranks receive beyond the size of its last-level caches; and, where every rank waits
 * for all others, the latency of one message between nodes. Rates are the rated ones, of all
 * links together and each way; a value missing from the cluster file bounds nothing. Pure. */
#pragma once

#include "analysis/measure/study_facts.h"

/* Why a time is doubted. */
enum doubt {
    DOUBT_NONE,
    DOUBT_LINKS,   /* less than the links of a node need */
    DOUBT_TRUNK,   /* less than the trunk of a switch needs */
    DOUBT_MEMORY,  /* less than the memories of a node need */
    DOUBT_LATENCY, /* less than one message's latency */
    DOUBT_MEAN,    /* a mean over ranks of a collective with a root, of which most return early */
    N_DOUBTS
};

/* "", "links", "trunk", "memory", "latency", "mean"; ended by NULL. */
extern const char *const doubt_words[];

/* As people read it: "less than the bytes over the links of a node take"; "" for none. */
const char *doubt_title(enum doubt doubt);

/* The lower bound, s, and its cause; 0 and none without a bound. */
struct bound {
    double seconds;
    enum doubt by;
};

/* The bound of a call in a cell. by_mean 1: of the mean over ranks, if all ranks do the
 * same; with a root the call's bound applies. No bound if ranks do not arrive together. */
struct bound bound_of(const struct facts *facts, const struct cell *cell, int by_mean);

/* The doubt about a time of a cell: it is below its bound, or is a mean
 * over ranks ("mean_rank") that does not represent a call's time. */
enum doubt doubt_of(const struct bound *bound, const struct cell *cell, const char *statistic,
                    double seconds);
