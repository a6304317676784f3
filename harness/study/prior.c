/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/prior.h"

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(prior_row, NAME, "point", point, "", "of plan.csv"),
    COLUMN(prior_row, REAL, "predicted_s", seconds, "s", "time of a call by a model whose costs are the cluster file's; empty: it is not known what the point sends", COLUMN_SECONDS),
    COLUMN(prior_row, INT, "is_default", is_default, "", "1: what the library does where nothing is set", .most = 1),
    COLUMN(prior_row, REAL, "weight", weight, "", "what a gain in its cell counts: the time of the calls of `--profile` whose nearest cell it is, of the largest such time, at least 0.001; empty: no profile", .optional = 1),
};
/* clang-format on */

SCHEMA(prior_schema, prior_row, columns, "prior.csv",
       "Of an adaptive plan: what is thought of each point before anything is measured "
       "(`analysis/adapt/prior_times.h`). Which points a round measures rests on it "
       "(`harness/study/adaptive.h`).");

static int by_id(const void *left, const void *right)
{
    return strcmp(((const struct prior_row *)left)->point,
                  ((const struct prior_row *)right)->point);
}

void prior_sort(struct prior *prior)
{
    if (prior->n)
        qsort(prior->row, prior->n, sizeof *prior->row, by_id);
}

int prior_write(const char *dir, const struct prior *prior, struct err *err)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, err, "%s/%s", dir, prior_schema.path) < 0
               ? -1
               : schema_write(&prior_schema, path, prior->row, prior->n, err);
}

int prior_read(const char *dir, struct prior *prior, struct err *err)
{
    char path[PATH_SIZE];
    struct schema_reader in;
    struct prior_row row;
    int got;
    *prior = (struct prior){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/%s", dir, prior_schema.path) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err,
                       "'%s' does not exist, and the plan is adaptive (`collsel measure plan` "
                       "writes it)",
                       path);
    if (schema_open(&in, &prior_schema, path, err) < 0)
        return -1;
    while ((got = schema_next(&in, &row, err)) == 1)
        *array_add(&prior->row, &prior->n) = row;
    schema_close(&in);
    prior_sort(prior);
    if (got < 0)
        prior_free(prior);
    return got;
}

const struct prior_row *prior_find(const struct prior *prior, const char *point)
{
    struct prior_row key = { .seconds = 0 };
    snprintf(key.point, sizeof key.point, "%s", point);
    return prior->n ? bsearch(&key, prior->row, prior->n, sizeof key, by_id) : NULL;
}

CLEARS(prior_free, prior, it->row)
