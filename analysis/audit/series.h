/* SPDX-License-Identifier: BSD-3-Clause */
/* series.h - input of the audit's checks: times by size, by processes, by label. */
#pragma once

#include "analysis/audit/findings.h"
#include "analysis/measure/points.h"

/* A usable point. */
struct seen {
    const struct measured *m;
    double time_s;
    int outlier; /* found to be isolated */
};

/* Times of one label at one number of processes, by size. */
struct curve {
    struct seen *seen; /* sizes ascend */
    size_t n;
    int procs;
};

/* Curves of one label: experiment, channel, collective, library, mapping, algorithm, segment,
 * fan-out, root. */
struct family {
    struct curve *curve; /* processes ascend */
    size_t n;
    const struct point *label; /* of any of its points */
    double
        noise; /* standard deviation of the logarithm of a time, without outliers; 0: not known */
};

struct audit_data {
    const struct facts *facts;
    const char *dir;
    struct seen *seen;
    struct curve *curve;
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

/* "bcast, openmpi, core, openmpi:chain". Returns buf. */
const char *series_family_name(const struct family *family, char *buf, size_t size);

/* The place of this size on a curve, NULL: none; the curve of this many processes. */
struct seen *series_curve_at(const struct curve *curve, uint64_t bytes);
struct curve *series_family_at(const struct family *family, int procs);

/* The noise of a family estimated from repeated runs only: the standard deviation of the log of
 * one; 0: too few points of several runs. scratch: room for as many numbers as there are points. */
double series_family_spread(const struct family *family, double *scratch);

/* 1 when the family times a collective (not a parameter experiment). */
int series_is_timing(const struct family *family);
