/* SPDX-License-Identifier: BSD-3-Clause */
/* prove.h - proves a schedule right by symbolic execution, without MPI.
 *
 * Every byte of every rank's input has an identity; the executor moves identities through all
 * ranks' rounds and then compares what each rank holds with what MPI promises. It is stricter than
 * any MPI library: every send is synchronous (it completes only when its receive has been posted,
 * in the receiver's current round), so a schedule that relies on buffering is refused. Matching is
 * by pair of ranks and first in, first out, without wildcards, so one order of execution stands for
 * all.
 *
 * Refused, each with its own message (rank and round first):
 *   a peer that is no rank, or the rank itself; bytes beyond the buffer; within a round, a byte
 * that is sent and written, or received twice, a copy onto its own place, a reduction of
 * overlapping bytes; sending, copying or combining a byte that the rank does not hold; combining
 * bytes of two positions, or a contribution twice; a message of another size than its receive; a
 * message that is never received, or never sent; deadlock; a rank that ends without the bytes that
 * it was promised; a result that lacks a contribution, or has them in another order than that of
 * ranks where the algorithm says that it keeps it; a rank that ends a barrier without a message, or
 * a row of messages, from every other that tells that it has begun.
 *
 * Memory: 4 bytes per byte of all ranks' buffers; meant for small messages, refused (usage) beyond
 * 64 MiB of buffers. Of reductions and barriers P bits for each content, P of them at least;
 * refused beyond 1 GiB (P = 92,681). */
#pragma once

#include "workloads/schedules/schedule.h"

/* What the proof has seen. */
struct proof {
    uint64_t messages, bytes; /* sent by all ranks together */
    uint64_t rounds;          /* of all ranks together */
};

/* Whether it can be proved here: 0, or -1 with *err saying that it is too large (usage). The sums
 * of a reduction may still become too many on the way. */
int prove_check(const struct schedule *s, struct err *err);

/* Proves s->alg with its arguments. proof may be NULL. Returns 0, or -1 with *err saying what is
 * wrong with the schedule (status EXIT_FAILED), or that memory ran out. */
int prove(const struct schedule *s, struct proof *proof, struct err *err);
