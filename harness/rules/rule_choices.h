/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_choices.h - converts a library's rules file to choices for any other file: the
 * reader's answers for every number of processes and every size. `collsel run` uses
 * it to run such a file, also under the other library. Nothing here runs MPI. */
#pragma once

#include "harness/rules/export.h"

/* Largest number of processes converted; beyond it the library decides. */
enum { RULE_CHOICES_PROCS = 1024 };

/* Converts rules read from the text of a file to choices. Assumes elements of one byte and
 * commutative operations. A choice is the algorithm that really runs, also if a rule names
 * another one. Limits of concurrent requests are dropped; *limited becomes 1 if a rule has
 * one. Returns 0, and the caller clears *choices (rules_choices_clear); or -1 with *err:
 * the file is not loaded (with the faulty line), a call fails, hangs or ends the program,
 * the component needs the placement of ranks, or it is a table of libcollsel. */
int rules_to_choices(const struct rules *rules, const char *text, size_t length,
                     struct rules_choices *choices, int *limited, struct err *err);
