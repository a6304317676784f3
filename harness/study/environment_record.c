/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/environment_record.h"

#include "harness/base/json_print.h"

void environment_record_free(struct environment_record *s)
{
    argv_free(&s->lines);
    argv_free(&s->removed);
    argv_free(&s->given);
    memory_free(s->differ, s->refused);
    s->differ = s->refused = NULL;
}

void environment_record_add(struct argv *lines, const char *name, const char *value)
{
    argv_add(lines, "%s=%s", name, value);
    for (char *p = lines->v[lines->n - 1]; *p; p++)
        *p = (char)(iscntrl((unsigned char)*p) ? ' ' : (unsigned char)*p < 0x80 ? *p : '?');
}

const char *environment_record_mode(const struct environment_record *s)
{
    return s->site ? "site" : "clean";
}

/* The value of a line of the same name, or NULL. */
static const char *value_in(const struct argv *list, const char *line)
{
    const size_t name = strcspn(line, "=");
    for (size_t i = 0; i < list->n; i++)
        if (strncmp(list->v[i], line, name) == 0 && list->v[i][name] == '=')
            return list->v[i] + name + 1;
    return NULL;
}

static const char *value_of(const char *line)
{
    return line + strcspn(line, "=") + (strchr(line, '=') != NULL);
}

static void put(FILE *out, const char *line, const char *was, const char *is)
{
    fprintf(out, "%s%.*s ", ftell(out) ? "; " : "", (int)strcspn(line, "="), line);
    if (!was)
        fprintf(out, "is '%s' and was not there", is);
    else if (!is)
        fprintf(out, "was '%s' and is not there now", was);
    else
        fprintf(out, "was '%s' and is '%s'", was, is);
}

char *environment_record_differ(const struct argv *was, const struct argv *is)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = memory_stream(&text, &len);
    for (size_t i = 0; i < was->n; i++) {
        const char *now = value_in(is, was->v[i]);
        if (!now || strcmp(now, value_of(was->v[i])) != 0)
            put(out, was->v[i], value_of(was->v[i]), now);
        fflush(out);
    }
    for (size_t i = 0; i < is->n; i++) {
        if (!value_in(was, is->v[i]))
            put(out, is->v[i], NULL, value_of(is->v[i]));
        fflush(out);
    }
    fclose(out);
    if (len)
        return text;
    free(text);
    return NULL;
}

static json_t *list_json(const struct argv *list)
{
    json_t *all = json_array();
    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(all, json_stringn_nocheck(list->v[i], strlen(list->v[i])));
    return all;
}

json_t *environment_record_json(const struct environment_record *s)
{
    return json_pack("{s:s, s:o, s:o}", "mode", environment_record_mode(s), "lines",
                     list_json(&s->lines), "removed", list_json(&s->removed));
}

static void copy(char buf[32], const json_t *text)
{
    snprintf(buf, 32, "%s", json_is_string(text) ? json_string_value(text) : "");
}

int environment_record_before(const char *dir, struct environment_record_before *before,
                              struct err *err)
{
    char path[PATH_SIZE];
    const char *name;
    json_t *o = NULL, *value;
    size_t i;
    *before = (struct environment_record_before){ 0 };
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0 ||
        json_file_read(path, &o, err) < 0)
        return -1;
    json_t *e = json_object_get(o, "environment");
    copy(before->mode, json_object_get(e, "mode"));
    copy(before->backend, json_object_get(json_object_get(o, "backend"), "name"));
    copy(before->digest, json_object_get(o, "digest"));
    json_array_foreach(json_object_get(e, "lines"), i, value)
    {
        if (json_is_string(value))
            argv_add(&before->lines, "%s", json_string_value(value));
    }
    json_object_foreach(json_object_get(o, "mpi"), name, value)
    {
        argv_add(&before->libraries, "%s", name);
    }
    const int there = json_is_object(e);
    json_decref(o);
    return there;
}

void environment_record_before_free(struct environment_record_before *before)
{
    argv_free(&before->lines);
    argv_free(&before->libraries);
}
