/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/run.h"

#include <ctype.h>
#include <string.h>

#include "harness/study/libraries/natives.h"
#include "workloads/schedules/collectives.h"

enum { SHOWN = 3, MAX_UNKNOWN = 64 };

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
    if (!name)
        return err_usage(err, "the files do not tell which cluster they are of (give --cluster)");
    if (cluster_load(r->clusters, name, &result->cluster, err) < 0)
        return -1;
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
        check_place(result->dir, err) < 0 || import_read(&result->job, err) < 0)
        return -1;
    count(result);
    if (r->dry_run || !result->taken)
        return 0;
    result->written = 1;
    return import_write(&result->job, result->dir, result->dataset, r->build, r->command,
                        result->removed, sizeof result->removed, err);
}

int import_run(const struct import_request *request, struct import_result *result, struct err *err)
{
    *result = (struct import_result){ .taken = 0 };
    int status = import_open(&result->job, request->options, request->paths, request->n_paths, err);
    if (status == 0 && (status = load_cluster(request, result, err)) == 0 &&
        (status = read_and_write(request, result, err)) < 0)
        cluster_free(&result->cluster);
    if (status < 0)
        import_clear(&result->job);
    return status;
}

void import_result_clear(struct import_result *result)
{
    import_clear(&result->job);
    cluster_free(&result->cluster);
}

/* ---- what became of the rows ---- */

static void print_sources(FILE *out, const struct import *job)
{
    fprintf(out, "%-9s %8s %8s %9s %10s  %s\n", "format", "lines", "taken", "repeated", "set aside",
            "file");
    for (size_t i = 0; i < job->n_sources; i++) {
        const struct source *s = &job->source[i];
        fprintf(out, "%-9s %8zu %8zu %9zu %10zu  %s%s%s%s\n", s->format->name, s->text.lines,
                s->taken, s->repeated, s->set_aside, s->path, *s->text.encoding ? " (" : "",
                s->text.encoding, *s->text.encoding ? ")" : "");
    }
}

static void print_kind(FILE *out, const struct import_result *r, enum aside why)
{
    const struct imported_rows *rows = &r->job.rows;
    size_t n = 0, shown = 0;
    for (size_t i = 0; i < rows->n; i++)
        n += rows->row[i].why == why;
    if (!n)
        return;
    fprintf(out, "set aside, %s: %zu\n", aside_words(why), n);
    for (size_t i = 0; i < rows->n && shown < SHOWN; i++)
        if (rows->row[i].why == why) {
            fprintf(out, "  %s:%zu: %s\n", rows->row[i].source, rows->row[i].line,
                    rows->row[i].reason);
            shown++;
        }
    if (shown < n)
        fprintf(out, "  and %zu more%s\n", n - shown, r->written ? " (imported.csv has all)" : "");
}

static void print_repeated(FILE *out, const struct import_result *r)
{
    size_t shown = 0;
    if (!r->repeated)
        return;
    fprintf(out, "repeated, the same numbers at the same point before (count once): %zu\n",
            r->repeated);
    for (size_t i = 0; i < r->job.rows.n && shown < SHOWN; i++)
        if (r->job.rows.row[i].status == ROW_REPEATED) {
            fprintf(out, "  %s:%zu: %s\n", r->job.rows.row[i].source, r->job.rows.row[i].line,
                    r->job.rows.row[i].reason);
            shown++;
        }
    if (shown < r->repeated)
        fprintf(out, "  and %zu more\n", r->repeated - shown);
}

/* 1 when we know what the candidate sends: it has a schedule, or is the library's own choice. */
static int is_known(const struct point *p)
{
    const char *name = strchr(p->candidate.algorithm, ':') + 1;
    return p->experiment != EXP_TIME || algorithm_is_default(name) ||
           native_find(p->cell.mpi, p->cell.collective, name) ||
           algorithm_find(p->cell.collective, name) ||
           !collective_has_schedules(p->cell.collective);
}

/* A name that is none of ours, and how many rows were taken of it. */
struct unknown {
    const struct point *point;
    size_t rows;
};

static void note_unknown(struct unknown *all, size_t *n, const struct point *p)
{
    size_t i = 0;
    while (i < *n && (strcmp(all[i].point->cell.collective, p->cell.collective) != 0 ||
                      strcmp(all[i].point->candidate.algorithm, p->candidate.algorithm) != 0))
        i++;
    if (i == *n && *n < MAX_UNKNOWN)
        all[(*n)++] = (struct unknown){ .point = p };
    if (i < *n)
        all[i].rows++;
}

/* A slip of the pen is one, too. */
static void print_unknown(FILE *out, const struct imported_rows *rows)
{
    struct unknown all[MAX_UNKNOWN];
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].status == ROW_OK && !is_known(&rows->row[i].point))
            note_unknown(all, &n, &rows->row[i].point);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s %s: %zu rows; no schedule has this name, only regressions predict it\n",
                all[i].point->cell.collective, all[i].point->candidate.algorithm, all[i].rows);
}

/* Rows whose nodes nobody told, and which mapping node spreads over all that the cluster has. */
static void print_spread(FILE *out, const struct import_result *r)
{
    if (r->job.spread)
        fprintf(out,
                "mapped by node, and nothing tells over how many: %zu rows are taken to be over "
                "min(P, %d), what %s has (--set nodes=N)\n",
                r->job.spread, r->cluster.nodes, r->cluster.name);
}

/* Files of one cluster's data set that are taken for another's. */
static void print_cluster(FILE *out, const struct import_result *r)
{
    const char *own = import_cluster(&r->job);
    if (own && strcmp(own, r->cluster.name) != 0)
        fprintf(out, "the files are of %s, and taken as measured on %s (--cluster)\n", own,
                r->cluster.name);
}

void import_print(FILE *out, const struct import_result *r)
{
    const struct import *job = &r->job;
    print_sources(out, job);
    print_repeated(out, r);
    for (int why = ASIDE_NOT + 1; why < N_ASIDE; why++)
        print_kind(out, r, (enum aside)why);
    print_unknown(out, &job->rows);
    print_spread(out, r);
    if (job->n_unreadable)
        fprintf(out, "passed over, they cannot be read: %zu files (%s%s)\n", job->n_unreadable,
                job->unreadable[0], job->n_unreadable > 1 ? " ..." : "");
    if (job->n_passed_over)
        fprintf(out, "passed over, no format knows them: %zu files (%s%s)\n", job->n_passed_over,
                job->passed_over[0], job->n_passed_over > 1 ? " ..." : "");
    print_cluster(out, r);
    if (*r->removed)
        fprintf(out, "replaces the rows that were in %s; removed what was made of them: %s\n",
                r->dir, r->removed);
    fprintf(out, "%zu rows of %zu files: %zu taken, %zu repeated, %zu set aside; %zu points\n",
            job->rows.n, job->n_sources, r->taken, r->repeated, r->set_aside, r->points);
}
