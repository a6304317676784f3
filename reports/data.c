/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/data.h"

#include "harness/base/json_print.h"
#include "harness/study/manifest.h"

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
    ROWS_OF(channel_schema, channel, channels),
    ROWS_OF(channel_time_schema, channel_time, channel_times),
    ROWS_OF(channel_gamma_schema, channel_gamma, channel_gammas),
    ROWS_OF(channel_ratio_schema, channel_ratio, channel_ratios),
    ROWS_OF(links_place_schema, links_place, links_places),
    ROWS_OF(links_schema, links_row, links_rows),
    ROWS_OF(regression_schema, regression, regressions),
    ROWS_OF(regression_term_schema, regression_term, regression_terms),
    ROWS_OF(regression_point_schema, regression_point, regression_points),
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
    return by_keys(strcmp(x->collective, y->collective), rank_of(x->mpi) - rank_of(y->mpi),
                   strcmp(x->mpi, y->mpi), strcmp(x->mapping, y->mapping));
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
        const size_t own = strlen(r->point.cell.mpi);
        d->any_foreign |=
            time && (strncmp(r->point.candidate.algorithm, r->point.cell.mpi, own) != 0 ||
                     r->point.candidate.algorithm[own] != ':');
        if (r->point.purpose != FOR_STUDY || !time)
            continue;
        note_offered(d, r);
        while (k < d->contexts && !cell_in(&r->point.cell, &d->context[k]))
            k++;
        if (k < d->contexts || r->status == POINT_SKIPPED)
            continue; /* what is skipped alone is compared with nothing */
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
    if (points_read(d->dir, d->doubted, &points, err) < 0)
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

/* The files of rules that were made of these results and are there (docs/formats.md, rules.json).
 */
static int read_rules(struct report_data *d, struct err *err)
{
    char path[PATH_SIZE];
    const char *library;
    json_t *one;
    void *next;
    if (fs_path(path, sizeof path, err, "%s/rules.json", d->dir) < 0 ||
        json_file_read(path, &d->rules, err) < 0)
        return -1;
    d->rules = d->rules ? d->rules : json_object();
    json_disarm(d->rules);
    json_object_foreach_safe(d->rules, next, library,
                             one) if (!fs_exists(json_text_at(one, "file")))
        json_object_del(d->rules, library);
    return 0;
}

static int read_all(struct report_data *d, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/points.csv", d->dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist (run collsel fit)", path);
    if (manifest_read(d, err) < 0 || read_rules(d, err) < 0 || read_files(d, err) < 0 ||
        history_read(d, err) < 0 || placement_read(d, err) < 0 || heldout_trials_read(d, err) < 0)
        return -1;
    find_contexts(d);
    choices_sort(d);
    return 0;
}

int report_data_read(const char *dir, int doubted, struct report_data *data, struct err *err)
{
    *data = (struct report_data){ .doubted = doubted };
    if (strlen(dir) >= sizeof data->dir)
        return err_set(err, "'%s' is too long a path", dir);
    snprintf(data->dir, sizeof data->dir, "%s", dir);
    data->has_facts = facts_read(dir, &data->facts, NULL) == 0;
    if (read_all(data, err) == 0)
        return 0;
    report_data_clear(data);
    return -1;
}

void report_data_clear(struct report_data *data)
{
    json_decref(data->manifest);
    json_decref(data->rules);
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

/* ---- what manifest.json tells a report: whose results these are, and of which backend ---- */

const char *manifest_text(const struct report_data *data, const char *path)
{
    json_t *o = data->manifest;
    while (o && *path) {
        char key[NAME_SIZE];
        size_t len = strcspn(path, "/");
        snprintf(key, sizeof key, "%.*s", (int)len, path);
        o = json_object_get(o, key);
        path += len + (path[len] == '/');
    }
    return json_is_string(o) && *json_string_value(o) ? json_string_value(o) : "unknown";
}

const char *backend_words(const char *backend, char *buf, size_t size, int *simulated)
{
    static const struct {
        const char *name, *label;
        int simulated;
    } known[] = {
        { "local", "measured on this machine", 0 },
        { "slurm", "measured through Slurm", 0 },
        { "kit", "measured by a kit, on the cluster itself", 0 },
        { "emulated",
          "emulated: real MPI and TCP over shaped links between namespaces of one machine", 0 },
        { "sim", "simulated by SimGrid SMPI", 1 },
        { "walk", "walked: estimated by a model of this network; nothing was run", 1 },
        { "null", "planted, not measured", 1 },
        { "imported", "measured by others, imported", 0 },
    };
    size_t k = 0, n = sizeof known / sizeof *known;
    while (k < n && strcmp(known[k].name, backend) != 0)
        k++;
    if (k < n)
        snprintf(buf, size, "%s", known[k].label);
    else
        snprintf(buf, size, "backend %s", backend);
    if (simulated)
        *simulated = k == n || known[k].simulated;
    return buf;
}

int manifest_read(struct report_data *d, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/manifest.json", d->dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist (nothing was measured yet)", path);
    if (manifest_known(d->dir, err) < 0)
        return -1;
    if (json_file_read(path, &d->manifest, err) < 0)
        return -1;
    json_disarm(d->manifest);
    snprintf(d->cluster, sizeof d->cluster, "%.63s",
             manifest_text(d, "cluster/settings/cluster/name/value"));
    snprintf(d->title, sizeof d->title, "%.511s",
             manifest_text(d, "cluster/settings/cluster/title/value"));
    d->imported = strcmp(manifest_text(d, "backend/name"), "imported") == 0;
    snprintf(d->study, sizeof d->study, "%.63s",
             manifest_text(d, d->imported ? "import/dataset" : "study/settings/study/name/value"));
    snprintf(d->backend, sizeof d->backend, "%s", manifest_text(d, "backend/name"));
    const json_t *resolved = json_object_get(json_object_get(d->manifest, "cluster"), "resolved");
    d->here = json_is_true(json_object_get(resolved, "here"));
    d->emulated = strcmp(d->backend, "emulated") == 0;
    backend_words(d->backend, d->backend_label, sizeof d->backend_label, &d->simulated);
    snprintf(d->backend_title, sizeof d->backend_title, "%.*s", (int)strcspn(d->backend_label, ":"),
             d->backend_label);
    return 0;
}

/* ---- looking things up in the files of a study ---- */

int fit_in(const char *collective, const char *mpi, const char *mapping,
           const struct context *context)
{
    return (!*collective || strcmp(collective, context->collective) == 0) &&
           strcmp(mpi, context->mpi) == 0 && strcmp(mapping, context->mapping) == 0;
}

int cell_in(const struct cell *cell, const struct context *context)
{
    return strcmp(cell->collective, context->collective) == 0 &&
           strcmp(cell->mpi, context->mpi) == 0 && strcmp(cell->mapping, context->mapping) == 0;
}

int degradation_in(const struct degradation *row, const struct context *context)
{
    return strcmp(row->collective, context->collective) == 0 &&
           strcmp(row->mpi, context->mpi) == 0 && strcmp(row->mapping, context->mapping) == 0;
}

int several_segments(const struct report_data *data, const struct context *context,
                     const char *algorithm)
{
    const struct offered *first = NULL;
    for (size_t i = 0; i < data->n_offered; i++) {
        const struct offered *o = &data->offered[i];
        if (memcmp(&o->context, context, sizeof *context) != 0 ||
            strcmp(o->candidate.algorithm, algorithm) != 0)
            continue;
        if (first && first->candidate.segment_bytes != o->candidate.segment_bytes)
            return 1;
        first = first ? first : o;
    }
    return 0;
}

/* By what a grid knows of a cell (reports/section_common.h), then by the rest of it, then by
 * selector. */
static int by_grid(const struct cell *a, const struct cell *b)
{
    return by_keys(strcmp(a->collective, b->collective), strcmp(a->mpi, b->mpi),
                   strcmp(a->mapping, b->mapping), ascending(a->procs, b->procs),
                   ascending(a->bytes, b->bytes), ascending(a->root, b->root));
}

static int by_cell(const void *a, const void *b)
{
    const struct selection *x = a, *y = b;
    return by_keys(by_grid(&x->cell, &y->cell), cell_compare(&x->cell, &y->cell),
                   strcmp(x->name, y->name));
}

void choices_sort(struct report_data *data)
{
    if (data->choices)
        qsort(data->choice, data->choices, sizeof *data->choice, by_cell);
}

const struct selection *choices_at(const struct report_data *data, const struct cell *cell,
                                   size_t *n)
{
    const size_t first = sorted_below(i, data->choices, by_grid(&data->choice[i].cell, cell) >= 0);
    *n = 0;
    while (first + *n < data->choices && by_grid(&data->choice[first + *n].cell, cell) == 0)
        ++*n;
    return data->choice + first;
}

const char chosen_note[] =
    "‡: the rules of this model were chosen with these data in sight (docs/notebook says which). "
    "Its errors and losses are in sample here in every column, whatever it was fitted to, and tell "
    "less than on other data.";

const char simulator_note[] =
    "(simulator): no test. These times were simulated or walked, and the model follows messages "
    "and shares links by the same rules and costs: that it comes near them says nothing about a "
    "machine, so it is not ranked beside the others.";

const char *no_test_mark(const struct report_data *data, const struct model *model)
{
    return standing_mark(model_standing(model, data->backend));
}

const char *chosen_mark(const struct report_data *data, const struct model *model)
{
    const char *what = data->imported ? manifest_text(data, "import/format") : data->cluster;
    return model && what && model_chosen_on(model, data->backend, what) ? " ‡" : "";
}

int result_usable(const struct measured *r)
{
    return measured_usable(r) && isfinite(r->time.value);
}

void count_points(const struct report_data *data, size_t *planned, size_t *missing)
{
    *planned = *missing = 0;
    for (size_t i = 0; i < data->results; i++) {
        *planned += data->result[i].status != POINT_SKIPPED;
        *missing += data->result[i].status == POINT_MISSING;
    }
}

size_t count_doubted(const struct report_data *data)
{
    size_t n = 0;
    for (size_t i = 0; i < data->results; i++)
        n += (size_t)measured_doubted(&data->result[i]);
    return n;
}

const char *ran_at(const struct report_data *data, const struct cell *cell,
                   const struct candidate *candidate)
{
    for (size_t i = 0; data->any_ran && i < data->results; i++) {
        const struct measured *r = &data->result[i];
        if (*r->ran_algorithm && r->point.experiment == EXP_TIME &&
            strcmp(r->point.candidate.algorithm, candidate->algorithm) == 0 &&
            r->point.candidate.segment_bytes == candidate->segment_bytes &&
            cell_equal(&r->point.cell, cell))
            return r->ran_algorithm;
    }
    return candidate->algorithm;
}

int oversubscribed(const struct report_data *data, const struct cell *cell)
{
    return !data->simulated && facts_crowded(&data->facts, cell);
}
