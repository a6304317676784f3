/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/keys.h"

#include <ini.h>

#include "harness/base/suggest.h"

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

/* A file being resolved, and the one that it is like (NULL: none), which it owns. */
struct load {
    const struct key_table *table;
    char path[PATH_SIZE];
    struct ini_entries entries;
    struct load *like;
    int like_line;
    struct err *err;
};

static int fail_at(const struct load *l, int line)
{
    return err_prefix(l->err, "%s:%d", l->path, line);
}

/* "KIND NAME" */
static int is_kind(const char *section, const char *kind)
{
    size_t n = kind ? strlen(kind) : 0;
    return n && strncmp(section, kind, n) == 0 && section[n] == ' ' && section[n + 1] &&
           !strchr(section + n + 1, ' ');
}

static int is_overlay(const struct key_table *t, const char *section)
{
    return is_kind(section, t->overlay);
}

static int is_notes(const struct key_table *t, const char *section)
{
    return t->notes && strcmp(section, t->notes) == 0;
}

static int section_known(const struct key_table *t, const char *section)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->keys[i].section, section) == 0)
            return 1;
    return is_overlay(t, section) || is_notes(t, section);
}

int keys_find(const struct key_table *table, const char *name)
{
    for (size_t i = 0; i < table->n; i++)
        if (strcmp(table->keys[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* The key that an entry sets or remarks on, or NULL. */
static const struct key *entry_key(const struct key_table *t, const struct ini_entry *e)
{
    int i = keys_find(t, e->name);
    if (i < 0)
        return NULL;
    if (strcmp(t->keys[i].section, e->section) == 0 || is_overlay(t, e->section) ||
        is_notes(t, e->section))
        return &t->keys[i];
    return NULL;
}

/* "like = NAME" in the first section. */
static int is_like(const struct key_table *t, const struct ini_entry *e)
{
    return strcmp(e->name, "like") == 0 && strcmp(e->section, t->keys[0].section) == 0;
}

static int unknown_key(const struct load *l, const struct ini_entry *e)
{
    int i = keys_find(l->table, e->name);
    if (i >= 0)
        return err_usage(l->err, "key '%s' stands in [%s] (it belongs into [%s])", e->name,
                         e->section, l->table->keys[i].section);
    struct suggest m;
    err_usage(l->err, "'%s' is not a key of [%s] of a %s", e->name, e->section, l->table->what);
    suggest_init(&m, e->name);
    for (size_t k = 0; k < l->table->n; k++)
        if (strcmp(l->table->keys[k].section, e->section) == 0)
            suggest_try(&m, l->table->keys[k].name);
    return suggest_add(&m, l->err);
}

/* Sections and keys are known and stand once. */
static int check_entry(const struct load *l, size_t i)
{
    const struct ini_entry *e = &l->entries.v[i];
    for (size_t k = 0; k < i; k++) {
        const struct ini_entry *earlier = &l->entries.v[k];
        if (strcmp(earlier->section, e->section) == 0 && strcmp(earlier->name, e->name) == 0) {
            if (*e->name)
                err_usage(l->err, "key '%s' is given twice (first in line %d)", e->name,
                          earlier->line);
            else
                err_usage(l->err, "section [%s] is opened twice (first in line %d)", e->section,
                          earlier->line);
            return fail_at(l, e->line);
        }
    }
    if (!section_known(l->table, e->section)) {
        err_usage(l->err, "[%s] is not a section of a %s", e->section, l->table->what);
        return fail_at(l, e->line);
    }
    if (*e->name && !is_like(l->table, e) && !entry_key(l->table, e)) {
        unknown_key(l, e);
        return fail_at(l, e->line);
    }
    return 0;
}

/* Every value parses, also those of overlays that do not hold now. */
static int check_value(const struct load *l, const struct ini_entry *e, char *scratch)
{
    if (!*e->name || is_notes(l->table, e->section) || is_like(l->table, e))
        return 0;
    const struct key *key = entry_key(l->table, e);
    if (key_parse(key, e->value, scratch + key->offset, l->err) < 0) {
        err_prefix(l->err, "%s", key->name);
        return fail_at(l, e->line);
    }
    return 0;
}

static int check_all(const struct load *l)
{
    char *scratch = memory_zeros(1, l->table->target_size);
    int status = 0;
    for (size_t i = 0; status == 0 && i < l->entries.n; i++) {
        if (is_kind(l->entries.v[i].section, l->table->apart))
            continue;
        status = check_entry(l, i);
        if (status == 0)
            status = check_value(l, &l->entries.v[i], scratch);
    }
    free(scratch);
    return status;
}

/* The entry of a key in a section, or NULL. */
static const struct ini_entry *entry_in(const struct load *l, const char *section, const char *name)
{
    return find_below(l->entries.v, i, l->entries.n,
                      strcmp(l->entries.v[i].section, section) == 0 &&
                          strcmp(l->entries.v[i].name, name) == 0);
}

static int missing(const struct load *l, const struct key *key)
{
    const struct ini_entry *opening = entry_in(l, key->section, "");
    int line = opening ? opening->line : 1;
    err_usage(l->err, "key '%s' of [%s] is missing: %s", key->name, key->section, key->help);
    return fail_at(l, line);
}

/* What a file says of a key: in the overlay that holds, else in the key's section; NULL: nothing.
 */
static const struct ini_entry *entry_of(const struct load *l, const struct key *key,
                                        const char *overlay)
{
    char section[2 * KEY_WORD];
    const struct ini_entry *e = NULL;
    if (overlay && l->table->overlay) {
        snprintf(section, sizeof section, "%s %.63s", l->table->overlay, overlay);
        e = entry_in(l, section, key->name);
    }
    return e ? e : entry_in(l, key->section, key->name);
}

/* The entry of a key, in the file or the next that it is like, and which that is (`from`). */
static const struct ini_entry *find_entry(const struct load *l, const struct key *key,
                                          const char *overlay, const struct load **from)
{
    const struct ini_entry *e = entry_of(l, key, overlay);
    *from = l;
    while (!e && (*from)->like && strcmp(key->name, "name") != 0) {
        *from = (*from)->like;
        e = entry_of(*from, key, overlay);
    }
    return e;
}

/* The remark on a key of the file that gives its value, else of one that this is like and that
 * gives no value. */
static const struct ini_entry *find_note(const struct load *from, const struct key *key,
                                         const char *overlay)
{
    const char *notes = from->table->notes;
    const struct ini_entry *note = notes ? entry_in(from, notes, key->name) : NULL;
    const int given = entry_of(from, key, overlay) != NULL;
    for (const struct load *l = from->like;
         notes && !note && given && l && !entry_of(l, key, overlay); l = l->like)
        note = entry_in(l, notes, key->name);
    return note;
}

static int resolve_key(const struct load *l, const struct key *key, const char *overlay,
                       char *target, struct setting *setting)
{
    const struct load *from;
    const struct ini_entry *e = find_entry(l, key, overlay, &from);
    if (!e && !key->fallback)
        return missing(l, key);
    const char *text = e ? e->value : key->fallback;
    const struct ini_entry *note = find_note(e ? from : l, key, overlay);
    setting->line = !e ? 0 : from == l ? e->line : l->like_line;
    setting->text = memory_text(text);
    setting->note = note ? memory_text(note->value) : NULL;
    return key_parse(key, text, target + key->offset, l->err);
}

/* The path of NAME.ini beside the file; NAME is a name, not a path. */
static int path_beside(const struct load *l, const struct ini_entry *e, char *path, size_t size)
{
    const char *slash = strrchr(l->path, '/');
    const int dir = slash ? (int)(slash - l->path + 1) : 0;
    if (!*e->value || strpbrk(e->value, "/."))
        return err_usage(l->err, "'%.64s' is no name (want NAME of a NAME.ini beside this file)",
                         e->value);
    return fs_path(path, size, l->err, "%.*s%s.ini", dir, l->path, e->value);
}

enum { MOST_LIKE = 4 };

static int read_files(struct load *l, int depth);

/* Reads the file that l is like by an entry. */
static int read_like(struct load *l, const struct ini_entry *e, int depth)
{
    struct load *like = l->like = memory_zeros(1, sizeof *like);
    like->table = l->table;
    like->err = l->err;
    l->like_line = e->line;
    if (path_beside(l, e, like->path, sizeof like->path) < 0)
        return -1;
    if (!fs_exists(like->path))
        return err_usage(l->err, "'%s' does not exist (want it beside this file)", like->path);
    if (depth == MOST_LIKE)
        return err_usage(l->err, "'%s' is the %dth file in a row (want fewer, and no circle)",
                         like->path, depth + 1);
    return read_files(like, depth + 1);
}

/* Reads and checks the entries of a file, and of those that it is like. The caller frees them,
 * whatever is returned. */
static int read_files(struct load *l, int depth)
{
    if (ini_entries_read(l->path, &l->entries, l->err) < 0 || check_all(l) < 0)
        return -1;
    const struct ini_entry *e = entry_in(l, l->table->keys[0].section, "like");
    if (!e || read_like(l, e, depth) == 0)
        return 0;
    err_prefix(l->err, "like");
    return fail_at(l, e->line);
}

static void free_files(struct load *l)
{
    if (l->like)
        free_files(l->like);
    free(l->like);
    ini_entries_free(&l->entries);
}

int keys_load(const struct key_table *table, const char *path, const char *overlay, void *target,
              struct settings *settings, struct err *err)
{
    struct load l = { .table = table, .err = err };
    *settings = (struct settings){ .table = table };
    memset(target, 0, table->target_size);
    int status = fs_path(l.path, sizeof l.path, err, "%s", path);
    if (status == 0)
        status = read_files(&l, 1);
    if (status == 0)
        settings->v = memory_zeros(table->n, sizeof *settings->v);
    for (size_t i = 0; status == 0 && i < table->n; i++)
        status = resolve_key(&l, &table->keys[i], overlay, target, &settings->v[i]);
    if (status < 0)
        settings_free(settings);
    free_files(&l);
    return status;
}

/* ---- looking at settings ---- */

const char *settings_text(const struct settings *settings, const char *name)
{
    int i = keys_find(settings->table, name);
    return i < 0 ? "" : settings->v[i].text;
}

int settings_replace(struct settings *settings, void *target, const char *name, const char *text,
                     struct err *err)
{
    const int i = keys_find(settings->table, name);
    const struct key *key = &settings->table->keys[i];
    free(settings->v[i].text);
    settings->v[i].text = memory_text(text);
    return key_parse(key, text, (char *)target + key->offset, err);
}

void settings_free(struct settings *settings)
{
    for (size_t i = 0; settings->v && i < settings->table->n; i++)
        memory_free(settings->v[i].text, settings->v[i].note);
    free(settings->v);
    settings->v = NULL;
}

/* ---- keys and settings for people: `plan --show`, and the reference pages ---- */

void settings_print(FILE *out, const struct settings *settings)
{
    const char *section = "";
    for (size_t i = 0; i < settings->table->n; i++) {
        const struct key *key = &settings->table->keys[i];
        const struct setting *s = &settings->v[i];
        if (strcmp(section, key->section) != 0)
            fprintf(out, "[%s]\n", key->section);
        section = key->section;
        fprintf(out, "%s = %s%s%s%s\n", key->name, s->text, s->line ? "" : "  ; default",
                s->note ? "  ; " : "", s->note ? s->note : "");
    }
}

static const char *const type_names[] = {
    [KEY_TEXT] = "text",
    [KEY_NAME] = "name",
    [KEY_STEM] = "name",
    [KEY_CHOICE] = "choice",
    [KEY_BOOL] = "yes or no",
    [KEY_INT] = "integer",
    [KEY_COUNT] = "integer",
    [KEY_BYTES] = "size (8K)",
    [KEY_SECONDS] = "duration (20us)",
    [KEY_RATE] = "rate (25Gbps)",
    [KEY_REAL] = "number",
    [KEY_NAMES] = "names",
    [KEY_INTS] = "integers",
    [KEY_EXTENTS] = "extents (2x3x4)",
    [KEY_SIZES] = "sizes",
    [KEY_COSTS] = "costs (bytes:seconds:seconds per byte)",
    [KEY_FACTORS] = "factors (bytes:factor)",
    [KEY_PAIRS] = "pairs (name:integer)",
};

static void print_limits(FILE *out, const struct key *key)
{
    if (key->choices) {
        for (const char *p = key->choices; *p; p++)
            fputs(*p == '|' ? ", " : (char[]){ *p, '\0' }, out);
    } else if (key->min != 0 || key->max != 0) {
        fprintf(out, "%.10g to %.10g", key->min, key->max);
    }
    if (key->word)
        fprintf(out, "%sor `%s`", key->choices || key->max != 0 ? " " : "", key->word);
}

static void print_default(FILE *out, const struct key *key)
{
    if (!key->fallback)
        fputs("**required**", out);
    else if (*key->fallback)
        fprintf(out, "`%s`", key->fallback);
}

void keys_reference(FILE *out, const struct key_table *table)
{
    const char *section = "";
    for (size_t i = 0; i < table->n; i++) {
        const struct key *key = &table->keys[i];
        if (strcmp(section, key->section) != 0)
            fprintf(out,
                    "\n## [%s]\n\n| key | type | unit | default | range | meaning |\n"
                    "|---|---|---|---|---|---|\n",
                    key->section);
        section = key->section;
        fprintf(out, "| `%s` | %s | %s | ", key->name, type_names[key->type],
                key->unit ? key->unit : "");
        print_default(out, key);
        fputs(" | ", out);
        print_limits(out, key);
        fprintf(out, " | %s |\n", key->help);
    }
    fprintf(out,
            "\n## like\n\n`like = NAME` in [%s]: what the file does not say itself, its name "
            "excepted, is as in NAME.ini of the same directory, which may itself be like one.\n",
            table->keys[0].section);
    if (table->overlay)
        fprintf(out,
                "\n## [%s NAME]\n\nAny of the keys above, by its bare name: holds only on cluster "
                "NAME.\n",
                table->overlay);
    if (table->notes)
        fprintf(out,
                "\n## [%s]\n\nAny of the keys above with a text that says where its value comes "
                "from; the report prints it.\n",
                table->notes);
}
