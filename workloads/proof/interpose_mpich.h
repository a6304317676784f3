/* SPDX-License-Identifier: BSD-3-Clause */
/* interpose_mpich.h - counts the messages that MPICH (ch4:ucx) really sends, per destination.
 *
 * MPICH exports none of its algorithms, but every message of the UCX netmod is one call of
 * ucp_tag_send_nbx, across shared objects: ours comes first in the dynamic linker's order, counts
 * while watching, and forwards (a few nanoseconds per message). Which endpoint leads to which rank
 * is learnt by sending one byte to each.
 *
 * The library calls us without an argument of ours, so the counters are in one static struct (see
 * interpose_openmpi.h). Not thread safe. */
#ifndef WORKLOADS_PROOF_INTERPOSE_MPICH_H
#define WORKLOADS_PROOF_INTERPOSE_MPICH_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include "workloads/proof/proof.h"

/* Collective: learns the endpoint of each rank of world. Returns 1 on every rank when each message
 * to each rank was seen as one call, so that counts can be trusted; else 0 (another netmod,
 * messages through shared memory, or more than 256 ranks). */
int interpose_learn(MPI_Comm world);

/* Sets the counters to zero and starts to count; stops. */
void interpose_watch(void);
void interpose_stop(void);

/* What went to a rank of world while watching; bytes: UINT64_MAX where a message was of a derived
 * type, as MPICH's own gather sends them, whose bytes cannot be seen. */
void interpose_sent(int rank, uint64_t *messages, uint64_t *bytes);

/* After interpose_learn: a line "# in_effect: ..." for each set of UCX's transports that leads to
 * some rank of world; none where messages do not go through UCX. */
void interpose_print_lanes(FILE *out);

/* Is the function that messages are handed on to UCX's own? 1, or 0 with its file. */
int interpose_is_ours(char *where, size_t size);

/* Before MPI_Init: MPICH's own files of shared memory are made in this directory, whose path must
 * live on, and no longer be than leaves room for a number within the length of their usual paths;
 * otherwise they are where they would be. */
void interpose_share_in(const char *dir);

/* All messages: how many, their bytes, and a sum that tells receivers and sizes apart. */
const struct proof_source *interpose_counts(void);

#endif
