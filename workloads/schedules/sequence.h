/* SPDX-License-Identifier: BSD-3-Clause */
/* sequence.h - a collective that is others one after the other: a reduction, then a broadcast. Each
 * part is a schedule of its own; its rounds follow those of the part before, its buffers are mapped
 * to those of the whole, its phases are numbered on. */
#ifndef WORKLOADS_SCHEDULES_SEQUENCE_H
#define WORKLOADS_SCHEDULES_SEQUENCE_H

#include "workloads/schedules/schedule.h"

enum { SEQUENCE_MOST_PHASES = 4 }; /* of a part: those of part i begin with i times as many */

struct sequence_part {
    struct schedule s;
    enum op_buffer buf[N_BUFFERS]; /* where each of its buffers is */
    uint64_t at[N_BUFFERS];        /* from which byte on */
};

/* For rows' .prepare: the schedule that Open MPI 4.1.4 runs where one of its collectives calls
 * another one to or from rank 0: what it chooses by itself (decision.h) for so many bytes of
 * elements of so many. Where a site forces or rules another one the library runs that, and this is
 * not what runs. It becomes choice i of s. */
void sequence_choose(struct schedule *s, int i, const char *collective, uint64_t bytes,
                     uint64_t element_bytes);

/* The algorithm that calls n others, s->choice[0] first. */
struct sequence {
    int n;
    void (*map)(const struct schedule *s, int i, int rank,
                struct sequence_part *part); /* buffers */
};

/* Rounds of a rank, round k, and the bytes of TEMP. */
uint64_t sequence_rounds(const struct schedule *s, const struct sequence *q, int rank);
void sequence_round(const struct schedule *s, const struct sequence *q, int rank, uint64_t k,
                    struct round *out);
uint64_t sequence_temp_bytes(const struct schedule *s, const struct sequence *q, int rank);

#endif
