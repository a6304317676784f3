/* SPDX-License-Identifier: BSD-3-Clause */
/* loop.h - the loop of a sweep: starts jobs, waits for output, signals and ends, shows progress. */
#pragma once

#include "harness/run/sweep/sweep_state.h"

/* Blocks the signals that end a sweep and opens s->signals for them. 0, or -1 with *s->err. */
int loop_catch_signals(struct sweep *s);

/* Runs the tasks until nothing is left, or until a signal, an error or a lost node stops it. 0 when
 * every point is finished or given up, -1 with *s->err. */
int loop_run(struct sweep *s);
