/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h - a collective algorithm as a communication schedule: the one idea of the program.
 *
 * An algorithm is a pure function from (arguments, rank, round number) to the operations of that
 * round. It is written once and then run (workloads/execute), proved (prove), walked by cost models
 * (analysis/walk) and drawn. Nothing is stored per message, so a schedule of 65,536 ranks and 512
 * segments costs nothing until somebody asks for its rounds. Pure C, no MPI.
 *
 * Tree shapes and message orders are those of Open MPI 4.1.4 (ompi/mca/coll/base), so that a
 * schedule sends exactly the messages that the library's algorithm of the same name sends. */
#ifndef WORKLOADS_SCHEDULES_SCHEDULE_H
#define WORKLOADS_SCHEDULES_SCHEDULE_H

#include <stdint.h>

#include "harness/base/err.h"
#include "workloads/schedules/collectives.h"

/* An algorithm with its arguments: what is asked. Immutable after schedule_init. */
struct schedule {
    const struct algorithm *asked; /* as named by the caller */
    const struct algorithm *alg;   /* what runs: asked, or its substitute */
    int procs, root;
    uint64_t bytes; /* per-process message size as the MPI call sees it (DESIGN.md section 5) */
    uint64_t segment_bytes; /* 0: one segment */
    int fanout;             /* after defaults; 0 where the algorithm takes none */
    uint64_t segments; /* number of segments of the whole message: max(1, ceil(bytes/segment)) */
};

/* Checks the arguments (procs ≥ 1, 0 ≤ root < procs, fan-out ≥ 1 or 0 for the default; a segment
 * size or fan-out given to an algorithm that takes none is ignored, as the library does) and
 * resolves the substitute. Returns 0, or -1 with *err set. */
int schedule_init(struct schedule *s, const struct algorithm *alg, int procs, int root,
                  uint64_t bytes, uint64_t segment_bytes, int fanout, struct err *err);

/* Number of rounds of a rank. */
uint64_t schedule_rounds(const struct schedule *s, int rank);

/* Replaces the content of *out by round k of a rank. Returns 0, or -1 when out of memory. */
int schedule_round(const struct schedule *s, int rank, uint64_t k, struct round *out);

/* Bytes of scratch that a rank needs. */
uint64_t schedule_temp_bytes(const struct schedule *s, int rank);

/* Bytes of a buffer of a rank that the collective reads or writes (DATA, SEND, RECV). */
uint64_t schedule_buffer_bytes(const struct schedule *s, enum op_buffer buf, int rank);

#endif
