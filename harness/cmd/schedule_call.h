/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule_call.h - the call whose schedule collsel schedule shows: data type, operation
 * and block sizes, given as in MPI and converted to arguments of a schedule. */
#pragma once

#include "workloads/schedules/schedule.h"

/* As given on the command line; NULL: not given. */
struct call_words {
    const char *type, *op, *sizes;
};

/* Sets from the words the fields of a: element_bytes, ordered, users and inexact; sizes, and with
 * a list of them borders and bytes, which must be 0 before. Reads a->procs. The caller frees the
 * borders. 0, or -1 with *err: a word unknown to MPI, an operation that does not match the type,
 * an operation for a collective without reduction, equal block sizes, or too few of them. */
int schedule_call_take(const struct call_words *words, const struct collective *c,
                       struct schedule_arguments *a, struct err *err);

/* Reports on stderr the assumed size of a type whose size depends on the Fortran compiler. */
void schedule_call_say(const struct call_words *words);
