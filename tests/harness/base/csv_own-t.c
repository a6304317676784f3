/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_own-t.c - our reader of CSV takes and refuses what libcsv does. */
#include <csv.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/csv_own.h"
#include "harness/base/rng.h"
#include "tests/tap.h"

enum { ROOM = 4096 };

struct seen {
    char text[ROOM]; /* fields between angle brackets, a row's end as "." */
    size_t n;
};

static void on_field(void *data, size_t len, void *arg)
{
    struct seen *s = arg;
    s->n += (size_t)snprintf(s->text + s->n, ROOM - s->n, "<%.*s>", (int)len,
                             len ? (const char *)data : "");
}

static void on_row(int c, void *arg)
{
    (void)c;
    struct seen *s = arg;
    s->n += (size_t)snprintf(s->text + s->n, ROOM - s->n, ".");
}

/* Reads in two pieces; what was taken goes to *took. */
static void by_ours(const char *text, size_t len, size_t cut, struct seen *s, size_t *took)
{
    struct csv_own csv = { .n = 0 };
    *took = csv_own_parse(&csv, text, cut, on_field, on_row, s);
    if (*took == cut)
        *took += csv_own_parse(&csv, text + cut, len - cut, on_field, on_row, s);
    csv_own_free(&csv);
}

static void by_libcsv(const char *text, size_t len, struct seen *s, size_t *took)
{
    struct csv_parser csv;
    csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI);
    *took = csv_parse(&csv, text, len, on_field, on_row, s);
    csv_free(&csv);
}

static void test_rows(void)
{
    static const struct {
        const char *text, *seen;
        size_t took;
    } rows[] = {
        { "a,b\n", "<a><b>.", 4 },
        { ",\n\n x y ,\"\"\n", "<><>.<x y><>.", 12 },
        { "\"a \"\"b\"\",\nc\" ,d\r\n", "<a \"b\",\nc><d>.", 17 },
        { "a\"b\n", "", 1 },
        { "\"a\"b\n", "", 3 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct seen s = { .n = 0 };
        size_t took;
        by_ours(rows[i].text, strlen(rows[i].text), 0, &s, &took);
        is_str(rows[i].seen, s.text, "row %zu", i);
        is_int((int)rows[i].took, (int)took, "and how much of it is taken");
    }
}

static void test_random(void)
{
    enum { TEXTS = 200000, LONGEST = 24 };
    static const char letters[] = "ab,,\"\"\" \t\n\r";
    struct rng rng;
    int differ = 0, refused = 0;
    rng_init(&rng, 1);
    for (int i = 0; i < TEXTS; i++) {
        char text[LONGEST];
        struct seen ours = { .n = 0 }, theirs = { .n = 0 };
        size_t len = (size_t)(rng_unit(&rng) * LONGEST), a, b;
        for (size_t k = 0; k < len; k++)
            text[k] = letters[(size_t)(rng_unit(&rng) * (sizeof letters - 1))];
        by_ours(text, len, (size_t)(rng_unit(&rng) * (double)len), &ours, &a);
        by_libcsv(text, len, &theirs, &b);
        refused += b < len;
        if (a == b && strcmp(ours.text, theirs.text) == 0)
            continue;
        if (differ++ == 0)
            diag("'%.*s': ours %zu %s, libcsv %zu %s", (int)len, text, a, ours.text, b,
                 theirs.text);
    }
    ok(refused > TEXTS / 10 && refused < TEXTS, "of %d random texts %d are malformed", TEXTS,
       refused);
    is_int(0, differ, "ours and libcsv take and refuse the same");
}

int main(void)
{
    test_rows();
    test_random();
    return tap_done();
}
