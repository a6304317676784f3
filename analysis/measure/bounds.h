/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds.h - the least time that a call can take, whatever the algorithm, by what the cluster file
 * says of the machine; and whether a measured time is to be doubted.
 *
 * What every algorithm must move is counted: the bytes into and out of the ranks of a node, over
 * all its links, and of a switch, over its trunk; what ranks of a node get, beyond what its last
 * caches hold, into its memories; of a collective in which every rank waits for all others, one
 * message's latency between nodes. Rates are the rated ones, of all links together and each way;
 * what the cluster file does not say bounds nothing. Pure. */
#ifndef ANALYSIS_MEASURE_BOUNDS_H
#define ANALYSIS_MEASURE_BOUNDS_H

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

/* The least time, s, and by what; 0 and none where nothing bounds it. */
struct bound {
    double seconds;
    enum doubt by;
};

/* Of a call in a cell. by_mean: of the mean over its ranks, where they are all alike; with a root
 * the bound is the call's all the same. Where ranks do not arrive together nothing is known. */
struct bound bound_of(const struct facts *facts, const struct cell *cell, int by_mean);

/* What is to be doubted of a time of a cell: below its bound, or a mean over ranks ("mean_rank")
 * that no call takes. */
enum doubt doubt_of(const struct bound *bound, const struct cell *cell, const char *statistic,
                    double seconds);

#endif
