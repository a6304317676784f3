/* SPDX-License-Identifier: BSD-3-Clause */
/* spelling.h - how an algorithm of a collective is written, on command lines and in study files:
 *
 *   NAME            the schedule of this name; where there is none, the one library's algorithm
 *                   that has it behind the library's own ("brucks" is mpich_brucks)
 *   portable:NAME   the same
 *   openmpi:NAME    what the library has by this name, in any release: the schedule that sends what
 *   mpich:NAME      it sends
 *
 * The names of combinations and limits follow a dot (workloads/schedules/collectives.h). */
#ifndef HARNESS_STUDY_LIBRARIES_SPELLING_H
#define HARNESS_STUDY_LIBRARIES_SPELLING_H

#include <stddef.h>

#include "harness/base/err.h"
#include "workloads/schedules/collectives.h"

/* The schedule that is meant; NULL: the text names none. name gets the schedule's own name with all
 * that follows it. */
const struct algorithm *spelling_schedule(const char *collective, const char *text,
                                          char name[MOST_NAME + 1]);

/* The name behind "LIBRARY:", or the text itself where it has no library's before it; NULL: it has
 * another one's. */
const char *spelling_within(const char *library, const char *text);

/* 1 when two texts name the same, where one of them may be a short name: "portable:mpich_brucks" is
 * what "portable:brucks" is, and, whatever library is before it, what "brucks" is. */
int spelling_fits(const char *collective, const char *whole, const char *asked);

/* For a text that names no schedule of n collectives (of): sets *err to why, which part of it is
 * wrong, and the spelling that may be meant; none is named that would be refused. Returns -1. */
int spelling_refuse(const char *const *of, size_t n, const char *text, struct err *err);

/* The same for a collective that has no schedules. */
int spelling_refuse_collective(const char *collective, struct err *err);

#endif
