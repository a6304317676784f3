/* SPDX-License-Identifier: BSD-3-Clause */
/* The checklist of a new section: a file with its row, and a line in the table. This program links
 * a table of its own, whose section is on the page, in its contents, and has its table and figure.
 */
#include "reports/report.h"
#include "reports/section.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static int never(const struct report_data *d)
{
    (void)d;
    return 0;
}

static void write_toy(struct page *page)
{
    static const char *const columns[] = { "x", "y", NULL };
    struct figure f;
    struct table *t = page_table_new(page, "toys", "Toys on the shelf");
    table_column(t, "toy", NULL, "toy", ALIGN_LEFT);
    table_text(t, "a spinning top");
    page_table(page, t);
    figure_begin(&f, page, "toy", 400, 200, columns, "a toy");
    csvw_i64(&f.data, 1);
    csvw_i64(&f.data, 2);
    figure_row(&f);
    fputs("plot data using (column(\"x\")):(column(\"y\")) with points\n", f.gp);
    figure_end(&f, "A toy, drawn.");
}

static const struct section toy = { .name = "toy", .title = "A toy section", .write = write_toy };
static const struct section shy = {
    .name = "shy", .title = "A shy one", .applies = never, .write = write_toy
};
static const struct section late = {
    .name = "late", .title = "A late one", .applies = never, .absent = "Come again.", .write = NULL
};
const struct section *const sections[] = { &toy, &shy, &late, NULL };

int main(void)
{
    char base[64] = "/tmp/collsel-toy-XXXXXX", path[256];
    struct fixture f = { .backend = "sim", .cluster = "gros", .n_mpi = 1, .mpi = { "smpi" } };
    struct report_result result;
    struct err err = { 0 };
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    snprintf(f.dir, sizeof f.dir, "%s/study", base);
    fixture_write(&f);
    const struct report_request request = { .dir = f.dir, .assets = "reports" };
    if (!is_int(0, report_write(&request, &result, &err), "a report of other sections"))
        diag("%s", err.text);
    snprintf(path, sizeof path, "%s/report/index.html", f.dir);
    char *html = fs_read(path, NULL, NULL);
    has_str("<section id=\"toy\"", html, "the section is on the page");
    has_str("<a href=\"#toy\">A toy section</a>", html, "and in its contents");
    has_str("a spinning top", html, "with its table");
    has_str("<figure id=\"figure-toy\">", html, "and its figure");
    has_str("Come again.", html, "one that has nothing to say yet says so");
    ok(html && !strstr(html, "A shy one"), "one that does not apply is not there");
    ok(html && !strstr(html, "id=\"summary\""), "and no other section");
    free(html);
    fixture_clear(base);
    return tap_done();
}
