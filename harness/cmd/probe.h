/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - collsel measure --probe: measures inside the intervals in which rules apply.
 *
 * For each MPI of the study it chooses rules as `collsel rules write` does. It then measures the
 * probes wanted by analysis/advise/rule_interval.h: the choice and the library's default, in two
 * launches each. It repeats in rounds until no probe is wanted, or the share of the study's core
 * time is spent. The results lie in DIR/probe/MPI, a study like any other. */
#pragma once

#include "harness/cmd/options.h"
#include "harness/run/sweep.h"

/* request: as of the study's own sweep; share_pct: of the core time that the study took. With
 * dry_run it lists the next round. mpis: of these alone (mpi_is_listed); NULL: of all. 0, or -1
 * with *err (nothing was fitted yet, or a launch failed). */
int probe_command(const struct sweep_request *request, const struct options *options,
                  double share_pct, const char *mpis, struct err *err);

/* In an allocation: one launch of the round that was submitted. request: of the study, with the
 * launch's name (only). */
int probe_launch(const struct sweep_request *request, const struct options *options,
                 double share_pct, const char *mpi, struct sweep_result *result, struct err *err);
