/* SPDX-License-Identifier: BSD-3-Clause */
/* What the choices that are best under plain conditions lose under others. */
#include "reports/section_common.h"

/* The cells of one collective, library and mapping under the same conditions. */
struct group {
    const struct condition_loss *first, *worst;
    size_t cells, other, wrong; /* compared; another is the fastest; significantly so */
    double sum_pct;
};

static int is_of(const struct group *g, const struct condition_loss *r)
{
    return cell_compare_context(&g->first->cell, &r->cell) == 0 &&
           cell_compare_conditions(&g->first->cell, &r->cell) == 0;
}

static void take(struct group *g, const struct condition_loss *r)
{
    if (r->status != SELECT_OK)
        return;
    g->cells++;
    g->other += r->loss.pct > 0;
    g->wrong += r->loss.tied == 0;
    g->sum_pct += r->loss.pct;
    if (!g->worst || r->loss.pct > g->worst->loss.pct)
        g->worst = r;
}

static void put_place(struct table *t, const struct cell *cell)
{
    table_cell(t, NULL, "P = %d, %s", cell->procs, show_bytes(cell->bytes));
}

static void condition_columns(struct table *t)
{
    table_columns(t, "<arrival|ranks arrive ; <buffers|buffers");
}

static void put_conditions(struct table *t, const struct cell *cell)
{
    char text[64];
    table_cells(t, "%s=%s | %s=%s", cell->arrival, arrival_text(cell->arrival, text, sizeof text),
                cell->buffers, *cell->buffers ? cell->buffers : "reused");
}

static void put_group(struct table *t, const struct group *g)
{
    const struct cell *c = &g->first->cell;
    table_cells(t, "%s | %s | %s", c->collective, c->mpi, c->mapping);
    put_conditions(t, c);
    table_cells(t, "%zu | %zu | %zu [%d] | %g %% | %g %%", g->cells, g->other, g->wrong,
                g->wrong ? MARK_BAD : MARK_NONE, g->cells ? g->sum_pct / (double)g->cells : NAN,
                g->worst ? g->worst->loss.pct : NAN);
    if (g->worst && g->worst->loss.pct > 0)
        put_place(t, &g->worst->cell);
    else
        table_cell(t, "", "–");
}

static void put_groups(struct page *page)
{
    const struct report_data *d = page->data;
    struct table *t =
        page_table_new(page, "conditions",
                       "What the choice that is best under plain conditions loses under others");
    char *done = memory_zeros(d->conditions + 1, 1);
    table_columns(t, "<collective|collective ; <mpi|library ; <mapping|mapping");
    condition_columns(t);
    table_columns(t, ">cells|cells ; >other|another is faster ; >wrong|significantly ; "
                     ">mean_pct|mean loss ; >worst_pct|worst loss ; <worst_at|worst at");
    for (size_t i = 0; i < d->conditions; i++) {
        struct group g = { .first = &d->condition[i] };
        for (size_t k = i; k < d->conditions && !done[i]; k++)
            if (is_of(&g, &d->condition[k])) {
                take(&g, &d->condition[k]);
                done[k] |= k > i;
            }
        if (!done[i])
            put_group(t, &g);
    }
    free(done);
    page_table(page, t);
}

static void put_cells(struct page *page)
{
    const struct report_data *d = page->data;
    char label[128];
    struct table *t = page_table_new(page, "conditions-wrong",
                                     "Cells in which that choice is significantly slower");
    table_columns(t, "<collective|collective ; <mpi|library");
    condition_columns(t);
    table_columns(t, "<cell|cell ; <chosen|best under plain ones ; <best|best here ; >chosen_s|its "
                     "time ; >best_s|best time ; >loss_pct|loss ; >ci_low_pct|at least");
    for (size_t i = 0; i < d->conditions; i++) {
        const struct condition_loss *r = &d->condition[i];
        if (r->status != SELECT_OK || r->loss.tied != 0)
            continue;
        table_cells(t, "%s | %s", r->cell.collective, r->cell.mpi);
        put_conditions(t, &r->cell);
        put_place(t, &r->cell);
        table_cell(t, r->chosen.algorithm, "%s", candidate_text(&r->chosen, label, sizeof label));
        table_cells(t, "%s=%s | %g s | %g s | %g %% | %g %%", r->best.algorithm,
                    candidate_text(&r->best, label, sizeof label), r->chosen_s, r->best_s,
                    r->loss.pct, r->loss.ci_low_pct);
    }
    table_fold(t);
    page_table_some(page, t);
}

static void write_section(struct page *page)
{
    put_groups(page);
    put_cells(page);
}

const struct section section_conditions = {
    .name = "conditions",
    .title = "Other conditions: late ranks, cold buffers",
    .subject = PAGE_QUALITY,
    .rows = SECTION_ROWS(conditions),
    .intro =
        "\nAll other sections are of plain conditions: ranks arrive together, and all calls have "
        "the same buffers, which caches hold. Here ranks arrive one after the other or one comes "
        "late, as in applications, and a time counts from the last one's call on; or each call "
        "has other buffers, which no cache holds. The candidate that is fastest under plain "
        "conditions is set beside the fastest here.\n",
    .write = write_section,
};
