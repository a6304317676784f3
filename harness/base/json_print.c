/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/json_print.h"

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_word(const char *text)
{
    return *text ? json_string(text) : json_null();
}

static json_t *json_of_value(const struct schema_value *v)
{
    switch (v->kind) {
    case VALUE_TEXT:
        return json_word(v->text);
    case VALUE_INT:
        return json_integer(v->number);
    case VALUE_COUNT:
        return json_integer((json_int_t)v->count);
    case VALUE_REAL:
        return json_number(v->real);
    default:
        return json_null();
    }
}

static json_t *json_row(const struct schema *schema, const void *row)
{
    json_t *o = json_object();
    for (size_t i = 0; o && i < schema->n_columns; i++) {
        const struct schema_value v = schema_value(schema, &schema->columns[i], row);
        if (json_object_set_new(o, schema->columns[i].name, json_of_value(&v)) < 0) {
            json_decref(o);
            return NULL;
        }
    }
    return o;
}

json_t *json_rows(const struct schema *schema, const void *rows, size_t n)
{
    json_t *all = json_array();
    for (size_t i = 0; all && i < n; i++)
        if (json_array_append_new(
                all, json_row(schema, (const char *)rows + i * schema->row_size)) < 0) {
            json_decref(all);
            return NULL;
        }
    return all;
}

int json_print(json_t *o, struct err *err)
{
    char *text = o ? json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(o);
    if (!text)
        return err_set(err, "no JSON of this: a text in it is not UTF-8");
    puts(text);
    free(text);
    return 0;
}

const char *json_text_at(const json_t *o, const char *name)
{
    const char *text = json_string_value(json_object_get(o, name));
    return text ? text : "";
}

double json_number_at(const json_t *o, const char *name)
{
    return json_number_value(json_object_get(o, name));
}

void json_disarm(json_t *value)
{
    if (json_is_string(value)) {
        char *text = memory_text(json_string_value(value));
        json_string_set(value, text_disarm(text));
        free(text);
    }
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at))
        json_disarm(json_object_iter_value(at));
    for (size_t i = 0; i < json_array_size(value); i++)
        json_disarm(json_array_get(value, i));
}

int json_file_read(const char *path, json_t **o, struct err *err)
{
    json_error_t why;
    *o = NULL;
    const int there = fs_readable(path, err);
    if (there <= 0)
        return there;
    char *text = fs_read(path, NULL, err);
    if (!text)
        return -1;
    *o = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (json_is_object(*o))
        return 0;
    if (!*o)
        return err_set(err, "%s:%d: %s", path, why.line > 0 ? why.line : 1, why.text);
    json_decref(*o);
    *o = NULL;
    return err_set(err, "%s:1: not a JSON object", path);
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* Behind the text that begins here. */
static const char *skip_text(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        p += *p == '\\' && p[1];
    return p + (*p == '"');
}

/* Behind the value that begins here. */
static const char *skip_value(const char *p)
{
    int depth = 0;
    do {
        if (*p == '"') {
            p = skip_text(p);
            continue;
        }
        depth += *p == '{' || *p == '[';
        depth -= *p == '}' || *p == ']';
        p += *p != '\0';
    } while (*p && (depth > 0 || !strchr(",}]", *p)));
    return p;
}

/* The value of a key or number in the object or array that begins here; NULL: there is none. */
static const char *member(const char *p, const char *key, size_t n)
{
    const int is_object = *p == '{';
    size_t index = 0;
    if (!is_object && *p != '[')
        return NULL;
    for (p = skip_blanks(p + 1); *p && *p != '}' && *p != ']'; index++) {
        const char *name = p;
        if (is_object) {
            p = skip_text(p);
            const size_t length = (size_t)(p - name);
            p = skip_blanks(p);
            p = skip_blanks(p + (*p == ':'));
            if (length == n + 2 && strncmp(name + 1, key, n) == 0)
                return p;
        } else if (strtoul(key, NULL, 10) == index) {
            return p;
        }
        p = skip_blanks(skip_value(p));
        p = skip_blanks(p + (*p == ','));
    }
    return NULL;
}

int json_line_of(const char *text, const char *at)
{
    const char *p = skip_blanks(text);
    int line = 1;
    while (*at) {
        const size_t n = strcspn(at, "/");
        const char *next = member(p, at, n);
        if (!next)
            break;
        p = next;
        at += n + (at[n] == '/');
    }
    for (const char *q = text; q < p; q++)
        line += *q == '\n';
    return line;
}

struct lines {
    json_t *of; /* place: line */
    const char *seen;
    int line;
    char at[JSON_PLACE];
};

/* Takes the value that begins here and all that is in it; returns behind it. */
static const char *take_lines(struct lines *l, const char *p)
{
    const size_t used = strlen(l->at);
    const int is_object = *p == '{';
    for (; l->seen < p; l->seen++)
        l->line += *l->seen == '\n';
    if (!json_object_get(l->of, l->at))
        json_object_set_new(l->of, l->at, json_integer(l->line));
    if (!is_object && *p != '[')
        return skip_value(p);
    p = skip_blanks(p + 1);
    for (int index = 0; *p && *p != '}' && *p != ']'; index++) {
        char *end = l->at + used;
        const size_t room = sizeof l->at - used;
        if (is_object) {
            const char *name = p + 1;
            p = skip_text(p);
            snprintf(end, room, "%s%.*s", used ? "/" : "", (int)(p - name - 1), name);
            p = skip_blanks(p);
            p = skip_blanks(p + (*p == ':'));
        } else {
            snprintf(end, room, "%s%d", used ? "/" : "", index);
        }
        p = skip_blanks(take_lines(l, p));
        p = skip_blanks(p + (*p == ','));
        *end = '\0';
    }
    return p + (*p != '\0');
}

json_t *json_lines(const char *text)
{
    struct lines l = { .of = json_object(), .seen = text, .line = 1 };
    take_lines(&l, skip_blanks(text));
    return l.of;
}

int json_file_fail(const char *path, struct err *err)
{
    char at[256] = "";
    const char *end = err ? strstr(err->text, ": ") : NULL;
    char *text = fs_read(path, NULL, NULL);
    if (end)
        snprintf(at, sizeof at, "%.*s", (int)(end - err->text), err->text);
    const int line = text ? json_line_of(text, at) : 1;
    free(text);
    return err_prefix(err, "%s:%d", path, line);
}
