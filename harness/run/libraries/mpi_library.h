/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_library.h - the MPI libraries: how to start a job with each. Their own algorithms are in
 * harness/study/libraries/natives.h.
 *
 * A table of constant rows, one file each; adding one is one file and one line in libraries.c. */
#pragma once

#include "harness/run/libraries/installed.h"

/* Parameters of a job's start. */
struct job {
    const struct launch *launch;
    const struct cluster *cluster;
    const char *program;  /* path of the measuring program */
    const char *platform; /* simulation: platform file */
    const char *hostfile; /* simulation: one host a line, by rank */
    const char *build;    /* directory of the build, for helpers */
    int crowded;          /* 1: more ranks than the cores that they run on */
    const struct launcher *launcher;
    const struct installed *mpi; /* the entry; NULL: Debian's name of the launcher */
};

struct library {
    const char *name;                /* "openmpi"; "other" for an unknown library */
    const char *launcher;            /* "smpirun"; NULL: the program itself, or an entry's */
    int has_entries;                 /* its launcher and release are those of an MPI entry */
    const char *const *version_args; /* command line that prints the version, of what has none */
    const char *const *shares;       /* variables for the directory of its shared
                                        memory files, if it has any; NULL-terminated */
    int for_tests;                   /* never installed: a missing program is no error */
    int splits_words; /* the launcher is a script that splits the program's arguments at blanks */

    /* The command line up to and with the program, and what to add to the environment. */
    void (*command)(const struct job *job, struct argv *args, struct argv *env);
};

extern const struct library library_other, library_smpi;

/* All, NULL-terminated. */
extern const struct library *const libraries[];

/* Of an entry, by its family; NULL: it is of none that is read here. */
const struct library *library_find(const char *entry);

/* The same; of an entry that the cluster names and nobody has read, `library_other`. */
const struct library *library_of(const struct cluster *cluster, const char *entry);

/* The launcher of its jobs: here, or (queued) in an allocation by the cluster file;
 * for "auto" the first that is known to work. NULL with *err if none works. */
const struct launcher *library_launcher(const struct library *library, const char *version,
                                        int queued, const struct cluster *cluster, struct err *err);

/* Path of the measuring program of an entry and whether it is there; cluster: that may name it, or
 * NULL; build is the build directory. */
int library_program(const struct cluster *cluster, const char *entry, const char *build, char *path,
                    size_t size);

/* 1 when the path has a blank or a colon, at which LD_PRELOAD, and scripts that start jobs, split
 * it. */
int library_splits(const char *path);

/* 1 when launcher and measuring program of an entry are there; else why (REASON_SIZE) says what is
 * missing. cluster: that may name the entry, or NULL. */
int library_ready(const struct cluster *cluster, const char *entry, const char *build, char *why);

/* The release of an entry as reported by the library, e.g. "4.1.4"; "unknown" if it cannot be
 * asked. */
void library_version(const struct cluster *cluster, const char *entry, const char *build, char *buf,
                     size_t size);

/* installed_look with the cluster's entries; without an entry, launcher and version only. */
void library_look(const struct cluster *cluster, const char *entry, const char *build,
                  struct installed *found);
