/* SPDX-License-Identifier: BSD-3-Clause */
/* import_write.c - the files of an imported data set. */
#include "harness/import/import.h"
#include "harness/study/journal.h"
#include "harness/study/manifest.h"

static void add_library(struct manifest_import *m, const char *name, const char *version)
{
    const size_t k = first_below(i, m->n_mpis, strcmp(m->mpi[i].name, name) == 0);
    if (k == MAX_LIBRARIES)
        return;
    if (k == m->n_mpis) {
        snprintf(m->mpi[k].name, sizeof m->mpi->name, "%.63s", name);
        snprintf(m->mpi[m->n_mpis++].version, sizeof m->mpi->version, "%.63s", version);
    } else if (strcmp(m->mpi[k].version, version) != 0) {
        snprintf(m->mpi[k].version, sizeof m->mpi->version, "several");
    }
}

/* The libraries of the rows taken; the version is what the options or the format tell. */
static void find_libraries(const struct import *job, struct manifest_import *m)
{
    size_t k = 0;
    for (size_t i = 0; i < job->rows.n; i++) {
        const struct imported_row *r = &job->rows.row[i];
        while (job->source[k].path != r->source)
            k++;
        const struct import_format *f = job->source[k].format;
        const char *version = job->options->version;
        if (!version && f->version && strcmp(f->mpi, r->point.cell.mpi) == 0)
            version = f->version;
        if (r->status == ROW_OK)
            add_library(m, r->point.cell.mpi,
                        version       ? version
                        : *r->version ? r->version
                                      : "unknown");
    }
}

static void describe(const struct import *job, struct manifest_source *to,
                     struct manifest_import *m)
{
    m->format = job->source[0].format->name;
    for (size_t i = 0; i < job->n_sources; i++) {
        const struct source *s = &job->source[i];
        if (s->format != job->source[0].format)
            m->format = "several";
        to[i] = (struct manifest_source){ .path = s->path,
                                          .format = s->format->name,
                                          .digest = s->text.digest,
                                          .bytes = s->text.bytes,
                                          .lines = s->text.lines,
                                          .taken = s->taken,
                                          .repeated = s->repeated,
                                          .set_aside = s->set_aside };
    }
}

/* What fit, select, audit and report made of the rows that were here: it would stand beside others.
 */
static int remove_derived(const char *dir, char *removed, size_t size, struct err *err)
{
    static const char *const derived[] = {
        "points.csv",     "costs.csv", "comparison.csv",  "predictions.csv", "errors.csv",
        "selection.csv",  "audit.csv", "degradation.csv", "holdout",         "on",
        "conditions.csv", "fit",       "report",
    };
    char path[PATH_SIZE];
    size_t len = 0;
    *removed = '\0';
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
        if (fs_path(path, sizeof path, err, "%s/%s", dir, derived[i]) < 0)
            return -1;
        if (!fs_exists(path))
            continue;
        if (fs_remove_tree(path, err) < 0)
            return -1;
        if (len < size)
            len += (size_t)snprintf(removed + len, size - len, "%s%s", len ? ", " : "", derived[i]);
    }
    return 0;
}

/* Rows without the manifest that tells of them would stand beside an earlier one's. */
static int remove_rows(const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, NULL, "%s/imported.csv", dir) == 0)
        fs_remove_tree(path, NULL);
    return err_prefix(err, "the rows are not kept");
}

int import_write(const struct import *job, const char *dir, const char *dataset, const char *build,
                 const char *command, char *removed, size_t size, struct err *err)
{
    struct manifest_source *sources = memory_zeros(job->n_sources, sizeof *sources);
    struct manifest_import m = { .dataset = dataset,
                                 .holdout = job->options->holdout,
                                 .sources = sources,
                                 .n_sources = job->n_sources };
    struct run_record run = { .command = command, .example = "", .status = "done" };
    describe(job, sources, &m);
    find_libraries(job, &m);
    utc_now(run.started, sizeof run.started);
    utc_now(run.ended, sizeof run.ended);
    int status = manifest_known(dir, err);
    if (status == 0)
        status = fs_mkdirs(dir, err);
    if (status == 0)
        status = remove_derived(dir, removed, size, err);
    if (status == 0)
        status = rows_write(dir, &job->rows, err);
    if (status == 0)
        status = manifest_write_imported(dir, job->cluster, &m, build, &run, err) < 0
                     ? remove_rows(dir, err)
                     : 0;
    free(sources);
    return status;
}
