/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/data.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "reports/rows.h"

/* ---- which column of which file is what ---- */

#define F(type, kind, column, member)                                                              \
    {                                                                                              \
        column, FIELD_##kind, offsetof(struct type, member), sizeof(((struct type *)0)->member)    \
    }
#define CELL(type)                                                                                 \
    F(type, TEXT, "collective", cell.collective), F(type, TEXT, "mpi", cell.mpi),                  \
        F(type, TEXT, "mapping", cell.mapping), F(type, INT, "nodes", cell.nodes),                 \
        F(type, INT, "ppn", cell.ppn), F(type, INT, "procs", cell.procs),                          \
        F(type, INT, "root", cell.root), F(type, SIZE, "bytes", cell.bytes)
#define CANDIDATE(type)                                                                            \
    F(type, TEXT, "algorithm", candidate.algorithm),                                               \
        F(type, SIZE, "segment_bytes", candidate.segment_bytes),                                   \
        F(type, INT, "fanout", candidate.fanout)

static const struct field result_fields[] = {
    F(result, TEXT, "point", id),
    CELL(result),
    CANDIDATE(result),
    F(result, TEXT, "experiment", experiment),
    F(result, TEXT, "purpose", purpose),
    F(result, TEXT, "statistic", statistic),
    F(result, TEXT, "status", status),
    F(result, TEXT, "reason", reason),
    F(result, SIZE, "gather_bytes", gather_bytes),
    F(result, LONG_OR_NONE, "n", n),
    F(result, REAL, "mean_s", mean_s),
    F(result, REAL, "median_s", median_s),
    F(result, REAL, "min_s", min_s),
    F(result, REAL, "max_s", max_s),
    F(result, REAL, "ci_low_s", ci_low_s),
    F(result, REAL, "ci_high_s", ci_high_s),
    F(result, REAL, "rel_ci", rel_ci),
    F(result, REAL, "core_s", core_s),
    F(result, INT_OR_NONE, "converged", converged),
    F(result, INT_OR_NONE, "independent", independent),
    F(result, INT_OR_NONE, "normal", normal),
    F(result, INT_OR_NONE, "drift", drift),
    F(result, TEXT, "verified", verified),
    F(result, TEXT, "ran_algorithm", ran_algorithm),
    F(result, LONG_OR_NONE, "ran_segment_bytes", ran_segment_bytes),
    { 0 },
};

#define GROUP(type)                                                                                \
    F(type, TEXT, "collective", cell.collective), F(type, TEXT, "mpi", cell.mpi),                  \
        F(type, TEXT, "mapping", cell.mapping), F(type, INT, "root", cell.root)

static const struct field carried_fields[] = {
    CELL(carried_row),
    CANDIDATE(carried_row),
    F(carried_row, TEXT, "base", base),
    F(carried_row, REAL, "measured_s", measured_s),
    F(carried_row, REAL, "regression_s", regression_s),
    F(carried_row, REAL, "model_s", model_s),
    F(carried_row, REAL, "factor", factor),
    F(carried_row, REAL, "carried_s", carried_s),
    { 0 },
};

static const struct field model_error_fields[] = {
    GROUP(model_error),
    CANDIDATE(model_error),
    F(model_error, TEXT, "model", model),
    F(model_error, TEXT, "statistic", statistic),
    F(model_error, TEXT, "split", split),
    F(model_error, TEXT, "sizes", sizes),
    F(model_error, LONG_OR_NONE, "n", n),
    F(model_error, LONG_OR_NONE, "without", without),
    F(model_error, REAL, "median_pct", median_pct),
    F(model_error, REAL, "p90_pct", p90_pct),
    F(model_error, REAL, "worst_pct", worst_pct),
    F(model_error, REAL, "over_pct", over_pct),
    { 0 },
};

static const struct field prediction_fields[] = {
    F(prediction, TEXT, "model", model),
    F(prediction, TEXT, "purpose", purpose),
    CELL(prediction),
    CANDIDATE(prediction),
    F(prediction, REAL, "predicted_s", predicted_s),
    F(prediction, REAL, "measured_s", measured_s),
    F(prediction, TEXT, "predicted_algorithm", predicted_algorithm),
    F(prediction, TEXT, "status", status),
    { 0 },
};

static const struct field choice_fields[] = {
    F(choice, TEXT, "selector", selector),
    F(choice, TEXT, "purpose", purpose),
    CELL(choice),
    F(choice, TEXT, "algorithm", candidate.algorithm),
    F(choice, LONG_OR_NONE, "segment_bytes", candidate.segment_bytes),
    F(choice, INT_OR_NONE, "fanout", candidate.fanout),
    F(choice, REAL, "chosen_s", chosen_s),
    F(choice, REAL, "predicted_s", predicted_s),
    F(choice, TEXT, "best_algorithm", best.algorithm),
    F(choice, LONG_OR_NONE, "best_segment_bytes", best.segment_bytes),
    F(choice, INT_OR_NONE, "best_fanout", best.fanout),
    F(choice, REAL, "best_s", best_s),
    F(choice, REAL, "degradation_pct", degradation_pct),
    F(choice, REAL, "ci_low_pct", ci_low_pct),
    F(choice, REAL, "ci_high_pct", ci_high_pct),
    F(choice, INT_OR_NONE, "tied", tied),
    F(choice, INT_OR_NONE, "substituted", substituted),
    F(choice, TEXT, "status", status),
    F(choice, TEXT, "reason", reason),
    { 0 },
};

static const struct field degradation_fields[] = {
    F(degradation, TEXT, "selector", selector),
    F(degradation, TEXT, "purpose", purpose),
    F(degradation, TEXT, "mpi", mpi),
    F(degradation, TEXT, "mapping", mapping),
    F(degradation, LONG_OR_NONE, "cells", cells),
    F(degradation, REAL, "mean_pct", mean_pct),
    F(degradation, REAL, "median_pct", median_pct),
    F(degradation, REAL, "p95_pct", p95_pct),
    F(degradation, REAL, "worst_pct", worst_pct),
    F(degradation, LONG_OR_NONE, "worst_procs", worst_procs),
    F(degradation, LONG_OR_NONE, "worst_bytes", worst_bytes),
    F(degradation, REAL, "optimal_or_tied", optimal_or_tied),
    F(degradation, REAL, "core_s", core_s),
    F(degradation, TEXT, "collective", collective),
    { 0 },
};

static const struct field cost_fields[] = {
    F(attempt_row, TEXT, "launch", launch),
    F(attempt_row, INT_OR_NONE, "attempt", attempt),
    F(attempt_row, TEXT, "mpi", mpi),
    F(attempt_row, TEXT, "mapping", mapping),
    F(attempt_row, INT, "nodes", nodes),
    F(attempt_row, INT, "ppn", ppn),
    F(attempt_row, INT, "procs", procs),
    F(attempt_row, TEXT, "job", job),
    F(attempt_row, TEXT, "outcome", outcome),
    F(attempt_row, TEXT, "started", started),
    F(attempt_row, REAL, "elapsed_s", elapsed_s),
    F(attempt_row, INT, "cores", cores),
    F(attempt_row, REAL, "core_s", core_s),
    F(attempt_row, LONG_OR_NONE, "points", points),
    F(attempt_row, REAL, "points_s", points_s),
    F(attempt_row, TEXT, "reason", reason),
    { 0 },
};

static const struct field compared_fields[] = {
    CELL(compared),
    CANDIDATE(compared),
    F(compared, TEXT, "experiment", experiment),
    F(compared, TEXT, "purpose", purpose),
    F(compared, REAL, "measured_s", here_s),
    F(compared, TEXT, "against_backend", against_backend),
    F(compared, TEXT, "against_algorithm", twin),
    F(compared, REAL, "against_s", there_s),
    F(compared, REAL, "ratio", ratio),
    F(compared, TEXT, "status", status),
    { 0 },
};

/* Where the rows of a file go; all of these files but points.csv may be missing. */
#define FILE_OF(name, fields, rows, n)                                                             \
    {                                                                                              \
        NULL, name, fields, sizeof *((struct report_data *)0)->rows,                               \
            offsetof(struct report_data, rows), offsetof(struct report_data, n)                    \
    }
#define ROWS_OF(schema, rows, n)                                                                   \
    {                                                                                              \
        &schema, NULL, NULL, 0, offsetof(struct report_data, rows),                                \
            offsetof(struct report_data, n)                                                        \
    }
static const struct file {
    const struct schema *schema; /* NULL: the file has none yet */
    const char *name;
    const struct field *fields;
    size_t row_size, rows, n; /* of a row; offsets of its array and its count in report_data */
} files[] = {
    FILE_OF("points.csv", result_fields, result, results),
    ROWS_OF(gamma_schema, gamma, gammas),
    ROWS_OF(gamma_line_schema, line, lines),
    ROWS_OF(hockney_schema, hockney, hockneys),
    ROWS_OF(loggp_schema, event, n_event),
    ROWS_OF(loggp_cost_schema, loggp_cost, loggp_costs),
    ROWS_OF(channel_schema, channel, channels),
    ROWS_OF(channel_time_schema, channel_time, channel_times),
    ROWS_OF(channel_gamma_schema, channel_gamma, channel_gammas),
    ROWS_OF(channel_ratio_schema, channel_ratio, channel_ratios),
    ROWS_OF(links_place_schema, links_place, links_places),
    ROWS_OF(links_schema, contention, contentions),
    ROWS_OF(link_load_schema, link, links),
    ROWS_OF(residual_schema, residual, residuals),
    ROWS_OF(regression_schema, dummy, n_dummy),
    ROWS_OF(regression_term_schema, regression_term, regression_terms),
    ROWS_OF(regression_point_schema, regression_point,
            regression_points),
    FILE_OF("fit/carried.csv", carried_fields, carried, n_carried),
    FILE_OF("errors.csv", model_error_fields, model_error, model_errors),
    FILE_OF("predictions.csv", prediction_fields, prediction, predictions),
    FILE_OF("selection.csv", choice_fields, choice, choices),
    FILE_OF("degradation.csv", degradation_fields, degradation, degradations),
    FILE_OF("costs.csv", cost_fields, cost, costs),
    FILE_OF("comparison.csv", compared_fields, compared, n_compared),
};

/* ---- collectives, libraries and mappings ---- */

/* Open MPI before MPICH before others. */
static int rank_of(const char *mpi)
{
    return strcmp(mpi, "openmpi") == 0 ? 0 : strcmp(mpi, "mpich") == 0 ? 1 : 2;
}

/* Collective after collective. */
static int by_library(const void *a, const void *b)
{
    const struct context *x = a, *y = b;
    int c = strcmp(x->collective, y->collective);
    c = c ? c : rank_of(x->mpi) - rank_of(y->mpi);
    c = c ? c : strcmp(x->mpi, y->mpi);
    return c ? c : strcmp(x->mapping, y->mapping);
}

/* Notes a candidate of the study, and what kinds of results there are. */
static int note_offered(struct report_data *d, const struct result *r, struct err *err)
{
    for (size_t k = d->n_offered; k > 0; k--)
        if (cell_in(&r->cell, &d->offered[k - 1].context) &&
            candidate_equal(&r->candidate, &d->offered[k - 1].candidate))
            return 0;
    struct offered *more = reallocarray(d->offered, d->n_offered + 1, sizeof *more);
    if (!more)
        return err_set(err, "out of memory");
    d->offered = more;
    struct offered *o = &more[d->n_offered++];
    *o = (struct offered){ .candidate = r->candidate };
    memcpy(o->context.collective, r->cell.collective, NAME_SIZE);
    memcpy(o->context.mpi, r->cell.mpi, NAME_SIZE);
    memcpy(o->context.mapping, r->cell.mapping, NAME_SIZE);
    return 0;
}

static int find_contexts(struct report_data *d, struct err *err)
{
    for (size_t i = 0; i < d->results; i++) {
        const struct result *r = &d->result[i];
        size_t k = 0;
        const int time = strcmp(r->experiment, "time") == 0;
        d->any_ran |= *r->ran_algorithm != '\0';
        d->any_portable |= time && strncmp(r->candidate.algorithm, "portable:", 9) == 0;
        if (strcmp(r->purpose, "study") != 0 || !time)
            continue;
        if (note_offered(d, r, err) < 0)
            return -1;
        while (k < d->contexts && !cell_in(&r->cell, &d->context[k]))
            k++;
        if (k < d->contexts)
            continue;
        struct context *more = reallocarray(d->context, k + 1, sizeof *more);
        if (!more)
            return err_set(err, "out of memory");
        d->context = more;
        memcpy(more[k].collective, r->cell.collective, NAME_SIZE);
        memcpy(more[k].mpi, r->cell.mpi, NAME_SIZE);
        memcpy(more[k].mapping, r->cell.mapping, NAME_SIZE);
        d->contexts++;
    }
    if (d->contexts)
        qsort(d->context, d->contexts, sizeof *d->context, by_library);
    for (size_t k = 0; k < d->contexts; k++)
        d->collectives +=
            k == 0 || strcmp(d->context[k].collective, d->context[k - 1].collective) != 0;
    return 0;
}

/* ---- all ---- */

static int read_files(struct report_data *d, struct err *err)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        void *rows;
        size_t *n = (size_t *)((char *)d + files[i].n);
        int status = 0;
        if (files[i].schema)
            status = (rows = schema_read_any(files[i].schema, d->dir, n, err)) ? 0 : -1;
        else
            status =
                rows_read(d->dir, files[i].name, files[i].fields, files[i].row_size, &rows, n, err);
        memcpy((char *)d + files[i].rows, &rows, sizeof rows);
        if (status < 0)
            return -1;
    }
    return 0;
}

static int read_all(struct report_data *d, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/points.csv", d->dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist (run collsel fit)", path);
    if (manifest_read(d, err) < 0 || read_files(d, err) < 0 || history_read(d, err) < 0 ||
        placement_read(d, err) < 0 || find_contexts(d, err) < 0)
        return -1;
    choices_sort(d);
    return 0;
}

int report_data_read(const char *dir, struct report_data *data, struct err *err)
{
    *data = (struct report_data){ 0 };
    if (strlen(dir) >= sizeof data->dir)
        return err_set(err, "'%s' is too long a path", dir);
    snprintf(data->dir, sizeof data->dir, "%s", dir);
    if (read_all(data, err) == 0)
        return 0;
    report_data_clear(data);
    return -1;
}

void report_data_clear(struct report_data *data)
{
    json_decref(data->manifest);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        void *rows;
        memcpy(&rows, (char *)data + files[i].rows, sizeof rows);
        free(rows);
    }
    free(data->mishap);
    free(data->excluded);
    for (size_t i = 0; i < data->n_placed; i++)
        free(data->placed[i].host);
    free(data->placed);
    free(data->context);
    free(data->offered);
    *data = (struct report_data){ 0 };
}
