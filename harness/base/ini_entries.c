/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/ini_entries.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"

struct reader {
    const char *path;
    const char *rest; /* text not yet read */
    int line;         /* of the last line given to inih */
    int indented;     /* that line starts with a blank */
    int failed;       /* *err is set */
    struct ini_entries *entries;
    struct err *err;
};

void ini_entries_free(struct ini_entries *e)
{
    for (size_t i = 0; i < e->n; i++)
        free(e->v[i].value);
    free(e->v);
    *e = (struct ini_entries){ 0 };
}

static int stop(struct reader *r)
{
    r->failed = 1;
    return err_prefix(r->err, "%s:%d", r->path, r->line);
}

static void entry_add(struct reader *r, const char *section, const char *name, const char *value)
{
    struct ini_entries *e = r->entries;
    struct ini_entry *entry = array_add(&e->v, &e->n);
    entry->value = memory_text(value);
    entry->line = r->line;
    snprintf(entry->section, sizeof entry->section, "%s", section);
    snprintf(entry->name, sizeof entry->name, "%s", name);
}

/* A section's opening line, which inih does not report. */
static int open_section(struct reader *r, const char *line, size_t len)
{
    char section[INI_WORD];
    const char *end = memchr(line, ']', len);
    size_t n = end ? (size_t)(end - line - 1) : 0;
    if (!end || n == 0)
        return err_usage(r->err, "'%.*s' opens no section (want [name])", (int)len, line);
    _Static_assert(sizeof section >= 50, "inih keeps 49 characters");
    if (n >= 50)
        return err_usage(r->err, "section '%.40s...' is too long", line + 1);
    memcpy(section, line + 1, n);
    section[n] = '\0';
    entry_add(r, section, "", "");
    return 0;
}

/* inih's reader: one line of the text in memory, counted and checked. */
static char *next_line(char *buf, int size, void *user)
{
    struct reader *r = user;
    if (r->failed || !*r->rest)
        return NULL;
    const char *end = strchr(r->rest, '\n');
    size_t len = end ? (size_t)(end - r->rest) : strlen(r->rest);
    r->line++;
    if (len + 2 > (size_t)size) {
        err_usage(r->err,
                  "the line has %zu characters (want at most %d; go on in a line that starts "
                  "with a blank)",
                  len, size - 2);
        stop(r);
        return NULL;
    }
    r->indented = len && (r->rest[0] == ' ' || r->rest[0] == '\t');
    if (len && r->rest[0] == '[' && open_section(r, r->rest, len) < 0) {
        stop(r);
        return NULL;
    }
    memcpy(buf, r->rest, len);
    buf[len] = '\n';
    buf[len + 1] = '\0';
    r->rest += len + (end != NULL);
    return buf;
}

static void append(struct ini_entry *last, const char *more)
{
    size_t a = strlen(last->value), b = strlen(more);
    char *value = memory_resize(last->value, a + b + 2, 1);
    value[a] = ' ';
    memcpy(value + a + 1, more, b + 1);
    last->value = value;
}

/* inih's handler: one key. Returns 1, or 0 to report an error in this line. */
static int on_key(void *user, const char *section, const char *name, const char *value)
{
    struct reader *r = user;
    struct ini_entries *e = r->entries;
    struct ini_entry *last = e->n ? &e->v[e->n - 1] : NULL;
    int status = 0;
    if (r->failed)
        return 0;
    if (r->indented) {
        if (last && *last->name && strcmp(last->name, name) == 0)
            append(last, value);
        else
            status = err_usage(r->err, "'%s' starts with a blank but continues nothing", name);
    } else if (!*section) {
        status = err_usage(r->err, "key '%s' stands before any [section]", name);
    } else if (!*name || strlen(name) >= 49) {
        status = err_usage(r->err, "'%.40s' is not a key", name);
    } else {
        entry_add(r, section, name, value);
    }
    if (status < 0)
        stop(r);
    return status == 0;
}

/* The line, from 1, in which a text ends at AT. */
static size_t line_at(const char *text, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

int ini_entries_read(const char *path, struct ini_entries *entries, struct err *err)
{
    size_t len;
    char *text = fs_read(path, &len, err);
    if (!text)
        return -1;
    struct reader r = { .path = path, .rest = text, .entries = entries, .err = err };
    int bad = 0;
    if (strlen(text) != len)
        bad = err_usage(err, "%s:%zu: holds a NUL byte", path, line_at(text, strlen(text)));
    else
        bad = ini_parse_stream(next_line, &r, on_key, &r);
    if (!r.failed && bad > 0)
        bad = err_usage(err, "%s:%d: neither [section] nor key = value", path, bad);
    free(text);
    if (r.failed || bad) {
        ini_entries_free(entries);
        return -1;
    }
    return 0;
}
