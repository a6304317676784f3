/* SPDX-License-Identifier: BSD-3-Clause */
/* built.h - what runs under an MPI entry, built for it: the measuring program, what is preloaded
 * beside it, libcollsel (workloads/mpi.mk).
 *
 * For the libraries that no cluster file names, `make` builds it, in BUILD/openmpi and BUILD/mpich.
 * For an entry of a cluster file who measures does, in BUILD/mpi/NAME-XXXX, where XXXX is of what
 * the section says: two cluster files may name two MPIs alike. */
#ifndef HARNESS_RUN_LIBRARIES_BUILT_H
#define HARNESS_RUN_LIBRARIES_BUILT_H

#include <stdio.h>

#include "harness/base/err.h"
#include "harness/run/libraries/installed.h"
#include "harness/study/cluster.h"

/* 1 when the measuring program of an entry is there, and runs with the library that it was compiled
 * for and that the entry's launcher starts; else why (REASON_SIZE) says what to do. */
int built_is_ready(const struct installed *found, char *why);

/* Builds what runs under an entry that the cluster names, or builds it again where compiler,
 * library or sources are others: make is asked each time, one process at a time. What is built is
 * said on chatter (NULL: nothing). Where it fails, what was there is taken away, so that nothing
 * stale is measured with, and built_is_ready says why. Without sources, what is there stays. */
void built_update(const struct cluster *cluster, const char *entry, const char *build,
                  FILE *chatter);

/* The same of all that a study names. */
void built_update_all(const struct cluster *cluster, const struct name_list *entries,
                      const char *build, FILE *chatter);

/* Directories that hold builds of a family, a path each: BUILD/FAMILY, then entries'. To be freed
 * (argv_free). */
void built_directories(const char *family, const char *build, struct argv *dirs);

/* What the measuring program of a directory says: the release that it was compiled for, and the
 * file of the library that it runs with; "" where it does not say, or that is of another release.
 * env: NAME=VALUE to add, or NULL. 0, or -1: it cannot be asked. */
int built_ask(const char *dir, const struct argv *env, char version[64], char file[PATH_SIZE]);

#endif
