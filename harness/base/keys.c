/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/keys.h"

#include <ini.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/number.h"

/* ---- reading the syntax: a list of entries with their lines ---- */

/* "key = value" of a file, or the opening of a section (name is empty). */
struct entry {
    char section[KEY_WORD], name[KEY_WORD];
    char *value;
    int line;
};

struct entries {
    struct entry *v;
    size_t n, cap;
};

struct reader {
    const char *path;
    const char *rest; /* text not yet read */
    int line;         /* of the last line given to inih */
    int indented;     /* that line starts with a blank */
    int failed;       /* *err is set */
    struct entries *entries;
    struct err *err;
};

static void entries_free(struct entries *e)
{
    for (size_t i = 0; i < e->n; i++)
        free(e->v[i].value);
    free(e->v);
    *e = (struct entries){ 0 };
}

static int stop(struct reader *r)
{
    r->failed = 1;
    return err_prefix(r->err, "%s:%d", r->path, r->line);
}

static int entry_add(struct reader *r, const char *section, const char *name, const char *value)
{
    struct entries *e = r->entries;
    if (e->n == e->cap) {
        size_t cap = e->cap ? 2 * e->cap : 32;
        struct entry *v = realloc(e->v, cap * sizeof *v);
        if (!v)
            return err_set(r->err, "out of memory");
        e->v = v;
        e->cap = cap;
    }
    struct entry *entry = &e->v[e->n];
    entry->line = r->line;
    entry->value = strdup(value);
    if (!entry->value)
        return err_set(r->err, "out of memory");
    snprintf(entry->section, sizeof entry->section, "%s", section);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    e->n++;
    return 0;
}

/* A section's opening line, which inih does not report. */
static int open_section(struct reader *r, const char *line, size_t len)
{
    char section[KEY_WORD];
    const char *end = memchr(line, ']', len);
    size_t n = end ? (size_t)(end - line - 1) : 0;
    if (!end || n == 0)
        return err_usage(r->err, "'%.*s' opens no section (want [name])", (int)len, line);
    _Static_assert(sizeof section >= 50, "inih keeps 49 characters");
    if (n >= 50)
        return err_usage(r->err, "section '%.40s...' is too long", line + 1);
    memcpy(section, line + 1, n);
    section[n] = '\0';
    return entry_add(r, section, "", "");
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

static int append(struct reader *r, struct entry *last, const char *more)
{
    size_t a = strlen(last->value), b = strlen(more);
    char *value = realloc(last->value, a + b + 2);
    if (!value)
        return err_set(r->err, "out of memory");
    value[a] = ' ';
    memcpy(value + a + 1, more, b + 1);
    last->value = value;
    return 0;
}

/* inih's handler: one key. Returns 1, or 0 to report an error in this line. */
static int on_key(void *user, const char *section, const char *name, const char *value)
{
    struct reader *r = user;
    struct entries *e = r->entries;
    struct entry *last = e->n ? &e->v[e->n - 1] : NULL;
    int status = 0;
    if (r->failed)
        return 0;
    if (r->indented) {
        if (last && *last->name && strcmp(last->name, name) == 0)
            status = append(r, last, value);
        else
            status = err_usage(r->err, "'%s' starts with a blank but continues nothing", name);
    } else if (!*section) {
        status = err_usage(r->err, "key '%s' stands before any [section]", name);
    } else if (!*name || strlen(name) >= 49) {
        status = err_usage(r->err, "'%.40s' is not a key", name);
    } else {
        status = entry_add(r, section, name, value);
    }
    if (status < 0)
        stop(r);
    return status == 0;
}

static int entries_read(const char *path, struct entries *entries, struct err *err)
{
    size_t len;
    char *text = fs_read(path, &len, err);
    if (!text)
        return -1;
    struct reader r = { .path = path, .rest = text, .entries = entries, .err = err };
    int bad = 0;
    if (strlen(text) != len)
        bad = err_usage(err, "%s: holds a NUL byte", path);
    else
        bad = ini_parse_stream(next_line, &r, on_key, &r);
    if (!r.failed && bad > 0)
        bad = err_usage(err, "%s:%d: neither [section] nor key = value", path, bad);
    free(text);
    if (r.failed || bad) {
        entries_free(entries);
        return -1;
    }
    return 0;
}

/* ---- values ---- */

static int in_choices(const char *choices, const char *word)
{
    size_t len = strlen(word);
    for (const char *p = choices; p && *p; p += *p == '|') {
        size_t n = strcspn(p, "|");
        if (n == len && memcmp(p, word, n) == 0)
            return 1;
        p += n;
    }
    return 0;
}

static int check_range(const struct key *key, double value, const char *text, struct err *err)
{
    if (key->min == 0 && key->max == 0)
        return 0;
    if (value < key->min || value > key->max)
        return err_usage(err, "'%s' is out of range (want %.10g to %.10g%s%s)", text, key->min,
                         key->max, key->unit ? " " : "", key->unit ? key->unit : "");
    return 0;
}

static int parse_word(const struct key *key, const char *text, char *at, struct err *err)
{
    static const char legal[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:*+";
    if (!*text || strlen(text) >= KEY_WORD || text[strspn(text, legal)])
        return err_usage(err, "'%.60s' is not a name (want letters, digits, '_', '-', '.')", text);
    if (key->choices && !in_choices(key->choices, text))
        return err_usage(err, "'%s' is not known (want %s)", text, key->choices);
    snprintf(at, KEY_WORD, "%s", text);
    return 0;
}

static int parse_int(const struct key *key, const char *text, int *at, struct err *err)
{
    int64_t v;
    if (parse_i64(text, &v, err) < 0)
        return -1;
    if (v < INT_MIN || v > INT_MAX)
        return err_usage(err, "'%s' is out of range", text);
    if (check_range(key, (double)v, text, err) < 0)
        return -1;
    *at = (int)v;
    return 0;
}

static int parse_u64_in(const struct key *key, const char *text, uint64_t *at, struct err *err)
{
    uint64_t v;
    int status = key->type == KEY_COUNT ? parse_u64(text, &v, err) : parse_bytes(text, &v, err);
    if (status < 0 || check_range(key, (double)v, text, err) < 0)
        return -1;
    *at = v;
    return 0;
}

static int parse_real(const struct key *key, const char *text, double *at, struct err *err)
{
    double v;
    int status = key->type == KEY_SECONDS ? parse_seconds(text, &v, err)
                 : key->type == KEY_RATE  ? parse_bits_per_s(text, &v, err)
                                          : parse_f64(text, &v, err);
    if (status < 0 || check_range(key, v, text, err) < 0)
        return -1;
    *at = v;
    return 0;
}

static int parse_bool(const char *text, int *at, struct err *err)
{
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        return err_usage(err, "'%s' is neither yes nor no", text);
    *at = text[0] == 'y';
    return 0;
}

/* Splits a copy of "a:b:c"; returns how many parts there are, at most n + 1. */
static int split(const char *whole, char *text, char **parts, int n)
{
    int used = 0;
    snprintf(text, KEY_TEXT_MAX, "%s", whole);
    for (char *p = text; p && used < n; used++) {
        parts[used] = p;
        p = strchr(p, ':');
        if (p)
            *p++ = '\0';
        if (p && used + 1 == n)
            return n + 1;
    }
    return used;
}

static int parse_cost(const struct key *key, const char *text, struct cost *at, struct err *err)
{
    char copy[KEY_TEXT_MAX], *part[3];
    if (split(text, copy, part, 3) != 3)
        return err_usage(err, "'%s' is not a cost (want bytes:seconds:seconds per byte)", text);
    if (parse_bytes(part[0], &at->from_bytes, err) < 0 ||
        parse_seconds(part[1], &at->seconds, err) < 0 ||
        parse_seconds(part[2], &at->seconds_per_byte, err) < 0)
        return -1;
    return check_range(key, at->seconds, part[1], err);
}

static int parse_factor(const struct key *key, const char *text, struct factor *at, struct err *err)
{
    char copy[KEY_TEXT_MAX], *part[2];
    if (split(text, copy, part, 2) != 2)
        return err_usage(err, "'%s' is not a factor (want bytes:factor)", text);
    if (parse_bytes(part[0], &at->from_bytes, err) < 0 || parse_f64(part[1], &at->factor, err) < 0)
        return -1;
    return check_range(key, at->factor, part[1], err);
}

static int parse_pair(const struct key *key, const char *text, struct pair *at, struct err *err)
{
    char copy[KEY_TEXT_MAX], *part[2];
    if (split(text, copy, part, 2) != 2)
        return err_usage(err, "'%s' is not a pair (want name:number)", text);
    if (parse_word(key, part[0], at->name, err) < 0)
        return -1;
    return parse_int(key, part[1], &at->value, err);
}

static int must_differ(int same, const char *text, struct err *err)
{
    return same ? err_usage(err, "'%s' is given twice", text) : 0;
}

static int must_ascend(int ascends, const char *text, struct err *err)
{
    return ascends ? 0 : err_usage(err, "'%s' does not come after the one before it", text);
}

/* Element i of a list. */
static int parse_element(const struct key *key, const char *text, size_t i, void *at,
                         struct err *err)
{
    struct name_list *names = at;
    struct int_list *ints = at;
    struct size_list *sizes = at;
    struct cost_list *costs = at;
    struct factor_list *factors = at;
    struct pair_list *pairs = at;
    int same = 0;
    switch (key->type) {
    case KEY_NAMES:
        if (parse_word(key, text, names->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            same |= strcmp(names->v[k], names->v[i]) == 0;
        return must_differ(same, text, err);
    case KEY_INTS:
        if (parse_int(key, text, &ints->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            same |= ints->v[k] == ints->v[i];
        return must_differ(same, text, err);
    case KEY_SIZES:
        if (parse_u64_in(key, text, &sizes->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            same |= sizes->v[k] == sizes->v[i];
        return must_differ(same, text, err);
    case KEY_COSTS:
        if (parse_cost(key, text, &costs->v[i], err) < 0)
            return -1;
        return must_ascend(i == 0 || costs->v[i].from_bytes > costs->v[i - 1].from_bytes, text,
                           err);
    case KEY_FACTORS:
        if (parse_factor(key, text, &factors->v[i], err) < 0)
            return -1;
        return must_ascend(i == 0 || factors->v[i].from_bytes > factors->v[i - 1].from_bytes, text,
                           err);
    default:
        if (parse_pair(key, text, &pairs->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            same |= strcmp(pairs->v[k].name, pairs->v[i].name) == 0 &&
                    pairs->v[k].value == pairs->v[i].value;
        return must_differ(same, text, err);
    }
}

/* "2x3x4"; nothing: none. */
static int parse_extents(const struct key *key, const char *text, struct int_list *at,
                         struct err *err)
{
    char word[KEY_WORD];
    size_t n = 0;
    for (const char *p = text; *text; p += strcspn(p, "x") + 1) {
        const size_t len = strcspn(p, "x");
        if (n == KEY_LIST_MAX)
            return err_usage(err, "the list is too long (want at most %d)", KEY_LIST_MAX);
        snprintf(word, sizeof word, "%.*s", (int)len, p);
        if (parse_int(key, word, &at->v[n++], err) < 0)
            return -1;
        if (!p[len])
            break;
    }
    at->n = n;
    return 0;
}

static int parse_list(const struct key *key, const char *text, void *at, struct err *err)
{
    char word[KEY_TEXT_MAX];
    size_t n = 0;
    for (const char *p = text; *(p += strspn(p, " \t"));) {
        size_t len = strcspn(p, " \t");
        if (n == KEY_LIST_MAX)
            return err_usage(err, "the list is too long (want at most %d)", KEY_LIST_MAX);
        if (len >= sizeof word)
            return err_usage(err, "'%.40s...' is too long", p);
        memcpy(word, p, len);
        word[len] = '\0';
        if (parse_element(key, word, n++, at, err) < 0)
            return -1;
        p += len;
    }
    *(size_t *)at = n; /* every list starts with its n */
    return 0;
}

/* The value that stands for the key's word. */
static void put_empty(const struct key *key, void *at)
{
    switch (key->type) {
    case KEY_TEXT:
    case KEY_NAME:
    case KEY_CHOICE:
        *(char *)at = '\0';
        break;
    case KEY_BOOL:
    case KEY_INT:
        *(int *)at = 0;
        break;
    case KEY_COUNT:
    case KEY_BYTES:
        *(uint64_t *)at = 0;
        break;
    case KEY_SECONDS:
    case KEY_RATE:
    case KEY_REAL:
        *(double *)at = 0;
        break;
    default:
        *(size_t *)at = 0;
    }
}

static int parse_value(const struct key *key, const char *text, void *at, struct err *err)
{
    switch (key->type) {
    case KEY_TEXT:
        if (strlen(text) >= KEY_TEXT_MAX)
            return err_usage(err, "the text is too long (want less than %d characters)",
                             KEY_TEXT_MAX);
        snprintf(at, KEY_TEXT_MAX, "%s", text);
        return 0;
    case KEY_NAME:
    case KEY_CHOICE:
        return parse_word(key, text, at, err);
    case KEY_BOOL:
        return parse_bool(text, at, err);
    case KEY_INT:
        return parse_int(key, text, at, err);
    case KEY_COUNT:
    case KEY_BYTES:
        return parse_u64_in(key, text, at, err);
    case KEY_SECONDS:
    case KEY_RATE:
    case KEY_REAL:
        return parse_real(key, text, at, err);
    case KEY_EXTENTS:
        return parse_extents(key, text, at, err);
    default:
        return parse_list(key, text, at, err);
    }
}

int key_parse(const struct key *key, const char *text, void *at, struct err *err)
{
    if (key->word && strcmp(text, key->word) == 0) {
        put_empty(key, at);
        return 0;
    }
    if (parse_value(key, text, at, err) == 0)
        return 0;
    if (err)
        err->status = EXIT_USAGE;
    return -1;
}

/* ---- a file against its table ---- */

/* The file being resolved. */
struct load {
    const struct key_table *table;
    const char *path;
    const struct entries *entries;
    struct err *err;
};

int int_list_largest(const struct int_list *list)
{
    int most = 0;
    for (size_t i = 0; i < list->n; i++)
        most = list->v[i] > most ? list->v[i] : most;
    return most;
}

static int fail_at(const struct load *l, int line)
{
    return err_prefix(l->err, "%s:%d", l->path, line);
}

static int is_overlay(const struct key_table *t, const char *section)
{
    size_t n = t->overlay ? strlen(t->overlay) : 0;
    return n && strncmp(section, t->overlay, n) == 0 && section[n] == ' ' && section[n + 1] &&
           !strchr(section + n + 1, ' ');
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
static const struct key *entry_key(const struct key_table *t, const struct entry *e)
{
    int i = keys_find(t, e->name);
    if (i < 0)
        return NULL;
    if (strcmp(t->keys[i].section, e->section) == 0 || is_overlay(t, e->section) ||
        is_notes(t, e->section))
        return &t->keys[i];
    return NULL;
}

static int unknown_key(const struct load *l, const struct entry *e)
{
    int i = keys_find(l->table, e->name);
    if (i >= 0)
        return err_usage(l->err, "key '%s' stands in [%s] (it belongs into [%s])", e->name,
                         e->section, l->table->keys[i].section);
    return err_usage(l->err, "'%s' is not a key of [%s] of a %s", e->name, e->section,
                     l->table->what);
}

/* Sections and keys are known and stand once. */
static int check_entry(const struct load *l, size_t i)
{
    const struct entry *e = &l->entries->v[i];
    for (size_t k = 0; k < i; k++) {
        const struct entry *earlier = &l->entries->v[k];
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
    if (*e->name && !entry_key(l->table, e)) {
        unknown_key(l, e);
        return fail_at(l, e->line);
    }
    return 0;
}

/* Every value parses, also those of overlays that do not hold now. */
static int check_value(const struct load *l, const struct entry *e, char *scratch)
{
    if (!*e->name || is_notes(l->table, e->section))
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
    char *scratch = calloc(1, l->table->target_size);
    int status = scratch ? 0 : err_set(l->err, "out of memory");
    for (size_t i = 0; status == 0 && i < l->entries->n; i++) {
        status = check_entry(l, i);
        if (status == 0)
            status = check_value(l, &l->entries->v[i], scratch);
    }
    free(scratch);
    return status;
}

/* The entry of a key in a section, or NULL. */
static const struct entry *entry_in(const struct load *l, const char *section, const char *name)
{
    for (size_t i = 0; i < l->entries->n; i++)
        if (strcmp(l->entries->v[i].section, section) == 0 &&
            strcmp(l->entries->v[i].name, name) == 0)
            return &l->entries->v[i];
    return NULL;
}

static int missing(const struct load *l, const struct key *key)
{
    const struct entry *opening = entry_in(l, key->section, "");
    int line = opening ? opening->line : 1;
    err_usage(l->err, "key '%s' of [%s] is missing: %s", key->name, key->section, key->help);
    return fail_at(l, line);
}

static int resolve_key(const struct load *l, const struct key *key, const char *overlay,
                       char *target, struct setting *setting)
{
    char section[2 * KEY_WORD];
    const struct entry *e = NULL;
    if (overlay && l->table->overlay) {
        snprintf(section, sizeof section, "%s %.63s", l->table->overlay, overlay);
        e = entry_in(l, section, key->name);
    }
    if (!e)
        e = entry_in(l, key->section, key->name);
    if (!e && !key->fallback)
        return missing(l, key);
    const struct entry *note = l->table->notes ? entry_in(l, l->table->notes, key->name) : NULL;
    const char *text = e ? e->value : key->fallback;
    setting->line = e ? e->line : 0;
    setting->text = strdup(text);
    setting->note = note ? strdup(note->value) : NULL;
    if (!setting->text)
        return err_set(l->err, "out of memory");
    return key_parse(key, text, target + key->offset, l->err);
}

int keys_load(const struct key_table *table, const char *path, const char *overlay, void *target,
              struct settings *settings, struct err *err)
{
    struct entries entries = { 0 };
    *settings = (struct settings){ .table = table };
    if (entries_read(path, &entries, err) < 0)
        return -1;
    struct load l = { .table = table, .path = path, .entries = &entries, .err = err };
    settings->v = calloc(table->n, sizeof *settings->v);
    int status = settings->v ? check_all(&l) : err_set(err, "out of memory");
    memset(target, 0, table->target_size);
    for (size_t i = 0; status == 0 && i < table->n; i++)
        status = resolve_key(&l, &table->keys[i], overlay, target, &settings->v[i]);
    if (status < 0)
        settings_free(settings);
    entries_free(&entries);
    return status;
}

/* ---- looking at settings ---- */

const char *settings_text(const struct settings *settings, const char *name)
{
    int i = keys_find(settings->table, name);
    return i < 0 ? "" : settings->v[i].text;
}

const char *settings_note(const struct settings *settings, const char *name)
{
    int i = keys_find(settings->table, name);
    return i < 0 ? NULL : settings->v[i].note;
}

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

void settings_free(struct settings *settings)
{
    for (size_t i = 0; settings->v && i < settings->table->n; i++) {
        free(settings->v[i].text);
        free(settings->v[i].note);
    }
    free(settings->v);
    settings->v = NULL;
}

static const char *const type_names[] = {
    [KEY_TEXT] = "text",
    [KEY_NAME] = "name",
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
