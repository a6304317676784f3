/* SPDX-License-Identifier: BSD-3-Clause */
/* carried.h - a library's file of rules as choices that any other file can say: what its reader
 * answers for every number of processes and every size. With it `collsel run` runs such a file,
 * also under the other library. Nothing here runs MPI. */
#ifndef HARNESS_RULES_CARRIED_H
#define HARNESS_RULES_CARRIED_H

#include "harness/rules/export.h"

/* Up to so many processes; beyond, the library decides. */
enum { CARRIED_PROCS = 1024 };

/* Of rules that were read from the text of a file. Elements are of one byte, an operation commutes.
 * An algorithm is named by the library, or, where another one runs in its place, is that one. What
 * a rule says of requests under way at a time is left out; *limited: 1 where some rule does. 0, and
 * *choices to be cleared; or -1 with *err, which says the line: the file is not loaded, or by it a
 * call fails, hangs, or ends the program; or it is of a component that asks where ranks are. */
int rules_carry(const struct rules *rules, const char *text, struct rules_choices *choices,
                int *limited, struct err *err);

#endif
