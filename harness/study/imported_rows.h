/* SPDX-License-Identifier: BSD-3-Clause */
/* imported_rows.h - imported.csv: every row of imported files, with its status
 * (docs/formats.md). `collsel import` writes it, the analysis reads it. */
#pragma once

#include "harness/study/point.h"

/* ---- status of a row of an imported file (imported.csv, docs/formats.md) ---- */

enum row_status { ROW_OK, ROW_REPEATED, ROW_SET_ASIDE, N_ROW_STATUS };

/* "ok", "repeated", "set_aside", ended by NULL. */
extern const char *const row_status_words[];

/* Seconds; NaN: not known. In a row that was set aside, members without meaning are 0. */
struct imported {
    struct point point;
    char source[PATH_SIZE];
    uint64_t line; /* from 1 */
    int run;       /* from 0 */
    double max_s, mean_s, min_s, median_s, p95_s, p99_s;
    uint64_t iterations; /* 0: not told */
    enum row_status status;
    char reason[512];
};

/* Rows are struct imported. Those that are taken have a point and a time. */
extern const struct schema imported_schema;
