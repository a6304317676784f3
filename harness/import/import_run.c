/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/import_run.h"

#include <sys/mman.h>
#include <unistd.h>

/* A cluster without a file, for an import, which needs only the numbers of nodes, sockets and
 * cores. */

enum { MOST = 1000000 };

/* The numbers of "13x2x21"; how many, 0: it is no such text. */
static int read_numbers(const char *text, int number[3])
{
    char copy[64], *rest, *word;
    int n = 0;
    uint64_t v;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return 0;
    for (rest = copy; (word = strsep(&rest, "x")) != NULL; number[n++] = (int)v)
        if (n == 3 || parse_u64(word, &v, NULL) < 0 || v < 1 || v > MOST)
            return 0;
    return n == 1 ? 0 : n;
}

/* By the reader of cluster files, so that what follows from these facts does here, too. */
static int load(const char *name, const int number[3], int n, struct cluster *c, struct err *err)
{
    char path[64];
    const int fd = memfd_create("collsel", MFD_CLOEXEC);
    if (fd < 0)
        return err_errno(err, "--machine");
    int status = dprintf(fd, "[cluster]\nname = %s\nnodes = %d\nsockets = %d\ncores = %d\n", name,
                         number[0], n == 3 ? number[1] : 1, number[n - 1]) < 0
                     ? err_errno(err, "--machine")
                     : 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (status == 0)
        status = cluster_load("", path, c, err);
    close(fd);
    return status;
}

/* A cluster of this name and shape "13x2x21": nodes, sockets per node, cores per socket; or
 * "13x42": one socket per node. Its path is no file. 0; the caller calls cluster_free; or -1 with
 * *err (status 2) and nothing to free. */
static int import_machine(const char *name, const char *text, struct cluster *cluster,
                          struct err *err)
{
    int number[3];
    const int n = read_numbers(text, number);
    if (!n)
        return err_usage(err,
                         "--machine: '%.40s' says no machine (want NODESxCORES or "
                         "NODESxSOCKETSxCORES, as 13x2x21)",
                         text);
    if (!text_is_name(name))
        return err_usage(err, "--cluster: '%.60s' is not a name (%s)", name, TEXT_WANT_NAME);
    if (load(name, number, n, cluster, err) < 0)
        return -1;
    snprintf(cluster->path, sizeof cluster->path, "--machine %s", text);
    return 0;
}

/* A name for a data set after a path: its last part without ending, of letters, digits and _-.
 * only. */
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
