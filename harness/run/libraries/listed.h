/* SPDX-License-Identifier: BSD-3-Clause */
/* listed.h - what the installed libraries list of themselves, by MPI_T, against our tables. */
#ifndef HARNESS_RUN_LIBRARIES_LISTED_H
#define HARNESS_RUN_LIBRARIES_LISTED_H

#include "harness/run/libraries/mpi_library.h"
#include "harness/study/libraries/natives.h"

/* Adds to *strangers (zeroed by the caller, native_strangers_free) what an entry's library lists
 * and its table does not know, and notes its release. A library that is not there, lists nothing or
 * cannot be asked adds nothing. build: directory of the measuring programs. */
void listed_strangers(const struct cluster *cluster, const char *entry, const char *build,
                      struct native_strangers *strangers);

#endif
