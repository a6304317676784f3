/* SPDX-License-Identifier: BSD-3-Clause */
/* Times that no call can take, and means that are no call's: which they are, and what the default
 * loses with and without them. */
#include "reports/section_common.h"

enum { SHOWN = 600 };

static int applies(const struct report_data *d)
{
    return any_below(i, d->results, d->result[i].doubt != DOUBT_NONE);
}

/* What the default loses in the cells of a context in which it and another have a time. */
struct loses {
    size_t cells;
    double sum_pct, worst_pct;
};

/* One cell's times. believed: without the doubted ones. */
static void add_cell(const struct measured *const *row, size_t n, int believed, struct loses *loses)
{
    const struct measured *usual = NULL, *best = NULL;
    size_t times = 0;
    for (size_t i = 0; i < n; i++) {
        if (believed && row[i]->doubt != DOUBT_NONE)
            continue;
        times++;
        if (algorithm_is_default(row[i]->point.candidate.algorithm))
            usual = row[i];
        if (!best || row[i]->time.value < best->time.value)
            best = row[i];
    }
    if (!usual || times < 2)
        return;
    const double pct = longer_pct(usual->time.value, best->time.value);
    loses->cells++;
    loses->sum_pct += pct;
    loses->worst_pct = fmax(loses->worst_pct, pct);
}

static void put_loses(struct table *t, const struct loses *l)
{
    table_cells(t, "%zu | %g %% | %g %%", l->cells, l->cells ? l->sum_pct / (double)l->cells : NAN,
                l->cells ? l->worst_pct : NAN);
}

static void put_context(struct table *t, const struct context *context,
                        const struct measured *const *row, size_t n)
{
    struct loses believed = { 0 }, all = { 0 };
    size_t doubted = 0;
    for (size_t i = 0, end; i < n; i = end) {
        end = section_common_cell_end(row, n, i);
        add_cell(row + i, end - i, 1, &believed);
        add_cell(row + i, end - i, 0, &all);
    }
    for (size_t i = 0; i < n; i++)
        doubted += row[i]->doubt != DOUBT_NONE;
    if (!doubted)
        return;
    table_cells(t, "%s | %s | %s", context->collective, mpi_label(context->mpi), context->mapping);
    table_cell(t, "", "%zu of %zu", doubted, n);
    put_loses(t, &believed);
    put_loses(t, &all);
}

/* Those that others are compared with: timed candidates and defaults, whether believed or not. */
static const struct measured **timed(const struct report_data *d, const struct context *context,
                                     size_t *n)
{
    const struct measured **row = memory_zeros(d->results + 1, sizeof *row);
    *n = 0;
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *m = &d->result[i];
        if ((measured_usable(m) || measured_doubted(m)) && m->point.experiment == EXP_TIME &&
            point_is_contender(&m->point) && (!context || cell_in(&m->point.cell, context)))
            row[(*n)++] = m;
    }
    qsort(row, *n, sizeof *row, measured_by_cell);
    return row;
}

static void put_losses(struct page *page)
{
    const struct report_data *d = page->data;
    struct table *t = page_table_new(page, "doubted-losses",
                                     "What the default loses without the doubted times, and with "
                                     "them");
    table_columns(
        t, "<collective|collective ; <mpi|library ; <mapping|mapping ; >doubted|times doubted ; "
           ">cells|cells|without ; >mean_pct|mean|without ; >worst_pct|worst|without ; "
           ">cells_with|cells|with ; >mean_with_pct|mean|with ; >worst_with_pct|worst|with");
    for (size_t i = 0; i < d->contexts; i++) {
        size_t n;
        const struct measured **row = timed(d, &d->context[i], &n);
        put_context(t, &d->context[i], row, n);
        free(row);
    }
    table_note(t, "Cells in which the default and another candidate have a time. Mean: of "
                  "100 (T_default - T_best) / T_best over these cells.");
    page_table_some(page, t);
}

/* Those furthest below their bound first, then the others. */
static int by_share(const void *left, const void *right)
{
    const struct measured *const *a = left, *const *b = right;
    const double x = (*a)->bound_s > 0 ? (*a)->time.value / (*a)->bound_s : INFINITY,
                 y = (*b)->bound_s > 0 ? (*b)->time.value / (*b)->bound_s : INFINITY;
    return x == y ? measured_by_cell(left, right) : x < y ? -1 : 1;
}

static void put_time(struct page *page, struct table *t, const struct measured *m)
{
    table_cells(t, "%s | %d | %ju B | %s [%d] | %g s [%d] | %g s | %s=%s", m->point.cell.collective,
                m->point.cell.procs, m->point.cell.bytes,
                candidate_label(&m->point.candidate, shows_library(page->data)), MARK_REFERENCE,
                m->time.value, MARK_REFERENCE, m->bound_s > 0 ? m->bound_s : NAN,
                doubt_words[m->doubt], doubt_title(m->doubt));
}

static void put_times(struct page *page)
{
    size_t n, kept = 0;
    const struct measured **row = timed(page->data, NULL, &n);
    struct table *t = page_table_new(page, "doubted", "Times that are doubted");
    table_columns(t, "<collective|collective ; >procs|P ; >bytes|bytes ; <algorithm|algorithm ; "
                     ">time_s|time ; >bound_s|no call takes less than ; <doubt|why");
    for (size_t i = 0; i < n; i++)
        if (row[i]->doubt != DOUBT_NONE)
            row[kept++] = row[i];
    qsort(row, kept, sizeof *row, by_share);
    for (size_t i = 0; i < kept && i < SHOWN; i++)
        put_time(page, t, row[i]);
    if (kept > SHOWN)
        table_note(t, "The first %d of %zu; `points.csv` has all (`doubt`).", (int)SHOWN, kept);
    page_table_some(page, t);
    free(row);
}

static void say_doubts(FILE *md, const struct report_data *d)
{
    size_t means = 0, low = 0;
    for (size_t i = 0; i < d->results; i++) {
        means += d->result[i].doubt == DOUBT_MEAN;
        low += d->result[i].doubt != DOUBT_NONE && d->result[i].doubt != DOUBT_MEAN;
    }
    if (low)
        fprintf(md, "%zu time%s cannot be what a call takes: less than the machine's rates allow. ",
                low, plural(low));
    if (means)
        fprintf(md,
                "%zu time%s mean%s over the ranks of a collective with a root, of which most may "
                "return long before the call has ended. ",
                means, of_number(means, " is a", "s are"), plural(means));
    fputs(d->doubted ? "They **count anyway** (`--doubted`)"
                     : "They are left out: never the best, no rule, and no model learns of them "
                       "(`--doubted` takes them)",
          md);
}

static void write_section(struct page *page)
{
    say_doubts(page->md, page->data);
    fputs(".\n\n", page->md);
    put_losses(page);
    put_times(page);
}

const struct section section_doubts = {
    .name = "doubts",
    .title = "Times that are doubted",
    .subject = PAGE_QUALITY,
    .applies = applies,
    .write = write_section,
};
