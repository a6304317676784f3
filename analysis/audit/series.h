/* SPDX-License-Identifier: BSD-3-Clause */
/* series.h - input of the audit's checks: times by size, by processes, by label. */
#pragma once

#include "analysis/measure/points.h"

/* The findings of an audit: evidence, place and number of points. No proof. */

/* How serious. note: worth knowing; doubtful: the numbers may not be what
 * their label states; wrong: they cannot be what their label states. */
enum severity { AUDIT_NOTE, AUDIT_DOUBTFUL, AUDIT_WRONG, N_SEVERITY };

struct audit_data;

/* A check: finds one kind of problem. */
struct audit_check {
    const char *name;
    void (*run)(struct audit_data *data);
    int of_measured; /* 1: the pattern is impossible in measured
                        times only; computed times are not checked */
};

struct finding {
    const struct audit_check *check;
    enum severity severity;
    char subject[256];  /* the labels concerned */
    char evidence[384]; /* which points, which numbers */
    size_t points;      /* concerned */
    double value;       /* the number that the check reports; NaN: none */
};

struct audit {
    const struct facts *facts;
    struct finding *finding; /* the gravest first */
    size_t n;
};

/* Appends a finding: all fields 0 except the check. */
struct finding *finding_new(struct audit *audit, const struct audit_check *check);

/* Merges findings of one check and severity about the same labels: the finding
 * with the most points stays and states their number. Sorts the gravest first. */
void findings_settle(struct audit *audit);

/* "note", "doubtful", "wrong", all of them ended by NULL; a check's name. */
extern const char *const severity_words[];
const char *audit_check_name(const struct audit_check *check);

void audit_clear(struct audit *audit);

/* A usable point. */
struct seen {
    const struct measured *m;
    double time_s;
    int outlier; /* found to be isolated */
};

/* Times of one label at one number of processes, by size. */
struct audit_curve {
    struct seen *seen; /* sizes ascend */
    size_t n;
    int procs;
};

/* Curves of one label: experiment, channel, collective, library, mapping, algorithm, segment,
 * fan-out, root. */
struct family {
    struct audit_curve *curve; /* processes ascend */
    size_t n;
    const struct point *label; /* of any of its points */
    double
        noise; /* standard deviation of the logarithm of a time, without outliers; 0: not known */
};

struct audit_data {
    const struct facts *facts;
    const char *dir;
    struct seen *seen;
    struct audit_curve *curve;
    struct family *family;
    size_t n_seen, n_curves, n_families;
    struct audit *audit;
    const struct audit_check *now;
    int failed; /* a file could not be read: err */
    struct err err;
};

/* Sorts the usable points into curves and families. */
void series_find(struct audit_data *data, const struct points *points);
void series_free(struct audit_data *data);

/* Adds a finding of the check that runs. */
void audit_add(struct audit_data *data, enum severity severity, const char *subject, size_t points,
               double value, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* "COLLECTIVE, openmpi, core, openmpi:chain". Returns buf. */
const char *series_family_name(const struct family *family, char *buf, size_t size);

/* The place of this size on a curve, NULL: none; the curve of this many processes. */
struct seen *series_curve_at(const struct audit_curve *curve, uint64_t bytes);
struct audit_curve *series_family_at(const struct family *family, int procs);

/* The noise of a family estimated from repeated runs only: the standard deviation of the log of
 * one; 0: too few points of several runs. scratch: room for as many numbers as there are points. */
double series_family_spread(const struct family *family, double *scratch);

/* 1 when the family times a collective (not a parameter experiment). */
int series_is_timing(const struct family *family);
