/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.h - a picture of a schedule. In Graphviz's language, which `dot` lays out: for each phase
 * either its tree, ranks coloured by the stage in which they have everything, or, where messages do
 * not form a tree, a diagram of steps (a column per rank, a row per stage); with title, arguments
 * and totals. */
#pragma once

#include "workloads/schedules/schedule.h"

enum { DRAW_MAX_PROCS = 128 };

/* Writes the picture. Returns 0, or -1 with *err set: more than DRAW_MAX_PROCS ranks (usage), out
 * of memory, a schedule that never ends. Write errors stay in the FILE's flag. */
int draw_dot(const struct schedule *s, FILE *out, struct err *err);

/* The same as text: a row per stage, a column per rank, with whom it exchanges messages; of many
 * stages the first ones. columns: of the terminal. Returns 0, or -1 with *err: it would not fit
 * (usage), or as above. */
int draw_text(const struct schedule *s, int columns, FILE *out, struct err *err);
