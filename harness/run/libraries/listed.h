/* SPDX-License-Identifier: BSD-3-Clause */
/* listed.h - compares the algorithms that installed libraries list by MPI_T with our tables. */
#ifndef HARNESS_RUN_LIBRARIES_LISTED_H
#define HARNESS_RUN_LIBRARIES_LISTED_H

#include "harness/run/libraries/mpi_library.h"
#include "harness/study/libraries/natives.h"

/* Adds to *strangers (zeroed by the caller, native_strangers_free) the algorithms that an
 * entry's library lists and our table lacks, and its release. A library that is missing, lists
 * nothing or cannot be queried adds nothing. build: directory of the measuring programs. */
void listed_strangers(const struct cluster *cluster, const char *entry, const char *build,
                      struct native_strangers *strangers);

#endif
