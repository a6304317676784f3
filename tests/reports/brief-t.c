/* SPDX-License-Identifier: BSD-3-Clause */
/* brief-t.c - the report in short, of a planted study: the default is binomial, which binary beats
 * by 204 to 142 and 1351 to 715 microseconds at two of three sizes (fixture.h), whatever the
 * processes. */
#include <math.h>

#include <jansson.h>

#include "reports/report.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static char base[64] = "/tmp/collsel-brief-XXXXXX";

/* What a report says in short; "" if it cannot be made. To be freed. */
static char *brief_of(const struct fixture *f, int json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    const struct report_request request = {
        .dir = f->dir, .assets = "reports", .brief = out, .json = json
    };
    struct report_result result;
    struct err err = { 0 };
    if (!is_int(0, report_write(&request, &result, &err), "a report in short is made"))
        diag("%s", err.text);
    fclose(out);
    return text;
}

static void test_text(const struct fixture *f)
{
    char *text = brief_of(f, 0), *page = fixture_pages(f);
    static const char verdict[] =
        "broadcast is 1.4 times slower than it could be, in the geometric mean over 9 cells, "
        "and 1.9 times at worst (2 processes, 64";
    has_str(verdict, text, "its verdict has the geometric mean and the worst of the factors");
    has_str(verdict, page, "which the first page has, too");
    has_str("collsel ask --cluster ", text, "it says what to type");
    has_str("report/index.html", text, "and where the rest is");
    has_str("<td>1.9×", page, "the page has a table of them");
    free(text);
    free(page);
}

static void test_json(const struct fixture *f)
{
    char *text = brief_of(f, 1);
    json_t *all = json_loads(text, 0, NULL), *row = json_array_get(json_object_get(all, "rows"), 0);
    const double wanted = cbrt(203.84 / 141.92 * (1350.72 / 715.36));
    is_int(1, (long long)json_array_size(json_object_get(all, "rows")),
           "as JSON it has a row for the only collective and mapping");
    ok(fabs(json_real_value(json_object_get(row, "mean_factor")) / wanted - 1) < 1e-4,
       "with the mean factor");
    is_int(9, json_integer_value(json_object_get(row, "cells")), "of all cells");
    is_int(6, json_integer_value(json_object_get(row, "slower")),
           "in six of which the default is slower");
    is_int(3, json_integer_value(json_object_get(row, "same")), "and in three as good");
    is_int(0, json_integer_value(json_object_get(row, "unsure")), "and in none unsure");
    ok(json_object_get(row, "unsure") != NULL, "which is there");
    json_decref(all);
    free(text);
}

int main(void)
{
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    struct fixture f = { .backend = "sim", .cluster = "gros", .n_mpi = 1, .mpi = { "smpi" } };
    snprintf(f.dir, sizeof f.dir, "%s/study", base);
    fixture_write(&f);
    test_text(&f);
    test_json(&f);
    fixture_clear(base);
    return tap_done();
}
