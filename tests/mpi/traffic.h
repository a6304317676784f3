/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - what the two tests of messages share: what a schedule sends, how many elements are
 * tried, and an operation that does not commute. */
#pragma once

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/measure/call.h"
#include "workloads/schedules/schedule.h"

enum { MOST_RANKS = 64, MOST_BYTES = 160000, MOST_COUNTS = 16 };

/* To each rank. */
struct sent {
    uint64_t messages[MOST_RANKS], bytes[MOST_RANKS];
};

/* Bytes, and elements of several. */
static const struct call_type traffic_types[] = { { MPI_BYTE, MPI_BXOR, 1 },
                                                  { MPI_INT32_T, MPI_BXOR, 4 } };

/* What a rank sends by a schedule: all, or (with_empty 0) what has bytes. */
static inline void traffic_scheduled(const struct schedule *s, int rank, int with_empty,
                                     struct sent *want)
{
    struct round round = { 0 };
    *want = (struct sent){ { 0 }, { 0 } };
    for (uint64_t k = 0, n = schedule_rounds(s, rank); k < n; k++) {
        schedule_round(s, rank, k, &round);
        for (size_t i = 0; i < round.n; i++)
            if (round.ops[i].kind == OP_SEND && (with_empty || round.ops[i].bytes)) {
                want->messages[round.ops[i].peer]++;
                want->bytes[round.ops[i].peer] += round.ops[i].bytes;
            }
    }
    round_free(&round);
}

/* The exclusive or, which the library may not take for an operation that commutes. */
static inline void traffic_combine(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const unsigned char *a = in;
    unsigned char *b = inout;
    int size;
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *count * size; i++)
        b[i] = (unsigned char)(a[i] ^ b[i]);
}

/* Adds, to n counts, those around which a library takes another algorithm: of P ranks P, and the
 * largest 2^k up to P, each with its neighbours. Returns how many there are then. */
static inline size_t traffic_add_borders(uint64_t counts[MOST_COUNTS], size_t n, int procs)
{
    int power = 1;
    while (2 * power <= procs)
        power *= 2;
    const int borders[] = { power - 1, power, power + 1, procs - 1, procs, procs + 1 };
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        size_t k = 0;
        while (k < n && counts[k] != (uint64_t)borders[i])
            k++;
        if (k == n && n < MOST_COUNTS)
            counts[n++] = (uint64_t)borders[i];
    }
    return n;
}
