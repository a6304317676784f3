/* SPDX-License-Identifier: BSD-3-Clause */
/* allocation.h - the allocation of Slurm that this process runs in, by its variables. */
#ifndef HARNESS_RUN_SLURM_ALLOCATION_H
#define HARNESS_RUN_SLURM_ALLOCATION_H

#include "harness/run/slurm/slurm.h"

struct allocation {
    char job[JOB_SIZE]; /* "12_3" of an array's task, "12" of a job of its own */
    const char *nodes;  /* as Slurm writes them, "" none; of the environment */
    int cores;          /* allocated; 0: not known */
    int restarts;       /* how often Slurm had put it back into the queue */
};

/* 0, or -1 with *err: this is in none. */
int allocation_find(struct allocation *out, struct err *err);

#endif
