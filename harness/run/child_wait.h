/* SPDX-License-Identifier: BSD-3-Clause */
/* child_wait.h - a user's command as our child: it gets the signals that we get. */
#pragma once

#include "harness/base/base.h"

/* Runs the command, which ends with NULL, to its end. Returns its waitpid status, or -1 with
 * *err: it cannot be run. If we are killed, it gets SIGTERM. */
int child_wait(char *const *command, struct err *err);

/* The last signal that wants an end (not SIGUSR1, SIGUSR2) and came during the last child_wait; 0:
 * none. */
int child_wait_ending(void);

/* Ends this process like a command with that status: by the same signal, or with its status. */
__attribute__((noreturn)) void child_wait_end(int status);
