/* SPDX-License-Identifier: BSD-3-Clause */
/* sequence.h - a collective made of a sequence of others: a reduction, then a broadcast. Each
 * part is a schedule of its own; its rounds follow those of the part before, its buffers are mapped
 * to those of the whole, its phases are numbered on. */
#pragma once

#include "workloads/schedules/schedule.h"

enum { SEQUENCE_MOST_PHASES = 4 }; /* of a part: those of part i begin with i times as many */

/* Of the collective that is made: its .up, its .down; none. */
enum sequence_way { WAY_NONE, WAY_UP, WAY_DOWN };

/* One of them: what it is a call of, as large as the message or as all blocks (as_one: these are
 * one element), and where its buffers are. behind: its scratch is behind all blocks at rank 0. */
struct sequence_part {
    enum sequence_way way;
    int of_all, as_one, behind;
    enum op_buffer buf[N_BUFFERS];
};

/* The recipe of a row: parts that end with one of no way. */
struct sequence {
    struct sequence_part part[MOST_CHOICES + 1];
};

/* For rows: finds, for each part, the schedule that Open MPI 4.1.4 runs where one of its
 * collectives calls another one to or from rank 0: what it chooses by itself (decision.h). Where a
 * site forces or rules another one the library runs that, and this is not what runs. */
void sequence_prepare(struct schedule *s);

/* For rows: rounds of a rank, round k, and the bytes of TEMP. */
uint64_t sequence_rounds(const struct schedule *s, int rank);
void sequence_round(const struct schedule *s, int rank, uint64_t k, struct round *out);
uint64_t sequence_temp_bytes(const struct schedule *s, int rank);
