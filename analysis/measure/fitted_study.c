/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/fitted_study.h"

#include "analysis/measure/published_default.h"

int fitted_study_has(const char *dir, const char *name, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/%s", dir, name) < 0)
        return -1;
    return fs_exists(path) ? 0
                           : err_set(err, "'%s' does not exist (run `collsel fit` first)", path);
}

int fitted_study_read(const char *dir, const char *rule, int doubted, struct fitted_study *out,
                      struct err *err)
{
    *out = (struct fitted_study){ .dir = dir };
    if (facts_read(dir, &out->facts, err) < 0 ||
        fitted_study_has(dir, points_schema.path, err) < 0 ||
        points_read(dir, doubted, &out->points, err) < 0)
        return -1;
    if (!rule || default_take_rule(rule, &out->facts, &out->points, err) == 0)
        return 0;
    points_clear(&out->points);
    return -1;
}
