/* SPDX-License-Identifier: BSD-3-Clause */
/* jobfile.h - the text of the sbatch files: a comment for people, #SBATCH lines, a few lines of
 * shell. Pure rendering; every path is absolute or below the directory that the script changes to,
 * and quoted for its reader (sbatch, the shell). */
#pragma once

#include "harness/run/estimate.h"

/* Launches in job arrays: one per MPI library and number of nodes, task i is line i of
 * its .tasks file.
 *
 * Lines are never moved: queued tasks find their launch by its line number when they
 * start. New launches are appended and, if Slurm's MaxArraySize leaves no room, go
 * to the next file: NAME, or NAME-1, NAME-2 ... Owns its arrays; arrays_free. */

enum { ARRAY_NAME = NAME_SIZE + 24 };

/* A launch by its line. */
struct task_line {
    char name[LAUNCH_SIZE];
    const struct launch *launch; /* of the plan; NULL: no longer planned */
    int todo;                    /* to submit now */
    size_t points;               /* left to do */
    struct estimate estimate;    /* of those */
};

struct job_array {
    char name[ARRAY_NAME]; /* "openmpi-16n" or "openmpi-16n-2" */
    char mpi[NAME_SIZE];
    int nodes;
    int part; /* the number behind the name; 0: none */
    int ppn;  /* most ranks on a node, of the launches to submit */
    struct task_line *lines;
    size_t n;
    size_t tasks, points;    /* to submit */
    struct estimate longest; /* of its tasks */
    double limit_s;          /* of each task */
    double seconds;          /* of all tasks together, estimate */
};

struct job_arrays {
    struct job_array *v; /* by library, nodes, part */
    size_t n;
};

/* Every launch of the plan in its array; nothing is to submit yet. jobs: the directory whose .tasks
 * files are kept to; max_array: Slurm's MaxArraySize (a task's number is below it). 0, or -1 with
 * *err and nothing to free. */
int arrays_build(const struct plan *plan, const char *jobs, int max_array,
                 struct job_arrays *arrays, struct err *err);

/* Sums the tasks, points and time of the lines to submit, and sets their time limit. */
void array_sum(struct job_array *array, double fallback_s, double most_s);

/* Prints the numbers of the tasks to submit, "1,3-5". */
void array_print_range(FILE *out, const struct job_array *array);

/* Writes JOBS/NAME.tasks. 0, or -1 with *err. */
int array_write_tasks(const struct job_array *array, const char *jobs, struct err *err);

void arrays_free(struct job_arrays *arrays);

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

/* ---- what a kit's jobs have, too ---- */

/* A login shell where there are modules to load: it knows the command. */
void jobfile_put_first_line(FILE *out, const struct cluster *c);

/* Options of sbatch: partition, account and so on; exclude: nodes, "" none. */
void jobfile_put_site(FILE *out, const struct cluster *c, const char *exclude);

/* More options, words at blanks; each with what belongs to it on a line of its own. */
void jobfile_put_extra(FILE *out, const char *extra);

/* The site's lines of shell before the work: its setup, then its modules. The script ends with 1
 * and names the module that cannot be loaded. */
void jobfile_put_lines(FILE *out, const struct cluster *c);

/* Prints "1:05:00": hours, minutes, seconds. */
void jobfile_print_time(FILE *out, double seconds);
