/* SPDX-License-Identifier: BSD-3-Clause */
/* apps.h - measurements of ci/apps on a cluster: applications without and with libcollsel
 * preloaded, in alternating rounds. Each directory of RESULTS/CLUSTER/apps has a runs.csv. The
 * results of several runs of ci/apps are combined here; rounds of different runs are never paired.
 *
 * Owns all it has read. Times in seconds, sizes in bytes; what is not known is NaN. */
#pragma once

#include "analysis/applications/application_cost.h"

enum {
    APPS_REASON = 1024,
    APPS_MOST_MODES = 16,   /* modes of a group, at most */
    APPS_MOST_RUNS = 20000, /* lines of a file, since each is compared with all others */
};

enum apps_status { APPS_OK, APPS_DIFFERS, APPS_FAILED, APPS_SKIPPED };

/* One run of a program. */
struct apps_run {
    char mpi[NAME_SIZE], application[NAME_SIZE], size[NAME_SIZE];
    int ranks;
    int steps, of_steps;  /* steps of this run; steps of the full size; 0: no steps */
    char mode[NAME_SIZE]; /* "default", "star"; "": the application could not be tried at all */
    int round;            /* 0: before the rounds, counts only if it failed; -1: none */
    enum apps_status status;
    double steps_s, wall_s, deviation;
    char reason[APPS_REASON];
    size_t dir;
};

/* One run of ci/apps. */
struct apps_dir {
    char path[PATH_SIZE], name[NAME_SIZE * 4];
    char cluster[NAME_SIZE];
    char commit[512];        /* commits of all parts (ci/apps -g), comma-separated */
    char started[NAME_SIZE]; /* its first part */
    char arguments[256];     /* extra arguments of the programs (ci/apps -a); "": none */
    char launch[640];        /* launcher command (ci/apps -l); "": the library's own */
    char files[256];         /* "table=DIGEST": input files of modes; "": none or not known */
    char environment[2048];  /* exported variables that affect message transport,
                                of all parts, joined by " | "; "": none */
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

/* 1 when DIR has a directory with a runs.csv, or cannot be read (apps_read then reports that). */
int apps_exist(const char *dir);

/* Reads all directories of DIR that have a runs.csv, ordered by name. A mode that
 * used another file than in the first directory is a separate mode: "table
 * (DIGEST)". 0, or -1 with *err and nothing to clear: a file cannot be read, belongs
 * to another cluster, or holds a run that another row or directory holds, too. */
int apps_read(const char *dir, const char *cluster, struct apps *apps, struct err *err);

void apps_clear(struct apps *apps);

/* Runs of one program, alike in all that matters to compare times. Borrowed from apps. */
struct apps_group {
    const struct apps_run *first;
    const char *arguments, *launch;
};

/* The *n groups in order of appearance; the caller frees. */
struct apps_group *apps_groups(const struct apps *apps, size_t *n);

/* Its modes, in the order in which they come, APPS_MOST_MODES at most. Returns how many. */
size_t apps_modes(const struct apps *apps, const struct apps_group *group,
                  const char *mode[APPS_MOST_MODES]);

/* A median with its interval between two order statistics: the k-th smallest and the k-th largest
 * value, with the largest k whose probability `coverage` is still 95 %, else the smallest and the
 * largest. All NaN without values; low, high and coverage NaN for a single value. */
struct apps_middle {
    double centre, low, high, coverage;
};

/* The middle of n values, which are sorted. */
struct apps_middle apps_middle_of(double *value, size_t n);

/* Times of a mode. The time of a run whose result differs from the run without the library does not
 * count. */
struct apps_times {
    size_t rounds, wrong, skipped; /* runs with a time; failed or with another result; others */
    size_t pairs;                  /* rounds in which the other mode has a time, too */
    struct apps_middle time;       /* of the steps */
    struct apps_middle ratio;      /* over pairs: to the other mode's time in the same round */
    double deviation;              /* the largest of the runs that count */
    const char *reason;            /* why the first run without a time has none; "": all have one */
};

/* Times of a mode of the group. beside: base mode of the ratios; NULL: no ratios. All zero, NaN
 * and "" where the mode was not run. */
struct apps_times apps_times(const struct apps *apps, const struct apps_group *group,
                             const char *mode, const char *beside);

/* The mode that stands for the paper's STAR in this group: "star:paper", its candidates by its
 * rule, else "star", else the first one of its kind ("star:native"); NULL: none was run. */
const char *apps_star(const struct apps *apps, const struct apps_group *group);

/* A kind of calls of a group that takes a good part of the time in collectives. */
struct apps_kind {
    const struct collective *collective;
    int procs;
    uint64_t bytes;
    double calls, share;
};

/* The kinds that took a tenth or more of the time in collectives, and the
 * kind that took most, in the first recorded run of the group (trace,
 * else star, else another mode). Returns *n of them; the caller frees. */
struct apps_kind *apps_kinds(const struct apps *apps, const struct apps_group *group, size_t *n);

/* The algorithm of such calls in most recorded rounds of a mode. Where a run made them on
 * several communicators or with several operations, the one that took the most time counts. */
struct apps_choice {
    const char *algorithm;  /* "default", "portable:pairwise"; NULL: nothing was recorded */
    const char *default_is; /* algorithm of the default; "": not known */
    size_t n, of;           /* runs that used it last; all recorded runs */
};

/* mode NULL: the result is that of an unrecorded mode. */
struct apps_choice apps_choice(const struct apps *apps, const struct apps_group *group,
                               const char *mode, const struct apps_kind *kind);

/* The algorithm that the library's default uses for such calls, from any run of the group;
 * "": not known. */
const char *apps_default_is(const struct apps *apps, const struct apps_group *group,
                            const struct apps_kind *kind);
