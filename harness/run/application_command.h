/* SPDX-License-Identifier: BSD-3-Clause */
/* application_command.h - modifies the command that starts a user's
 * MPI program, so that libcollsel is preloaded before its MPI. */
#pragma once

#include "harness/base/argv.h"

/* Adds to out the command. Before each application in it (the first word linked with an MPI,
 * and the first such word after a word ":") it inserts `env`, the preload of libcollsel built
 * for the application's library (harness/run/libraries/built.h), and the variables
 * (NAME=VALUE). Other preloads come after ours. mpi: library or MPI entry of the whole command,
 * which then gets them in its whole environment and is not inspected; NULL: inspect. */
int application_command(char *const *command, const char *mpi, const char *build,
                        const struct argv *variables, struct argv *out, struct err *err);

/* Launches by the user's own command line (collsel star, ci/apps); sweeps
 * build their own (harness/run/environment.h). We neither remove nor set variables for them.
 * So settings that would be mistaken for the library's default are refused: in exported
 * variables, in the command line, and in parameter files; and, if ranks must be on this
 * machine, settings that name others. The table of harness/base/variable.h classifies them. */

struct user_launch {
    const char *mpi;   /* what they start: "openmpi", "mpich" */
    char *const *word; /* those before the program, ends with NULL */
    int here;          /* ranks shall be on this machine */
};

/* 0, with a sorted line "WHAT=VALUE" in *lines for each exported variable and each
 * setting of a file that affects message transport or placement; -1 with *err: a refused
 * setting, wrong usage, or an unreadable file. Understood are arguments of Open MPI's
 * launchers, Hydra, env and Slurm; scripts in the command line are not inspected. */
int user_launch_check(const struct user_launch *words, struct argv *lines, struct err *err);
