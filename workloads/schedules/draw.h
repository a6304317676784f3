/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.h - a picture of a schedule, in Graphviz's language, which `dot` lays out: for each phase
 * either its tree, ranks coloured by the stage in which they have everything, or, where messages do
 * not form a tree, a diagram of steps (a column per rank, a row per stage); with title, arguments
 * and totals. */
#ifndef WORKLOADS_SCHEDULES_DRAW_H
#define WORKLOADS_SCHEDULES_DRAW_H

#include <stdio.h>

#include "workloads/schedules/schedule.h"

enum { DRAW_MAX_PROCS = 128 };

/* Writes the picture. Returns 0, or -1 with *err set: more than DRAW_MAX_PROCS ranks (usage), out
 * of memory, a schedule that never ends. Write errors stay in the FILE's flag. */
int draw_dot(const struct schedule *s, FILE *out, struct err *err);

#endif
