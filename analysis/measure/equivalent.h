/* SPDX-License-Identifier: BSD-3-Clause */
/* equivalent.h - the schedule that is equivalent to an algorithm of a library.
 *
 * "portable:NAME" is the schedule NAME itself; "openmpi:NAME" sends the messages of schedule NAME;
 * "mpich:NAME" those of "mpich_NAME" where there is one, else NAME. Libraries' defaults and unknown
 * algorithms have none. */
#pragma once

#include "analysis/measure/study_facts.h"
#include "workloads/schedules/schedule.h"

/* The schedule of an algorithm "LIBRARY:NAME" of a collective, or NULL. */
const struct algorithm *equivalent_find(const char *collective, const char *algorithm);

/* The schedule of a candidate in a cell, with the seats that its ranks have on the cluster of the
 * facts (facts_seating). -1 with *err when it has none or its arguments are wrong. *s borrows from
 * the cell. */
int equivalent_schedule(const struct facts *facts, const struct cell *cell,
                        const struct candidate *candidate, struct schedule *s, struct err *err);

/* A candidate reduced to the messages that it sends in a cell: its generator's first schedule, the
 * segment if it splits data, else 0, the fan-out used. Unchanged if it has no schedule. */
struct candidate equivalent_candidate(const struct cell *cell, const struct candidate *candidate);

/* 1 when two candidates send the same messages in this cell, for
 * any library, name or segment size; or when they are equal. */
int equivalent_same(const struct cell *cell, const struct candidate *a, const struct candidate *b);

/* A comparison for qsort: 0 when the schedules are likely to be the same, for any library and
 * mapping (schedule_same decides). Cells with more ranks, then with more bytes, come first. */
int equivalent_order(const struct cell *a, const struct candidate *x, const struct cell *b,
                     const struct candidate *y);

/* The algorithm run for "LIBRARY:NAME" with this schedule: itself, or "LIBRARY:SUBSTITUTE".
 * Returns buf. */
const char *equivalent_name(const char *algorithm, const struct schedule *s, char *buf,
                            size_t size);
