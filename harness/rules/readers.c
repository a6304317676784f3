/* SPDX-License-Identifier: BSD-3-Clause */
/* readers.c - the table of readers, and what is the same for all. */
#include "harness/rules/rules.h"

const char *const rules_outcome_words[] = { "own", "rule", "fails", "hangs", "dies", NULL };
const char *const rules_severity_words[] = { "note", "warning", "error", NULL };

/* clang-format off */
const struct rules_reader *const rules_readers[] = {
    &rules_openmpi40,  &rules_openmpi41,  &rules_openmpi500, &rules_openmpi5,   &rules_openmpi6,
    &rules_han41,      &rules_han5,       &rules_han6,       &rules_mpich40,    &rules_mpich41,
    &rules_mpich42,    &rules_mpich43,    &rules_mpich50,    &rules_mpich43gpu, &rules_mpich50gpu,
    &rules_libcollsel, NULL,
};
/* clang-format on */

int rules_reader_writes(const struct rules_reader *reader)
{
    return reader->write || reader->write_choices;
}

const struct rules_reader *rules_reader_find(const char *name)
{
    return named_row(rules_readers, name);
}

const struct rules_reader *rules_reader_of(const char *library, const char *version)
{
    if (*version < '0' || *version > '9')
        return NULL;
    for (const struct rules_reader *const *r = rules_readers; *r; r++)
        if (strcmp((*r)->library, library) == 0 && !(*r)->component &&
            version_within(version, (*r)->from, (*r)->below))
            return *r;
    return NULL;
}

int rules_library_known(const char *library)
{
    for (const struct rules_reader *const *r = rules_readers; *r; r++)
        if (strcmp((*r)->library, library) == 0)
            return 1;
    return 0;
}

void rules_find(struct rules_findings *found, enum rules_severity severity, const char *kind,
                int line, const char *fmt, ...)
{
    va_list args;
    struct rules_finding *f = array_add(&found->v, &found->n);
    f->severity = severity;
    f->kind = kind;
    f->line = line;
    va_start(args, fmt);
    vsnprintf(f->text, sizeof f->text, fmt, args);
    va_end(args);
    text_disarm(f->text); /* words of a file may have what a terminal obeys */
}

static int compare_findings(const void *a, const void *b)
{
    const struct rules_finding *x = a, *y = b;
    return by_keys(ascending(x->line, y->line), ascending(y->severity, x->severity),
                   strcmp(x->text, y->text));
}

static void read_text(const struct rules_reader *reader, const char *text, size_t len,
                      struct rules *r)
{
    char *own = memory_zeros(len + 1, 1);
    memcpy(own, text, len);
    *r = (struct rules){ .reader = reader, .element_bytes = 1 };
    reader->read(r, own, len);
    free(own);
}

/* A file that another component of the release reads is no file of this one, or hardly. */
static void try_twin(const char *text, size_t len, struct rules *r)
{
    struct rules other;
    if (!r->reader->twin)
        return;
    read_text(r->reader->twin, text, len, &other);
    if (other.loaded && (!r->loaded || !r->reader->component))
        rules_find(&r->found, r->loaded ? RULES_WARNING : RULES_NOTE, "other", 0,
                   "component %s reads this file: --library %s",
                   r->reader->twin->component ? r->reader->twin->component : "tuned",
                   r->reader->twin->name);
    rules_close(&other);
}

void rules_of_text(const struct rules_reader *reader, const char *text, size_t len, struct rules *r)
{
    read_text(reader, text, len, r);
    try_twin(text, len, r);
    if (r->found.n)
        qsort(r->found.v, r->found.n, sizeof *r->found.v, compare_findings);
}

/* No library's file of rules comes near it; a device has no end. */
enum { MOST_MIB = 64 };

char *rules_read(const char *path, size_t *len, struct err *err)
{
    return fs_read_within(path, (size_t)MOST_MIB << 20, len, err);
}

int rules_open(const struct rules_reader *reader, const char *path, struct rules *r,
               struct err *err)
{
    size_t len;
    char *text = rules_read(path, &len, err);
    if (!text)
        return -1;
    rules_of_text(reader, text, len, r);
    free(text);
    return 0;
}

void rules_ask(const struct rules *r, const struct rules_call *call, struct rules_answer *out)
{
    *out = (struct rules_answer){ .outcome = RULES_OWN };
    r->reader->ask(r, call, out);
}

/* The first finding of a kind, on a line (0: on any); NULL: there is none. */
static const struct rules_finding *first_of(const struct rules *r, const char *kind, int line)
{
    return find_below(r->found.v, i, r->found.n,
                      strcmp(r->found.v[i].kind, kind) == 0 &&
                          (!line || r->found.v[i].line == line));
}

void rules_tell_unused(const struct rules *r, struct rules_answer *out)
{
    const struct rules_finding *dropped = first_of(r, "unread", 0),
                               *f = dropped ? dropped : first_of(r, "dies", r->dies),
                               *other = first_of(r, "other", 0);
    char line[32] = "";
    if (f && f->line)
        snprintf(line, sizeof line, "line %d: ", f->line);
    snprintf(out->why, sizeof out->why, "%s%s%.280s%s%.60s",
             !f        ? "the file is not used"
             : dropped ? "the file is not used: "
                       : "",
             line, f ? f->text : "", other ? "; " : "", other ? other->text : "");
}

void rules_close(struct rules *r)
{
    if (r->reader)
        r->reader->clear(r);
    free(r->found.v);
    *r = (struct rules){ .reader = NULL };
}
