/* SPDX-License-Identifier: BSD-3-Clause */
/* process.h - starts the processes of a testbed in its namespaces, and finds them by these.
 *
 * A process belongs to a testbed if its network namespace does, whoever
 * started it (as for all jobs), or if it is a daemon of Slurm or munge with
 * the testbed's directory in its command line or as its working directory. */
#pragma once

#include <sys/types.h>

#include "harness/base/argv.h"
#include "harness/run/testbed/testbed_state.h"

/* Starts a daemon that does not go to the background by itself. node: in whose namespace, with its
 * host name and our list of hosts; -1: where we are. Its output is appended to log. Returns its
 * pid, or -1 with *err; a failure of the daemon after its start is not detected here. */
pid_t process_start(const struct state *state, int node, const struct argv *args, const char *log,
                    struct err *err);

/* The pid of the daemon program ("slurmd") whose command line names the testbed's directory and, if
 * not NULL, has the word; 0: none. *age_s: how long it has run, when not NULL. */
pid_t process_find(const struct state *state, const char *program, const char *word, double *age_s);

/* Kills all processes of the testbed and waits until they are gone, at most a few seconds. Adds
 * their number to *n when it is not NULL. */
int process_kill_all(const struct state *state, size_t *n, struct err *err);
