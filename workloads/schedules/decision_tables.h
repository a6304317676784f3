/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_tables.h - for decision.c: what the libraries choose, a row for each collective, in a
 * file for each library. */
#pragma once

#include "harness/base/seat.h"

struct decision {
    const char *algorithm;  /* as in algorithm_find */
    uint64_t segment_bytes; /* 0: unsegmented */
    int fanout;             /* 0: the algorithm takes none */
    const char *named;      /* the library's own name, where that is another; else NULL */
    const char *why;        /* why there is no decision; NULL: the rule does not cover it */
};

/* A call. seats: of its ranks; NULL or empty (procs 0): not known. */
struct decision_call {
    int procs;
    uint64_t bytes, count;
    const struct seating *seats;
};

/* What a library runs by default among procs ranks; bytes and count: of the whole message, or of
 * one rank's block where blocks are moved, and its elements; for operations that commute. Read from
 * the sources of the release, and compared with what runs (tests/workloads/defaults.t). */
typedef struct decision decision_function(int procs, uint64_t bytes, uint64_t count);

/* The same where it hangs on the nodes of the ranks, too. 1, or 0 where that is not known, or no
 * algorithm here does what it takes: decision->why says so. */
typedef int decision_placed(const struct decision_call *call, struct decision *decision);

/* The first row of a table with procs below `procs` and bytes below `bytes`; 0: any. The last row
 * takes all. */
struct decision_rule {
    int procs;
    uint64_t bytes;
    const char *algorithm;
    int fanout;
};

/* Either a function, of one kind, or tables: of operations that do not commute a second one where
 * they have it. */
struct decision_row {
    const char *rule, *collective;
    decision_function *decide;
    decision_placed *placed;
    const struct decision_rule *rules, *ordered;
    void (*amend)(struct decision *d); /* exceptions from the tables; NULL: none */
    int of_all;                        /* the tables go by the bytes of all blocks */
};

/* Each ends with a row of no rule, and has no row of a collective of which the library always takes
 * one algorithm (.always of its row). Open MPI 4.1 (and 5.0), 6.0: component `tuned`. MPICH 4.0:
 * without its device's compositions, on a communicator that knows no nodes. MVAPICH2: as SMPI has
 * it. */
extern const struct decision_row decisions_openmpi31[], decisions_openmpi41[],
    decisions_openmpi60[], decisions_mpich40[], decisions_mvapich2[];
