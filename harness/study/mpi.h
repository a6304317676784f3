/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi.h - MPI entries: the installed MPI libraries that a study can name, and their families.
 *
 * An entry is a name in a cluster file, `[mpi NAME]`: "openmpi", "openmpi-5", "mpich-4.2".
 * It is the value of column `mpi` in plans, samples and points. Its family is the library
 * whose algorithms, variables and rules files apply: given by the beginning of the name,
 * and confirmed by a query of the library (harness/run/libraries/installed.h). Pure. */
#pragma once

#include "harness/base/base.h"

/* The family of an entry: "openmpi", "mpich", "smpi" (SimGrid's), "walk", "null" (tests). A
 * name belongs to a family if it equals it or begins with it and a '-'. Any other MPI, which
 * runs only its default and portable schedules, is its own family: returns `entry`. */
const char *mpi_family(const char *entry);

/* 1 when an entry is of this family. */
int mpi_is(const char *entry, const char *family);

/* 1 when an entry is of a library whose algorithms are known: Open MPI, MPICH. */
int mpi_is_read(const char *entry);

enum {
    MPI_WORD = 64,
    MPI_PATH = 512,
    MPI_NAME_MOST = 40
}; /* bytes of a name: part of launch names */

/* `[mpi NAME]` of a cluster file, or of the file mpi.ini beside it, which holds for all cluster
 * files of its directory. Missing values are "". */
struct mpi_entry {
    char name[MPI_WORD];
    char prefix[MPI_PATH];  /* of an installation: PREFIX/bin/mpicc, PREFIX/bin/mpirun */
    char mpicc[MPI_PATH];   /* in its place: the compiler, and the launcher */
    char mpirun[MPI_PATH];  /* paths, or names that are looked for on PATH */
    char modules[MPI_PATH]; /* loaded before the search for either */
    char
        environment[2 * MPI_PATH]; /* NAME=VALUE, blanks between them; as it is, nothing expanded */
    char path[MPI_PATH];           /* the file that says it ... */
    int line;                      /* ... and where */
};

struct mpi_entries {
    struct mpi_entry *v; /* owned */
    size_t n;
};

/* The keys of a section, for reference pages: name and meaning; ends with a NULL name.
 * The values go to shells, make and `env`, so they must not contain special characters:
 * allowed are letters, digits, bytes above 127 and the characters of `more`. */
struct mpi_key {
    const char *name, *help;
    const char *more, *remedy; /* remedy: what to do where it has another character */
    size_t offset;             /* into struct mpi_entry */
    size_t size;
};
extern const struct mpi_key mpi_keys[];

/* Reads the sections of a cluster file, and of mpi.ini in its directory; a section of the cluster
 * file holds instead of one of the same name there. 0, or -1 with *err = "file:line: ..." and
 * nothing to free. */
int mpi_entries_read(const char *cluster_path, struct mpi_entries *entries, struct err *err);

/* By name, or NULL. */
const struct mpi_entry *mpi_entries_find(const struct mpi_entries *entries, const char *name);

void mpi_entries_free(struct mpi_entries *entries);

/* 1 when a list ("openmpi,mpich-4.2") has the entry, or its library. */
int mpi_is_listed(const char *list, const char *entry);
