/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - what became of the rows, for people. */
#include "harness/base/json_print.h"
#include "harness/import/import_run.h"
#include "harness/study/libraries/natives.h"
#include "workloads/schedules/collectives.h"

enum { SHOWN = 3, SHOWN_NAMES = 6, SHOWN_FILES = 20 };

/* A path as a terminal may see it. */
static const char *seen_path(const char *path, char buf[PATH_SIZE])
{
    snprintf(buf, PATH_SIZE, "%s", path);
    return text_disarm(buf);
}

static void print_source(FILE *out, const struct source *s)
{
    char path[PATH_SIZE];
    fprintf(out, "%-9s %8zu %8zu %9zu %10zu  %s%s%s%s\n", s->format->name, s->text.lines, s->taken,
            s->repeated, s->set_aside, seen_path(s->path, path), *s->text.encoding ? " (" : "",
            s->text.encoding, *s->text.encoding ? ")" : "");
}

/* Of many files the first, and the first of those of which not all rows were taken. */
static void print_sources(FILE *out, const struct import *job)
{
    size_t shown = 0, whole = 0;
    fprintf(out, "%-9s %8s %8s %9s %10s  %s\n", "format", "lines", "taken", "repeated", "set aside",
            "file");
    for (size_t i = 0; i < job->n_sources && shown < SHOWN_FILES; i++) {
        const struct source *s = &job->source[i];
        const int all = !s->repeated && !s->set_aside;
        if (all && job->n_sources > SHOWN_FILES && whole == SHOWN)
            continue;
        whole += (size_t)all;
        shown++;
        print_source(out, s);
    }
    if (shown < job->n_sources)
        fprintf(out, "and %zu more file%s (manifest.json has all)\n",
                COUNTED(job->n_sources - shown));
}

/* The rows for which `is` holds: WHAT and how many, the first of them, and where the others are. */
static void print_rows(FILE *out, const struct import_result *r, const char *what,
                       int (*is)(const struct imported_row *row, int kind), int kind,
                       const char *elsewhere)
{
    const struct imported_rows *rows = &r->job.rows;
    char path[PATH_SIZE];
    size_t n = 0, shown = 0;
    for (size_t i = 0; i < rows->n; i++)
        n += (size_t)is(&rows->row[i], kind);
    if (n)
        fprintf(out, "%s: %zu\n", what, n);
    for (size_t i = 0; i < rows->n && shown < SHOWN; i++)
        if (is(&rows->row[i], kind)) {
            fprintf(out, "  %s:%zu: %s\n", seen_path(rows->row[i].source, path), rows->row[i].line,
                    rows->row[i].reason);
            shown++;
        }
    if (shown < n)
        fprintf(out, "  and %zu more%s\n", n - shown, elsewhere);
}

static int is_aside(const struct imported_row *row, int why)
{
    return row->why == (enum aside)why;
}

/* copy: as rows of files or blocks that came before as a whole, or each on its own. */
static int is_repeated(const struct imported_row *row, int copy)
{
    return row->status == ROW_REPEATED && row->copy == copy;
}

static void print_not_taken(FILE *out, const struct import_result *r)
{
    print_rows(out, r,
               "repeated, a whole file or block of the same numbers came before (count once)",
               is_repeated, 1, "");
    print_rows(out, r, "repeated, the same numbers at the same point before (count once)",
               is_repeated, 0, "");
    for (int why = ASIDE_NOT + 1; why < N_ASIDE; why++) {
        char what[128];
        snprintf(what, sizeof what, "set aside, %s", aside_words((enum aside)why));
        print_rows(out, r, what, is_aside, why, r->written ? " (imported.csv has all)" : "");
    }
}

/* 1 when we know what the candidate sends: it has a schedule, or is the library's own choice. */
static int is_known(const struct point *p)
{
    const char *name = strchr(p->candidate.algorithm, ':') + 1;
    return p->experiment != EXP_TIME || algorithm_is_default(name) ||
           native_find(mpi_family(p->cell.mpi), p->cell.collective, name) ||
           algorithm_find(p->cell.collective, name) ||
           !collective_has_schedules(p->cell.collective);
}

/* An algorithm, and how many rows were taken of it. */
struct named {
    const struct point *point;
    size_t rows;
};

struct algorithms_seen {
    struct named *name;
    size_t n;
};

static void note_name(struct algorithms_seen *all, const struct point *p)
{
    size_t i = 0;
    while (i < all->n &&
           (strcmp(all->name[i].point->cell.collective, p->cell.collective) != 0 ||
            strcmp(all->name[i].point->candidate.algorithm, p->candidate.algorithm) != 0))
        i++;
    if (i == all->n)
        array_add(&all->name, &all->n);
    all->name[i].point = p;
    all->name[i].rows++;
}

static size_t prefix_length(const struct point *p)
{
    return strcspn(p->candidate.algorithm, ":");
}

static int same_prefix(const struct point *p, const struct point *q)
{
    const size_t n = prefix_length(p);
    return n == prefix_length(q) && strncmp(p->candidate.algorithm, q->candidate.algorithm, n) == 0;
}

/* The first few names of the prefix that the from-th has, with their rows, and how many there are.
 */
static void print_prefix(FILE *out, const struct algorithms_seen *all, size_t from)
{
    const struct point *of = all->name[from].point;
    size_t shown = 0, n = 0;
    for (size_t i = from; i < all->n; i++) {
        const struct point *p = all->name[i].point;
        if (!same_prefix(of, p) || ++n > SHOWN_NAMES)
            continue;
        fprintf(out, "%s%s %s (%zu)", shown++ ? ", " : "", p->cell.collective,
                p->candidate.algorithm, all->name[i].rows);
    }
    if (n > shown)
        fprintf(out, " and %zu more", n - shown);
    fputc('\n', out);
}

/* The names for which `is` holds, a line for each prefix: WHAT, then the names. */
static void print_names(FILE *out, const struct imported_rows *rows, const char *what,
                        int (*is)(const struct point *))
{
    struct algorithms_seen all = { .n = 0 };
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].status == ROW_OK && is(&rows->row[i].point))
            note_name(&all, &rows->row[i].point);
    for (size_t i = 0; i < all.n; i++) {
        size_t before = 0, sum = 0;
        for (size_t k = 0; k < i; k++)
            before += (size_t)same_prefix(all.name[k].point, all.name[i].point);
        for (size_t k = i; k < all.n && !before; k++)
            sum += same_prefix(all.name[k].point, all.name[i].point) ? all.name[k].rows : 0;
        if (before)
            continue;
        fprintf(out, "%s: %zu row%s of ", what, COUNTED(sum));
        print_prefix(out, &all, i);
    }
    free(all.name);
}

/* A slip of the pen is one, too. */
static int is_unknown(const struct point *p)
{
    return !is_known(p);
}

/* An algorithm that somebody built on top of the library. */
static int is_foreign(const struct point *p)
{
    const size_t n = prefix_length(p);
    const char *family = mpi_family(p->cell.mpi);
    const char *own = strcmp(family, "other") == 0 ? p->cell.mpi : family;
    return p->experiment == EXP_TIME &&
           (strlen(own) != n || strncmp(p->candidate.algorithm, own, n) != 0);
}

/* Rows whose nodes nobody told, and which mapping node spreads over all that the cluster has. */
static void print_spread(FILE *out, const struct import_result *r)
{
    if (r->job.spread)
        fprintf(out,
                "mapped by node, and nothing tells over how many: %zu row%s %s taken to be over "
                "min(P, %d), what %s has (--set nodes=N)\n",
                COUNTED(r->job.spread), of_number(r->job.spread, "is", "are"), r->cluster.nodes,
                r->cluster.name);
}

/* Files of one cluster's data set that are taken for another's. */
static void print_cluster(FILE *out, const struct import_result *r)
{
    const char *own = import_cluster(&r->job);
    if (own && strcmp(own, r->cluster.name) != 0)
        fprintf(out, "the files are of %s, and taken as measured on %s (--cluster)\n", own,
                r->cluster.name);
}

static void print_passed_over(FILE *out, const char *why, const struct names *files)
{
    if (files->n)
        fprintf(out, "passed over, %s: %zu file%s (%s%s)\n", why, files->n, plural(files->n),
                files->text[0], files->n > 1 ? " ..." : "");
}

void import_print(FILE *out, const struct import_result *r)
{
    const struct import *job = &r->job;
    print_sources(out, job);
    print_not_taken(out, r);
    print_names(out, &job->rows, "no schedule has these names, only regressions predict them",
                is_unknown);
    print_names(
        out, &job->rows,
        "not the library's own, so that the best of all may be none that the library can use",
        is_foreign);
    print_spread(out, r);
    print_passed_over(out, "they cannot be read", &job->unreadable);
    print_passed_over(out, "no format knows them", &job->unknown);
    print_passed_over(out, "their names do not fit --pattern", &job->misnamed);
    if (job->left_out)
        fprintf(out, "left out by --where: %zu row%s\n", COUNTED(job->left_out));
    print_cluster(out, r);
    if (*r->removed)
        fprintf(out, "replaces the rows that were in %s; removed what was made of them: %s\n",
                r->dir, r->removed);
    fprintf(out, "%zu row%s of %zu file%s: %zu taken, %zu repeated, %zu set aside; %zu point%s\n",
            COUNTED(job->rows.n), COUNTED(job->n_sources), r->taken, r->repeated, r->set_aside,
            COUNTED(r->points));
}

/* ---- for programs ---- */

static json_t *sources_json(const struct import *job)
{
    json_t *all = json_array();
    char path[PATH_SIZE];
    for (size_t i = 0; i < job->n_sources; i++) {
        const struct source *s = &job->source[i];
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "format", s->format->name, "file",
                           seen_path(s->path, path), "lines", (json_int_t)s->text.lines, "taken",
                           (json_int_t)s->taken, "repeated", (json_int_t)s->repeated, "set_aside",
                           (json_int_t)s->set_aside));
    }
    return all;
}

/* How many rows were set aside for a reason, and the first of them; NULL: none was. */
static json_t *kind_json(const struct imported_rows *rows, enum aside why)
{
    const struct imported_row *first = NULL;
    char path[PATH_SIZE];
    json_int_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].why == why && !n++)
            first = &rows->row[i];
    return first ? json_pack("{s:s, s:I, s:{s:s, s:I, s:o}}", "why", aside_words(why), "rows", n,
                             "first", "file", seen_path(first->source, path), "line",
                             (json_int_t)first->line, "reason",
                             json_word(first->reason ? first->reason : ""))
                 : NULL;
}

static json_t *asides_json(const struct imported_rows *rows)
{
    json_t *all = json_array();
    for (int why = ASIDE_NOT + 1; why < N_ASIDE; why++) {
        json_t *kind = kind_json(rows, (enum aside)why);
        if (kind)
            json_array_append_new(all, kind);
    }
    return all;
}

static json_t *names_json(const struct names *names)
{
    json_t *all = json_array();
    char path[PATH_SIZE];
    for (size_t i = 0; i < names->n; i++)
        json_array_append_new(all, json_string(seen_path(names->text[i], path)));
    return all;
}

json_t *import_json(const struct import_result *r)
{
    const struct import *job = &r->job;
    return json_pack(
        "{s:s, s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}",
        "results", r->dir, "cluster", r->cluster.name, "dataset", r->dataset, "written", r->written,
        "rows", (json_int_t)job->rows.n, "taken", (json_int_t)r->taken, "repeated",
        (json_int_t)r->repeated, "set_aside", (json_int_t)r->set_aside, "points",
        (json_int_t)r->points, "left_out", (json_int_t)job->left_out, "sources", sources_json(job),
        "aside", asides_json(&job->rows), "unreadable", names_json(&job->unreadable), "unknown",
        names_json(&job->unknown), "misnamed", names_json(&job->misnamed), "removed",
        json_word(r->removed));
}
