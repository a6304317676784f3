/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/keys.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/ini_entries.h"

/* The file being resolved. */
struct load {
    const struct key_table *table;
    const char *path;
    const struct ini_entries *entries;
    struct err *err;
};

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

static int unknown_key(const struct load *l, const struct ini_entry *e)
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
    const struct ini_entry *e = &l->entries->v[i];
    for (size_t k = 0; k < i; k++) {
        const struct ini_entry *earlier = &l->entries->v[k];
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
static int check_value(const struct load *l, const struct ini_entry *e, char *scratch)
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
static const struct ini_entry *entry_in(const struct load *l, const char *section, const char *name)
{
    for (size_t i = 0; i < l->entries->n; i++)
        if (strcmp(l->entries->v[i].section, section) == 0 &&
            strcmp(l->entries->v[i].name, name) == 0)
            return &l->entries->v[i];
    return NULL;
}

static int missing(const struct load *l, const struct key *key)
{
    const struct ini_entry *opening = entry_in(l, key->section, "");
    int line = opening ? opening->line : 1;
    err_usage(l->err, "key '%s' of [%s] is missing: %s", key->name, key->section, key->help);
    return fail_at(l, line);
}

static int resolve_key(const struct load *l, const struct key *key, const char *overlay,
                       char *target, struct setting *setting)
{
    char section[2 * KEY_WORD];
    const struct ini_entry *e = NULL;
    if (overlay && l->table->overlay) {
        snprintf(section, sizeof section, "%s %.63s", l->table->overlay, overlay);
        e = entry_in(l, section, key->name);
    }
    if (!e)
        e = entry_in(l, key->section, key->name);
    if (!e && !key->fallback)
        return missing(l, key);
    const struct ini_entry *note = l->table->notes ? entry_in(l, l->table->notes, key->name) : NULL;
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
    struct ini_entries entries = { 0 };
    *settings = (struct settings){ .table = table };
    if (ini_entries_read(path, &entries, err) < 0)
        return -1;
    struct load l = { .table = table, .path = path, .entries = &entries, .err = err };
    settings->v = calloc(table->n, sizeof *settings->v);
    int status = settings->v ? check_all(&l) : err_set(err, "out of memory");
    memset(target, 0, table->target_size);
    for (size_t i = 0; status == 0 && i < table->n; i++)
        status = resolve_key(&l, &table->keys[i], overlay, target, &settings->v[i]);
    if (status < 0)
        settings_free(settings);
    ini_entries_free(&entries);
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

void settings_free(struct settings *settings)
{
    for (size_t i = 0; settings->v && i < settings->table->n; i++) {
        free(settings->v[i].text);
        free(settings->v[i].note);
    }
    free(settings->v);
    settings->v = NULL;
}
