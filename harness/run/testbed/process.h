/* SPDX-License-Identifier: BSD-3-Clause */
/* process.h - the processes of a testbed: started in its namespaces, found again by them.
 *
 * A process is a testbed's when its network namespace is one of the testbed's, whoever started it
 * (so are all jobs), or when it is a daemon of Slurm or munge whose command line names the
 * testbed's directory or that works in it. */
#ifndef HARNESS_RUN_TESTBED_PROCESS_H
#define HARNESS_RUN_TESTBED_PROCESS_H

#include <sys/types.h>

#include "harness/base/argv.h"
#include "harness/run/testbed/testbed_state.h"

/* Starts a daemon that does not go to the background by itself. node: in whose namespace, with its
 * host name and our list of hosts; -1: where we are. Its output is appended to log. Returns its
 * pid, or -1 with *err; a daemon that starts and then fails is noticed by nobody here. */
pid_t process_start(const struct state *state, int node, const struct argv *args, const char *log,
                    struct err *err);

/* The pid of the daemon program ("slurmd") whose command line names the testbed's directory and, if
 * not NULL, has the word; 0: none. *age_s: how long it has run, when not NULL. */
pid_t process_find(const struct state *state, const char *program, const char *word, double *age_s);

/* Kills all processes of the testbed and waits until they are gone, at most a few seconds. Adds
 * their number to *n when it is not NULL. */
int process_kill_all(const struct state *state, size_t *n, struct err *err);

#endif
