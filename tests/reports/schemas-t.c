/* SPDX-License-Identifier: BSD-3-Clause */
/* formats: docs/formats.md names every file that has a schema; a row of every format reads back as
 * it was written; a file that lacks a column is refused by its name. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/schemas.h"
#include "tests/tap.h"

static const char doc[] = "docs/formats.md";
static char dir[] = "/tmp/collsel-formats-XXXXXX";

static void test_document(void)
{
    struct err err;
    char *text = fs_read(doc, NULL, &err);
    if (!text)
        abort();
    for (size_t i = 0; formats[i]; i++) {
        char line[160];
        snprintf(line, sizeof line, "\n    --keys=%s\n", formats[i]->path);
        ok(strstr(text, line) != NULL, "%s says how to print the columns of %s", doc,
           formats[i]->path);
    }
    free(text);
}

/* ---- rows ---- */

static char *path_of(const struct schema *schema)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, schema->path);
    return path;
}

/* A value for every member that a column may take: the last word, the largest of a range. */
static void fill(const struct schema *schema, char *row)
{
    memset(row, 0, schema->row_size);
    for (size_t i = 0; i < schema->n_columns; i++) {
        const struct schema_column *c = &schema->columns[i];
        const uint64_t count = 3 + i;
        const double real = 0.25 * (double)(i + 1);
        int number = c->least < c->most && c->most < 10 ? (int)c->most : 5 + (int)i;
        char *at = row + c->offset;
        if (c->kind == COLUMN_NAME || c->kind == COLUMN_TEXT)
            snprintf(at, c->size, "t%zu", i);
        else if (c->kind == COLUMN_COUNT)
            memcpy(at, &count, sizeof count);
        else if (c->kind == COLUMN_REAL)
            memcpy(at, &real, sizeof real);
        else if (c->kind == COLUMN_INT && c->size == sizeof count)
            memcpy(at, &count, sizeof count);
        else if (c->kind == COLUMN_CODED)
            (void)c->code->parse(c->code->example, at);
        else if (c->kind == COLUMN_WORD)
            for (number = 0; c->words[number + 1];)
                number++;
        if (c->kind == COLUMN_WORD || (c->kind == COLUMN_INT && c->size == sizeof number))
            memcpy(at, &number, sizeof number);
    }
}

/* The schema without its check and its empty fields: a made-up row need not make sense. */
static struct schema unchecked(const struct schema *schema)
{
    struct schema s = *schema;
    s.check = NULL;
    s.given = NULL;
    return s;
}

static void test_round_trip(const struct schema *schema)
{
    struct schema s = unchecked(schema);
    struct err err = { .text = "" };
    struct whole_file f;
    struct csvw w;
    size_t n = 0;
    char *row = malloc(s.row_size);
    if (!row || schema_begin(&s, path_of(schema), s.backend ? "null" : NULL, &f, &w, &err) < 0)
        abort();
    fill(&s, row);
    schema_row(&w, &s, row);
    if (fs_commit(&f, &err) < 0)
        abort();
    char *back = schema_read(&s, dir, &n, &err);
    ok(back && n == 1 && memcmp(row, back, s.row_size) == 0,
       "%s: a row reads back, byte by byte %s", s.path, err.text);
    free(back);
    free(row);
}

/* Only columns that older files lack may be missing. */
static void test_lacking(const struct schema *schema)
{
    size_t wrong = 0;
    for (size_t k = 0; k < schema->n_columns; k++) {
        struct err err = { .text = "" };
        size_t n;
        char want[64];
        FILE *f = fopen(path_of(schema), "we");
        for (size_t i = 0, written = 0; f && i < schema->n_columns; i++)
            if (i != k)
                fprintf(f, "%s%s", written++ ? "," : "", schema->columns[i].name);
        if (!f || fputs("\n", f) < 0 || fclose(f) != 0)
            abort();
        void *rows = schema_read(schema, dir, &n, &err);
        snprintf(want, sizeof want, "no column '%s'", schema->columns[k].name);
        wrong += schema->columns[k].optional ? !rows : rows || !strstr(err.text, want);
        free(rows);
    }
    ok(wrong == 0, "%s: a column that is missing is named, unless older files lack it",
       schema->path);
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    test_document();
    for (size_t i = 0; formats[i]; i++) {
        test_round_trip(formats[i]);
        test_lacking(formats[i]);
    }
    fs_remove_tree(dir, NULL);
    return tap_done();
}
