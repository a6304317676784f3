/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_state.h - the state of this machine that affects times of launches
 * started here, as lines of their environment (harness/study/environment_record.h):
 * the usable CPUs, SMT, frequency governors; and unusual settings: a limit on
 * processor time, another scheduling policy, nice, memory bound to nodes, frequency
 * limits, huge pages other than on demand, libraries preloaded by the system. */
#pragma once

#include "harness/base/argv.h"

/* Adds the lines. root: where /sys, /proc and /etc are looked for, "" but in tests. */
void machine_state_add_lines(const char *root, struct argv *lines);

/* The CPU limit of the control groups of this process,
 * in CPUs; infinity: no limit. root: as above. */
double machine_state_limit(const char *root);

/* The number of CPUs this process may use: its affinity, limited
 * by the whole CPUs of its control groups, at least 1. */
int machine_state_cpus(void);
