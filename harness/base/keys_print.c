/* SPDX-License-Identifier: BSD-3-Clause */
/* keys_print.c - keys and settings for people: `plan --show`, and the reference pages. */
#include <string.h>

#include "harness/base/keys.h"

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
            "excepted, is as in NAME.ini of the same directory, which may not be like a third "
            "one.\n",
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
