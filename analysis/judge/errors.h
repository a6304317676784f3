/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.h - errors.csv: how far every model's predicted times are from the measured ones, by
 * collective, library, mapping and candidate; by statistic, split and size.
 *
 * The error of a point is 100 |predicted / measured - 1| percent. A predicted time
 * that is not positive counts as 100 and its value is not kept. By this measure a
 * model that predicts 0 is never more than 100 % off, while a model that predicts
 * too much is. Compare models by doublings instead: |log2 (predicted / measured)|
 * is symmetric. A predicted time that is not positive counts as NO_TIME_DOUBLINGS.
 *
 * Splits (groups.h): a model whose parameters come from the times that it predicts (model.fitted:
 * the regressions) is fitted anew for each split and statistic. Any other model predicts once, and
 * its errors are over the same points. These other
 * models predict the slowest rank's time. They are compared with the mean over ranks, too; the
 * column `statistic` says which of the two was measured. Owns its rows. */
#pragma once

#include "analysis/models/predictions.h"

/* Classes of message sizes for tables of errors and advice. */

enum size_class {
    SIZE_TO_512,    /* <= 512 B */
    SIZE_TO_16K,    /* <= 16 KiB */
    SIZE_TO_128K,   /* <= 128 KiB */
    SIZE_FROM_256K, /* above */
    SIZE_ALL,       /* any; those before it are the classes proper */
    N_SIZE_CLASSES
};

/* As files have it: "to_512", "1K-16K", "32K-128K", "from_256K", "all". */
extern const char *const size_class_words[]; /* ended by NULL */

/* The class of a message of so many bytes; never SIZE_ALL. */
enum size_class size_class_of(uint64_t bytes);

/* More than the doublings between any two times. */
enum { NO_TIME_DOUBLINGS = 1024 };

/* A row of the table; percent. Quantiles as stats_quantile; NaN where n is 0. */
struct error_row {
    const struct model *model;
    struct cell cell; /* collective, mpi, mapping */
    struct candidate candidate;
    char statistic[16]; /* max_rank, mean_rank */
    enum split split;
    enum size_class size;
    size_t n, without; /* points with a prediction; judged points without one */
    double median_pct, p90_pct, worst_pct;
    double over_pct; /* share of the n whose prediction is above the measured time */
    double median_doublings;
};

extern const struct schema errors_schema;

struct error_table {
    struct error_row *row;
    size_t n;
};

/* Judges all models that apply. predictions: of the points, in their order, from predictions_make.
 * Returns 0, or -1 with *err. */
int errors_make(const struct points *points, const struct point_groups *groups,
                const struct predictions *predictions, const struct parameters *p,
                struct error_table *table, struct err *err);

void errors_clear(struct error_table *table);
