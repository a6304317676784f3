/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - collsel sweep --probe: measures between the cells of a study where rules would speak.
 *
 * Of each MPI of the study the rules are chosen as `collsel export` does, and the probes that
 * analysis/reach.h wants are measured: the choice and the library's default, in two launches each,
 * in rounds, until nothing is wanted or the share of the study's core time is spent. They lie in
 * DIR/probe/MPI, a study like any other. */
#ifndef HARNESS_CMD_PROBE_H
#define HARNESS_CMD_PROBE_H

#include "harness/run/sweep.h"

/* request: as of the study's own sweep; share_pct: of the core time that the study took. With
 * dry_run it lists the next round. 0, or -1 with *err (nothing was fitted yet, or a launch failed).
 */
int probe_command(const struct sweep_request *request, double share_pct, struct err *err);

#endif
