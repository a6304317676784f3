/* SPDX-License-Identifier: BSD-3-Clause */
/* child_wait.h - a command that runs as if it had taken our place, while we wait to look at what it
 * has left: in our process group, with our streams; signals that are sent to us go on to it. */
#ifndef HARNESS_RUN_CHILD_WAIT_H
#define HARNESS_RUN_CHILD_WAIT_H

#include "harness/base/err.h"

/* Runs it to its end: its status as waitpid gives it. -1 with *err: it cannot be run. Where we are
 * killed it gets SIGTERM. */
int child_wait(char *const *command, struct err *err);

/* Ends us as the command ended, by the same signal where it was one. */
void child_wait_end(int status) __attribute__((noreturn));

#endif
