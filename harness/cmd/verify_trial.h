/* SPDX-License-Identifier: BSD-3-Clause */
/* verify_trial.h - a file of rules is tried: written where the libraries find it, then the
 * library's default is measured without it and with it, in rounds of one launch of each.
 *
 * Below the results' verify/LIBRARY/CHOICES/ (CHOICES: eight hex digits of what the file says): the
 * file (rules), and two studies like any other, without/ and with/. Another file is another trial,
 * so no time is ever taken for one of other rules. On this machine the launches of a round follow
 * each other, the other one first in each round; through Slurm a task of a job array measures both
 * launches of a round, one after the other on the same nodes, and each round has an allocation of
 * its own. */
#ifndef HARNESS_CMD_VERIFY_TRIAL_H
#define HARNESS_CMD_VERIFY_TRIAL_H

#include "analysis/tuning.h"
#include "harness/cmd/options.h"
#include "harness/run/backends/backend.h"

struct verify_trial {
    /* given */
    const struct options *options;
    struct tuning_question question; /* with its reader */
    const struct cluster *cluster;
    int rounds, anew, retries;
    const char *from; /* directory of the results that are chosen by */

    /* found */
    const struct backend *backend;
    struct study study; /* shallow: of the library's default alone */
    struct tuning tuning;
    struct rules file; /* as its reader reads it */
    char base[PATH_SIZE], dir[PATH_SIZE], rules[PATH_SIZE], without[PATH_SIZE], with[PATH_SIZE];
    char build[PATH_SIZE], why[WHY_SIZE];
};

/* Chooses, and where something gains makes the directories and writes the file. launch: NULL; of a
 * task the launch that it is for: all this must be there. 1: there is something to measure, 0:
 * nothing gains more than the margin; -1 with *err. verify_trial_close in the first two cases. */
int verify_trial_open(struct verify_trial *t, const struct study *study, const char *launch,
                      struct err *err);

/* Measures what is not measured yet. 0, or -1 with *err (interrupted: run again to go on). */
int verify_trial_measure(struct verify_trial *t, struct err *err);

/* In an allocation of Slurm: both launches of this name. */
int verify_trial_launch(struct verify_trial *t, const char *launch, struct err *err);

/* Frees what it holds. */
void verify_trial_close(struct verify_trial *t);

#endif
