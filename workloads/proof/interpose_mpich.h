/* SPDX-License-Identifier: BSD-3-Clause */
/* interpose_mpich.h - counts the messages that MPICH (ch4:ucx) really sends, per destination.
 *
 * MPICH exports none of its algorithms, but every message of the UCX netmod is one call of
 * ucp_tag_send_nbx, across shared objects: ours comes first in the dynamic linker's order, counts
 * while watching, and forwards (a few nanoseconds per message). Which endpoint leads to which rank
 * is determined by sending one byte to each.
 *
 * The library calls us without an argument of ours, so the counters are in one static struct (see
 * interpose_openmpi.h). Not thread safe. */
#pragma once

#include <mpi.h>

#include "workloads/proof/proof.h"

/* Collective: finds the endpoint of each rank of world. Returns 1 on every rank if
 * each message to each rank was seen as one call, so that counts are reliable; else
 * 0 (another netmod, messages through shared memory, or more than 256 ranks). */
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

/* 1 when messages are forwarded to UCX's own function; 0 with its file. */
int interpose_is_ours(char *where, size_t size);

/* Call it before MPI_Init: MPICH creates its shared memory files in this directory.
 * The path must stay valid and be short enough: with a number it must not exceed
 * the length of the usual paths; otherwise the files stay at their usual place. */
void interpose_share_in(const char *dir);

/* All messages: their number, bytes, and a checksum over receivers and sizes. */
const struct proof_source *interpose_counts(void);
