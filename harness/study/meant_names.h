/* SPDX-License-Identifier: BSD-3-Clause */
/* meant_names.h - the names of this project, for whoever refuses one (harness/base/meant.h). */
#ifndef HARNESS_STUDY_MEANT_NAMES_H
#define HARNESS_STUDY_MEANT_NAMES_H

#include "harness/base/meant.h"

/* All collectives; those that have schedules alone. */
void meant_collectives(struct meant *m);
void meant_measured_collectives(struct meant *m);

/* The algorithms of a collective: our schedules, and what the libraries have. A word "LIBRARY:NAME"
 * is compared with names that have the same library before them. */
void meant_algorithms(struct meant *m, const char *collective);

/* Of these the schedules alone. */
void meant_schedules(struct meant *m, const char *collective);

/* The files that end in .ini in a directory, without that. */
void meant_files(struct meant *m, const char *dir);

#endif
