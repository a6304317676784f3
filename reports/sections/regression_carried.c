/* SPDX-License-Identifier: BSD-3-Clause */
/* Beyond the nodes that were measured: the regression of the lower half of the process counts, gone
 * on alone and carried by a model of messages, against what was measured there. */
#include <math.h>
#include <string.h>

#include "analysis/measure/sizes.h"
#include "reports/gnuplot.h"
#include "reports/multiples.h"
#include "reports/section.h"
#include "reports/style.h"

static int applies(const struct report_data *d)
{
    return d->n_carried > 0 && multiples_apply(d);
}

/* ---- figures ---- */

static const struct {
    const struct model *const *model; /* NULL: the same, carried */
    const char *label, *style;
} lines[] = {
    { &extrapolated_from, "regression, continued", "lines lc rgb \"#0072B2\" lw 1.4 dt 2" },
    { NULL, "carried by a model of messages", "lines lc rgb \"#D55E00\" lw 1.8" },
};
enum { N_LINES = sizeof lines / sizeof *lines };

/* The mark of what was carried by a model of messages. What the regression was fitted to is not
 * among these cells. */
static const char *by_messages(const struct report_data *d)
{
    return d->simulated ? no_test_mark(d, extrapolated_model) : "";
}

/* How the figure's data calls a line. */
static const char *series_of(size_t line)
{
    return lines[line].model ? (*lines[line].model)->name : "carried";
}

static void put_value(struct figure *f, struct multiples *m, const char *series,
                      const struct cell *cell, const struct candidate *candidate, double time_s)
{
    struct panel_place at;
    if (!multiples_place(m, cell, candidate, &at) || !isfinite(time_s))
        return;
    multiples_row(m, f, at.number);
    figure_row(f, "%d %s %s %s %d %g", at.number, series, cell->mapping, candidate->algorithm,
               cell->procs, time_s);
    if (strcmp(series, "measured") == 0)
        multiples_extend(m, time_s);
}

static void put_values(struct figure *f, struct multiples *m, uint64_t bytes)
{
    const struct report_data *d = f->page->data;
    for (size_t i = 0; i < d->regression_points; i++) {
        const struct regression_point *p = &d->regression_point[i];
        if (p->cell.bytes == bytes)
            put_value(f, m, "measured", &p->cell, &p->candidate, p->measured_s);
    }
    for (size_t i = 0; i < d->n_carried; i++) {
        const struct extrapolated_row *c = &d->carried[i];
        if (c->cell.bytes != bytes)
            continue;
        put_value(f, m, series_of(0), &c->cell, &c->candidate, c->regression_s);
        put_value(f, m, series_of(1), &c->cell, &c->candidate, c->carried_s);
    }
}

/* Rows of which nothing was carried are not drawn. */
static void drop_rows(const struct report_data *d, struct multiples *m)
{
    size_t kept = 0;
    for (size_t r = 0; r < m->rows; r++) {
        size_t i = 0;
        while (i < d->n_carried && (strcmp(d->carried[i].cell.mapping, m->row[r]) != 0 ||
                                    strcmp(d->carried[i].cell.collective, m->kind.collective) != 0))
            i++;
        if (i < d->n_carried)
            m->row[kept++] = m->row[r];
    }
    m->rows = kept;
}

static void draw_panel(FILE *gp, const struct multiples *m, int panel)
{
    const char *data = multiples_source(m, panel);
    gnuplot_print(
        gp,
        "plot %s using (is(%d,\"measured\")*column(\"procs\")):(below(column(\"time_s\"))) "
        "with points pt 7 ps %.2f lc rgb \"#222222\" notitle",
        data, panel, multiples_mark(m, 0.22));
    for (size_t k = 0; k < N_LINES; k++)
        gnuplot_print(gp,
                      ", \\\n     %s using (is(%d,\"%s\")*column(\"procs\")):(column(\"time_s\")) "
                      "smooth unique with %s notitle",
                      data, panel, series_of(k), lines[k].style);
    fputc('\n', gp);
}

static void put_figure(struct page *page, const struct kind *kind, uint64_t bytes)
{
    static const char *const columns[] = { "panel", "series", "mapping", "algorithm",
                                           "procs", "time_s", NULL };
    struct figure f;
    struct multiples m;
    multiples_find(page->data, kind, bytes, &m);
    drop_rows(page->data, &m);
    if (!m.rows)
        return;
    m.named = N_LINES + 1;
    const char *name = multiples_name(page->data, kind, "carried", bytes);
    figure_begin(&f, page, name, multiples_width(&m), multiples_height(&m), columns,
                 "the regression beyond the nodes that it was fitted to");
    put_values(&f, &m, bytes);
    multiples_data(&m, &f);
    multiples_cut(&m);
    gnuplot_print(f.gp,
                  "is(p,s) = (column(\"panel\") == p && strcol(\"series\") eq s) ? 1 : NaN\n"
                  "below(t) = t <= %.9g ? t : NaN\n",
                  m.most);
    multiples_begin(f.gp, page->data, &m, kind, bytes);
    for (size_t r = 0; r < m.rows; r++)
        for (size_t c = 0; c < m.columns; c++) {
            const struct panel_place at = { r, c, (int)(r * m.columns + c) };
            multiples_panel(f.gp, page->data, &m, &at);
            draw_panel(f.gp, &m, at.number);
        }
    multiples_legend(f.gp, &m);
    gnuplot_print(f.gp, "NaN with points pt 7 ps 0.5 lc rgb \"#222222\" title \"%s\"",
                  times_word(page->data));
    for (size_t k = 0; k < N_LINES; k++)
        gnuplot_print(f.gp, ", NaN with %s title \"%s%s\"", lines[k].style, lines[k].label,
                      lines[k].model ? "" : by_messages(page->data));
    legend_end(f.gp);
    figure_end(&f,
               "%s, %s: the regression of P up to half of the largest, gone on alone and carried, "
               "where it meets sockets or nodes that it has not seen.",
               kind->collective, show_bytes(bytes));
}

/* ---- table ---- */

/* The classes in the order of the columns: all sizes first. */
static enum size_class column_class(int column)
{
    return column ? (enum size_class)(column - 1) : SIZE_ALL;
}

static const struct error_row *find(const struct report_data *d, const struct error_row *like,
                                    const char *model, const char *sizes)
{
    for (size_t i = 0; i < d->model_errors; i++) {
        const struct error_row *e = &d->model_error[i];
        if (strcmp(e->model->name, model) == 0 && strcmp(size_class_name(e->size), sizes) == 0 &&
            e->split == like->split && strcmp(e->statistic, like->statistic) == 0 &&
            cell_compare_context(&e->cell, &like->cell) == 0 && e->cell.root == like->cell.root &&
            candidate_equal(&e->candidate, &like->candidate))
            return e;
    }
    return NULL;
}

static void put_median(struct table *t, const struct error_row *e)
{
    table_number(t, e && e->n > 0 ? e->median_pct : NAN, 1);
}

/* 1 where the row is carried somewhere: by node nothing new is met. */
static int is_carried(const struct report_data *d, const struct error_row *e)
{
    for (size_t i = 0; i < d->n_carried; i++)
        if (strcmp(d->carried[i].cell.mapping, e->cell.mapping) == 0 &&
            strcmp(d->carried[i].cell.collective, e->cell.collective) == 0 &&
            strcmp(d->carried[i].candidate.algorithm, e->candidate.algorithm) == 0)
            return 1;
    return 0;
}

static void put_rows(struct table *t, const struct report_data *d, const struct kind *kind)
{
    for (size_t i = 0; i < d->model_errors; i++) {
        const struct error_row *e = &d->model_error[i];
        if (e->model != extrapolated_model || e->split != SPLIT_EXTRAPOLATED ||
            e->size != SIZE_ALL || strcmp(e->statistic, "max_rank") != 0 ||
            strcmp(e->cell.collective, kind->collective) != 0 ||
            strcmp(e->cell.mpi, kind->mpi) != 0 || !is_carried(d, e))
            continue;
        table_cells(t, "%s | %s=%s", e->cell.mapping, e->candidate.algorithm,
                    rooted_label(&e->cell, &e->candidate, shows_library(d)));
        put_median(t, find(d, e, extrapolated_from->name, "all"));
        put_median(t, find(d, e, "channel_walk", "all"));
        for (int c = 0; c < N_SIZE_CLASSES; c++)
            put_median(t, find(d, e, extrapolated_model->name, size_class_name(column_class(c))));
    }
}

static void put_table(struct page *page, const struct kind *kind)
{
    const struct report_data *d = page->data;
    struct table *t = page_table_new(
        page, multiples_name(d, kind, "carried", 0),
        "Median error (%%) beyond the nodes that were fitted, %.63s by %.63s on %.63s",
        kind->collective, mpi_label(kind->mpi), d->cluster);
    table_columns(t, "<mapping|mapping", "<algorithm|algorithm", NULL);
    table_column(t, "regression_median_pct", "alone", model_label(extrapolated_from), ALIGN_RIGHT);
    char messages[64], group[64];
    snprintf(messages, sizeof messages, "channels, message by message%s", by_messages(d));
    snprintf(group, sizeof group, "carried%s", by_messages(d));
    table_column(t, "model_median_pct", "alone", messages, ALIGN_RIGHT);
    for (int c = 0; c < N_SIZE_CLASSES; c++) {
        char key[64];
        snprintf(key, sizeof key, "carried_%s_median_pct", size_class_name(column_class(c)));
        table_column(t, key, group, size_class_title(column_class(c)), ALIGN_RIGHT);
    }
    put_rows(t, d, kind);
    table_note(t, "Fitted: P up to half of the largest. Times of the slowest rank.");
    if (*by_messages(d))
        table_note(t, "%s", simulator_note);
    page_table(page, t);
}

static void write_section(struct page *page)
{
    struct kind kind[MOST_KINDS];
    uint64_t bytes[MOST_SIZES];
    const size_t kinds = multiples_kinds(page->data, kind);
    for (size_t k = 0; k < kinds; k++) {
        const size_t sizes = multiples_sizes(page->data, &kind[k], bytes);
        put_table(page, &kind[k]);
        for (size_t i = 0; i<sizes; i += sizes> 1 ? sizes - 1 : 1) /* the least and the most */
            put_figure(page, &kind[k], bytes[i]);
    }
}

const struct section section_regression_carried = {
    .name = "carried",
    .title = "Beyond the nodes that were measured",
    .subject = PAGE_MODELS,
    .applies = applies,
    .intro =
        "A regression knows nothing of a node that none of its points used: it goes on as if no "
        "new node were reached. There a model of messages takes over: T = f M, where M is that "
        "model’s time. The factor f is the square root of the median of measured time over M at "
        "the largest P that were fitted. A library’s default is taken for the algorithm that it "
        "runs there (`fit/carried.csv`).\n",
    .write = write_section,
};
