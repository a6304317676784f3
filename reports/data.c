/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/data.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "harness/study/mpi.h"

/* Where the rows of a file go; all of these files may be missing. */
#define ROWS_OF(schema, rows, n)                                                                   \
    {                                                                                              \
        &schema, offsetof(struct report_data, rows), offsetof(struct report_data, n)               \
    }
static const struct file {
    const struct schema *schema;
    size_t rows, n; /* offsets of the array and its count in report_data */
} files[] = {
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
    ROWS_OF(links_schema, links_row, links_rows),
    ROWS_OF(link_load_schema, link, links),
    ROWS_OF(residual_schema, residual, residuals),
    ROWS_OF(regression_schema, regression, regressions),
    ROWS_OF(regression_term_schema, regression_term, regression_terms),
    ROWS_OF(regression_point_schema, regression_point, regression_points),
    ROWS_OF(extrapolated_schema, carried, n_carried),
    ROWS_OF(errors_schema, model_error, model_errors),
    ROWS_OF(predictions_schema, prediction, predictions),
    ROWS_OF(selection_schema, choice, choices),
    ROWS_OF(degradation_schema, degradation, degradations),
    ROWS_OF(conditions_schema, condition, conditions),
    ROWS_OF(views_schema, view, views),
    ROWS_OF(cost_schema, cost, costs),
    ROWS_OF(compared_schema, compared, n_compared),
};

/* ---- collectives, libraries and mappings ---- */

/* Open MPI before MPICH before others. */
static int rank_of(const char *mpi)
{
    return mpi_is(mpi, "openmpi") ? 0 : mpi_is(mpi, "mpich") ? 1 : 2;
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
static void note_offered(struct report_data *d, const struct measured *r)
{
    for (size_t k = d->n_offered; k > 0; k--)
        if (cell_in(&r->point.cell, &d->offered[k - 1].context) &&
            candidate_equal(&r->point.candidate, &d->offered[k - 1].candidate))
            return;
    struct offered *o = array_add(&d->offered, &d->n_offered);
    o->candidate = r->point.candidate;
    memcpy(o->context.collective, r->point.cell.collective, NAME_SIZE);
    memcpy(o->context.mpi, r->point.cell.mpi, NAME_SIZE);
    memcpy(o->context.mapping, r->point.cell.mapping, NAME_SIZE);
}

static void find_contexts(struct report_data *d)
{
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        size_t k = 0;
        const int time = r->point.experiment == EXP_TIME;
        d->any_ran |= *r->ran_algorithm != '\0';
        d->any_portable |= time && strncmp(r->point.candidate.algorithm, "portable:", 9) == 0;
        if (r->point.purpose != FOR_STUDY || !time)
            continue;
        note_offered(d, r);
        while (k < d->contexts && !cell_in(&r->point.cell, &d->context[k]))
            k++;
        if (k < d->contexts)
            continue;
        struct context *added = array_add(&d->context, &d->contexts);
        memcpy(added->collective, r->point.cell.collective, NAME_SIZE);
        memcpy(added->mpi, r->point.cell.mpi, NAME_SIZE);
        memcpy(added->mapping, r->point.cell.mapping, NAME_SIZE);
    }
    if (d->contexts)
        qsort(d->context, d->contexts, sizeof *d->context, by_library);
    for (size_t k = 0; k < d->contexts; k++)
        d->collectives +=
            k == 0 || strcmp(d->context[k].collective, d->context[k - 1].collective) != 0;
}

/* ---- all ---- */

static int read_files(struct report_data *d, struct err *err)
{
    struct points points;
    if (points_read(d->dir, &points, err) < 0)
        return -1;
    d->result = points.row;
    d->results = points.n;
    free(points.trials);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t *n = (size_t *)((char *)d + files[i].n);
        void *rows = schema_read_any(files[i].schema, d->dir, n, err);
        memcpy((char *)d + files[i].rows, &rows, sizeof rows);
        if (!rows)
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
        placement_read(d, err) < 0 || heldout_trials_read(d, err) < 0)
        return -1;
    find_contexts(d);
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
    heldout_trials_clear(data);
    memory_free(data->result, data->mishap, data->excluded);
    for (size_t i = 0; i < data->n_placed; i++)
        free(data->placed[i].host);
    memory_free(data->placed, data->context, data->offered);
    *data = (struct report_data){ 0 };
}
