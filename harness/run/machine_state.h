/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_state.h - what of this machine changes the times of launches that are started here, as
 * lines of their surroundings (harness/study/environment_record.h): the CPUs that may be used, SMT,
 * frequency governors; and what is rare, where it is so: a limit on processor time, another
 * scheduling, nice, memory bound to nodes, frequencies that may not rise, other huge pages than on
 * demand, libraries that the system puts before every program's. */
#ifndef HARNESS_RUN_MACHINE_STATE_H
#define HARNESS_RUN_MACHINE_STATE_H

#include "harness/base/argv.h"

/* Adds the lines. root: where /sys, /proc and /etc are looked for, "" but in tests. */
void machine_state_add_lines(const char *root, struct argv *lines);

/* How many CPUs the control groups of this process let it use at a time; infinity: no limit. root:
 * as above. */
double machine_state_limit(const char *root);

/* How many CPUs this process may use: those that it may run on, or as many whole ones as its
 * control groups let it use, at least 1. */
int machine_state_cpus(void);

#endif
