/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_command.h - the command line that starts the MPI job of a launch: launcher,
 * measuring program, and its arguments on the study and the provenance of its numbers. */
#pragma once

#include "harness/run/sweep/sweep_state.h"

/* Adds the words to args and the variables to env, both of which the caller frees (argv_free), on
 * failure too; base: of the attempt's files. The first one of a sweep is kept as s->example. 0, or
 * -1 with *s->err. */
int command_make(struct sweep *s, const struct task *task, const char *base, struct argv *args,
                 struct argv *env);
