/* SPDX-License-Identifier: BSD-3-Clause */
/* spelling.h - spellings of an algorithm of a collective, on command lines and in study files:
 *
 *   NAME            the schedule of this name; where there is none, the one library's algorithm
 *                   that has it behind the library's own ("brucks" is mpich_brucks)
 *   portable:NAME   the same
 *   openmpi:NAME    what the library has by this name, in any release: the schedule that sends what
 *   mpich:NAME      it sends
 *
 * The names of combinations and limits follow a dot (workloads/schedules/collectives.h). */
#pragma once

#include "workloads/schedules/collectives.h"

/* The schedule of a spelling; NULL: it names none. name gets the schedule's own name with all
 * that follows it. */
const struct algorithm *spelling_schedule(const char *collective, const char *text,
                                          char name[MOST_NAME + 1]);

/* The name after "LIBRARY:", or the text itself without
 * a library; NULL: it names another library. */
const char *spelling_within(const char *library, const char *text);

/* 1 when two texts name the same algorithm; one may be a short name:
 * "portable:mpich_brucks" equals "portable:brucks" and, for any library, "brucks". */
int spelling_fits(const char *collective, const char *whole, const char *asked);

/* For a text that names no schedule of n collectives (of): sets *err to the cause, the
 * faulty part, and a suggested spelling, which is never a refused one. Returns -1. */
int spelling_refuse(const char *const *of, size_t n, const char *text, struct err *err);

/* The same for a collective that has no schedules. */
int spelling_refuse_collective(const char *collective, struct err *err);
