/* SPDX-License-Identifier: BSD-3-Clause */
/* installed.h - an MPI entry (harness/study/mpi.h) as installed here: its location and the facts
 * it reports.
 *
 * The library is queried: a small program is compiled by the entry's mpicc and started by its
 * launcher with one process, in an environment with only the variables of the entry. It prints
 * MPI_Get_library_version and MPI_Get_version, the file of the library, and what the launcher
 * exports to it. The compiler has two minutes, the launcher one. The answer is cached below
 * the build directory (where that may not be written, in ~/.cache/collsel) as long as compiler,
 * launcher and library are the same files. Modules are loaded once per process, and failures are
 * not retried in it. */
#pragma once

#include "harness/base/argv.h"
#include "harness/study/plan.h"

struct installed {
    char entry[MPI_WORD];
    char mpirun[PATH_SIZE]; /* as it is called: "mpirun.openmpi", "/opt/mpi/bin/mpirun" */
    char mpicc[PATH_SIZE];  /* likewise; "" none: nothing can be built for it */
    char version[64];       /* "4.1.4"; "unknown" */
    char launcher[32];      /* the release of its launcher; "": not known */
    char says[256];         /* the library's own line, "Open MPI v4.1.4, package: ..."; "" */
    char libmpi[PATH_SIZE]; /* its file; "" unknown */
    struct argv env;        /* NAME=VALUE to add for its launches and builds */
    struct argv exports;    /* NAME=VALUE that its launcher exports to ranks */
    char dir[PATH_SIZE];    /* of what is built for it (built.h) */
    char where[80];         /* the end of FILE:LINE of its section; "": no section */
    char why[256];          /* why nothing can be started, remedy first; "": it can */
};

/* Looks an entry up: the section of that name; without one, of "openmpi" and "mpich" the mpicc and
 * mpirun of PATH where they are of that library, then Debian's names. entries: of the cluster, or
 * NULL. build: the build directory. What cannot be used says why. */
void installed_look(const struct mpi_entries *entries, const char *entry, const char *build,
                    struct installed *found);

/* Where what is built for an entry goes: BUILD/openmpi; of one that a section names,
 * BUILD/mpi/NAME-XXXX, or the same in the user's cache where BUILD may not be written. */
void installed_dir(const struct mpi_entries *entries, const char *entry, const char *build,
                   char *dir, size_t size);

/* The user's cache: $XDG_CACHE_HOME/collsel, ~/.cache/collsel; "": there is none. */
void installed_cache(char *dir, size_t size);

/* Adds arguments (--provenance exported=NAME=VALUE) that inform the measuring program
 * of variables the launcher exports itself, since they would look like user settings.
 * Variables that select algorithms are not included, as a wrapper script may set them,
 * except the component path, which Open MPI's own launcher exports from 5.0 on. */
void installed_say_exports(const struct installed *found, struct argv *args);

void installed_free(struct installed *found);

/* The first word of a text that looks like a release, "4.1.4", "3.32". 1, or 0: there is none. */
int installed_version(const char *text, char *buf, size_t size);
