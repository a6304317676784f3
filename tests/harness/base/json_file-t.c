/* SPDX-License-Identifier: BSD-3-Clause */
/* In which line of a JSON file a value stands, and refusals that say so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/json_print.h"
#include "tests/tap.h"

static const char text[] = "{\n"
                           " \"a\": \"x \\\" } ] , :\",\n"
                           " \"b\": {\"c\": [1,\n"
                           "  {\"d\": [],\n"
                           "   \"e/f\": 2,\n"
                           "   \"d2\": null}],\n"
                           "  \"z\": true},\n"
                           " \"last\": 1}\n";

static void check_lines(void)
{
    static const struct {
        const char *at;
        int line;
    } rows[] = { { "", 1 },      { "a", 2 },          { "b", 3 },        { "b/c/0", 3 },
                 { "b/c/1", 4 }, { "b/c/1/d", 4 },    { "b/c/1/d2", 6 }, { "b/z", 7 },
                 { "last", 8 },  { "b/nothing", 3 },  { "nothing", 1 },  { "b/c/7", 3 },
                 { "a/b", 2 },   { "b/c/1/e/f/g", 4 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_int(rows[i].line, json_line_of(text, rows[i].at), "'%s'", rows[i].at);
}

/* Text that is no JSON has lines all the same. */
static void check_broken(void)
{
    for (size_t n = 0; n < sizeof text; n++) {
        char part[sizeof text];
        snprintf(part, sizeof part, "%.*s", (int)n, text);
        if (json_line_of(part, "b/c/1/d2") < 1)
            ok(0, "the first %zu bytes", n);
    }
    ok(1, "every beginning of it has a line");
}

static void check_refusal(void)
{
    char dir[] = "/tmp/collsel-XXXXXX", path[64];
    struct err err = { 0 };
    if (!mkdtemp(dir))
        return;
    snprintf(path, sizeof path, "%s/a.json", dir);
    fs_write(path, text, NULL);
    err_set(&err, "b/c/1/d2: 'null' is no number");
    json_file_fail(path, &err);
    has_str("a.json:6: b/c/1/d2: 'null' is no number", err.text, "a refusal says the line");
    err_set(&err, "it lacks something");
    json_file_fail(path, &err);
    has_str("a.json:1: it lacks something", err.text, "one of no value in it the first");
    fs_remove_tree(dir, NULL);
}

int main(void)
{
    check_lines();
    check_broken();
    check_refusal();
    return tap_done();
}
