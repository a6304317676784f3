/* SPDX-License-Identifier: BSD-3-Clause */
/* run_compare.h - compares the run times of an application with and without a mode of libcollsel,
 * which run by turns. */
#pragma once

#include "harness/base/base.h"

enum { RUN_COMPARE_MOST = 1000 };

struct run_compare {
    char *const *command; /* with the mode; ends with NULL */
    char *const *plain;   /* without it */
    const char *mode;     /* its name */
    const char *learnt;   /* a file that runs with the mode replace; NULL: none */
    int turns;            /* of each, 2 to RUN_COMPARE_MOST */
    int json;             /* 1: print the result as JSON on standard output, else as text on
                             standard error */
};

/* Refuses a standard input that only the first run would get. -1 with *err. */
int run_compare_check(struct err *err);

/* Runs both by turns; each run reads standard input from where it is now, and finds the
 * file as it is now: the turns are alike. The last run's file stays. The ratio is the
 * geometric mean of the turns' ratios, its interval Student's t of their logarithms, 95 %. 0, or -1
 * with *err: a command cannot be run. Where a run fails the process ends as that run did, and says
 * that nothing was compared. */
int run_compare(const struct run_compare *compare, struct err *err);
