/* SPDX-License-Identifier: BSD-3-Clause */
/* guidelines.h - a library's defaults against each other: self-consistent performance guidelines
 * (Träff, Gropp & Thakur 2010; tested as by Hunold & Carpen-Amarie 2018, PGMPI). Which these are,
 * the test, and what stands for a size that was not measured: docs/analysis.md.
 *
 * Each is tested in each cell with times of both sides: the library's own choice without forcing;
 * the same library, mapping and processes. Owns its rows. */
#pragma once

#include "analysis/measure/points.h"

enum { GUIDELINE_TEXT = 128 };

enum guideline_verdict {
    GUIDELINE_HOLDS,    /* it takes no longer */
    GUIDELINE_UNSURE,   /* it takes longer, but not significantly */
    GUIDELINE_VIOLATED, /* significantly */
    GUIDELINE_UNTESTED, /* it takes longer, but one launch gives no test */
    N_GUIDELINE_VERDICTS
};

/* "holds", "unsure", "violated", "untested". */
struct guideline_row {
    char guideline[GUIDELINE_TEXT];    /* "COLLECTIVE <= OTHER + OTHER" */
    struct cell cell;                  /* of the left side */
    int other_procs;                   /* of the right side */
    uint64_t other_bytes, third_bytes; /* of its calls; third_bytes: of the second one, or 0 */
    double left_s, right_s;
    double longer_pct; /* 100 (left / right - 1) */
    double p;          /* one-sided, before the correction; NaN: no test */
    double p_holm;     /* after it */
    enum guideline_verdict verdict;
};

extern const struct schema guidelines_schema;

struct guidelines {
    struct guideline_row *row; /* by guideline, then cell */
    size_t n;
    size_t tests;   /* with a p */
    size_t doubted; /* times of defaults that do not count */
    size_t means;   /* rows whose right side has means over ranks of a call with a root: they are
                       below the slowest rank's time, so that side is too strict */
    size_t verdicts[N_GUIDELINE_VERDICTS];
};

/* Tests all guidelines on the points' defaults. facts: of the same study or data set. */
void guidelines_make(const struct points *points, const struct facts *facts,
                     struct guidelines *out);

void guidelines_clear(struct guidelines *guidelines);
