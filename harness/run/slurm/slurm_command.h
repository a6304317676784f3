/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm_command.h - running one of Slurm's commands: under the cluster's configuration, in C's
 * locale, and without what a user's environment adds to its options (SBATCH_ variables excepted:
 * docs/slurm.md). */
#pragma once

#include "harness/run/slurm/slurm.h"

enum {
    ANSWER_S = 30, /* for a query: commands wait for slurmctld for MessageTimeout, 10 s by
                      default, and a busy node starts them slowly */
    SUBMIT_S = 60  /* for sbatch: a busy slurmctld takes a job late rather than never */
};

/* Runs a command (words ends with NULL) and gives its output, standard error included, at most most
 * bytes, to be freed. Returns its exit status, or -1 with *err and *out NULL: not
 * there, no end within so many seconds, too long an answer. */
int slurm_command(const struct slurm *slurm, const char *const *words, int seconds, size_t most,
                  char **out, struct err *err);

struct allocation {
    char job[JOB_SIZE]; /* "12_3" of an array's task, "12" of a job of its own */
    const char *nodes;  /* as Slurm writes them, "" none; of the environment */
    int cores;          /* allocated; 0: not known */
    int restarts;       /* how often Slurm had put it back into the queue */
};

/* 0, or -1 with *err: this is in none. */
int allocation_find(struct allocation *out, struct err *err);
