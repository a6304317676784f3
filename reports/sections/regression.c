/* SPDX-License-Identifier: BSD-3-Clause */
/* The regression: residuals against P, and its coefficients at a few sizes. */
#include <math.h>
#include <string.h>

#include "reports/gnuplot.h"
#include "reports/multiples.h"
#include "reports/section_common.h"
#include "reports/section.h"
#include "reports/style.h"

/* ---- residuals ---- */

/* Of small, middle and large messages. */
static const struct {
    const char *look;
    double size;
} sizes[MOST_SIZES] = {
    { "pt 7 lc rgb \"#0072B2\"", 0.25 },
    { "pt 5 lc rgb \"#009E73\"", 0.25 },
    { "pt 9 lc rgb \"#D55E00\"", 0.35 },
};

/* In the legend they are alone and can be seen. */
static const double legend_size = 0.8;

static const double residual_scale_pct = 50; /* of the figure: more is drawn at its edge */

static void put_points(struct figure *f, struct multiples *m, const uint64_t *bytes, size_t n,
                       size_t *over)
{
    const struct report_data *d = f->page->data;
    struct panel_place at;
    for (size_t i = 0; i < d->regression_points; i++) {
        const struct regression_point *p = &d->regression_point[i];
        const double residual = longer_pct(p->measured_s, p->huber_s);
        size_t k = 0;
        while (k < n && bytes[k] != p->cell.bytes)
            k++;
        if (k == n || !isfinite(residual) || !multiples_place(m, &p->cell, &p->candidate, &at))
            continue;
        multiples_row(m, f, at.number);
        figure_row(f, "%d %ju %s %s %ju %d %g %g", at.number, p->cell.bytes, p->cell.mapping,
                   p->candidate.algorithm, p->candidate.segment_bytes, p->cell.procs, residual,
                   p->huber_weight);
        *over += fabs(residual) > residual_scale_pct;
    }
}

static void draw_panel(FILE *gp, const struct multiples *m, const uint64_t *bytes, size_t n,
                       int panel)
{
    const char *data = multiples_source(m, panel);
    fputs("plot 0 with lines lc rgb \"#777777\" lw 0.8 notitle", gp);
    for (size_t k = 0; k < n; k++)
        gnuplot_print(gp,
                      ", \\\n     %s using (is(%d,%llu)*column(\"procs\")):(edge(column("
                      "\"residual_pct\"))) with points %s ps %.2f notitle",
                      data, panel, (unsigned long long)bytes[k], sizes[k].look,
                      multiples_mark(m, sizes[k].size));
    fputc('\n', gp);
}

static void draw_legend(FILE *gp, const struct multiples *m, const uint64_t *bytes, size_t n)
{
    multiples_legend(gp, m);
    for (size_t k = 0; k < n; k++)
        gnuplot_print(gp, "%sNaN with points %s ps %.2f title \"%s\"", k ? ", " : "", sizes[k].look,
                      legend_size, show_bytes(bytes[k]));
    legend_end(gp);
}

static void put_residuals(struct page *page, const struct kind *kind)
{
    static const char *const columns[] = { "panel",        "bytes",         "mapping",
                                           "algorithm",    "segment_bytes", "procs",
                                           "residual_pct", "weight",        NULL };
    struct figure f;
    struct multiples m;
    uint64_t bytes[MOST_SIZES];
    size_t over = 0;
    const size_t n = multiples_sizes(page->data, kind, bytes);
    multiples_find(page->data, kind, 0, &m);
    m.percent = 1;
    m.named = n;
    m.least = -residual_scale_pct;
    m.most = residual_scale_pct;
    const char *name = multiples_name(page->data, kind, "regression-residuals", 0);
    figure_begin(&f, page, name, multiples_width(&m), multiples_height(&m), columns,
                 "residuals of the regression against the number of processes");
    put_points(&f, &m, bytes, n, &over);
    multiples_data(&m, &f);
    gnuplot_print(
        f.gp,
        "is(p,b) = (column(\"panel\") == p && at_bytes(column(\"bytes\")) == b) ? 1 : NaN\n"
        "edge(r) = r > %g ? %g : r < -%g ? -%g : r\n",
        residual_scale_pct, residual_scale_pct, residual_scale_pct, residual_scale_pct);
    multiples_begin(f.gp, page->data, &m, kind, 0);
    for (size_t r = 0; r < m.rows; r++)
        for (size_t c = 0; c < m.columns; c++) {
            const struct panel_place at = { r, c, (int)(r * m.columns + c) };
            multiples_panel(f.gp, page->data, &m, &at);
            draw_panel(f.gp, &m, bytes, n, at.number);
        }
    draw_legend(f.gp, &m, bytes, n);
    char edge[96] = "";
    if (over)
        snprintf(edge, sizeof edge, " %zu point%s beyond the scale %s drawn at its edge.", over,
                 plural(over), over == 1 ? "is" : "are");
    f.aside = page->data->contexts > MANY_CONTEXTS;
    figure_end(&f,
               "%s: residuals of the regression (Huber), %s / fitted − 1 in percent, against "
               "P, by mapping (down) and algorithm (across).%s",
               kind->collective, times_word(page->data), edge);
}

/* ---- coefficients ---- */

/* So many that an error shows two digits. */
static int decimals_of(double error)
{
    return error >= 10 ? 0 : error >= 1 ? 1 : error >= 0.1 ? 2 : error >= 0.01 ? 3 : 4;
}

/* "12.3 ± 0.4" µs; a dash where the term is not there. */
static void put_term(struct table *t, const struct report_data *d, const struct regression_row *row,
                     const char *term)
{
    for (size_t i = 0; i < d->regression_terms; i++) {
        const struct regression_term *e = &d->regression_term[i];
        if (strcmp(e->term, term) != 0 || strcmp(e->method, row->method) != 0 ||
            e->cell.bytes != row->cell.bytes || e->cell.root != row->cell.root ||
            strcmp(e->cell.mapping, row->cell.mapping) != 0 ||
            strcmp(e->cell.collective, row->cell.collective) != 0 ||
            strcmp(e->cell.mpi, row->cell.mpi) != 0 ||
            strcmp(e->candidate.algorithm, row->candidate.algorithm) != 0 ||
            e->candidate.segment_bytes != row->candidate.segment_bytes ||
            e->candidate.fanout != row->candidate.fanout)
            continue;
        char raw[40];
        snprintf(raw, sizeof raw, "%.9g", e->coefficient_s);
        const int decimals = decimals_of(1e6 * e->stderr_s);
        table_cell(t, raw, "%.*f ± %.*f", decimals, 1e6 * e->coefficient_s, decimals,
                   1e6 * e->stderr_s);
        return;
    }
    table_cell(t, "", "–");
}

static const char *const terms[] = { "intercept", "x", "z1", "x:z1", "z2", "x:z2", "z3", "x:z3" };
enum { N_TERMS = sizeof terms / sizeof *terms };

static void put_row(struct table *t, const struct report_data *d, const struct regression_row *r)
{
    table_cells(t, "%s | %s=%s | %ju B | %s", r->cell.mapping, r->candidate.algorithm,
                rooted_label(&r->cell, &r->candidate, shows_library(d)), r->cell.bytes,
                strcmp(r->x, "log2_procs") == 0 ? "log₂ P" : "P");
    for (size_t k = 0; k < N_TERMS; k++)
        put_term(t, d, r, terms[k]);
    table_cells(t, "%.4f | %.2f*1e6 | %.1f*100 | %.2e | %zu | %s=%s [%d]", r->r2, r->sigma,
                r->median_error, r->condition, r->n, fit_status_name(r->status),
                fit_status_name(r->status), r->status == FIT_OK ? MARK_NONE : MARK_FAIR);
}

static int is_shown(const struct regression_row *r, const struct kind *kind, const uint64_t *bytes,
                    size_t n)
{
    if (strcmp(r->method, "huber") != 0 || strcmp(r->cell.collective, kind->collective) != 0 ||
        strcmp(r->cell.mpi, kind->mpi) != 0)
        return 0;
    for (size_t k = 0; k < n; k++)
        if (bytes[k] == r->cell.bytes)
            return 1;
    return 0;
}

static void put_coefficients(struct page *page, const struct kind *kind)
{
    const struct report_data *d = page->data;
    uint64_t bytes[MOST_SIZES];
    const size_t n = multiples_sizes(d, kind, bytes);
    struct table *t = page_table_new(
        page, multiples_name(d, kind, "regression", 0),
        "Coefficients of the regression (Huber) in µs ± standard error, %.63s by %.63s on %.63s",
        kind->collective, mpi_label(kind->mpi), d->cluster);
    table_columns(t, "<mapping|mapping", "<algorithm|algorithm", ">bytes|message", "<x|x", NULL);
    for (size_t k = 0; k < N_TERMS; k++)
        table_column(t, terms[k], "coefficient (µs)", terms[k], ALIGN_RIGHT);
    table_columns(t, ">r2|R²|fit", ">sigma|σ (µs)|fit", ">median_error|median error (%)|fit",
                  ">condition|condition|fit", ">n|points|fit", "<status|status|fit", NULL);
    for (size_t i = 0; i < d->regressions; i++)
        if (is_shown(&d->regression[i], kind, bytes, n))
            put_row(t, d, &d->regression[i]);
    table_note(
        t,
        "z1, z2, …: 1 where a second, third, … socket (mapping by core) or node (by "
        "socket) is in use; x:z1: its change of the slope. σ: robust scale of the "
        "residuals (µs). All sizes and estimators: fit/regression.csv, fit/regression_terms.csv.");
    table_fold(t);
    page_table(page, t);
}

static void write_section(struct page *page)
{
    struct kind kind[MOST_KINDS];
    const size_t kinds = multiples_kinds(page->data, kind);
    for (size_t k = 0; k < kinds; k++) {
        put_residuals(page, &kind[k]);
        put_coefficients(page, &kind[k]);
    }
}

const struct section section_regression = {
    .name = "regression",
    .title = "The regression",
    .subject = PAGE_MODELS,
    .applies = multiples_apply,
    .intro =
        "For each algorithm, mapping and message size the time is T = β₀ + β₁ x + Σ (β₂ᵢ zᵢ + "
        "β₃ᵢ x zᵢ). Here x is P, or log₂ P for trees, and zᵢ is 1 where a further socket "
        "(mapping by core) or node (by socket) is in use, else 0. The regression is Huber’s, "
        "which gives outliers less weight; plain least squares and an MM-estimator stand beside "
        "it in the tables of errors.\n",
    .write = write_section,
};
