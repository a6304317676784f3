/* SPDX-License-Identifier: BSD-3-Clause */
/* provenance_lookup.h - looks up what makes measurements: libraries and their versions, commit,
 * machine, and the digest of all that they share. It is written by harness/study/manifest.h. */
#ifndef HARNESS_RUN_PROVENANCE_LOOKUP_H
#define HARNESS_RUN_PROVENANCE_LOOKUP_H

#include "harness/run/backends/backend.h"
#include "harness/study/manifest.h"

/* Where launches are started: here; by jobs that are submitted now; here, by such a job. */
enum provenance_stage { PROVENANCE_HERE, PROVENANCE_SUBMIT, PROVENANCE_TASK };

struct provenance_request {
    const struct cluster *cluster;
    const struct study *study;
    const struct backend *backend;
    const struct plan *plan;
    const char *build; /* directory of the measuring programs */
    const char *dir;   /* of the results */
    enum provenance_stage stage;
    const char *release; /* of the libraries of a kit, "unknown"; NULL: asked of those here, with
                            what surrounds them */
    int anew;            /* the study begins anew, whatever was measured in another environment */
};

/* Looks everything up; provenance_free in any case. -1 with *err: the environment is refused
 * (run/environment.h). */
int provenance_collect(const struct provenance_request *request, struct provenance *p,
                       struct err *err);
void provenance_free(struct provenance *p);

/* An entry as it was found, or NULL: it is none of the plan. */
const struct installed *provenance_installed(const struct provenance *p, const char *mpi);

/* Is a key of a cluster file (only_section NULL) or of this section of a study file part of the
 * digest? */
int provenance_counts(const struct key *key, const char *only_section);

#endif
