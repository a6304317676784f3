/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/load_lines.h"

#include "harness/base/variable.h"

const char *rules_load_value(const struct rules_load *setting, const char *path,
                             char buf[PATH_SIZE])
{
    snprintf(buf, PATH_SIZE, "%s%s", setting->value ? setting->value : path,
             setting->ending ? setting->ending : "");
    return buf;
}

const char *rules_load_variable(const struct rules_reader *reader, const struct rules_load *setting,
                                char buf[RULES_LOAD_NAME])
{
    snprintf(buf, RULES_LOAD_NAME, "%s%s", reader->environment, setting->name);
    return buf;
}

char *rules_load_quoted(const char *word)
{
    struct argv one = { 0 };
    argv_add(&one, "%s", word);
    char *text = argv_text(&one);
    argv_free(&one);
    return text;
}

/* Before an application, as far as its name. */
static char *command_line(const struct rules_reader *reader, const char *path)
{
    struct argv words = { 0 };
    char value[PATH_SIZE];
    argv_add(&words, "mpirun");
    for (const struct rules_load *s = reader->load; s->name; s++) {
        argv_add(&words, "%s", reader->option);
        argv_add(&words, "%s", s->name);
        argv_add(&words, "%s", rules_load_value(s, path, value));
    }
    char *text = argv_text(&words);
    argv_free(&words);
    return text;
}

static void add_exports(const struct rules_reader *reader, const char *path, struct argv *lines)
{
    char name[RULES_LOAD_NAME], value[PATH_SIZE];
    for (const struct rules_load *s = reader->load; s->name; s++) {
        char *word = rules_load_quoted(rules_load_value(s, path, value));
        argv_add(lines, "export %s=%s", rules_load_variable(reader, s, name), word);
        free(word);
    }
    argv_add(lines, "before mpirun, for all ranks on all nodes");
}

static void add_params(const struct rules_reader *reader, const char *path, struct argv *lines)
{
    char *command = command_line(reader, path), value[PATH_SIZE];
    argv_add(lines, "%s ...", command);
    free(command);
    argv_add(lines, "or, for all jobs, in etc/%s or ~/.openmpi/mca-params.conf:", reader->params);
    for (const struct rules_load *s = reader->load; s->name; s++)
        argv_add(lines, "  %s = %s", s->name, rules_load_value(s, path, value));
}

static void add_command(const struct rules_reader *reader, const char *path, struct argv *lines)
{
    const char *at = strstr(reader->command, "%s");
    char *word = rules_load_quoted(path);
    argv_add(lines, "%.*s%s%s", (int)(at - reader->command), reader->command, word, at + 2);
    free(word);
}

void rules_load_lines(const struct rules_reader *reader, const char *path, struct argv *lines)
{
    const size_t before = lines->n;
    (reader->command  ? add_command
     : reader->params ? add_params
                      : add_exports)(reader, path, lines);
    for (size_t i = before; i < lines->n; i++)
        text_disarm(lines->v[i]);
}

/* The value that a variable has in a list; NULL: none. */
static const char *usual_of(const struct argv *usual, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < usual->n; i++)
        if (strncmp(usual->v[i], name, n) == 0 && usual->v[i][n] == '=')
            return usual->v[i] + n + 1;
    return NULL;
}

static int is_every_launchs(const struct rules_reader *reader, const char *name)
{
    const struct variable_rule *rule = variable_rule_of(name, reader->library);
    return rule && rule->ours;
}

void rules_load_file(const struct rules_reader *reader, const char *path, const struct argv *usual)
{
    char name[RULES_LOAD_NAME], value[PATH_SIZE];
    for (const struct rules_load *s = reader->load; s && s->name; s++) {
        if (is_every_launchs(reader, rules_load_variable(reader, s, name)))
            continue;
        const char *const to = path ? rules_load_value(s, path, value) : usual_of(usual, name);
        if (to)
            setenv(name, to, 1);
        else
            unsetenv(name);
    }
}

void rules_load_usual(const struct rules_reader *reader, struct argv *usual)
{
    char name[RULES_LOAD_NAME];
    for (const struct rules_load *s = reader->load; s && s->name; s++) {
        const char *const is = getenv(rules_load_variable(reader, s, name));
        if (is && s->value)
            argv_add(usual, "%s=%s", name, is);
    }
}

char *rules_load_back(const struct rules_reader *reader)
{
    struct argv words = { 0 };
    char name[RULES_LOAD_NAME];
    if (reader->rollback)
        return memory_text(reader->rollback);
    if (reader->params)
        return memory_text("no such lines at all");
    argv_add(&words, "unset");
    for (const struct rules_load *s = reader->load; s->name; s++)
        argv_add(&words, "%s", rules_load_variable(reader, s, name));
    char *text = argv_text(&words);
    argv_free(&words);
    return text;
}

int rules_load_excludes(const struct rules_reader *reader, const char *component)
{
    for (const struct rules_load *s = reader->load; s && s->name; s++)
        if (s->value && *s->value == '^' && strcmp(s->value + 1, component) == 0)
            return 1;
    return 0;
}
