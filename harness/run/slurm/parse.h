/* SPDX-License-Identifier: BSD-3-Clause */
/* parse.h - parsers of the output of Slurm's commands. Pure functions over text: no command is run
 * here, so captured outputs of any version can be tested. */
#pragma once

#include "harness/run/slurm/slurm.h"

/* Format for sinfo (--all --exact --noheader): partition, longest time, nodes, CPUs. */
#define SLURM_SINFO_FORMAT "%R|%l|%D|%c"

/* A partition's nodes and limits. */
struct slurm_partition {
    int nodes;        /* there are */
    int large;        /* nodes with at least the requested CPUs */
    int least_cpus;   /* of any node */
    double most_time; /* s; 0: unlimited */
};

/* Takes a partition's rows of sinfo together; cpus: how many make a node large. A partition that is
 * not there is an error that lists the known ones (status 2). Lines of another form (warnings) are
 * passed over. 0, or -1 with *err. */
int slurm_parse_partition(const char *text, const char *name, int cpus, struct slurm_partition *p,
                          struct err *err);

/* version, max_array and accounting (1: a database is configured) from `scontrol show config`. 0,
 * or -1 with *err. */
int slurm_parse_config(const char *text, struct slurm *slurm, struct err *err);

/* The number in what `sbatch --parsable` prints ("12", "12;cluster"), among warnings. 1, or 0. */
int slurm_parse_job(const char *text, char job[JOB_SIZE]);

/* Seconds of "10", "10:30" (minutes first), "1:10:30", "1-00", "2-03:04:05", "infinite" or
 * "UNLIMITED" (0). 0, or -1. */
int slurm_parse_time(const char *text, double *seconds);

/* The error message of a command: its lines without warnings and hints, "sbatch: error: " removed
 * before each, joined by "; " as far as they fit. "nothing" where it says nothing. */
void slurm_complaint(const char *text, char *buf, size_t size);
