/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule_call.h - the call that collsel schedule shows a schedule of: data type, operation and
 * sizes of blocks, in MPI's words, as arguments of a schedule. */
#ifndef HARNESS_CMD_SCHEDULE_CALL_H
#define HARNESS_CMD_SCHEDULE_CALL_H

#include "harness/base/err.h"
#include "workloads/schedules/schedule.h"

/* As given on the command line; NULL: not given. */
struct call_words {
    const char *type, *op, *sizes;
};

/* Sets what the words say of a: element_bytes, ordered, users and inexact; sizes, and with a list
 * of them borders and bytes, which must be 0 then. a->procs counts. The borders are the caller's to
 * free. 0, or -1 with *err: a word that MPI has not, an operation that is not of this type or a
 * collective that combines nothing, sizes of blocks that are all alike, or too few of them. */
int schedule_call_take(const struct call_words *words, const struct collective *c,
                       struct schedule_arguments *a, struct err *err);

/* Says on stderr of a type whose size is the Fortran compiler's which one was taken. */
void schedule_call_say(const struct call_words *words);

#endif
