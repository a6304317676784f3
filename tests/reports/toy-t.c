/* SPDX-License-Identifier: BSD-3-Clause */
/* The checklists of a new section, selector and algorithm: a row, and a line in a table. This
 * program links tables of its own. The section is on the page, in its contents, and has its table
 * and figure; the selector is in the page's tables by its label; the algorithm has
 * a label, a code and a colour, and is drawn. */
#include "reports/report.h"
#include "analysis/judge/selectors/selector.h"
#include "reports/section.h"
#include "reports/style.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"
#include "tests/workloads/two_hops.h"

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
    table_columns(t, "<toy|toy");
    table_text(t, "a spinning top");
    page_table(page, t);
    figure_begin(&f, page, "toy", 400, 200, columns, "a toy");
    figure_row(&f, "%d %d", 1, 2);
    fputs("plot data using (column(\"x\")):(column(\"y\")) with points\n", f.gp);
    figure_end(&f, "A toy, drawn.");
}

static int choose_none(const struct selector *self, const struct cell_view *view,
                       struct selected *choice)
{
    (void)self, (void)view, (void)choice;
    return 0;
}

static const struct selector toy_selector = {
    .name = "lazy", .label = "lazy selector", .help = "no choice", .choose = choose_none
};
const struct selector *const selectors[] = { &selector_best, &toy_selector, NULL };

/* The selector's row of degradation.csv. */
static void add_loss(const struct fixture *f)
{
    struct csvw w = { .file = fixture_append(f, degradation_schema.path) };
    fixture_loss(&w, "smpi", "lazy", 10, 10, 20, 1024, 1, 0);
    fclose(w.file);
}

static const struct section toy = { .name = "toy", .title = "A toy section", .write = write_toy };
static const struct section shy = {
    .name = "shy", .title = "A shy one", .applies = never, .write = write_toy
};
static const struct section late = {
    .name = "late", .title = "A late one", .applies = never, .absent = "Come again.", .write = NULL
};
extern const struct section section_selectors, section_algorithms;
const struct section *const sections[] = {
    &toy, &shy, &late, &section_selectors, &section_algorithms, NULL
};

/* Its curve is drawn by its label, in its colour. */
static void figure_of_algorithm(const struct fixture *f)
{
    const struct algorithm_style style = style_of("portable:two_hops");
    char path[256];
    is_str("two hops", style.label, "a label");
    is_str("TH", style.code, "a code");
    snprintf(path, sizeof path, "%s/report/figures/algorithms-p8.gp", f->dir);
    char *gp = fs_read(path, NULL, NULL);
    has_str("title \"two hops", gp, "it is drawn by its label");
    has_str(algorithm_look("portable:two_hops"), gp, "and in its colour");
    free(gp);
}

int main(void)
{
    char base[64] = "/tmp/collsel-toy-XXXXXX";
    struct fixture f = { .backend = "sim",
                         .cluster = "gros",
                         .n_mpi = 1,
                         .mpi = { "smpi" },
                         .more = "portable:two_hops" };
    struct report_result result;
    struct err err = { 0 };
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    snprintf(f.dir, sizeof f.dir, "%s/study", base);
    fixture_write(&f);
    add_loss(&f);
    const struct report_request request = { .dir = f.dir, .assets = "reports" };
    if (!is_int(0, report_write(&request, &result, &err), "a report of other sections"))
        diag("%s", err.text);
    char *html = fixture_pages(&f);
    has_str("<section id=\"toy\"", html, "the section is on the page");
    has_str("<li><a href=\"#toy\"", html, "and in its contents"); /* pandoc 3 adds an id */
    has_str("a spinning top", html, "with its table");
    has_str("<figure id=\"figure-toy\">", html, "and its figure");
    has_str("Come again.", html, "one that has nothing to say yet says so");
    ok(html && !strstr(html, "A shy one"), "one that does not apply is not there");
    ok(html && !strstr(html, "id=\"winners\""), "and no other section");
    has_str("lazy selector", html, "the selector is there by its label");
    free(html);
    figure_of_algorithm(&f);
    fixture_clear(base);
    return tap_done();
}
