/* SPDX-License-Identifier: BSD-3-Clause */
/* backend.h - where jobs run: this machine, a simulation, or nowhere (planted workload). A table of
 * constant rows. */
#pragma once

#include "harness/run/libraries/mpi_library.h"

struct backend {
    const char *name;  /* "sim" */
    const char *help;  /* one line */
    int deterministic; /* one sample is enough */
    int parallel;      /* launches do not disturb each other: run one per core */
    int here;          /* ranks share this machine's cores */
    int queued;        /* launches are tasks of Slurm job arrays (harness/run/slurm/) */

    /* Checks that this backend can measure the cluster. NULL: any. 0, or -1 with *err. */
    int (*check)(const struct cluster *cluster, struct err *err);

    /* Writes what the launches need below dir (platform files); NULL: nothing. */
    int (*prepare)(const struct cluster *cluster, const struct plan *plan, const char *dir,
                   struct err *err);

    /* Fills the paths of a job's files; NULL: none. */
    int (*describe)(const char *dir, struct job *job, char *platform, char *hostfile, size_t size,
                    struct err *err);
};

extern const struct backend backend_local, backend_sim, backend_slurm, backend_walk, backend_null,
    backend_kit;

/* All, NULL-terminated. */
extern const struct backend *const backends[];

/* By name, or NULL. */
const struct backend *backend_find(const char *name);

/* Its name in results; "emulated" for Slurm on an emulated cluster. */
const char *backend_label(const struct backend *backend, const struct cluster *cluster);

/* -1 with *err where launches of a backend cannot be started by us (kit); else 0. */
int backend_starts(const struct backend *backend, struct err *err);

/* 1 when the ranks of a launch are more than the cores that they run on (cores: this machine's). */
int backend_crowded(const struct backend *backend, const struct cluster *cluster,
                    const struct launch *launch, int cores);

/* Resolves a name or "auto": this machine for a cluster that it is; Slurm for an
 * emulated cluster, and where the cluster's partition is served here or may be
 * (slurmctld does not answer now); else simulation. why (WHY_SIZE) gets one line
 * with the choice and its reason. Returns NULL with *err for an unknown name. */
enum { WHY_SIZE = 256 };
const struct backend *backend_choose(const char *name, const struct cluster *cluster, char *why,
                                     struct err *err);
