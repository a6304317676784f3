/* SPDX-License-Identifier: BSD-3-Clause */
/* two_level_parts.h - common to the two kinds of combinations (two_level.c: those of one message,
 * two_level_moving.c: those that move blocks). */
#pragma once

#include "workloads/schedules/schedule.h"

/* A part for one rank, with its bytes. member: -1 if the rank is in none of its teams. */
struct piece {
    struct level_team team;
    struct schedule s;
    int member;
};

/* For rows: reads the names of a combination (struct algorithm, .combine). */
int two_level_combine(const struct algorithm *row, const char *text, struct combination *c,
                      struct err *err);

/* Part p for one rank. -1 without a schedule: the algorithm cannot run. */
int two_level_piece(const struct schedule *s, int p, int rank, uint64_t bytes, struct piece *piece);

/* Adds round k of a part, which has so many, with its buffers where they are. */
void two_level_add_round(const struct piece *piece, uint64_t k, const struct op_places *w,
                         struct round *out);

/* Why the levels of the ranks are not known, or NULL. */
const char *two_level_unknown(const struct schedule *s);

/* For rows: those of one message. */
const char *two_level_unfit(const struct schedule *s);
uint64_t two_level_rounds(const struct schedule *s, int rank);
void two_level_round(const struct schedule *s, int rank, uint64_t k, struct round *out);
uint64_t two_level_temp(const struct schedule *s, int rank);

/* The rows of a collective, by a macro of one row (name, levels, what is tried first, flag, help).
 */
#define LEVEL_ROWS(ROW, pairs, triples, flag)                                                      \
    {                                                                                              \
        ROW("two_level", 2, pairs, flag,                                                           \
            "two_level.INNER.OUTER: one within nodes, one between their leaders"),                 \
            ROW("three_level", 3, triples, flag,                                                   \
                "three_level.INNER.MIDDLE.OUTER: within sockets, within nodes, between nodes"),    \
            { .name = NULL },                                                                      \
    }
