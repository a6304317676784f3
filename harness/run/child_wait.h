/* SPDX-License-Identifier: BSD-3-Clause */
/* child_wait.h - runs a command as if it had replaced this process, so that we can inspect its
 * output afterwards: in our process group, with our streams; signals sent to us are forwarded. */
#pragma once

#include "harness/base/err.h"

/* Runs it to its end. Returns its waitpid status, or -1 with
 * *err: it cannot be run. If we are killed, it gets SIGTERM. */
int child_wait(char *const *command, struct err *err);

/* Ends this process like the command: by the same signal, or with its status. */
void child_wait_end(int status) __attribute__((noreturn));
