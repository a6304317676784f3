/* SPDX-License-Identifier: BSD-3-Clause */
/* unseen.c - the trials on cells that were held out: read, and looked up. */
#include <dirent.h>

#include "reports/data.h"

/* Rows of a file of a trial; none where it is not there. */
static int read_rows(const struct schema *schema, const char *dir, void *rows, size_t *n,
                     struct err *err)
{
    void *read = schema_read_any(schema, dir, n, err);
    memcpy(rows, &read, sizeof read);
    return read ? 0 : -1;
}

static int read_one(struct report_data *d, const char *name, struct err *err)
{
    char dir[PATH_SIZE], path[PATH_SIZE];
    if (fs_path(dir, sizeof dir, err, "%s/holdout/%s", d->dir, name) < 0 ||
        fs_path(path, sizeof path, err, "%s/heldout.csv", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    struct heldout_trials *u = array_add(&d->unseen, &d->n_unseen);
    snprintf(u->name, sizeof u->name, "%.63s", name);
    return read_rows(&heldout_schema, dir, &u->row, &u->rows, err) < 0 ||
                   read_rows(&importance_schema, dir, &u->importance, &u->importances, err) < 0
               ? -1
               : 0;
}

int heldout_trials_read(struct report_data *data, struct err *err)
{
    char path[PATH_SIZE];
    struct dirent **entry;
    int status = 0;
    if (fs_path(path, sizeof path, err, "%s/holdout", data->dir) < 0)
        return -1;
    const int n = scandir(path, &entry, NULL, alphasort);
    if (n < 0)
        return errno == ENOENT ? 0 : err_errno(err, "cannot read '%s'", path);
    for (int i = 0; i < n; i++) {
        if (status == 0 && text_is_name(entry[i]->d_name))
            status = read_one(data, entry[i]->d_name, err);
        free(entry[i]);
    }
    free(entry);
    return status;
}

void heldout_trials_clear(struct report_data *data)
{
    for (size_t i = 0; i < data->n_unseen; i++)
        memory_free(data->unseen[i].row, data->unseen[i].importance);
    free(data->unseen);
    data->unseen = NULL;
    data->n_unseen = 0;
}

int heldout_trials_in(const struct heldout_row *row, const struct context *context)
{
    if (row->purpose != FOR_STUDY)
        return 0;
    return context ? strcmp(row->collective, context->collective) == 0 &&
                         strcmp(row->mpi, context->mpi) == 0 &&
                         strcmp(row->mapping, context->mapping) == 0
                   : strcmp(row->collective, "all") == 0;
}

const struct heldout_row *heldout_trials_row(const struct heldout_trials *unseen,
                                             const struct context *context, const char *selector)
{
    for (size_t i = 0; i < unseen->rows; i++) {
        const struct heldout_row *r = &unseen->row[i];
        if (r->cells && heldout_trials_in(r, context) && strcmp(r->selector, selector) == 0)
            return r;
    }
    return NULL;
}

static enum heldout_trials_kind heldout_trials_kind(const char *selector)
{
    if (model_find(selector))
        return UNSEEN_MODEL;
    return learner_find(selector) ? UNSEEN_LEARNER : UNSEEN_OTHER;
}

const struct heldout_row *heldout_trials_least(const struct heldout_trials *unseen,
                                               const struct context *context,
                                               enum heldout_trials_kind kind)
{
    const struct heldout_row *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < unseen->rows; i++)
        if (heldout_trials_in(&unseen->row[i], context) && unseen->row[i].cells > most)
            most = unseen->row[i].cells;
    for (size_t i = 0; i < unseen->rows; i++) {
        const struct heldout_row *r = &unseen->row[i];
        if (heldout_trials_in(r, context) && r->cells && r->cells == most &&
            heldout_trials_kind(r->selector) == kind &&
            (!best || r->geomean_pct.value < best->geomean_pct.value))
            best = r;
    }
    return best;
}
