/* SPDX-License-Identifier: BSD-3-Clause */
/* verify_trial.h - tests a rules file: writes it where the libraries find it, then measures the
 * library's default without it and with it, in rounds of one launch of each.
 *
 * The directory is verify/LIBRARY/CHOICES/ below the results (for a named MPI entry
 * verify/LIBRARY/ENTRY/CHOICES/; CHOICES: eight hex digits, a digest of the file). It holds the
 * file (rules) and two studies, without/ and with/. Another file has another directory, so times of
 * different rules never mix. First the file with all choices is measured in cells with rules. Then
 * the file of the kept rules is measured as a whole, in all cells of the study, in CHOICES-whole/,
 * with one more round. On this machine the launches of a round run one after the other, with the
 * order alternating between rounds. With Slurm a task of a job array measures both launches of a
 * round, one after the other on the same nodes, and each round has its own allocation.
 *
 * Measuring holds the .lock of the results, which a sweep takes, too. */
#pragma once

#include "analysis/advise/tuning.h"
#include "harness/cmd/options.h"
#include "harness/run/backends/backend.h"

struct verify_trial {
    /* given */
    const struct options *options;
    struct tuning_question question; /* with its reader */
    const struct cluster *cluster;
    int rounds, anew, retries;
    const char *from;    /* directory of the results behind the choices */
    const char *launch;  /* in a Slurm task: launch whose two sides
                            are measured; NULL: not in a task */
    const char *install; /* directory where the file will lie; NULL: where it is written */
    const char *name;    /* of a task for a whole file: the name of its directory; else NULL */

    /* found */
    const struct backend *backend;
    struct study study; /* shallow: of the library's default alone */
    struct tuning tuning;
    size_t same;       /* dropped choices: equal to the default's algorithm */
    int whole;         /* 1: all cells, with the kept rules */
    int lock;          /* -1: a task has none */
    struct rules file; /* as its reader reads it */
    struct argv usual; /* original values of the variables that load the file */
    char base[PATH_SIZE], dir[PATH_SIZE], rules[PATH_SIZE], without[PATH_SIZE], with[PATH_SIZE];
    char build[PATH_SIZE], why[WHY_SIZE];
};

/* 0 when the installed release of an entry loads files of that reader, or cannot be asked; -1 with
 * *err: such a file would tell nothing of it. */
int verify_check_release(const struct cluster *cluster, const char *mpi, const char *build,
                         const struct rules_reader *reader, struct err *err);

/* Makes the choices and, if any gains, the directories and the file; in a task all
 * must exist. 1: there is something to measure, 0: no gain exceeds the margin; -1 with
 * *err (the results are locked). Call verify_trial_close in the first two cases. */
int verify_trial_open(struct verify_trial *t, const struct study *study, struct err *err);

/* Starts the whole-file measurement of the current choices of t->tuning. 0, or -1 with *err. */
int verify_trial_whole(struct verify_trial *t, struct err *err);

/* Measures what is not measured yet. 0, or -1 with *err (interrupted: run again to go on). */
int verify_trial_measure(struct verify_trial *t, struct err *err);

/* The number of measured launches with the file whose library was given the file; that library ends
 * programs whose file it cannot read. 0: not all launches, or no such library. -1 with *err. */
int verify_trial_told(const struct verify_trial *t, struct err *err);

/* In an allocation of Slurm: both launches of the name. */
int verify_trial_launch(struct verify_trial *t, struct err *err);

void verify_trial_close(struct verify_trial *t);
