/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_tables.h - for decision.c: what the libraries choose, one function per collective.
 * bytes: of the whole message, or of one rank's block where blocks are moved; count: its elements;
 * for operations that commute. */
#ifndef WORKLOADS_SCHEDULES_DECISION_TABLES_H
#define WORKLOADS_SCHEDULES_DECISION_TABLES_H

#include <stdint.h>

struct decision {
    const char *algorithm;  /* as in algorithm_find */
    uint64_t segment_bytes; /* 0: unsegmented */
    int fanout;             /* 0: the algorithm takes none */
};

/* What a library runs by default among procs ranks; bytes and count: of one rank's block, and its
 * elements. Read from the sources of the release, and compared with what runs
 * (tests/workloads/defaults.t). */
typedef struct decision decision_function(int procs, uint64_t bytes, uint64_t count);

/* Open MPI 4.1: component `tuned`; for scan and exscan `basic`, as `tuned` takes them only where
 * somebody forces something. */
decision_function decision_alltoall41, decision_alltoallv41, decision_allgather41,
    decision_allgatherv41, decision_gather41, decision_barrier41, decision_scan41;

/* MPICH 4.0 without its device's compositions, on a communicator that knows no nodes. */
decision_function decision_mpich_bcast, decision_mpich_reduce, decision_mpich_allreduce,
    decision_mpich_allgather, decision_mpich_alltoall, decision_mpich_alltoallv,
    decision_mpich_reduce_scatter, decision_mpich_tree, decision_mpich_barrier,
    decision_mpich_exscan;

#endif
