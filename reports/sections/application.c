/* SPDX-License-Identifier: BSD-3-Clause */
/* What each selector's choices would cost an application whose calls were counted (collsel select
 * --profile). */
#include "analysis/applications/application_cost.h"
#include "reports/section.h"

static int applies(const struct report_data *d)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, NULL, "%s/%s", d->dir, application_schema.path) == 0 &&
           fs_exists(path);
}

static void put_rows(struct page *page, const struct application_row *row, size_t n)
{
    struct table *t = page_table_new(page, "application",
                                     "The application's collectives by each selector's choices");
    table_columns(t, "<mpi|library ; <mapping|mapping ; <selector|selector ; >kinds|kinds of calls "
                     "; >calls|calls ; >time_pct|share of its time ; >seconds|time ; >best_s|by "
                     "the fastest ; >loss_pct|loss ; .kinds_of|");
    for (size_t i = 0; i < n; i++) {
        const struct application_row *r = &row[i];
        char kinds[24];
        snprintf(kinds, sizeof kinds, "%zu", r->kinds);
        table_cells(t, "%s | %s", r->mpi, r->mapping);
        table_cell(t, r->selector, "%s%s%s", r->selector, *r->no_test ? ", no test: " : "",
                   r->no_test);
        table_cell(t, kinds, "%zu of %zu", r->kinds, r->kinds_of);
        table_cells(t, "%.0f | %g %% | %g s | %g s | %g %% | %zu", r->calls, r->time_pct,
                    r->seconds, r->best_s, r->loss_pct, r->kinds_of);
    }
    table_note(t,
               "Kinds of calls that have a cell here: the same collective and ranks, at most "
               "twice or half the size. Each call counts with the time of the nearest cell; what "
               "overlaps, and what ranks wait for each other, is not in the sum. share of its "
               "time: in collectives, as the application was recorded.");
    page_table_some(page, t);
}

static void write_section(struct page *page)
{
    size_t n = 0;
    struct err err = { 0 };
    struct application_row *row = schema_read(&application_schema, page->data->dir, &n, &err);
    if (row)
        put_rows(page, row, n);
    else
        page_fail(page, &err);
    free(row);
}

const struct section section_application = {
    .name = "application",
    .title = "An application's calls",
    .subject = PAGE_PAPERS,
    .applies = applies,
    .write = write_section,
};
