/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/import_run.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "harness/import/bare_cluster.h"

/* A name for a data set after a path: its last part without ending, of letters, digits and _-.
 * only.
 */
static void import_name(const char *path, char *buf, size_t size)
{
    size_t end = strlen(path), n = 0;
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    const size_t len = end - begin;
    size_t stem = len;
    for (size_t i = 1; i < len; i++)
        if (path[begin + i] == '.')
            stem = i;
    for (size_t i = 0; i < stem && n + 1 < size; i++) {
        const char c = path[begin + i];
        const int fine = isalnum((unsigned char)c) || (n && strchr("_-.", c));
        buf[n++] = fine ? c : '_';
    }
    buf[n] = '\0';
    if (!n)
        snprintf(buf, size, "imported");
}

static int load_cluster(const struct import_request *r, struct import_result *result,
                        struct err *err)
{
    const char *name = r->cluster ? r->cluster : import_cluster(&result->job);
    if (!name && !r->find_only && import_read(&result->job, err) < 0)
        return -1;
    if (!name)
        return err_usage(err, "the files do not tell which cluster they are of (give --cluster)");
    if ((r->machine ? import_machine(name, r->machine, &result->cluster, err)
                    : cluster_load(r->clusters, name, &result->cluster, err)) < 0)
        return -1;
    const char *own = import_cluster(&result->job);
    /* a file that is named by its path is the user's word */
    if (own && !strchr(name, '/') && strcmp(own, result->cluster.name) != 0) {
        err_usage(err, "want --cluster %s, or none: '%s' has times of %s, not of %s", own,
                  r->paths[0], own, result->cluster.name);
        cluster_free(&result->cluster);
        return -1;
    }
    result->job.cluster = &result->cluster;
    return 0;
}

static void count(struct import_result *result)
{
    const struct imported_rows *rows = &result->job.rows;
    for (size_t i = 0; i < rows->n; i++) {
        const struct imported_row *r = &rows->row[i];
        result->taken += r->status == ROW_OK;
        result->repeated += r->status == ROW_REPEATED;
        result->set_aside += r->status == ROW_SET_ASIDE;
        result->points += r->status == ROW_OK && r->run == 0;
    }
}

/* A study's own measurements are not written over. */
static int check_place(const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0)
        return -1;
    return fs_exists(path) ? err_usage(err, "'%s' holds a study (give another --name)", dir) : 0;
}

static int read_and_write(const struct import_request *r, struct import_result *result,
                          struct err *err)
{
    if (r->dataset)
        snprintf(result->dataset, sizeof result->dataset, "%.63s", r->dataset);
    else
        import_name(r->paths[0], result->dataset, sizeof result->dataset);
    if (fs_path(result->dir, sizeof result->dir, err, "%s/%s/%s", r->results, result->cluster.name,
                result->dataset) < 0 ||
        check_place(result->dir, err) < 0)
        return -1;
    if (r->find_only)
        return 0;
    if (import_read(&result->job, err) < 0)
        return -1;
    count(result);
    if (r->dry_run || !result->taken)
        return 0;
    int lock = -1;
    if (fs_mkdirs(result->dir, err) < 0 ||
        (r->lock && r->lock(result->dir, stderr, &lock, err) < 0))
        return -1;
    result->written = 1;
    const int status = import_write(&result->job, result->dir, result->dataset, r->build,
                                    r->command, result->removed, sizeof result->removed, err);
    if (lock >= 0)
        close(lock);
    return status;
}

/* Adds the command line that would do to an error that names what nothing tells. */
static void advise(const struct import_request *r, const struct import *job, struct err *err)
{
    enum { MOST_COMMAND = 240 }; /* of err.text */
    static const char import[] = "collsel import ";
    const struct err said = *err;
    const int ours = strncmp(r->command, import, sizeof import - 1) == 0;
    if (!ours)
        err_usage(err, "%s; this would do: %s%s%s", said.text, import, r->paths[0], job->lacks);
    else if (strlen(r->command) < MOST_COMMAND)
        err_usage(err, "%s; this would do: %s%s", said.text, r->command, job->lacks);
    else
        err_usage(err, "%s; add%s", said.text, job->lacks);
}

int import_run(const struct import_request *request, struct import_result *result, struct err *err)
{
    *result = (struct import_result){ .taken = 0 };
    int status = import_open(&result->job, request->options, request->paths, request->n_paths, err);
    if (status == 0 && (status = load_cluster(request, result, err)) == 0 &&
        (status = read_and_write(request, result, err)) < 0)
        cluster_free(&result->cluster);
    if (status < 0 && err && result->job.lacks)
        advise(request, &result->job, err);
    if (status < 0)
        import_clear(&result->job);
    return status;
}

void import_result_clear(struct import_result *result)
{
    import_clear(&result->job);
    cluster_free(&result->cluster);
}
