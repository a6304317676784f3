/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_studies.h - the same points in another study's results: emulated or measured times
 * against simulated ones (comparison.csv).
 *
 * A point's twin in the other study has the same experiment, nodes, ranks, mapping, root and
 * sizes, and sends the same messages. Schedules are compared by equivalent.h and schedule_init:
 * the twin of openmpi:NAME is the simulation of our schedule NAME with the library's default
 * segment and fan-out. The library may differ, and for a point on a channel also the mapping
 * and the nodes. A point that ran another algorithm than its schedule has no twin.
 *
 * The time of the slowest rank is never compared with a mean over ranks, which is shorter.
 *
 * Reads the other study's points.csv; where that is missing or older than its events.jsonl, builds
 * the points from its samples and leaves the directory as it is. Owns its rows. */
#pragma once

#include "analysis/measure/points.h"

/* The subject of a point's time, without the library. */
struct twin_key {
    enum experiment experiment;
    struct cell cell;           /* mpi "" */
    struct candidate candidate; /* the schedule that runs, or the name where it has none */
    uint64_t gather_bytes;
    enum channel channel;
};

struct twin {
    struct twin_key key;
    const struct measured *measured;
};

/* Another study. */
struct compare_studies {
    char dir[PATH_SIZE];
    struct points points;
    struct twin *twin; /* by key, then the plan's order */
    size_t n;
};

/* Reads the study in DIR. 0, or -1 with *err and nothing to close. */
int compare_studies_open(const char *dir, int doubted, struct compare_studies *against,
                         struct err *err);

/* The twin of a point, or NULL. Of several, that of the same library, then that of the same name.
 */
const struct measured *compare_studies_find(const struct compare_studies *against,
                                            const struct point *point);

void compare_studies_close(struct compare_studies *against);

/* Chooses the study to compare DIR with: the given one; for NULL DIR-sim, if it
 * exists and the backend is slurm or emulated; for NULL and a walked study X-walk,
 * the simulation in X-sim or X. "none": no study. Returns buf, "" for none. */
const char *compare_studies_choose(const char *asked, const char *dir, const char *backend,
                                   char *buf, size_t size);

enum compare_studies_status {
    COMPARE_STUDIES_OK,
    COMPARE_STUDIES_NO_TIME,       /* not measured here */
    COMPARE_STUDIES_SUBSTITUTED,   /* measured here: an algorithm without a twin */
    COMPARE_STUDIES_NO_TWIN,       /* the other study has no such point */
    COMPARE_STUDIES_NO_TIME_THERE, /* it has no time, or another algorithm ran */
    COMPARE_STUDIES_OTHER_TIME, /* one tells the slowest rank's time, the other the mean over ranks
                                 */
    N_AGAINST_STATUS
};

/* "ok", "not_measured", "substituted", "no_twin", "not_measured_there", "other_statistic". */
extern const char *const compare_studies_status_words[];

/* A point and its twin. Seconds; NaN where there is none. Both times are of one statistic: each
 * point's own where these are the same, else the mean over ranks where both know it. */
struct comparison {
    const struct measured *here, *there; /* there: NULL, no twin */
    const char *statistic; /* of here_s and there_s: "max_rank", "mean_rank", "root" */
    double here_s, there_s;
    double ratio; /* here_s / there_s */
    enum compare_studies_status status;
};

/* Compares one point. */
struct comparison compare_studies_compare(const struct compare_studies *against,
                                          const struct measured *here);

/* A row of comparison.csv. */
struct compared {
    struct point point;
    char backend[NAME_SIZE], against_backend[NAME_SIZE], against_mpi[NAME_SIZE];
    char twin[NAME_SIZE]; /* its algorithm there */
    char statistic[16];   /* of both times */
    double here_s, ci_low_s, ci_high_s, there_s, ratio;
    enum compare_studies_status status;
};

extern const struct schema compared_schema;

/* Writes DIR/comparison.csv whole, all points in their order; without another study (NULL) removes
 * it. */
int compare_studies_write(const char *dir, const struct points *points,
                          const struct compare_studies *against, struct err *err);

/* Difference between the times of a study and of the study it is compared with
 * (compare_studies.h), and the loss of choices by these times. For a walked study and its
 * simulation it is the error of the walk. One row per collective, library and mapping. */

struct agreement {
    struct cell context;                   /* collective, mpi, mapping */
    size_t points;                         /* points with a time in both */
    double median_pct, p95_pct, worst_pct; /* |here / there - 1| of these */
    struct point worst;

    /* Cells of the grid in which two candidates or more have a time in both. Loss, in percent: the
     * other study's time of the candidate that is the fastest here, over the least there. */
    size_t cells;
    size_t agreed; /* of them: the fastest here is the fastest there, or tied */
    double mean_loss_pct, worst_loss_pct;
    struct cell worst_cell;
};

struct agreements {
    struct agreement *row;
    size_t n;
};

/* Compares all points that have twins. */
void agreements_make(const struct points *points, const struct compare_studies *against,
                     struct agreements *agreements);

void agreements_clear(struct agreements *agreements);
