/* SPDX-License-Identifier: BSD-3-Clause */
/* provenance_lookup.h - collects the provenance of measurements: libraries and their versions,
 * commit, machine, and the digest of the common settings. harness/study/manifest.h writes it. */
#pragma once

#include "harness/run/sweep_request.h"
#include "harness/study/manifest.h"

/* Where launches are started: here; by jobs that are submitted now; here, by such a job. */
enum provenance_stage { PROVENANCE_HERE, PROVENANCE_SUBMIT, PROVENANCE_TASK };

/* Looks everything up, of the libraries of a plan; provenance_free in any case. -1 with *err: the
 * environment is refused (run/environment.h). */
int provenance_collect(const struct sweep_request *request, const struct plan *plan,
                       enum provenance_stage stage, struct provenance *p, struct err *err);
void provenance_free(struct provenance *p);

/* An entry as it was found, or NULL: it is none of the plan. */
const struct installed *provenance_installed(const struct provenance *p, const char *mpi);

/* 1 when a key of a cluster file (only_section NULL), or of
 * this section of a study file, is part of the digest. */
int provenance_counts(const struct key *key, const char *only_section);
