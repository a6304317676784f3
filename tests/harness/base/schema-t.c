/* SPDX-License-Identifier: BSD-3-Clause */
/* schema: a row comes back as it was written; what a file may lack and what it may not; what a
 * field that does not fit is told; many rows take an array that doubles. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/schema.h"
#include "tests/tap.h"

enum fruit { APPLE, PEAR, N_FRUITS };
static const char *const fruits[N_FRUITS + 1] = { "apple", "pear" };
static const char *const toys[] = { "ball", "kite" };

struct inner {
    uint64_t size;
    double weight;
};

struct row {
    char name[8], note[32];
    int count, verdict;
    int64_t ran;
    struct inner inner;
    enum fruit fruit;
    const char *toy;
    int has, chosen;
};

static const char *toy_text(const void *member)
{
    return *(const char *const *)member;
}

static int toy_parse(const char *text, void *member)
{
    for (size_t i = 0; i < 2; i++)
        if (strcmp(toys[i], text) == 0) {
            memcpy(member, &toys[i], sizeof toys[i]);
            return 0;
        }
    return -1;
}

static int has_chosen(const void *row)
{
    return ((const struct row *)row)->has;
}

static const struct schema_code toy_code = { toy_text, toy_parse, "one" };

static const struct schema_column list[] = {
    COLUMN(row, NAME, "name", name, "", "a name"),
    COLUMN(row, TEXT, "note", note, "", "anything"),
    COLUMN(row, INT, "count", count, "", "at least 1", .least = 1, .most = INT_MAX),
    COLUMN(row, INT, "verdict", verdict, "", "yes or no", COLUMN_VERDICT),
    COLUMN(row, INT, "ran", ran, "bytes", "not always known", COLUMN_NONE(-1)),
    COLUMN(row, COUNT, "size", inner.size, "bytes", "of the inner one"),
    COLUMN(row, REAL, "weight_s", inner.weight, "s", "of the inner one", COLUMN_SECONDS,
           .optional = 1),
    COLUMN(row, WORD, "fruit", fruit, "", "which", .words = fruits),
    COLUMN(row, CODED, "toy", toy, "", "which", .code = &toy_code),
    COLUMN(row, INT, "has", has, "", "1: the next is given", .most = 1),
    COLUMN(row, INT, "chosen", chosen, "", "where `has` is 1", .given = has_chosen),
};

static int check(void *row, struct err *err)
{
    const struct row *r = row;
    return r->count == 13 ? err_set(err, "count: 13 brings bad luck") : 0;
}

static const struct schema schema = {
    .path = "rows.csv", .meaning = "A row of the test.", SCHEMA_COLUMNS(row, list), .check = check
};

static char dir[] = "/tmp/collsel-schema-XXXXXX";
static char path[64];

static void put(const char *text)
{
    struct err err;
    if (fs_write(path, text, &err) < 0)
        abort();
}

#define HEADER "name,note,count,verdict,ran,size,weight_s,fruit,toy,has,chosen\n"

static const struct {
    const char *what, *text, *message;
} refused[] = {
    { "a column missing", "name,note\na,b\n", "rows.csv:1: has no column 'count' among its 2" },
    { "what is no name", HEADER "a b,,1,,,0,,pear,ball,0,\n", ":2: name: 'a b' is not a name" },
    { "a name that is too long", HEADER "abcdefgh,,1,,,0,,pear,ball,0,\n", ":2: name: 'abcdefgh" },
    { "less than the least", HEADER "a,,0,,,0,,pear,ball,0,\n",
      ":2: count: 0 is too small (want at least 1)" },
    { "no verdict", HEADER "a,,1,2,,0,,pear,ball,0,\n", ":2: verdict: 2 is too large" },
    { "a size that is not known", HEADER "a,,1,,,,,pear,ball,0,\n", ":2: size: " },
    { "a number that is none", HEADER "a,,1,,,0,nan,pear,ball,0,\n", ":2: weight_s: " },
    { "a time below none", HEADER "a,,1,,,0,-0.5,pear,ball,0,\n",
      ":2: weight_s: -0.5 is too small (want at least 0)" },
    { "a time of an age", HEADER "a,,1,,,0,1e300,pear,ball,0,\n",
      ":2: weight_s: 1e+300 is too large (want at most 1000000000)" },
    { "a word that is not one of them", HEADER "a,,1,,,0,,plum,ball,0,\n",
      ":2: fruit: 'plum' is not known (want apple or pear)" },
    { "a code that is not known", HEADER "a,,1,,,0,,pear,doll,0,\n", ":2: toy: 'doll'" },
    { "what the check refuses", HEADER "a,,12,,,0,,pear,ball,0,\nb,,13,,,0,,pear,ball,0,\n",
      "rows.csv:3: count: 13 brings bad luck" },
    { "a last line cut short", HEADER "a,,1,,,0,,pear,ball,0,\na,,1", ":3: the last line was cut" },
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct err err = { 0 };
        size_t n = 7;
        put(refused[i].text);
        void *rows = schema_read(&schema, dir, &n, &err);
        ok(!rows && n == 0 && strstr(err.text, refused[i].message), "refused: %s (%s)",
           refused[i].what, err.text);
        free(rows);
    }
}

static void write_rows(const struct row *rows, size_t n, const char *backend)
{
    struct whole_file f;
    struct csvw w;
    struct err err;
    if (schema_begin(&schema, path, backend, &f, &w, &err) < 0)
        abort();
    for (size_t i = 0; i < n; i++)
        schema_row(&w, &schema, &rows[i]);
    if (fs_commit(&f, &err) < 0)
        abort();
}

static void test_round_trip(void)
{
    const struct row rows[] = {
        { "a", "x, \"y\"", 3, 1, 5, { 1ull << 40, 0.25 }, PEAR, toys[1], 1, -4 },
        { "", "", 1, -1, -1, { 0, NAN }, APPLE, toys[0], 0, 9 },
    };
    struct err err = { 0 };
    size_t n;
    write_rows(rows, 2, "sim");
    char *text = fs_read(path, NULL, &err);
    is_str("name,note,count,verdict,ran,size,weight_s,fruit,toy,has,chosen,backend\n"
           "a,\"x, \"\"y\"\"\",3,1,5,1099511627776,0.25,pear,kite,1,-4,sim\n"
           ",,1,,,0,,apple,ball,0,,sim\n",
           text, "the file, byte by byte");
    free(text);
    struct row *back = schema_read(&schema, dir, &n, &err);
    if (!ok(back && n == 2, "reads back: %s", err.text))
        return;
    ok(strcmp(back[0].name, "a") == 0 && strcmp(back[0].note, "x, \"y\"") == 0 &&
           back[0].count == 3 && back[0].verdict == 1 && back[0].ran == 5 &&
           back[0].inner.size == 1ull << 40 && back[0].inner.weight == 0.25 &&
           back[0].fruit == PEAR && back[0].toy == toys[1] && back[0].chosen == -4,
       "every member");
    ok(back[1].verdict == -1 && back[1].ran == -1 && isnan(back[1].inner.weight) &&
           back[1].fruit == APPLE && back[1].chosen == 0,
       "what is empty is not known");
    free(back);
}

static void test_lacking(void)
{
    struct err err = { 0 };
    size_t n;
    put("note,more,name,count,verdict,ran,size,fruit,toy,has,chosen\n"
        "n,1,a,2,0,,7,pear,ball,0,\n");
    struct row *back = schema_read(&schema, dir, &n, &err);
    ok(back && n == 1 && isnan(back[0].inner.weight) && back[0].inner.size == 7,
       "without a column that older files lack, with one more, in another order: %s", err.text);
    free(back);
    unlink(path);
    back = schema_read(&schema, dir, &n, &err);
    ok(!back && strstr(err.text, "rows.csv"), "no file is an error: %s", err.text);
    back = schema_read_any(&schema, dir, &n, &err);
    ok(back && n == 0, "or no rows, where that is asked for");
    free(back);
}

/* A row that is set aside lacks its number and its word; others must have them. */
static int row_has(const void *row, const struct schema_column *c)
{
    const struct row *r = row;
    return !r->has || c->offset == offsetof(struct row, has) ||
           (c->kind != COLUMN_WORD && c->kind != COLUMN_INT && c->kind != COLUMN_COUNT);
}

static void test_given(void)
{
    static const struct schema_column few[] = {
        COLUMN(row, WORD, "fruit", fruit, "", "which", .words = fruits),
        COLUMN(row, INT, "count", count, "", "at least 1", .least = 1, .most = INT_MAX),
        COLUMN(row, INT, "has", has, "", "1: the others are not given", .most = 1),
    };
    const struct schema some = {
        .path = "rows.csv", .meaning = "Some.", SCHEMA_COLUMNS(row, few), .given = row_has
    };
    const struct row aside = { .has = 1, .count = 7, .fruit = PEAR };
    struct err err = { 0 };
    size_t n, size;
    char *text;
    struct csvw w = { .file = open_memstream(&text, &size) };
    schema_row(&w, &some, &aside);
    fclose(w.file);
    is_str(",,1\n", text, "what the row does not have is empty");
    free(text);
    put("fruit,count,has\n,,1\npear,3,0\n");
    struct row *rows = schema_read(&some, dir, &n, &err);
    ok(rows && n == 2 && rows[0].count == 0 && rows[1].count == 3, "and may be: %s", err.text);
    free(rows);
    put("fruit,count,has\npear,,0\n");
    rows = schema_read(&some, dir, &n, &err);
    ok(!rows && strstr(err.text, ":2: count: ''"), "a row that has it must tell it: %s", err.text);
    put("fruit,count,has\n,3,0\n");
    rows = schema_read(&some, dir, &n, &err);
    ok(!rows && strstr(err.text, ":2: fruit: ''"), "words, too: %s", err.text);
}

static void test_appended(void)
{
    struct schema growing = schema;
    struct err err = { 0 };
    size_t n;
    growing.appended = 1;
    put(HEADER "a,,1,,,0,,pear,ball,0,\na,,1");
    struct row *rows = schema_read(&growing, dir, &n, &err);
    ok(rows && n == 1, "a line cut short in a file that grows is none: %s", err.text);
    free(rows);
}

static void test_many(void)
{
    enum { MANY = 3000 };
    struct row *rows = calloc(MANY, sizeof *rows);
    struct err err = { 0 };
    size_t n, wrong = 0;
    for (int i = 0; rows && i < MANY; i++) {
        rows[i] = (struct row){ .count = i + 20, .toy = toys[i % 2], .ran = i };
        rows[i].inner.weight = i;
    }
    write_rows(rows, MANY, NULL);
    struct row *back = schema_read(&schema, dir, &n, &err);
    for (size_t i = 0; back && i < n; i++)
        wrong += back[i].count != (int)i + 20 || back[i].toy != toys[i % 2];
    ok(n == MANY && wrong == 0, "%d rows", MANY);
    free(back);
    free(rows);
}

/* Every field of a line that the reader takes as it stands, with what it must leave to others. */
static const char *const fields[][40] = {
    { "a", "", "abcdefg", "abcdefgh", "a b", " a", "a ", "a:b+c.d-e_f", "a/b", "'a", "'=a", "\t" },
    { "", "x", "x y", " x", "x ", "x\ty", "'x", "'=x", "''-x", "=x", "x'", "x\r", "\xc3\xa9",
      "abcdefghijklmnopqrstuvwxyz01234", "abcdefghijklmnopqrstuvwxyz012345" },
    { "1", "0", "", "-1", "+1", "12", "2147483647", "2147483648", "0000000000000000000001", "1 ",
      "1x", "0x1", "1.0", "'1", "'-1" },
    { "", "0", "1", "2", "-1", "-0", "00" },
    { "", "0", "5", "-1", "123456789012345678", "9223372036854775807", "9223372036854775808",
      "5x" },
    { "0", "", "7", "-1", "123456789012345678", "18446744073709551615", "18446744073709551616" },
    { "",
      "0",
      "1",
      "-0",
      "-1e-9",
      "+1",
      "1.",
      ".5",
      ".",
      "-",
      "1e",
      "1e-",
      "1e5",
      "1E-5",
      "1e-30",
      "123456789012345",
      "1234567890.123456789",
      "1e9",
      "1000000001",
      "nan",
      "inf",
      "1e400",
      "1e-400",
      "0x1p3",
      "1 ",
      " 1",
      "1,5",
      "'-5",
      "'5",
      "1e99999999999999999999" },
    { "apple", "pear", "", "Pear", "pea", "pears", " pear", "'pear" },
    { "ball", "kite", "", "doll", "ball ", "'ball" },
    { "0", "1", "2", "" },
    { "", "4", "-4", "x" },
};

/* The line with field `f` replaced, in quotes, or bare. */
static void put_line(size_t f, const char *text, int quoted)
{
    char line[600] = HEADER;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const size_t used = strlen(line);
        const char *quote = quoted && i == f ? "\"" : "";
        const char *end = i + 1 < sizeof fields / sizeof *fields ? "," : "\n";
        snprintf(line + used, sizeof line - used, "%s%s%s%s", quote, i == f ? text : fields[i][0],
                 quote, end);
    }
    put(line);
}

/* Where blanks and quotes do not differ by what quoting means. */
static int is_alike(const char *text)
{
    return !strpbrk(text, ",\r") && !strchr(" \t", *text) && !strchr(" \t", text[strlen(text) - 1]);
}

static void test_alike(void)
{
    size_t n, other, wrong = 0, tried = 0;
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        for (size_t k = 0; k < 40 && fields[f][k]; k++) {
            const char *text = fields[f][k];
            struct err bare_err = { 0 }, err = { 0 };
            if (*text && !is_alike(text))
                continue;
            put_line(f, text, 0);
            void *bare = schema_read(&schema, dir, &n, &bare_err);
            put_line(f, text, 1);
            void *quoted = schema_read(&schema, dir, &other, &err);
            tried++;
            const int same = n == other && !bare == !quoted &&
                             strcmp(bare_err.text, err.text) == 0 &&
                             (!bare || memcmp(bare, quoted, n * sizeof(struct row)) == 0);
            if (!same)
                diag("field %zu '%s': bare %s, quoted %s", f, text, bare ? "read" : bare_err.text,
                     quoted ? "read" : err.text);
            wrong += !same;
            free(bare);
            free(quoted);
        }
    ok(tried > 90 && wrong == 0, "%zu lines are read, or refused, as if a field were quoted",
       tried);
}

static void test_blanks(void)
{
    struct err err = { 0 };
    size_t n;
    put(HEADER " a ,x y ,1,,,0,,pear, ball,0,\n\na,\t,1,,,0,,pear,ball,0,\r\n");
    struct row *rows = schema_read(&schema, dir, &n, &err);
    ok(rows && n == 2 && strcmp(rows[0].name, "a") == 0 && strcmp(rows[0].note, "x y") == 0 &&
           !*rows[1].note,
       "blanks at a field's ends, empty lines and returns are nothing: %s", err.text);
    free(rows);
    put(HEADER "a,,1,,,0,,pear,ball,0\n");
    ok(!schema_read(&schema, dir, &n, &err) && strstr(err.text, ":2: has 10 fields (want 11"),
       "a field too few: %s", err.text);
    put(HEADER "a,,1,,,0,,pear,ball,0,,\n");
    ok(!schema_read(&schema, dir, &n, &err) && strstr(err.text, ":2: has 12 fields (want 11"),
       "a field too many: %s", err.text);
}

static void test_described(void)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    schema_describe(&schema, f);
    fclose(f);
    ok(strstr(text, "| `fruit` | `apple` `pear` | which |\n") &&
           strstr(text, "| `verdict` | 0 or 1, or empty | yes or no |\n") &&
           strstr(text,
                  "| `weight_s` | s | of the inner one (older files have no such column) |\n"),
       "the documentation has types, units and meaning");
    free(text);
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/rows.csv", dir);
    test_refused();
    test_round_trip();
    test_lacking();
    test_given();
    test_appended();
    test_many();
    test_alike();
    test_blanks();
    test_described();
    unlink(path);
    rmdir(dir);
    return tap_done();
}
