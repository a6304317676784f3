/* SPDX-License-Identifier: BSD-3-Clause */
/* crosscheck_ratios.h - comparison of our times with those of other benchmarks
 * (harness/crosscheck/crosscheck.h): ratios with intervals, and whether they find the same
 * algorithms quickest.
 *
 * A ratio is computed per round: both ran within minutes, so a slow machine affects both. Its
 * interval is by order statistics over rounds (harness/base/launch_stats.h) and makes no assumption
 * about the distribution of times; 95 % needs at least six rounds. */
#pragma once

#include "harness/crosscheck/crosscheck.h"

/* A cell and algorithm as one tool and we see it; seconds are medians over rounds. */
struct cross_row {
    enum cross_statistic statistic;
    char tool[NAME_SIZE], collective[NAME_SIZE], algorithm[NAME_SIZE];
    uint64_t bytes;
    int rounds; /* in which both have a number */
    double ours_s, theirs_s;
    double ratio, ci_low, ci_high; /* ours / theirs; NaN below six rounds */
};

/* The fastest algorithm of a cell, by the tool and by us. */
struct cross_winner {
    char tool[NAME_SIZE], collective[NAME_SIZE];
    uint64_t bytes;
    char ours[NAME_SIZE], theirs[NAME_SIZE]; /* of least median time */
    int agree; /* 1: the same, or no significant difference in one side's own rounds */
};

struct cross_table {
    struct cross_row *row;
    size_t n;
    struct cross_winner *winner;
    size_t n_winners;
};

extern const struct schema cross_schema;

/* Compares. Winners are judged where at least two algorithms besides the default were run. */
void cross_judge(const struct cross_values *values, double confidence, struct cross_table *table);

/* Writes PATH whole. 0, or -1 with *err. */
int cross_write(const char *path, const struct cross_table *table, struct err *err);

/* Prints the table, what holds of each tool and collective, and the winners, for people. */
void cross_print(FILE *out, const struct cross_table *table);

void cross_table_clear(struct cross_table *table);
