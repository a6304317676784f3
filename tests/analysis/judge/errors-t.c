/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.csv: its arithmetic by hand, its splits, and that regressions are fitted anew for each. */
#include "analysis/measure/result_file.h"
#include "analysis/models/regression/regression.h"
#include "analysis/judge/errors.h"

#include <math.h>

#include "harness/base/csv.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/overprocs.h"
#include "tests/tap.h"

static const char chain[] = "openmpi:chain";

static const struct error_row *find(const struct error_table *t, const char *model,
                                    const char *statistic, enum split split, enum size_class size)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct error_row *r = &t->row[i];
        if (strcmp(r->model->name, model) == 0 && strcmp(r->statistic, statistic) == 0 &&
            r->split == split && r->size == size)
            return r;
    }
    return NULL;
}

static void classes(void)
{
    is_str("to_512", size_class_words[size_class_of(512)], "512 B");
    is_str("1K-16K", size_class_words[size_class_of(513)], "513 B");
    is_str("1K-16K", size_class_words[size_class_of(16384)], "16 KiB");
    is_str("32K-128K", size_class_words[size_class_of(131072)], "128 KiB");
    is_str("from_256K", size_class_words[size_class_of(131073)], "beyond");
    is_str("to_512", size_class_words[size_class_of(0)], "nothing at all");
}

/* Predictions of "textbook", in the points' order: factors of the measured times. */
static struct predictions say(const struct points *points, const double *factor)
{
    struct predictions p = { .row = calloc(points->n + 1, sizeof *p.row) };
    for (size_t i = 0; i < points->n; i++) {
        struct model_said *r = &p.row[p.n++];
        r->model = model_find("textbook");
        r->of = &points->row[i];
        r->prediction.seconds = factor[i] * points->row[i].time.value;
        r->prediction.status = factor[i] > 0   ? PREDICT_OK
                               : factor[i] < 0 ? PREDICT_NOT_POSITIVE
                                               : PREDICT_NO_FIT;
    }
    return p;
}

/* Six process counts of 8 B, of which the last has no prediction, one of 1 MiB, one of
 * 64 KiB whose prediction is not positive. */
static void by_hand(const char *dir)
{
    static const double factor[] = { 1.1, 0.8, 1.5, 1, 0.4, 0, 3, -1 };
    static const int procs[] = { 2, 4, 6, 8, 10, 16 };
    const struct facts facts = shape(2, 2, 4);
    struct points points = { .n = 0 };
    struct point_groups groups;
    struct error_table t;
    struct err err = { .text = "" };
    for (int i = 0; i < 6; i++)
        over_add(&points, &facts, chain, "core", procs[i], 8, 1e-6 * (i + 1));
    over_add(&points, &facts, chain, "core", 2, 1 << 20, 1e-3);
    over_add(&points, &facts, chain, "core", 2, 65536, 1e-4);
    struct predictions said = say(&points, factor);
    struct parameters p = { .facts = &facts };
    point_groups_make(&points, &groups);
    is_int(0, errors_make(&points, &groups, &said, &p, &t, &err), "judged: %s", err.text);

    const struct error_row *r = find(&t, "textbook", "max_rank", SPLIT_IN_SAMPLE, SIZE_TO_512);
    is_int(5, (long long)r->n, "five of 8 B have a prediction");
    is_int(1, (long long)r->without, "one has none");
    is_near(20, r->median_pct, 1e-12, "of 10, 20, 50, 0, 60 %% the median is 20");
    is_near(56, r->p90_pct, 1e-12, "the 90th percentile 50 + 0.6 (60 - 50)");
    is_near(60, r->worst_pct, 1e-12, "the worst 60");
    is_near(40, r->over_pct, 1e-12, "two of five are above");
    is_near(-log2(0.8), r->median_doublings, 1e-12,
            "in doublings too little counts as much as too much");
    r = find(&t, "textbook", "max_rank", SPLIT_IN_SAMPLE, SIZE_FROM_256K);
    is_near(200, r->median_pct, 1e-12, "sizes are apart");
    r = find(&t, "textbook", "max_rank", SPLIT_IN_SAMPLE, SIZE_ALL);
    is_int(7, (long long)r->n, "and together");
    is_near(50, r->median_pct, 1e-12, "with the median of all");
    r = find(&t, "textbook", "max_rank", SPLIT_IN_SAMPLE, SIZE_TO_128K);
    is_int(1, (long long)r->n, "a prediction that is not positive is one");
    is_near(100, r->median_pct, 1e-12, "that is 100 %% off");
    is_near(NO_TIME_DOUBLINGS, r->median_doublings, 0, "and further off than any time");
    is_near(0, r->over_pct, 1e-12, "and too low");
    r = find(&t, "textbook", "max_rank", SPLIT_ALTERNATE, SIZE_TO_512);
    is_near(10, r->median_pct, 1e-12, "P = 4, 8, 16: of 20 and 0 %%, 10");
    is_int(1, (long long)r->without, "and one without");
    r = find(&t, "textbook", "max_rank", SPLIT_EXTRAPOLATED, SIZE_TO_512);
    is_near(60, r->median_pct, 1e-12, "beyond P = 8: of 60 %%, and one without");
    r = find(&t, "textbook", "mean_rank", SPLIT_IN_SAMPLE, SIZE_TO_512);
    is_near(100, r->median_pct, 1e-12, "against half the time: 120, 60, 200, 100, 20 %%");
    ok(!find(&t, "stage", "max_rank", SPLIT_IN_SAMPLE, SIZE_ALL),
       "a model that says nothing has no rows");

    char path[512];
    double sum = 0, v;
    int rows = 0;
    static const char *const columns[] = { "median_pct", "sizes", NULL };
    is_int(0, result_write(dir, &errors_schema, "unknown", t.row, t.n, &err), "written: %s",
           err.text);
    snprintf(path, sizeof path, "%s/errors.csv", dir);
    struct csv *csv = csv_open(path, columns, &err);
    while (csv && csv_next(csv, &err) == 1) {
        rows++;
        if (csv_f64(csv, csv_column(csv, "median_pct"), &v, &err) == 0 && isfinite(v))
            sum += v;
    }
    csv_close(csv);
    for (size_t i = 0; i < t.n; i++)
        sum -= isfinite(t.row[i].median_pct) ? t.row[i].median_pct : 0;
    is_int((long long)t.n, rows, "a row of the file for each");
    ok(fabs(sum) < 1e-4, "with its numbers");
    errors_clear(&t);
    point_groups_clear(&groups);
    predictions_clear(&said);
    points_clear(&points);
}

/* A line up to P = 16, twice as steep beyond: what is fitted below cannot know. Of 2 KiB a line
 * throughout, but that every second P, which alternate judges, takes twice as long. */
static void refitted(void)
{
    const struct facts facts = shape(2, 1, 16);
    struct points points = { .n = 0 };
    struct point_groups groups;
    struct regressions fits;
    struct predictions said;
    struct error_table t;
    struct err err = { .text = "" };
    for (int p = 2; p <= 32; p += 2)
        over_add(&points, &facts, chain, "core", p, 8, 1e-6 * (p <= 16 ? p : 2 * p));
    for (int p = 2; p <= 32; p += 2)
        over_add(&points, &facts, chain, "core", p, 2048, 1e-6 * (p % 4 == 0 ? 2 * p : p));
    struct parameters p = { .facts = &facts, .held = { { &regression_set, &fits, NULL } } };
    point_groups_make(&points, &groups);
    regressions_fit(&groups, &facts, OVER_OWN, SPLIT_IN_SAMPLE, &fits);
    predictions_make(&points, &p, &said);
    is_int(0, errors_make(&points, &groups, &said, &p, &t, &err), "judged: %s", err.text);
    const struct error_row *r = find(&t, "regression_ls", "max_rank", SPLIT_IN_SAMPLE, SIZE_TO_512);
    ok(r->median_pct < 1e-6, "in sample the dummy holds the step");
    r = find(&t, "regression_ls", "max_rank", SPLIT_ALTERNATE, SIZE_TO_512);
    ok(r->n == 8 && r->worst_pct < 1e-6, "and on alternate P");
    r = find(&t, "regression_ls", "max_rank", SPLIT_ALTERNATE, SIZE_TO_16K);
    ok(r->n == 8, "the eight P that are no part of the fit");
    is_near(50, r->median_pct, 1e-6, "take twice what the others tell");
    is_near(50, r->worst_pct, 1e-6, "all of them: none was fitted");
    r = find(&t, "regression_ls", "max_rank", SPLIT_EXTRAPOLATED, SIZE_TO_512);
    ok(r->n == 8, "the eight P above 16");
    is_near(50, r->median_pct, 1e-6, "are predicted by the line below: half");
    r = find(&t, "regression_ls", "mean_rank", SPLIT_IN_SAMPLE, SIZE_TO_512);
    ok(r->median_pct < 1e-6, "the mean over ranks has regressions of its own");
    errors_clear(&t);
    regressions_clear(&fits);
    point_groups_clear(&groups);
    predictions_clear(&said);
    points_clear(&points);
}

/* All P from 2 to 33, and at odd ones everything takes 1.5 times as long. */
static void odd_and_even(void)
{
    const struct facts facts = shape(1, 1, 64);
    struct points points = { .n = 0 };
    struct point_groups groups;
    struct regressions fits;
    struct predictions said;
    struct error_table t;
    struct parameters p = { .facts = &facts, .held = { { &regression_set, &fits, NULL } } };
    for (int q = 2; q <= 33; q++)
        over_add(&points, &facts, chain, "core", q, 8, 1e-6 * q * (q % 2 ? 1.5 : 1));
    point_groups_make(&points, &groups);
    regressions_fit(&groups, &facts, OVER_OWN, SPLIT_IN_SAMPLE, &fits);
    predictions_make(&points, &p, &said);
    errors_make(&points, &groups, &said, &p, &t, NULL);
    const struct error_row *all = find(&t, "regression_ls", "max_rank", SPLIT_IN_SAMPLE, SIZE_ALL);
    const struct error_row *r = find(&t, "regression_ls", "max_rank", SPLIT_ALTERNATE, SIZE_ALL);
    is_int(16, (long long)r->n, "half of 32 process counts are judged");
    ok(r->over_pct > 25 && r->over_pct < 75,
       "of a line through odd and even P, which are on both sides, some are above it and some "
       "below: %.0f %% below",
       r->over_pct);
    is_near(all->median_pct, r->median_pct, 0.1, "so that the error is much that in sample");
    errors_clear(&t);
    regressions_clear(&fits);
    point_groups_clear(&groups);
    predictions_clear(&said);
    points_clear(&points);
}

int main(void)
{
    char dir[256];
    if (!dir_make(dir, sizeof dir))
        return tap_skip_all("no temporary directory");
    classes();
    by_hand(dir);
    refitted();
    odd_and_even();
    dir_remove(dir);
    return tap_done();
}
