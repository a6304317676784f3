/* SPDX-License-Identifier: BSD-3-Clause */
/* decision.h - the libraries' published fixed decision functions, as pure functions. They give the
 * default where the library itself does not run (simulation). */
#ifndef SCHEDULES_DECISION_H
#define SCHEDULES_DECISION_H

#include <stdint.h>

struct decision {
    const char *algorithm;  /* as in algorithm_find */
    uint64_t segment_bytes; /* 0: unsegmented */
    int fanout;             /* 0: the algorithm takes none */
};

/* Open MPI 3.1, ompi_coll_tuned_bcast_intra_dec_fixed (ompi/mca/coll/tuned/
 * coll_tuned_decision_fixed.c). count: elements of the call; bytes: the whole message. */
struct decision decide_bcast_openmpi31(int procs, uint64_t bytes, uint64_t count);

#endif
