/* SPDX-License-Identifier: BSD-3-Clause */
/* confirm.h - what collsel measure plan --confirm lists, and collsel measure --confirm measures. */
#pragma once

#include "harness/cmd/options.h"
#include "harness/run/backends/backend.h"
#include "harness/study/plan.h"

enum { CONFIRM_MOST_WITH = 64, CONFIRM_CELLS = 16 };

/* The request. Borrowed. */
struct confirm_wish {
    int cells;                           /* at most; 0: no request */
    double core_s;                       /* at most; 0: no limit */
    const char *with[CONFIRM_MOST_WITH]; /* further training sets besides the study */
    size_t n_with;
    const char *model; /* file of `collsel train` instead; NULL: none */
    int dry_run;
};

/* Lists the measurements that are worth most, and writes confirm.csv (analysis/adapt/confirm.h). 0,
 * or -1 with *err. */
int confirm_command(const struct options *options, const struct confirm_wish *wish,
                    const struct cluster *cluster, const struct study *study,
                    const struct backend *backend, const struct plan *plan, const char *dir,
                    struct err *err);

/* The points of DIR/confirm.csv, and those that are measured already. 0, or -1 with *err (there is
 * no such file, or the study's plan is adaptive, which chooses points itself) and nothing to free.
 */
int confirm_part_make(const struct study *study, const char *dir, struct plan_part *part,
                      struct err *err);

/* Frees what it holds; of any other part nothing. */
void confirm_part_clear(struct plan_part *part);
