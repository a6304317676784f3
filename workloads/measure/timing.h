/* SPDX-License-Identifier: BSD-3-Clause */
/* timing.h - times the calls of a point, block after block, and writes a row for each.
 *
 * Every rank of a team calls the same function; between two blocks rank 0
 * gathers the ranks' times, writes them, and decides how to continue. */
#pragma once

#include <signal.h>

#include "workloads/measure/ready_call.h"
#include "workloads/measure/record.h"
#include "workloads/measure/warming.h"

/* TIMING_BLOCK: most calls without communication between blocks; few, since a disturbance
 * marks a whole block. TIMING_EXTRA: values that a rank sends besides its times. */
enum { TIMING_BLOCK = 32, TIMING_EXTRA = 4 };

/* How a block or a series ended; above 0: so many calls come next. */
enum { NEXT_DONE = 0, NEXT_STOP = -1, NEXT_FAILED = -2 };

/* What a launch times with; every rank has one. */
struct timing {
    const struct measure_options *o;
    const volatile sig_atomic_t *stop; /* a signal came: end after the block at hand */
    tick began;                        /* the launch */
    struct disturb disturb;
    tick start[TIMING_BLOCK], end[TIMING_BLOCK];
    tick origin[TIMING_BLOCK]; /* when the ranks were together */
    unsigned late;             /* bit i: the window of call i was open when this rank came */
    int always_whole, whole;   /* gather start times, too: for all series, for this one */
    struct global_clock clock; /* where calls begin in windows */
    double clock_error_s;      /* rank 0: between two ranks, when last looked at, ... */
    double known_to_s;         /* ... the uncertainty of that */
    double spans[2 * TIMING_BLOCK + TIMING_EXTRA];
    /* rank 0 */
    struct stop_rule rule;
    struct stop_state timed;
    double *warm; /* times of the warm-up calls, and as much scratch */
    int warm_room;
    struct record *record;
    struct sample samples[TIMING_BLOCK];
    double *gathered; /* ranks x (2 TIMING_BLOCK + TIMING_EXTRA) */
    int io_failed;    /* a row could not be written */
    struct err *err;
    void (*alive)(void *launch); /* called after blocks, however short they are */
    void *launch;
};

/* The calls of a point, or one visit of the sentinel. */
struct series {
    const char *id; /* in the samples file */
    int rep;        /* rows so far */
    int n_valid;    /* timed calls that count; on rank 0 */
    int rc;         /* the first error of MPI */
    int converged;  /* 1, 0; -1: does not apply */
    int delayed;    /* 1: with an arrival pattern, times start at the last rank's call */
    double delay_s; /* this rank's */
    double most_delay_s;
    int n_warm;
    int n_late;      /* timed calls that a rank came too late to */
    double block_s;  /* slowest call of the last block */
    double lead_s;   /* from rank 0's message to the next block's first window; 0: least */
    double stretch;  /* factor on windows after late ranks */
    double window_s; /* of the next block; 0: not known yet */
    tick began;
};

/* rank, ranks: of the launch; record and err: rank 0's, borrowed. */
void timing_init(struct timing *t, const struct measure_options *o,
                 const volatile sig_atomic_t *stop, int rank, int ranks, struct record *record,
                 struct err *err);
void timing_clear(struct timing *t);

/* The most calls of a point, timed or not. */
size_t timing_most_calls(const struct measure_options *o);

/* Looks at how well the ranks' global clocks agree. Collective over comm, rank 0 of the launch its
 * first. */
void timing_clock_error(struct timing *t, MPI_Comm comm);

/* Collective over the trial's team, each: returns NEXT_DONE, NEXT_STOP or NEXT_FAILED, the same on
 * every member. timing_point: warm-up and timed calls until the stopping rule is met. timing_few: a
 * warm-up and n timed calls, without a rule. timing_once: one call, as a simulation repeats
 * itself. */
int timing_point(struct timing *t, struct ready_call *trial, struct series *series);
int timing_few(struct timing *t, struct ready_call *trial, struct series *series, int n);
int timing_once(struct timing *t, struct ready_call *trial, struct series *series);
