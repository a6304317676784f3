/* SPDX-License-Identifier: BSD-3-Clause */
/* apps.h - what ci/apps has measured on a cluster: applications as they are and with libcollsel
 * before their MPI, in rounds by turns. Results are directories with a runs.csv each, below one
 * directory of the cluster (RESULTS/CLUSTER/apps); those of several runs of ci/apps are put
 * together here, and a round of one is no round of another.
 *
 * Owns all it has read. Times in seconds, sizes in bytes; what is not known is NaN. */
#ifndef ANALYSIS_APPLICATIONS_APPS_H
#define ANALYSIS_APPLICATIONS_APPS_H

#include "analysis/applications/application_cost.h"
#include "harness/base/fs.h"

enum {
    APPS_REASON = 1024,
    APPS_MOST_MODES = 16,   /* of a group */
    APPS_MOST_RUNS = 20000, /* lines of a file, since each is compared with all others */
};

enum apps_status { APPS_OK, APPS_DIFFERS, APPS_FAILED, APPS_SKIPPED };

/* One run of a program. */
struct apps_run {
    char mpi[NAME_SIZE], application[NAME_SIZE], size[NAME_SIZE];
    int ranks;
    int steps, of_steps;  /* that it made, of the whole size; 0: it has none */
    char mode[NAME_SIZE]; /* "default", "star"; "": the application could not be tried at all */
    int round;            /* 0: before the rounds, counts only where it went wrong; -1: none */
    enum apps_status status;
    double steps_s, wall_s, deviation;
    char reason[APPS_REASON];
    size_t dir;
};

/* One run of ci/apps. */
struct apps_dir {
    char path[PATH_SIZE], name[NAME_SIZE * 4];
    char cluster[NAME_SIZE];
    char commit[512];        /* those of all its parts (ci/apps -g), with commas between */
    char started[NAME_SIZE]; /* its first part */
    char arguments[256];     /* more words of the programs (ci/apps -a); "": none */
    char launch[640];        /* what starts the ranks (ci/apps -l); "": what the library brings */
    char files[256];         /* "table=DIGEST": what modes were given; "": nothing, or not known */
    char environment[2048];  /* exported variables that change how messages travel, those of all its
                                parts, with " | " between; "": none */
    size_t parts, parts_set; /* how many parts it has, and how many of these export some */
    char emulated[128];      /* "16 nodes share 2 cores"; "": it is no emulated cluster */
    char crowded[128];       /* "4 ranks on 2 cores"; "": a core for each */
};

/* A kind of calls of a run that was recorded (libcollsel's report of it). */
struct apps_call {
    size_t run;
    double share; /* of the time in collectives of that run */
    struct application_kind kind;
};

struct apps {
    struct apps_dir *dir;
    size_t dirs;
    struct apps_run *run;
    size_t runs;
    struct apps_call *call;
    size_t calls;
};

/* Rows are struct apps_run. */
extern const struct schema apps_schema;

/* 1 when DIR has a directory with a runs.csv, or cannot be read, which apps_read then tells. */
int apps_exist(const char *dir);

/* Reads all directories of DIR that have a runs.csv, in the order of their names. A mode that was
 * given another file than in the first of them is another mode: "table (DIGEST)". 0, or -1 with
 * *err and nothing to clear: a file cannot be read, is of another cluster than this one, or has a
 * run that another row or directory has, too. */
int apps_read(const char *dir, const char *cluster, struct apps *apps, struct err *err);

/* Frees what it holds. */
void apps_clear(struct apps *apps);

/* ---- what is compared ---- */

/* Runs of one program: all that must be alike for times to be compared. Borrowed from apps. */
struct apps_group {
    const struct apps_run *first;
    const char *arguments, *launch;
};

/* In the order in which they come; *n of them, to be freed. */
struct apps_group *apps_groups(const struct apps *apps, size_t *n);

/* Its modes, in the order in which they come, APPS_MOST_MODES at most. Returns how many. */
size_t apps_modes(const struct apps *apps, const struct apps_group *group,
                  const char *mode[APPS_MOST_MODES]);

/* A median, and the order statistics between which it is with the probability `coverage`: the k-th
 * smallest and the k-th largest, with the largest k that still has 95 %, else the smallest and the
 * largest. All NaN of nothing, low, high and coverage of a single value. */
struct apps_middle {
    double centre, low, high, coverage;
};

/* The middle of n values, which are sorted. */
struct apps_middle apps_middle_of(double *value, size_t n);

/* How long a mode took. Runs with another result than without the library have no time that
 * counts. */
struct apps_times {
    size_t rounds, wrong, skipped; /* runs with a time; failed ones and ones that differ; others */
    size_t pairs;                  /* rounds in which the other mode has a time, too */
    struct apps_middle time;       /* of the steps */
    struct apps_middle ratio;      /* over pairs: to the other mode's time in the same round */
    double deviation;              /* the largest of the runs that count */
    const char *reason;            /* of the first that has none; "": all have */
};

/* Of a mode of the group; beside: the mode that ratios are to, NULL: none are wanted. All zero, NaN
 * and "" where the mode was not run. */
struct apps_times apps_times(const struct apps *apps, const struct apps_group *group,
                             const char *mode, const char *beside);

/* The mode that stands for the paper's STAR in this group: "star:paper", its candidates by its
 * rule, else "star", else the first one of its kind ("star:native"); NULL: none was run. */
const char *apps_star(const struct apps *apps, const struct apps_group *group);

/* ---- what is called ---- */

/* A kind of calls of a group that takes a good part of the time in collectives. */
struct apps_kind {
    const struct collective *collective;
    int procs;
    uint64_t bytes;
    double calls, share;
};

/* Those that took a tenth of the time in collectives or more, and the one that took most, in the
 * first run of the group that was recorded (trace, else star, else another mode); *n of them, to
 * be freed. */
struct apps_kind *apps_kinds(const struct apps *apps, const struct apps_group *group, size_t *n);

/* What ran for such calls in most of the recorded rounds of a mode; where a run made them on
 * several communicators, or with several operations, for those that took most of it. */
struct apps_choice {
    const char *algorithm;  /* "default", "portable:pairwise"; NULL: nothing was recorded */
    const char *default_is; /* which one the library's own call is; "": not known */
    size_t n, of;           /* runs that had it last, of those that were recorded */
};

/* mode NULL: as one that was not recorded. */
struct apps_choice apps_choice(const struct apps *apps, const struct apps_group *group,
                               const char *mode, const struct apps_kind *kind);

/* Which algorithm the library's own call is for such calls, as any run of the group was told;
 * "": not known. */
const char *apps_default_is(const struct apps *apps, const struct apps_group *group,
                            const struct apps_kind *kind);

#endif
