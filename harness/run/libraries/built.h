/* SPDX-License-Identifier: BSD-3-Clause */
/* built.h - the programs built for an MPI entry: the measuring program, the libraries to
 * preload, libcollsel (workloads/mpi.mk).
 *
 * For libraries outside cluster files, `make` builds them in BUILD/openmpi and BUILD/mpich.
 * For an entry of a cluster file a measuring command builds them in BUILD/mpi/NAME-XXXX. XXXX
 * is a digest of the section, since two cluster files may use one name for different MPIs. */
#pragma once

#include "harness/run/libraries/installed.h"

/* 1 when the measuring program of an entry exists and runs with the library that it was
 * compiled for and that the entry's launcher starts; else why (REASON_SIZE) gets the remedy. */
int built_is_ready(const struct installed *found, char *why);

/* Builds the programs of an entry of the cluster, or rebuilds them if compiler, library or
 * sources have changed: runs make each time, one process at a time. Reports builds on
 * chatter (NULL: nothing). If it fails, existing programs are removed, so that no stale ones
 * measure, and built_is_ready gives the cause. Without sources, existing programs stay. */
void built_update(const struct cluster *cluster, const char *entry, const char *build,
                  FILE *chatter);

/* The same of all that a study names. */
void built_update_all(const struct cluster *cluster, const struct name_list *entries,
                      const char *build, FILE *chatter);

/* Directories that hold builds of a family, a path each: BUILD/FAMILY, then entries'. To be freed
 * (argv_free). */
void built_directories(const char *family, const char *build, struct argv *dirs);

/* Queries the measuring program of a directory: the release it was compiled
 * for, and the library file it runs with; "" if unknown, or of another
 * release. env: NAME=VALUE to add, or NULL. 0, or -1: it cannot be run. */
int built_ask(const char *dir, const struct argv *env, char version[64], char file[PATH_SIZE]);
