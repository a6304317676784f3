/* SPDX-License-Identifier: BSD-3-Clause */
/* library.h - the MPI libraries: how a job is started under each. Their own algorithms are in
 * harness/study/libraries/natives.h.
 *
 * A table of constant rows, one file each; adding one is one file and one line in libraries.c. */
#ifndef HARNESS_RUN_LIBRARIES_LIBRARY_H
#define HARNESS_RUN_LIBRARIES_LIBRARY_H

#include "harness/base/argv.h"
#include "harness/study/cluster.h"
#include "harness/study/plan.h"

/* What a job is to be started with. */
struct job {
    const struct launch *launch;
    const struct cluster *cluster;
    const char *program;  /* path of the measuring program */
    const char *platform; /* simulation: platform file */
    const char *hostfile; /* simulation: one host a line, by rank */
    const char *build;    /* directory of the build, for helpers */
    int crowded;          /* 1: more ranks than the cores that they run on */
    const struct launcher *launcher;
};

struct library {
    const char *name;                /* "openmpi" */
    const char *launcher;            /* "mpirun.openmpi"; NULL: the program itself */
    const char *program;             /* "openmpi/measure", below the build directory */
    const char *const *version_args; /* command line that prints the version */
    const char *const *shares; /* variables that say where its files of shared memory are, where it
                                  has any; NULL-terminated */
    int for_tests;    /* is not installed: where its program is not there nothing is missing */
    int splits_words; /* the launcher is a script that splits the program's arguments at blanks */

    /* The command line up to and with the program, and what to add to the environment. */
    void (*command)(const struct job *job, struct argv *args, struct argv *env);
};

extern const struct library library_openmpi, library_mpich, library_smpi, library_walk,
    library_null;

/* All, NULL-terminated. */
extern const struct library *const libraries[];

/* By name, or NULL. */
const struct library *library_find(const char *name);

/* What starts its jobs: here, or (queued) in an allocation as the cluster says, where it says
 * "auto" by what is known to work. NULL with *err where nothing does. */
const struct launcher *library_launcher(const struct library *library, const char *version,
                                        int queued, const struct cluster *cluster, struct err *err);

/* Path of the measuring program and whether it is there; build is the build directory. */
int library_program(const struct library *library, const char *build, char *path, size_t size);

/* 1 when the path has a blank or a colon, at which LD_PRELOAD, and scripts that start jobs, split
 * it.
 */
int library_splits(const char *path);

/* 1 when launcher and measuring program are there; else why (REASON_SIZE) says what is missing. */
int library_ready(const struct library *library, const char *build, char *why);

/* The version as the library's own tool prints it, e.g. "4.1.4"; "unknown" where it cannot be read.
 */
void library_version(const struct library *library, char *buf, size_t size);

#endif
