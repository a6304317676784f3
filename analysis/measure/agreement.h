/* SPDX-License-Identifier: BSD-3-Clause */
/* agreement.h - difference between the times of a study and of the study it is compared with
 * (compare_studies.h), and the loss of choices by these times. For a walked study and its
 * simulation it is the error of the walk. One row per collective, library and mapping. */
#pragma once

#include "analysis/measure/compare_studies.h"

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

/* Frees what it holds. */
void agreements_clear(struct agreements *agreements);
