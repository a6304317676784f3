/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_choices.h - a library's file of rules as choices that any other file can say: what its
 * reader answers for every number of processes and every size. With it `collsel run` runs such a
 * file, also under the other library. Nothing here runs MPI. */
#ifndef HARNESS_RULES_RULE_CHOICES_H
#define HARNESS_RULES_RULE_CHOICES_H

#include "harness/rules/export.h"

/* It is asked for up to so many processes; beyond, the library decides. */
enum { RULE_CHOICES_PROCS = 1024 };

/* Makes choices of rules that were read from the text of a file. It asks for elements of one byte
 * and operations that commute. A choice is the algorithm that runs, also where a rule names another
 * one. How many requests a rule allows at a time is left out; *limited: 1 where some rule says it.
 * Returns 0, and *choices is to be cleared (rules_choices_clear); or -1 with *err: the file is not
 * loaded (with the line, where one is to blame), a call fails, hangs or ends the program by it, its
 * component asks where ranks are, or it is a table of libcollsel already. */
int rules_carry(const struct rules *rules, const char *text, size_t length,
                struct rules_choices *choices, int *limited, struct err *err);

#endif
