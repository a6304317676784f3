/* SPDX-License-Identifier: BSD-3-Clause */
/* ask_program.h - runs the program `collsel` in a rank of the application, for a table that the
 * library cannot make itself. The application does not see the child. */
#pragma once

#include "harness/base/base.h"

enum { ASK_MOST_BYTES = 1 << 20 }; /* limit of an answer */

/* Runs the command `word`, which ends with NULL and whose second word names the command of
 * collsel, and returns its standard output, to be freed. NULL with *err: it could not be run,
 * failed, gave no whole answer within 60 s, or more than ASK_MOST_BYTES. An answer with *err: it
 * is whole, and the program did not end behind it. */
char *ask_program(const char *const *word, struct err *err);
