/* SPDX-License-Identifier: BSD-3-Clause */
/* tool_vars.h - MPI_T control variables by name: of type int read, written and read back; texts
 * read. */
#pragma once

#include "harness/base/base.h"

/* Starts the tool interface; collective calls are not needed. */
int tool_vars_open(struct err *err);

/* Current value. -1 with *err naming the variable: no such variable, not an integer, cannot be
 * read. */
int tool_var_read(const char *name, int *value, struct err *err);

/* Writes, reads back, and fails when another value is read. */
int tool_var_write(const char *name, int value, struct err *err);

/* The value that the variable's enumeration gives to a word, e.g. "binomial" -> 6. */
int tool_var_enum(const char *name, const char *word, int *value, struct err *err);

/* Calls visit with each word of the variable's enumeration; none where there is no such variable,
 * or it has no words. */
void tool_var_words(const char *name, void (*visit)(const char *word, void *user), void *user);

/* The value of a variable of type char: a text, "" where it has none. */
int tool_var_text(const char *name, char *buf, size_t size, struct err *err);

/* The variable's description, as much as fits. */
int tool_var_description(const char *name, char *buf, size_t size, struct err *err);
