/* SPDX-License-Identifier: BSD-3-Clause */
/* provenance.h - looks up what makes measurements: libraries and their versions, commit, machine,
 * and the digest of all that they share. It is written by harness/study/manifest.h. */
#ifndef HARNESS_RUN_PROVENANCE_H
#define HARNESS_RUN_PROVENANCE_H

#include "harness/run/backends/backend.h"
#include "harness/study/manifest.h"

/* Looks everything up. build: directory of the measuring programs. */
void provenance_collect(const struct cluster *cluster, const struct study *study,
                        const struct backend *backend, const struct plan *plan, const char *build,
                        struct provenance *p);

#endif
