/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/import.h"

#include <dirent.h>
#include <sys/stat.h>

#include "harness/import/file_pattern.h"

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const struct import_format *recognise(const char *path, const struct text *text)
{
    char head[4096];
    text_head(text, head, sizeof head);
    for (const struct import_format *const *f = import_formats; *f; f++)
        if ((*f)->recognise && (*f)->recognise(path, head))
            return *f;
    return NULL;
}

static void note(struct names *names, const char *text)
{
    *array_add(&names->text, &names->n) = memory_text(text);
}

static void forget(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->text[i]);
    free(names->text);
}

static void add_source(struct import *job, const char *path, struct text *text,
                       const struct import_format *format)
{
    *array_add(&job->source, &job->n_sources) =
        (struct source){ .path = memory_text(path), .format = format, .text = *text };
}

static int has_suffix(const char *path, const char *suffix)
{
    const size_t n = strlen(path), k = suffix ? strlen(suffix) : 0;
    return k && n > k && same_word(path + n - k, suffix);
}

static int unreadable(struct import *job, const char *why, int named, struct err *err)
{
    if (named)
        return err_set(err, "%s", why);
    note(&job->unreadable, why);
    return 0;
}

/* named: by the user, not found in a directory: of a --format, it is a source whatever it holds. */
static int open_file(struct import *job, const char *path, int named, struct err *err)
{
    struct text text;
    struct err why = { 0 };
    if (text_open(&text, path, &why) < 0)
        return unreadable(job, why.text, named, err);
    const struct import_format *known = recognise(path, &text);
    const struct import_format *format = job->options->format;
    if (!format)
        format = known;
    else if (!named && known != format && !has_suffix(path, format->suffix))
        format = NULL;
    const int fits =
        !format || named || !job->options->pattern || pattern_fits(job->options->pattern, path);
    if (fits && format) {
        add_source(job, path, &text, format);
        return 0;
    }
    note(fits ? &job->unknown : &job->misnamed, path);
    text_close(&text);
    return 0;
}

static int open_path(struct import *job, const char *path, int named, struct err *err);

static int open_directory(struct import *job, const char *path, struct err *err)
{
    struct dirent **entry;
    char within[PATH_SIZE];
    const size_t len = strlen(path);
    const int n = scandir(path, &entry, NULL, alphasort);
    int status = 0;
    if (n < 0)
        return err_errno(err, "%s", path);
    for (int i = 0; i < n; i++) {
        if (entry[i]->d_name[0] != '.' && status == 0) {
            status = fs_path(within, sizeof within, err, "%s%s%s", path,
                             len && path[len - 1] == '/' ? "" : "/", entry[i]->d_name);
            if (status == 0)
                status = open_path(job, within, 0, err);
        }
        free(entry[i]);
    }
    free(entry);
    return status;
}

/* Links out of a directory are not followed, so that there is an end. */
static int open_path(struct import *job, const char *path, int named, struct err *err)
{
    struct stat st;
    if ((named ? stat(path, &st) : lstat(path, &st)) < 0)
        return err_errno(err, "%s", path);
    if (S_ISDIR(st.st_mode))
        return open_directory(job, path, err);
    if (!S_ISREG(st.st_mode) && !named)
        return 0;
    return open_file(job, path, named, err);
}

int import_open(struct import *job, const struct import_options *options, char *const *paths,
                size_t n, struct err *err)
{
    *job = (struct import){ .options = options };
    for (size_t i = 0; i < n; i++)
        if (open_path(job, paths[i], 1, err) < 0)
            return -1;
    if (!job->n_sources && job->misnamed.n)
        return err_usage(err, "no file's name fits --pattern '%s' (not '%s', for one)",
                         options->pattern, base_name(job->misnamed.text[0]));
    const char *unknown = job->unknown.n ? job->unknown.text[0] : "any file there";
    if (!job->n_sources && options->format)
        return err_set(err, "format %s does not know %s", options->format->name, unknown);
    if (!job->n_sources)
        return err_set(err, "%s is in no known format (name it: --format)", unknown);
    return 0;
}

const char *import_cluster(const struct import *job)
{
    const char *found = NULL;
    for (size_t i = 0; i < job->n_sources; i++) {
        const char *cluster = job->source[i].format->cluster;
        if (!cluster || (found && strcmp(found, cluster) != 0))
            return NULL;
        found = cluster;
    }
    return found;
}

void import_batch(struct import *job)
{
    job->batch++;
}

int import_next(struct import *job)
{
    while (!job->err.status && text_next(&job->now->text, &job->line)) {
        const struct line *l = &job->line;
        if (!l->text[strspn(l->text, " \t")] && !l->unreadable)
            continue;
        if (l->unreadable)
            import_set_aside(job, ASIDE_UNREADABLE,
                             "control characters, or bytes that are not UTF-8");
        else if (l->unended && !job->options->whole)
            import_set_aside(job, ASIDE_CUT, "the file ends within the line: '%.60s'", l->text);
        else
            return 1;
    }
    return 0;
}

/* What is told of a source by its name, by options, and by its format, in this order. */
static int tell_source(struct import *job, struct source *s)
{
    const struct import_options *o = job->options;
    struct source_row own = { .text = { [ROLE_MPI] = s->format->mpi } };
    if (o->pattern && pattern_match(o->pattern, s->path, &s->told, &s->words, &job->err) < 0)
        return err_prefix(&job->err, "%s", s->path);
    source_row_complete(&s->told, &o->constants);
    source_row_complete(&s->told, &own);
    return 0;
}

/* Rows that were taken, from this one on, are of a table that has the columns of --where. */
static int check_where(struct import *job, size_t from)
{
    const struct import_options *o = job->options;
    while (from < job->rows.n && job->rows.row[from].status == ROW_SET_ASIDE)
        from++;
    for (size_t i = 0; i < o->n_where && from < job->rows.n; i++)
        if (!job->where_known[i])
            return err_usage(&job->err, "--where: '%s', of format %s, has no column '%s'",
                             job->now->path, job->now->format->name, o->where[i].column);
    return 0;
}

static int read_source(struct import *job, struct source *s)
{
    const size_t before = job->rows.n;
    memset(job->where_known, 0, sizeof job->where_known);
    job->now = s;
    import_batch(job);
    job->line = (struct line){ .number = 1 };
    if (tell_source(job, s) < 0)
        return -1;
    if (!s->text.len)
        return import_set_aside(job, ASIDE_MISSING, "the file is empty");
    return s->format->read(job) < 0 || job->err.status ? -1 : check_where(job, before);
}

static void count(struct import *job)
{
    size_t k = 0;
    for (size_t i = 0; i < job->rows.n; i++) {
        const struct imported_row *r = &job->rows.row[i];
        while (job->source[k].path != r->source)
            k++;
        job->source[k].taken += r->status == ROW_OK;
        job->source[k].repeated += r->status == ROW_REPEATED;
        job->source[k].set_aside += r->status == ROW_SET_ASIDE;
    }
}

int import_read(struct import *job, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < job->n_sources && status == 0; i++)
        status = read_source(job, &job->source[i]);
    if (status == 0)
        rows_number(&job->rows);
    if (status == 0)
        status = import_conditions(job, &job->err);
    if (status == 0)
        count(job);
    else if (err)
        *err = job->err;
    return status;
}

void import_clear(struct import *job)
{
    for (size_t i = 0; i < job->n_sources; i++) {
        text_close(&job->source[i].text);
        memory_free(job->source[i].path, job->source[i].words);
    }
    free(job->source);
    forget(&job->unknown);
    forget(&job->unreadable);
    forget(&job->misnamed);
    forget(&job->kept);
    rows_clear(&job->rows);
    free(job->lacks);
    *job = (struct import){ .n_sources = 0 };
}
