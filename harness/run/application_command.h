/* SPDX-License-Identifier: BSD-3-Clause */
/* application_command.h - modifies the command that starts a user's
 * MPI program, so that libcollsel is preloaded before its MPI. */
#pragma once

#include "harness/base/argv.h"
#include "harness/base/err.h"

/* Adds to out the command. Before each application in it (the first word linked with an MPI,
 * and the first such word after a word ":") it inserts `env`, the preload of libcollsel built
 * for the application's library (harness/run/libraries/built.h), and the variables
 * (NAME=VALUE). Other preloads come after ours. mpi: library or MPI entry of the whole command,
 * which then gets them in its whole environment and is not inspected; NULL: inspect. */
int application_command(char *const *command, const char *mpi, const char *build,
                        const struct argv *variables, struct argv *out, struct err *err);
