/* SPDX-License-Identifier: BSD-3-Clause */
/* application_command.h - somebody's MPI program, and the command that starts it, so that
 * libcollsel stands before its MPI. */
#ifndef HARNESS_RUN_APPLICATION_COMMAND_H
#define HARNESS_RUN_APPLICATION_COMMAND_H

#include "harness/base/argv.h"
#include "harness/base/err.h"

/* The library that a program is linked with, as its loader finds it: "openmpi", "mpich"; NULL with
 * *err where it is none of these, or no program. word: a path, or a name on the PATH. */
const char *application_mpi(const char *word, struct err *err);

/* Adds to out the command with `env`, the preload of libcollsel, of the build that runs with the
 * application's own library (harness/run/libraries/built.h), and the variables (NAME=VALUE) before
 * each application in it: the first word that is linked with an MPI, and the first such after a
 * word ":". Other preloads stay behind ours. mpi: the library, or MPI entry, of all of the command,
 * which is then not looked into and gets them in its whole environment; NULL: look. */
int application_command(char *const *command, const char *mpi, const char *build,
                        const struct argv *variables, struct argv *out, struct err *err);

#endif
