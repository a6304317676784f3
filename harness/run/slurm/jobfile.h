/* SPDX-License-Identifier: BSD-3-Clause */
/* jobfile.h - the text of the sbatch files: a comment for people, #SBATCH lines, a few lines of
 * shell. Pure rendering; every path is absolute or below the directory that the script changes to,
 * and quoted for its reader (sbatch, the shell). */
#pragma once

#include <stdio.h>

#include "harness/study/cluster.h"
#include "harness/run/slurm/arrays.h"
#include "harness/study/study.h"

/* What all files of one submission share; borrows everything. */
struct jobfile {
    const struct cluster *cluster;
    const struct study *study;
    const char *cwd;      /* where it was submitted, absolute: relative paths are from there */
    const char *program;  /* collsel, absolute */
    const char *clusters; /* as given on the command line, like results and build */
    const char *results, *build;
    const char *jobs;    /* directory of these files, absolute */
    const char *conf;    /* SLURM_CONF of an emulated cluster; "": the system's */
    const char *digest;  /* of what the measurements share */
    const char *exclude; /* nodes that failed, "h3,h7"; "" none */
    int retries;
    const struct argv *task; /* the verb and the options of a task (jobs.h); NULL: `task` */
    int throttle;            /* tasks of an array at a time; 0: no limit */
    int mixed_nodes;         /* 1: the partition also has nodes with fewer CPUs */
    double most_s;           /* limit of any job; 0: none */
};

/* 0, or -1 with *err: a path that sbatch cannot use (with a newline or a backslash). */
int jobfile_check(const struct jobfile *f, struct err *err);

/* The nodes to exclude, those of the cluster file first: "h7,h3"; "" none. */
void jobfile_exclude(const struct jobfile *f, char *buf, size_t size);

/* The script of an array. */
void jobfile_write_array(FILE *out, const struct jobfile *f, const struct job_array *array);

/* The script that collects, fits, selects and reports when the arrays have ended. */
void jobfile_write_collect(FILE *out, const struct jobfile *f);

/* Prints "1:05:00": hours, minutes, seconds. */
void jobfile_print_time(FILE *out, double seconds);
