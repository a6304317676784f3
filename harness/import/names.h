/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - converts external names of collectives, libraries and algorithms to ours. Pure. */
#pragma once

#include "harness/base/base.h"

/* "Broadcast", "MPI_Bcast", "all_reduce" and the like -> our name; NULL when it is no collective
 * that we know. */
const char *name_collective(const char *text);

/* "OMPI", "Open MPI" -> "openmpi"; else the words in lower case, joined by _. -1: no name, or one
 * that does not fit. */
int name_library(const char *text, char *buf, size_t size);

/* LIBRARY:NAME of an algorithm: unchanged if it has a colon; a number is the library's
 * own in the release (native_by_id; version "": not known); words get our spelling,
 * "ignore" and "auto" are the library's default. -1: no such number, or no name. */
int name_algorithm(const char *collective, const char *library, const char *version,
                   const char *text, char *buf, size_t size);
