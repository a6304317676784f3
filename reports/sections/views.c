/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose time is the call's: where another view than the slowest rank's takes another algorithm. */
#include "reports/section_common.h"

static const char *const view_label[N_VIEWS] = { [VIEW_SLOWEST] = "slowest rank",
                                                 [VIEW_MEAN] = "mean over ranks",
                                                 [VIEW_ROOT] = "root",
                                                 [VIEW_SPAN] = "last end minus first begin",
                                                 [VIEW_FASTEST] = "fastest rank" };

struct taken {
    enum view view;
    const struct view_row *chosen, *best; /* the least by the view, and by the slowest rank */
};

/* Among the n rows of a cell those with a loss are candidates. chosen NULL: nothing to choose
 * from, or a view that is not known of all. */
static struct taken take_in(const struct view_row *row, size_t n, enum view view)
{
    struct taken t = { .view = view };
    size_t candidates = 0, known = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(row[i].loss.pct))
            continue;
        candidates++;
        known += !isnan(row[i].time_s[view]);
        if (!t.best || row[i].time_s[VIEW_SLOWEST] < t.best->time_s[VIEW_SLOWEST])
            t.best = &row[i];
        if (!t.chosen || row[i].time_s[view] < t.chosen->time_s[view])
            t.chosen = &row[i];
    }
    if (candidates < 2 || known < candidates)
        t.chosen = NULL;
    else if (t.best->time_s[view] <= t.chosen->time_s[view])
        t.chosen = t.best;
    return t;
}

/* What all views but the first take in all plain cells, in the order of cells; *n of them, to be
 * freed. */
static struct taken *take_all(const struct report_data *d, size_t *n)
{
    struct taken *all = NULL;
    *n = 0;
    for (size_t i = 0, rows; i < d->views; i += rows) {
        const struct view_row *first = &d->view[i];
        rows = 1;
        while (i + rows < d->views &&
               cell_compare(&first->point.cell, &first[rows].point.cell) == 0)
            rows++;
        for (int v = VIEW_SLOWEST + 1; v < N_VIEWS && cell_is_plain(&first->point.cell); v++) {
            const struct taken t = take_in(first, rows, (enum view)v);
            if (t.chosen)
                *(struct taken *)array_add(&all, n) = t;
        }
    }
    return all;
}

/* The cells of one collective, library and mapping in one view; cell NULL: all of them. */
struct group {
    const struct cell *cell;
    enum view view;
    const struct taken *worst;
    size_t cells, other, wrong; /* compared; another is taken; it is significantly slower */
    double sum_pct;
};

static struct group count_group(const struct taken *all, size_t n, const struct cell *cell,
                                enum view view)
{
    struct group g = { .cell = cell, .view = view };
    for (size_t i = 0; i < n; i++) {
        const struct loss_interval *loss = &all[i].chosen->loss;
        if (all[i].view != view ||
            (cell && cell_compare_context(cell, &all[i].chosen->point.cell) != 0))
            continue;
        g.cells++;
        g.other += all[i].chosen != all[i].best;
        g.wrong += loss->tied == 0;
        g.sum_pct += loss->pct;
        if (!g.worst || loss->pct > g.worst->chosen->loss.pct)
            g.worst = &all[i];
    }
    return g;
}

static void put_context(struct table *t, const struct cell *cell)
{
    table_cells(t, "%s | %s | %s", cell->collective, cell->mpi, cell->mapping);
}

static void context_columns(struct table *t)
{
    table_columns(t, "<collective|collective ; <mpi|library ; <mapping|mapping");
}

static void put_place(struct table *t, const struct cell *cell)
{
    char root[32] = "";
    if (cell->root)
        snprintf(root, sizeof root, ", root %d", cell->root);
    table_cell(t, NULL, "P = %d, %s%s", cell->procs, show_bytes(cell->bytes), root);
}

static void put_group(struct table *t, const struct group *g)
{
    put_context(t, g->cell);
    table_cells(t, "%s | %zu | %zu | %zu [%d] | %g %% | %g %%", view_label[g->view], g->cells,
                g->other, g->wrong, g->wrong ? MARK_BAD : MARK_NONE, g->sum_pct / (double)g->cells,
                g->worst->chosen->loss.pct);
    if (g->worst->chosen->loss.pct > 0)
        put_place(t, &g->worst->chosen->point.cell);
    else
        table_cell(t, "", "–");
}

static void put_groups(struct page *page, const struct taken *all, size_t n)
{
    struct table *t = page_table_new(
        page, "views", "What is lost, by the slowest rank's time, where another view chooses");
    const struct cell *last = NULL;
    context_columns(t);
    table_columns(t,
                  "<view|chosen by ; >cells|cells ; >other|another is taken ; >wrong|significantly "
                  "slower ; >mean_pct|mean loss ; >worst_pct|worst loss ; <worst_at|worst at");
    for (size_t i = 0; i < n; i++) {
        const struct cell *cell = &all[i].chosen->point.cell;
        if (last && cell_compare_context(last, cell) == 0)
            continue;
        for (int v = VIEW_SLOWEST + 1; v < N_VIEWS; v++) {
            const struct group g = count_group(all, n, cell, (enum view)v);
            if (g.cells)
                put_group(t, &g);
        }
        last = cell;
    }
    page_table(page, t);
}

static void put_cells(struct page *page, const struct taken *all, size_t n)
{
    char label[128];
    struct table *t = page_table_new(page, "views-mean",
                                     "Cells in which the mean over ranks takes another algorithm");
    context_columns(t);
    table_columns(t,
                  "<cell|cell ; <chosen|least mean ; <best|least slowest rank ; >chosen_mean_s|of "
                  "the first|mean over ranks ; >best_mean_s|of the second|mean over ranks ; "
                  ">loss_pct|loss ; >ci_low_pct|from|its interval ; >ci_high_pct|to|its interval");
    for (size_t i = 0; i < n; i++) {
        const struct view_row *chosen = all[i].chosen, *best = all[i].best;
        if (all[i].view != VIEW_MEAN || chosen == best)
            continue;
        put_context(t, &chosen->point.cell);
        put_place(t, &chosen->point.cell);
        table_cell(t, chosen->point.candidate.algorithm, "%s",
                   candidate_text(&chosen->point.candidate, label, sizeof label));
        table_cells(t, "%s=%s | %g s | %g s | %g %% [%d] | %g %% | %g %%",
                    best->point.candidate.algorithm,
                    candidate_text(&best->point.candidate, label, sizeof label),
                    chosen->time_s[VIEW_MEAN], best->time_s[VIEW_MEAN], chosen->loss.pct,
                    chosen->loss.tied == 0 ? MARK_BAD : MARK_NONE, chosen->loss.ci_low_pct,
                    chosen->loss.ci_high_pct);
    }
    table_fold(t);
    page_table_some(page, t);
}

static void say_mean(struct page *page, const struct taken *all, size_t n)
{
    const struct group g = count_group(all, n, NULL, VIEW_MEAN);
    if (!g.cells)
        return;
    fprintf(page->md,
            "\n**Choosing by the mean over ranks takes another algorithm than by the slowest rank "
            "in %zu of %zu cell%s**, and one that is significantly slower in %zu of them",
            g.other, COUNTED(g.cells), g.wrong);
    if (g.worst->chosen->loss.pct > 0)
        fprintf(page->md, "; in the worst of all it loses %s", show_pct(g.worst->chosen->loss.pct));
    fputs(".\n", page->md);
}

static void write_section(struct page *page)
{
    size_t n;
    struct taken *all = take_all(page->data, &n);
    say_mean(page, all, n);
    put_groups(page, all, n);
    put_cells(page, all, n);
    free(all);
}

const struct section section_views = {
    .name = "views",
    .title = "Whose time: other views of the same calls",
    .subject = PAGE_QUALITY,
    .rows = SECTION_ROWS(views),
    .intro = "\nA call has as many times as ranks. All other sections take the slowest rank's; "
             "other benchmarks print the mean over ranks (OSU) or the root's. These are the same "
             "calls, seen in each way (`views.csv`). A loss is always of the slowest rank's time: "
             "what an application waits for.\n",
    .write = write_section,
};
