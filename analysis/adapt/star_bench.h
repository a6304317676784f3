/* SPDX-License-Identifier: BSD-3-Clause */
/* star_bench.h - the micro-benchmark of STAR-MPI (Faraj, Yuan & Lowenthal, ICS 2006, Figure 4),
 * simulated: the state machine of libcollsel (workloads/libcollsel/star.h) chooses
 * what each call runs, and a walk on the platform of a cluster file gives its time
 * (walk/replay.h). Two choices are compared with it: the library's own, and the
 * candidate that is fastest when all ranks begin together (the paper's STATIC).
 *
 * Nothing makes ranks wait for each other: each enters a call as long after it left the one before
 * as all others do (the last rank later, where it is to be late), so that what a call leaves apart
 * the next one finds apart. (That is also why the
 * computation between calls bears on nothing here: it is the same for all, and no message is under
 * way when a call begins.) Clocks have whole nanoseconds, as in libcollsel. The library's own work
 * is the allreduce by which ranks agree; its bookkeeping takes no time. */
#pragma once

#include "analysis/adapt/star_row.h"
#include "analysis/walk/replay.h"

/* Source of the times of calls. */
struct star_clock {
    void *state;
    /* Runs a candidate; *ns: what that took, added up over all ranks. 0, or -1 with *err. */
    int (*call)(void *state, int candidate, int64_t *ns, struct err *err);
    /* The same for the allreduce of `numbers` values by which ranks agree. */
    int (*agree)(void *state, size_t numbers, int64_t *ns, struct err *err);
};

/* Drives the state machine through Measure_Select and `calls` more calls, with these
 * times. The row's cell, repository and scheme are inputs. Fills its other fields, but for
 * those of the default and static choices, compute_s and backend. 0, or -1 with *err. */
int star_bench_drive(const struct repository *repository, const struct star_clock *clock, int calls,
                     struct star_row *row, struct err *err);

struct star_bench {
    const struct cluster *cluster;
    struct seating seating; /* of the ranks */
    const char *rule;       /* decision function used as the library's own choice (decision.h) */
    int calls;              /* number of calls after Measure_Select, and by the default */
};

/* Walks the cell, repository, scheme and lateness of the row, and fills the rest. 0, or -1 with
 * *err: no candidate can run there, or the rule does not cover the collective. */
int star_bench_walk(const struct star_bench *bench, struct star_row *row, struct err *err);
