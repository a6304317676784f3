/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.h - the environment of launches: known and, unless the study says otherwise, clean
 * (docs/environment.md).
 *
 * By the table of harness/base/variable.h: variables that select algorithms or components are
 * taken out of a launch's environment (study key `environment = clean`), what tunes stays and is
 * part of the digest. A parameter file of Open MPI that selects cannot be taken out: it is refused.
 * With `environment = site` everything stays and is part of the digest. */
#ifndef HARNESS_RUN_ENVIRONMENT_H
#define HARNESS_RUN_ENVIRONMENT_H

#include "harness/run/backends/backend.h"
#include "harness/study/manifest.h"

/* Collects the surroundings of launches that are started here: of the libraries in p->mpi.
 * submitted: of jobs that Slurm will start elsewhere; then only variables count that sbatch hands
 * on. A parameter file that selects is told in s->refused. -1 with *err: one cannot be read. */
int environment_collect(const struct study *study, const struct backend *backend, int submitted,
                        const struct provenance *p, struct environment_record *s, struct err *err);

/* Adds the lines of the parameter files that a launch of a library reads which somebody's own words
 * start, and tells in s->refused what in them selects or, here, names other machines: nothing is
 * set for such a launch that would stand above them. launcher: its path; "": not known; NULL: its
 * words say that it reads no parameter files. 0, or -1 with *err: a file cannot be read. */
int environment_files(const char *mpi, const char *launcher, int here, struct environment_record *s,
                      struct err *err);

/* A line for each variable that is taken out, and why. */
void environment_say(const struct environment_record *s, FILE *out);

/* 1 when such lines say where files of shared memory go: launches make them there then, and not in
 * a directory of their own. */
int environment_shares(const struct argv *lines);

/* Where DIR holds samples of the same backend, libraries and mode that were measured in other
 * surroundings, these become p's: what is finished stays finished, and p->environment.differ says
 * what is another. 0, or -1 with *err: manifest or samples cannot be read. */
int environment_settle(const char *dir, const char *backend, struct provenance *p, struct err *err);

/* To be asked before anything is measured: -1 with *err where something is another or may not be,
 * naming it and the way out. */
int environment_check(const char *dir, const struct provenance *p, struct err *err);

/* The same of launches of a library that were started elsewhere: by the head of an earlier samples
 * file of this digest. */
int environment_check_heads(const char *dir, const char *digest, const char *mpi,
                            const struct argv *given, struct err *err);

#endif
