/* SPDX-License-Identifier: BSD-3-Clause */
/* csv: the reader of the files between the stages refuses what is not one, with file and line; what
 * the writer writes reads back; a line that a crash cut short is told apart from the end. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"
#include "tests/tap.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const ab[] = { "a", "b", NULL };

static const struct {
    const char *what, *text;
    int rows, truncated;
    const char *message; /* part of the error after the path; NULL: none */
} files[] = {
    { "a plain file", "a,b\n1,2\n3,4\n", 2, 0, NULL },
    { "a header alone", "a,b\n", 0, 0, NULL },
    { "provenance lines", "# tool: x\n#\n# y: 1,2,\"\na,b\n1,2\n", 1, 0, NULL },
    { "extra columns", "x,b,a\n1,2,3\n", 1, 0, NULL },
    { "CRLF", "a,b\r\n1,2\r\n", 1, 0, NULL },
    { "quoted comma, quote and newline", "a,b\n\"1,\"\"x\"\"\",\"2\n3\"\n", 1, 0, NULL },
    { "blank lines", "a,b\n\n1,2\n \t \n3,4\n\n", 2, 0, NULL },
    { "an empty line inside quotes", "a,b\n1,\"x\n\ny,z\nw\"\n", 1, 0, NULL },
    { "empty fields", "a,b\n,\n", 1, 0, NULL },
    { "a last line cut short", "a,b\n1,2\n3,", 1, 1, NULL },
    { "a last line without newline", "a,b\n1,2\n3,4", 1, 1, NULL },
    { "a cut inside quotes", "a,b\n1,2\n3,\"4\n", 1, 1, NULL },
    { "nothing", "", 0, 0, ": has no header row" },
    { "comments alone", "# x: y\n# z", 0, 0, ": has no header row" },
    { "a header cut short", "a,b", 0, 0, ": has no header row" },
    { "a missing column", "# x\na,c\n1,2\n", 0, 0, ":2: has no column 'b'" },
    { "a doubled column", "a,b,a\n", 0, 0, ":1: column 'a' stands twice" },
    { "too few fields", "a,b\n1,2\n3\n", 1, 0, ":3: has 1 fields (want 2 as in the header)" },
    { "too many fields", "#\na,b\n\n1,2,3\n", 0, 0, ":4: has 3 fields (want 2 as in the header)" },
    { "two rows by a bare CR", "a,b\n1,2\r3,4\n", 0, 0, ":2: has 4 fields" },
    { "a comment among rows", "a,b\n# late\n", 0, 0, ":2: has 1 fields" },
    { "a quote amid a field", "a,b\n1,x\"y\n", 0, 0, ":2: malformed quoting" },
    { "junk after quotes", "a,b\n1,\"x\"y\n", 0, 0, ":2: malformed quoting" },
};

static char path[64];

static void put(const void *data, size_t len)
{
    FILE *f = fopen(path, "we");
    if (!f || fwrite(data, 1, len, f) != len || fclose(f) != 0)
        abort();
}

static void put_text(const char *text)
{
    put(text, strlen(text));
}

static void test_file(size_t i)
{
    struct err err = { 0 };
    int rows = 0, truncated = 0, got;
    put_text(files[i].text);
    struct csv *csv = csv_open(path, ab, &err);
    if (csv) {
        while ((got = csv_next(csv, &err)) == 1)
            rows++;
        truncated = csv_truncated(csv);
    }
    csv_close(csv);
    is_int(files[i].rows, rows, "%s: %d rows", files[i].what, files[i].rows);
    is_int(files[i].truncated, truncated, "  cut short: %s", files[i].truncated ? "yes" : "no");
    if (files[i].message) {
        ok(strncmp(err.text, path, strlen(path)) == 0, "  the error begins with the path");
        has_str(files[i].message, err.text, "  and goes on '%s'", files[i].message);
    } else {
        is_str("", err.text, "  without an error");
    }
}

/* What the reader of a whole file is told at its end. */
static void test_end(void)
{
    static const char *const cut[][2] = {
        { "a,b\n1,2\n", NULL },
        { "a,b\n1,2\n3,4", ":3: the last line was cut short (want 2 fields and a newline)" },
        { "a,b\n1,2\n\"3,4\n5,6\n", ":3: a quote that begins here does not end" },
    };
    static const char *const c[] = { "a", "c", NULL };
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        struct err err = { 0 };
        int got;
        put_text(cut[i][0]);
        struct csv *csv = csv_open(path, ab, &err);
        while ((got = csv_next(csv, &err)) == 1)
            ;
        is_int(cut[i][1] ? -1 : 0, csv_end(csv, got, &err), "the end of file %zu", i);
        has_str(cut[i][1] ? cut[i][1] : "", err.text, "  with what is wrong, and where");
        csv_close(csv);
    }
    struct err err = { 0 };
    put_text("# x\na,b\n1,2\n");
    struct csv *csv = csv_open(path, NULL, &err);
    is_int(0, csv_require(csv, ab, &err), "columns that are there");
    is_int(-1, csv_require(csv, c, &err), "one that is not");
    has_str(":2: has no column 'c' among its 2 ('a' ... 'b')", err.text, "is named, with the line");
    csv_close(csv);
}

static void test_nul(void)
{
    static const char text[] = "a,b\n1,\0002\n";
    struct err err = { 0 };
    put(text, sizeof text - 1);
    struct csv *csv = csv_open(path, ab, &err);
    is_int(-1, csv_next(csv, &err), "a NUL byte is refused");
    has_str(":2: holds a NUL byte", err.text, "with its line");
    csv_close(csv);
}

static void test_no_file(void)
{
    struct err err = { 0 };
    ok(!csv_open("/nonexistent/x.csv", ab, &err), "a file that is not there is refused");
    is_str("cannot open '/nonexistent/x.csv': No such file or directory", err.text,
           "with the reason");
    ok(!csv_open("/", ab, &err), "so is a directory");
    has_str("'/': Is a directory", err.text, "with the reason");
    csv_close(NULL);
}

static void test_types(void)
{
    struct err err = { 0 };
    uint64_t u = 7;
    int i = 7;
    double f = 7;
    char buf[4];
    put_text("a,b\n18446744073709551615,2147483647\n18446744073709551616,2147483648\n"
             ",-2147483648\nabc,-2147483649\nabcd,nan\n1,inf\n");
    struct csv *csv = csv_open(path, ab, &err);
    int a = csv_column(csv, "a"), b = csv_column(csv, "b");
    is_int(-1, csv_column(csv, "c"), "no such column is -1");
    csv_next(csv, &err);
    ok(csv_u64(csv, a, &u, &err) == 0 && u == UINT64_MAX, "the largest u64 is read");
    ok(csv_int(csv, b, &i, &err) == 0 && i == INT_MAX, "the largest int is read");
    is_int(2, (long long)csv_line(csv), "the row stands on line 2");
    csv_next(csv, &err);
    is_int(-1, csv_u64(csv, a, &u, &err), "one past the largest u64 is refused");
    has_str(":3: a: '18446744073709551616' is not", err.text, "with line and column");
    is_int(-1, csv_int(csv, b, &i, &err), "one past the largest int is refused");
    has_str(":3: b: '2147483648' is out of range", err.text, "with line and column");
    csv_next(csv, &err);
    is_int(-1, csv_u64(csv, a, &u, &err), "an empty field is no u64");
    ok(csv_f64(csv, a, &f, &err) == 0 && isnan(f), "an empty field is a missing number: NaN");
    ok(csv_int(csv, b, &i, &err) == 0 && i == INT_MIN, "the least int is read");
    csv_next(csv, &err);
    is_int(-1, csv_int(csv, b, &i, &err), "one below the least int is refused");
    is_int(-1, csv_f64(csv, a, &f, &err), "a word is no number");
    ok(csv_copy(csv, a, buf, sizeof buf, &err) == 0 && strcmp(buf, "abc") == 0,
       "a text that fits is copied");
    csv_next(csv, &err);
    is_int(-1, csv_copy(csv, a, buf, sizeof buf, &err), "one character more is refused");
    has_str(":6: a: 'abcd...' is too long", err.text, "with line and column");
    is_int(-1, csv_f64(csv, b, &f, &err), "'nan' in a file is refused");
    csv_next(csv, &err);
    is_int(-1, csv_f64(csv, b, &f, &err), "'inf' in a file is refused");
    ok(u == UINT64_MAX && i == INT_MIN && isnan(f), "refused fields leave results alone");
    csv_close(csv);
}

static void test_long_message(void)
{
    struct err err = { 0 };
    char *text = malloc(3000);
    memset(text, 'x', 3000);
    memcpy(text, "a,b\n", 4);
    memcpy(text + 2990, ",1\n", 4);
    put_text(text);
    struct csv *csv = csv_open(path, ab, &err);
    uint64_t u;
    csv_next(csv, &err);
    is_int(-1, csv_u64(csv, 0, &u, &err), "a field of 2986 letters is no number");
    is_str("...", err.text + strlen(err.text) - 3, "and the message says that it is cut");
    ok(strncmp(err.text, path, strlen(path)) == 0, "but not its path");
    csv_close(csv);
    free(text);
}

static void test_round_trip(void)
{
    static const char *const texts[] = {
        "plain", "",      "comma,", "quo\"te", "new\nline",   "#hash", " lead", "trail ",
        "\ttab", "tab\t", "\r",     "\"",      "caf\xc3\xa9", "a b",   "\"\"",  ",",
        "=1+1",  "+x",    "-x",     "@x",      "'=x",         "''-x",  "'x",    "-1.5",
    };
    static const double reals[] = { 0, -0.0, 1.5, 1e-300, 123456789, 1.23456789e-6, NAN, INFINITY };
    struct err err = { 0 };
    FILE *f = fopen(path, "we");
    struct csvw w = { .file = f };
    csvw_header(&w, (const char *const[]){ "n", "text", "u", "i", "f", NULL });
    for (size_t i = 0; i < COUNT(texts); i++) {
        csvw_u64(&w, i);
        csvw_text(&w, texts[i]);
        csvw_u64(&w, UINT64_MAX - i);
        csvw_i64(&w, INT64_MIN);
        csvw_f64(&w, reals[i % COUNT(reals)]);
        csvw_end(&w);
    }
    fclose(f);
    struct csv *csv = csv_open(path, (const char *const[]){ "text", "u", "i", "f", NULL }, &err);
    for (size_t i = 0; i < COUNT(texts); i++) {
        uint64_t u = 0;
        double real = 7, wanted = reals[i % COUNT(reals)];
        is_int(1, csv_next(csv, &err), "row %zu is there", i);
        is_str(texts[i], csv_text(csv, 1), "  its text is what was written");
        ok(csv_u64(csv, 2, &u, &err) == 0 && u == UINT64_MAX - i, "  so is its u64");
        is_str("-9223372036854775808", csv_text(csv, 3), "  and its i64");
        is_int(0, csv_f64(csv, 4, &real, &err), "  and its number is one or missing");
        is_near(isfinite(wanted) ? wanted : NAN, real, 1e-8, "  to nine digits");
    }
    is_int(0, csv_next(csv, &err), "then comes the end");
    is_int(0, csv_truncated(csv), "and nothing was cut");
    csv_close(csv);
}

/* What a spreadsheet would run as a formula has an apostrophe before it; numbers have none. */
static void test_formulas(void)
{
    FILE *f = fopen(path, "we");
    struct csvw w = { .file = f };
    csvw_text(&w, "=HYPERLINK(\"x\")");
    csvw_text(&w, "@x");
    csvw_text(&w, "+x");
    csvw_text(&w, "-x");
    csvw_text(&w, "-1.5e-3");
    csvw_text(&w, "'=x");
    csvw_text(&w, "it's");
    csvw_end(&w);
    fclose(f);
    char *text = fs_read(path, NULL, NULL);
    is_str("\"'=HYPERLINK(\"\"x\"\")\",'@x,'+x,'-x,-1.5e-3,''=x,it's\n", text,
           "formulas are texts, numbers stay numbers");
    free(text);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/collsel-csv-t.%ld", (long)getpid());
    for (size_t i = 0; i < COUNT(files); i++)
        test_file(i);
    test_end();
    test_nul();
    test_no_file();
    test_types();
    test_long_message();
    test_round_trip();
    test_formulas();
    unlink(path);
    return tap_done();
}
