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

static const struct field loggp_fields[] = {
    F(loggp_row, TEXT, "collective", collective),
    F(loggp_row, TEXT, "mpi", mpi),
    F(loggp_row, TEXT, "mapping", mapping),
    CANDIDATE(loggp_row),
    F(loggp_row, INT, "procs", procs),
    F(loggp_row, REAL, "latency_scale", latency),
    F(loggp_row, REAL, "gap_scale", gap),
    F(loggp_row, REAL, "latency_low", latency_low),
    F(loggp_row, REAL, "latency_high", latency_high),
    F(loggp_row, REAL, "gap_low", gap_low),
    F(loggp_row, REAL, "gap_high", gap_high),
    F(loggp_row, REAL, "condition", condition),
    F(loggp_row, REAL, "mean_error", mean_error),
    F(loggp_row, REAL, "worst_error", worst_error),
    F(loggp_row, LONG_OR_NONE, "n", n),
    F(loggp_row, LONG_OR_NONE, "excluded", excluded),
    F(loggp_row, TEXT, "status", status),
    F(loggp_row, TEXT, "reason", reason),
    { 0 },
};

static const struct field channel_fields[] = {
    F(channel_row, TEXT, "mpi", mpi),
    F(channel_row, TEXT, "channel", channel),
    F(channel_row, REAL, "alpha_s", alpha),
    F(channel_row, REAL, "beta_s_per_byte", beta),
    F(channel_row, REAL, "alpha_stderr", alpha_stderr),
    F(channel_row, REAL, "beta_stderr", beta_stderr),
    F(channel_row, REAL, "r2", r2),
    F(channel_row, REAL, "median_error", median_error),
    F(channel_row, REAL, "worst_error", worst_error),
    F(channel_row, REAL, "robust_alpha_s", robust_alpha),
    F(channel_row, REAL, "robust_beta_s_per_byte", robust_beta),
    F(channel_row, REAL, "robust_median", robust_median),
    F(channel_row, REAL, "robust_worst", robust_worst),
    F(channel_row, LONG_OR_NONE, "n", n),
    F(channel_row, INT, "most_procs", most_procs),
    F(channel_row, REAL, "rendezvous_bytes", rendezvous_bytes),
    F(channel_row, REAL, "reduce_rendezvous_bytes", reduce_rendezvous_bytes),
    F(channel_row, TEXT, "status", status),
    { 0 },
};

static const struct field channel_time_fields[] = {
    F(channel_time_row, TEXT, "mpi", mpi),
    F(channel_time_row, TEXT, "experiment", experiment),
    F(channel_time_row, TEXT, "channel", channel),
    F(channel_time_row, INT, "procs", procs),
    F(channel_time_row, SIZE, "bytes", bytes),
    F(channel_time_row, REAL, "slowest_s", slowest_s),
    F(channel_time_row, REAL, "mean_rank_s", mean_rank_s),
    { 0 },
};

static const struct field channel_gamma_fields[] = {
    F(channel_gamma_row, TEXT, "mpi", mpi),
    F(channel_gamma_row, TEXT, "channel", channel),
    F(channel_gamma_row, INT, "procs", procs),
    F(channel_gamma_row, SIZE, "bytes", bytes),
    F(channel_gamma_row, REAL, "gamma", gamma),
    F(channel_gamma_row, REAL, "gamma_slowest", gamma_slowest),
    F(channel_gamma_row, REAL, "measured_gamma", measured_gamma),
    { 0 },
};

static const struct field channel_ratio_fields[] = {
    F(channel_ratio_row, TEXT, "mpi", mpi),
    F(channel_ratio_row, TEXT, "near", near),
    F(channel_ratio_row, TEXT, "far", far),
    F(channel_ratio_row, TEXT, "slower", slower),
    F(channel_ratio_row, SIZE, "bytes", bytes),
    F(channel_ratio_row, REAL, "ratio", ratio),
    F(channel_ratio_row, REAL, "measured_ratio", measured_ratio),
    { 0 },
};

static const struct field loggp_cost_fields[] = {
    F(loggp_cost, TEXT, "mpi", mpi),         F(loggp_cost, TEXT, "mapping", mapping),
    F(loggp_cost, TEXT, "cost", cost),       F(loggp_cost, SIZE, "bytes", bytes),
    F(loggp_cost, REAL, "seconds", seconds), { 0 },
};

static const struct field links_place_fields[] = {
    F(links_place, TEXT, "mpi", mpi),
    F(links_place, TEXT, "mapping", mapping),
    F(links_place, TEXT, "topology", topology),
    F(links_place, TEXT, "shape", shape),
    F(links_place, INT, "nodes", nodes),
    F(links_place, INT, "ping_hops", ping_hops),
    F(links_place, REAL, "ping_latency_s", ping_latency_s),
    F(links_place, REAL, "latency_scale", latency_scale),
    F(links_place, LONG_OR_NONE, "scale_points", scale_points),
    F(links_place, LONG_OR_NONE, "copy_sizes", copy_sizes),
    { 0 },
};

static const struct field links_fields[] = {
    CELL(links_point),
    CANDIDATE(links_point),
    F(links_point, TEXT, "purpose", purpose),
    F(links_point, LONG_OR_NONE, "steps", steps),
    F(links_point, LONG_OR_NONE, "collisions", collisions),
    F(links_point, INT, "hops", hops),
    F(links_point, REAL, "link_bytes", link_bytes),
    { 0 },
};

static const struct field link_fields[] = {
    CELL(link_load),
    CANDIDATE(link_load),
    F(link_load, TEXT, "name", name),
    F(link_load, INT, "link", link),
    F(link_load, INT, "from", from),
    F(link_load, INT, "to", to),
    F(link_load, REAL, "link_bytes", bytes),
    F(link_load, REAL, "worst_bytes", worst_bytes),
    { 0 },
};

#define GROUP(type)                                                                                \
    F(type, TEXT, "collective", cell.collective), F(type, TEXT, "mpi", cell.mpi),                  \
        F(type, TEXT, "mapping", cell.mapping), F(type, INT, "root", cell.root)

static const struct field regression_fields[] = {
    GROUP(regression_row),
    F(regression_row, SIZE, "bytes", cell.bytes),
    CANDIDATE(regression_row),
    F(regression_row, TEXT, "statistic", statistic),
    F(regression_row, TEXT, "method", method),
    F(regression_row, TEXT, "x", x),
    F(regression_row, TEXT, "dummies", dummies),
    F(regression_row, INT, "columns", columns),
    F(regression_row, INT, "procs_low", procs_low),
    F(regression_row, INT, "procs_high", procs_high),
    F(regression_row, LONG_OR_NONE, "n", n),
    F(regression_row, REAL, "sigma", sigma),
    F(regression_row, REAL, "r2", r2),
    F(regression_row, REAL, "condition", condition),
    F(regression_row, REAL, "median_error", median_error),
    F(regression_row, REAL, "power", power),
    F(regression_row, REAL, "confidence", confidence),
    F(regression_row, REAL, "covered", covered),
    F(regression_row, TEXT, "status", status),
    F(regression_row, TEXT, "reason", reason),
    { 0 },
};

static const struct field regression_term_fields[] = {
    GROUP(regression_term),
    F(regression_term, SIZE, "bytes", cell.bytes),
    CANDIDATE(regression_term),
    F(regression_term, TEXT, "statistic", statistic),
    F(regression_term, TEXT, "method", method),
    F(regression_term, TEXT, "term", term),
    F(regression_term, REAL, "coefficient_s", coefficient_s),
    F(regression_term, REAL, "stderr_s", stderr_s),
    F(regression_term, REAL, "low_s", low_s),
    F(regression_term, REAL, "high_s", high_s),
    { 0 },
};

static const struct field regression_point_fields[] = {
    CELL(regression_point),
    CANDIDATE(regression_point),
    F(regression_point, TEXT, "statistic", statistic),
    F(regression_point, REAL, "measured_s", measured_s),
    F(regression_point, REAL, "huber_s", huber_s),
    F(regression_point, REAL, "huber_low_s", huber_low_s),
    F(regression_point, REAL, "huber_high_s", huber_high_s),
    F(regression_point, REAL, "huber_weight", huber_weight),
    F(regression_point, REAL, "plain_s", plain_s),
    F(regression_point, REAL, "mm_s", mm_s),
    F(regression_point, REAL, "mm_low_s", mm_low_s),
    F(regression_point, REAL, "mm_high_s", mm_high_s),
    F(regression_point, REAL, "mm_weight", mm_weight),
    { 0 },
};

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
    FILE_OF("fit/loggp.csv", loggp_fields, event, n_event),
    FILE_OF("fit/loggp_platform.csv", loggp_cost_fields, loggp_cost, loggp_costs),
    FILE_OF("fit/channels.csv", channel_fields, channel, channels),
    FILE_OF("fit/channel_times.csv", channel_time_fields, channel_time, channel_times),
    FILE_OF("fit/channel_gamma.csv", channel_gamma_fields, channel_gamma, channel_gammas),
    FILE_OF("fit/channel_ratio.csv", channel_ratio_fields, channel_ratio, channel_ratios),
    FILE_OF("fit/links_platform.csv", links_place_fields, links_place, links_places),
    FILE_OF("fit/links.csv", links_fields, contention, contentions),
    FILE_OF("fit/links_links.csv", link_fields, link, links),
    ROWS_OF(residual_schema, residual, residuals),
    FILE_OF("fit/regression.csv", regression_fields, dummy, n_dummy),
    FILE_OF("fit/regression_terms.csv", regression_term_fields, regression_term, regression_terms),
    FILE_OF("fit/regression_residuals.csv", regression_point_fields, regression_point,
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
