/* SPDX-License-Identifier: BSD-3-Clause */
/* suggest_names.h - the names of this project, for suggestions (harness/base/suggest.h). */
#pragma once

#include "harness/base/suggest.h"

/* All collectives; those that have schedules alone. */
void meant_collectives(struct suggest *m);
void meant_measured_collectives(struct suggest *m);

/* The algorithms of a collective without a library prefix: our schedules
 * and the libraries' own. For prefixed spellings see spelling.h. */
void meant_algorithms(struct suggest *m, const char *collective);

/* The files that end in .ini in a directory, without that. */
void meant_files(struct suggest *m, const char *dir);
