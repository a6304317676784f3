/* SPDX-License-Identifier: BSD-3-Clause */
/* user_launch.h - launches that the user's own words start (collsel star, ci/apps), where sweeps
 * make their own (harness/run/environment.h). Nothing is kept from them and nothing set for them,
 * so what would pass for the library's default is refused: variables that are exported or stand in
 * the words, parameters in the words, parameter files; and, where ranks shall be on this machine,
 * what names others. Which is which says the table of harness/base/variable.h. */
#ifndef HARNESS_RUN_USER_LAUNCH_H
#define HARNESS_RUN_USER_LAUNCH_H

#include "harness/base/argv.h"
#include "harness/base/err.h"

struct user_launch {
    const char *mpi;   /* what they start: "openmpi", "mpich" */
    char *const *word; /* those before the program, ends with NULL */
    int here;          /* ranks shall be on this machine */
};

/* 0, with a sorted line "WHAT=VALUE" in *lines for each exported variable and each setting of a
 * file that changes how messages travel or where ranks are; -1 with *err: what stands in the way,
 * wrong usage, or a file that cannot be read. Words: those that Open MPI's launchers, Hydra, env
 * and Slurm take; what a script does that they name nobody sees. */
int user_launch_check(const struct user_launch *words, struct argv *lines, struct err *err);

#endif
