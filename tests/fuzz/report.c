/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - a study's files as the report reads them, for targets.c, which cannot see the report's
 * types beside the analysis's. */
#include <math.h>

#include "reports/data.h"
#include "tests/fuzz/targets.h"

int report_files_hold(const char *dir, struct err *err)
{
    struct report_data d;
    int fine = 1;
    if (report_data_read(dir, &d, err) < 0)
        return -1;
    for (size_t i = 0; i < d.model_errors; i++)
        fine &= !isinf(d.model_error[i].median_pct);
    for (size_t i = 0; i < d.n_dummy; i++)
        fine &= !isinf(d.dummy[i].median_error);
    report_data_clear(&d);
    return fine;
}
