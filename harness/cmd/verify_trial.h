/* SPDX-License-Identifier: BSD-3-Clause */
/* verify_trial.h - a file of rules is tried: written where the libraries find it, then the
 * library's default is measured without it and with it, in rounds of one launch of each.
 *
 * Below the results' verify/LIBRARY/CHOICES/ (of an MPI entry with a name of its own
 * verify/LIBRARY/ENTRY/CHOICES/; CHOICES: eight hex digits of what the file says): the
 * file (rules), and two studies like any other, without/ and with/. Another file is another trial,
 * so no time is ever taken for one of other rules. First the file of all choices is tried where it
 * has rules, then that of what was kept as a whole: in all cells of the study, in CHOICES-whole/,
 * with a round more. On this machine the launches of a round follow each other, the other one first
 * in each round; through Slurm a task of a job array measures both launches of a round, one after
 * the other on the same nodes, and each round has an allocation of its own.
 *
 * Who measures holds the .lock of the results meanwhile, which a sweep takes, too. */
#ifndef HARNESS_CMD_VERIFY_TRIAL_H
#define HARNESS_CMD_VERIFY_TRIAL_H

#include "analysis/advise/tuning.h"
#include "harness/cmd/options.h"
#include "harness/run/backends/backend.h"

struct verify_trial {
    /* given */
    const struct options *options;
    struct tuning_question question; /* with its reader */
    const struct cluster *cluster;
    int rounds, anew, retries;
    const char *from;    /* directory of the results that are chosen by */
    const char *launch;  /* in an allocation of Slurm: of which both sides are measured; NULL: this
                            is no task */
    const char *install; /* directory where the file will lie; NULL: where it is written */
    const char *name;    /* of a task for a whole file: the name of its directory; else NULL */

    /* found */
    const struct backend *backend;
    struct study study; /* shallow: of the library's default alone */
    struct tuning tuning;
    size_t same;       /* choices left out: what the default ran by itself */
    int whole;         /* 1: of all cells, by what was kept */
    int lock;          /* -1: a task has none */
    struct rules file; /* as its reader reads it */
    struct argv usual; /* of the variables that load it, what the environment has without */
    char base[PATH_SIZE], dir[PATH_SIZE], rules[PATH_SIZE], without[PATH_SIZE], with[PATH_SIZE];
    char build[PATH_SIZE], why[WHY_SIZE];
};

/* Chooses, and where something gains makes the directories and writes the file; for a task all this
 * must be there. 1: there is something to measure, 0: nothing gains more than the margin; -1 with
 * *err (somebody else works on the results). verify_trial_close in the first two cases. */
int verify_trial_open(struct verify_trial *t, const struct study *study, struct err *err);

/* Goes on to the whole of what the choices of t->tuning are now. 0, or -1 with *err. */
int verify_trial_whole(struct verify_trial *t, struct err *err);

/* Measures what is not measured yet. 0, or -1 with *err (interrupted: run again to go on). */
int verify_trial_measure(struct verify_trial *t, struct err *err);

/* So many launches with the file were measured of which each says that its library was told of the
 * file, and that library ends programs whose file it cannot read; 0: not all, or no such library.
 * -1 with *err. */
int verify_trial_told(const struct verify_trial *t, struct err *err);

/* In an allocation of Slurm: both launches of the name. */
int verify_trial_launch(struct verify_trial *t, struct err *err);

/* Frees what it holds. */
void verify_trial_close(struct verify_trial *t);

#endif
