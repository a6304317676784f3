/* SPDX-License-Identifier: BSD-3-Clause */
/* decision.h - the libraries' published fixed decision functions, as pure functions. They give the
 * default where the library itself does not run (simulation). */
#ifndef WORKLOADS_SCHEDULES_DECISION_H
#define WORKLOADS_SCHEDULES_DECISION_H

#include <stdint.h>

struct decision {
    const char *algorithm;  /* as in algorithm_find */
    uint64_t segment_bytes; /* 0: unsegmented */
    int fanout;             /* 0: the algorithm takes none */
};

/* Open MPI 3.1, ompi_coll_tuned_bcast_intra_dec_fixed (ompi/mca/coll/tuned/
 * coll_tuned_decision_fixed.c). count: elements of the call; bytes: the whole message. */
struct decision decide_bcast_openmpi31(int procs, uint64_t bytes, uint64_t count);

/* The same of Open MPI 4.1, for broadcast and for reductions that commute (decision41.c). */
struct decision decide_bcast_openmpi41(int procs, uint64_t bytes, uint64_t count);
struct decision decide_reduce_openmpi41(int procs, uint64_t bytes, uint64_t count);

/* The same for ompi_coll_tuned_allgather_intra_dec_fixed; bytes: one block. Two processes run
 * two_proc there, which exchanges what recursive_doubling does. */
struct decision decide_allgather_openmpi31(int procs, uint64_t bytes);

/* The same of ompi_coll_tuned_reduce_intra_dec_fixed, for an operation that commutes. */
struct decision decide_reduce_openmpi31(int procs, uint64_t bytes, uint64_t count);

/* By the name of a rule ("openmpi31", "openmpi41"; a study's sim_default), with elements of one
 * byte. 1, or 0 when the rule knows nothing of the collective. */
int decide(const char *rule, const char *collective, int procs, uint64_t bytes,
           struct decision *decision);

#endif
