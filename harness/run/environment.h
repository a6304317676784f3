/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.h - the environment of launches: recorded and, unless the study says `site`, clean
 * (docs/environment.md).
 *
 * By the table of harness/base/variable.h: variables that select algorithms or components are
 * taken out of a launch's environment (study key `environment = clean`), what tunes stays and is
 * part of the digest. A parameter file of Open MPI that selects cannot be taken out: it is refused.
 * With `environment = site` everything stays and is part of the digest. */
#pragma once

#include "harness/run/backends/backend.h"
#include "harness/study/manifest.h"

/* Collects the environment of launches started here, for the libraries in p->mpi. submitted: of
 * jobs that Slurm starts elsewhere; then only variables passed on by sbatch count. A parameter
 * file that selects algorithms is reported in s->refused. -1 with *err: one cannot be read. */
int environment_collect(const struct study *study, const struct backend *backend, int submitted,
                        const struct provenance *p, struct environment_record *s, struct err *err);

/* Adds the lines of the parameter files that a launch by a user's command reads. Reports
 * in s->refused lines that select algorithms or, here, name other machines, since we set
 * nothing for such a launch that would override them. launcher: its path; "": not known;
 * NULL: its words disable parameter files. 0, or -1 with *err: a file cannot be read. */
int environment_files(const char *mpi, const char *launcher, int here, struct environment_record *s,
                      struct err *err);

/* Prints a line for each removed variable, with the reason. */
void environment_say(const struct environment_record *s, FILE *out);

/* 1 when such lines set the directory of shared memory files:
 * launches then use it instead of their own directory. */
int environment_shares(const struct argv *lines);

/* If DIR holds samples of the same backend, libraries and mode that were measured in another
 * environment, p gets that environment: finished points stay finished, and p->environment.differ
 * lists the differences. 0, or -1 with *err: manifest or samples cannot be read. */
int environment_settle(const char *dir, const char *backend, struct provenance *p, struct err *err);

/* Call it before measuring: -1 with *err when the environment
 * differs or is not allowed, with the difference and a remedy. */
int environment_check(const char *dir, const struct provenance *p, struct err *err);

/* The same for launches of a library started elsewhere: by
 * the header of an earlier samples file of this digest. */
int environment_check_heads(const char *dir, const char *digest, const char *mpi,
                            const struct argv *given, struct err *err);

/* The state of this machine that affects times of launches
 * started here, as lines of their environment (harness/study/environment_record.h):
 * the usable CPUs, SMT, frequency governors; and unusual settings: a limit on
 * processor time, another scheduling policy, nice, memory bound to nodes, frequency
 * limits, huge pages other than on demand, libraries preloaded by the system. */

/* Adds the lines. root: where /sys, /proc and /etc are looked for, "" but in tests. */
void machine_state_add_lines(const char *root, struct argv *lines);

/* The CPU limit of the control groups of this process,
 * in CPUs; infinity: no limit. root: as above. */
double machine_state_limit(const char *root);

/* The number of CPUs this process may use: its affinity, limited
 * by the whole CPUs of its control groups, at least 1. */
int machine_state_cpus(void);
