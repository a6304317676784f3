/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency against the number of processes, for each algorithm and mapping, as measured and as the
 * models see it (the figures of Tallone 2024): small multiples, one figure per collective, library
 * and message size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/multiples.h"
#include "reports/section.h"
#include "reports/style.h"

/* What is drawn in every panel, from below. */
static const struct {
    const char *series, *label, *style, *mapping; /* mapping: only there; NULL: in all */
} lines[] = {
    { "channel_stage", "channel model", "lines lc rgb \"#009E73\" lw 1.2 dt 2", NULL },
    { "channel_walk", "channels, event by event", "lines lc rgb \"#D55E00\" lw 1.4", NULL },
    { "regression", "regression (Huber)", "lines lc rgb \"#0072B2\" lw 1.6", NULL },
    { "regression_mm", "regression (MM, by socket)", "lines lc rgb \"#CC79A7\" lw 1.8", "socket" },
};
enum { N_LINES = sizeof lines / sizeof *lines };

/* ---- data ---- */

static void put_value(struct figure *f, struct multiples *m, const struct panel_place *at,
                      const char *series, const struct cell *cell,
                      const struct candidate *candidate, const double *time_s)
{
    multiples_row(m, f, at->number);
    csvw_i64(&f->data, at->number);
    csvw_text(&f->data, series);
    csvw_text(&f->data, cell->mapping);
    csvw_text(&f->data, candidate->algorithm);
    csvw_u64(&f->data, candidate->segment_bytes);
    csvw_i64(&f->data, cell->procs);
    for (int k = 0; k < 3; k++)
        csvw_f64(&f->data, time_s[k]);
    figure_row(f);
}

/* Measured times and the regression with its interval. */
static void put_measured(struct figure *f, struct multiples *m, uint64_t bytes)
{
    const struct report_data *d = f->page->data;
    struct panel_place at;
    for (size_t i = 0; i < d->regression_points; i++) {
        const struct regression_point *p = &d->regression_point[i];
        if (p->cell.bytes != bytes || !multiples_place(m, &p->cell, &p->candidate, &at))
            continue;
        const double measured[] = { p->measured_s, NAN, NAN };
        const double fitted[] = { p->huber_s, p->huber_low_s, p->huber_high_s };
        put_value(f, m, &at, "measured", &p->cell, &p->candidate, measured);
        put_value(f, m, &at, "regression", &p->cell, &p->candidate, fitted);
        multiples_extend(m, p->measured_s);
    }
}

/* The other models' lines; drawn[] becomes 1 for those that there are. */
static void put_predicted(struct figure *f, struct multiples *m, uint64_t bytes, int *drawn)
{
    const struct report_data *d = f->page->data;
    struct panel_place at;
    for (size_t i = 0; i < d->predictions; i++) {
        const struct predicted *p = &d->prediction[i];
        if (p->point.cell.bytes != bytes || !(p->prediction.seconds > 0) ||
            !multiples_place(m, &p->point.cell, &p->point.candidate, &at))
            continue;
        for (size_t k = 0; k < N_LINES; k++) {
            const double time_s[] = { p->prediction.seconds, NAN, NAN };
            if (strcmp(p->model->name, lines[k].series) != 0 ||
                (lines[k].mapping && strcmp(lines[k].mapping, p->point.cell.mapping) != 0))
                continue;
            drawn[k] = 1;
            if (strcmp(p->model->name, "regression") != 0)
                put_value(f, m, &at, p->model->name, &p->point.cell, &p->point.candidate, time_s);
        }
    }
}

/* ---- drawing ---- */

static void draw_panel(FILE *gp, const struct multiples *m, const struct panel_place *at,
                       const int *drawn)
{
    const char *mapping = m->row[at->row];
    char data[64];
    multiples_source(m, at->number, data, sizeof data);
    fprintf(gp,
            "plot %s using (is(%d,\"dummy\")*column(\"procs\")):(column(\"low_s\")):(column("
            "\"high_s\")) with filledcurves fs solid 0.18 noborder lc rgb \"#0072B2\" notitle",
            data, at->number);
    for (size_t k = 0; k < N_LINES; k++)
        if (drawn[k] && (!lines[k].mapping || strcmp(lines[k].mapping, mapping) == 0))
            fprintf(gp,
                    ", \\\n     %s using (is(%d,\"%s\")*column(\"procs\")):(column(\"time_s\")) "
                    "smooth unique with %s notitle",
                    data, at->number, lines[k].series, lines[k].style);
    fprintf(gp,
            ", \\\n     %s using (is(%d,\"measured\")*column(\"procs\")):(below(column("
            "\"time_s\"))) with points pt 7 ps 0.22 lc rgb \"#222222\" notitle"
            ", \\\n     %s using (is(%d,\"measured\")*column(\"procs\")):(above(column("
            "\"time_s\"))) with points pt 9 ps 0.5 lc rgb \"#CC0000\" notitle\n",
            data, at->number, data, at->number);
}

static void draw_legend(FILE *gp, const struct multiples *m, const int *drawn)
{
    multiples_legend(gp, m);
    fputs("NaN with points pt 7 ps 0.5 lc rgb \"#222222\" title \"measured\"", gp);
    for (size_t k = 0; k < N_LINES; k++)
        if (drawn[k])
            fprintf(gp, ", NaN with %s title \"%s\"", lines[k].style, lines[k].label);
    legend_end(gp);
}

/* What the band is, and how far it holds for times that the regression was not fitted to. */
static void say_band(const struct report_data *d, const struct multiples *m, uint64_t bytes,
                     char *text, size_t size)
{
    struct panel_place at;
    double covered = 0, confidence = NAN;
    size_t n = 0;
    for (size_t i = 0; i < d->n_dummy; i++) {
        const struct regression_row *r = &d->dummy[i];
        if (r->cell.bytes != bytes || strcmp(r->method, "huber") != 0 || !isfinite(r->covered) ||
            !multiples_place(m, &r->cell, &r->candidate, &at))
            continue;
        covered += r->covered;
        confidence = r->confidence;
        n++;
    }
    if (n)
        snprintf(text, size,
                 "Band: the regression's interval for one measurement, made to hold %g %%; of "
                 "those at every other P, fitted to the rest, it holds %.0f %%.",
                 100 * confidence, 100 * covered / (double)n);
    else
        snprintf(text, size, "Band: the regression's interval for one measurement.");
}

static void put_figure(struct page *page, const struct kind *kind, uint64_t bytes)
{
    static const char *const columns[] = { "panel",         "series", "mapping", "algorithm",
                                           "segment_bytes", "procs",  "time_s",  "low_s",
                                           "high_s",        NULL };
    struct figure f;
    struct multiples m;
    char name[200], size[32], band[240], cut[80] = "";
    int drawn[N_LINES] = { 0 };
    multiples_find(page->data, kind, bytes, &m);
    multiples_name(page->data, kind, "latency", bytes, name, sizeof name);
    figure_begin(&f, page, name, multiples_width(&m), multiples_height(&m), columns,
                 "latency against the number of processes");
    put_measured(&f, &m, bytes);
    put_predicted(&f, &m, bytes, drawn);
    multiples_data(&m, &f);
    const size_t over = multiples_cut(&m);
    fputs("is(p,s) = (column(\"panel\") == p && strcol(\"series\") eq s) ? 1 : NaN\n", f.gp);
    fprintf(f.gp, "top = %.9g\nbelow(t) = t <= top ? t : NaN\nabove(t) = t > top ? top : NaN\n",
            m.most);
    multiples_begin(f.gp, page->data, &m, kind, bytes);
    for (size_t r = 0; r < m.rows; r++)
        for (size_t c = 0; c < m.columns; c++) {
            const struct panel_place at = { r, c, (int)(r * m.columns + c) };
            multiples_panel(f.gp, page->data, &m, &at);
            draw_panel(f.gp, &m, &at, drawn);
        }
    draw_legend(f.gp, &m, drawn);
    if (over)
        snprintf(cut, sizeof cut, " Triangles at the top: %zu measured times beyond the scale.",
                 over);
    say_band(page->data, &m, bytes, band, sizeof band);
    figure_end(&f, "%s, %s: time against P, by mapping (down) and algorithm (across). %s%s",
               kind->collective, show_bytes(bytes, size, sizeof size), band, cut);
}

static void write_section(struct page *page)
{
    struct kind kind[MOST_KINDS];
    uint64_t bytes[MOST_SIZES];
    const size_t kinds = multiples_kinds(page->data, kind);
    fputs("Times against the number of processes as the papers on mappings draw them (Tallone "
          "2024): what was measured, the *regression* with dummies for the sockets or nodes in "
          "use, fitted to these very times, and the *channel* models, whose parameters are those "
          "of ping-pongs and fan-outs alone.\n",
          page->md);
    for (size_t k = 0; k < kinds; k++) {
        const size_t sizes = multiples_sizes(page->data, &kind[k], bytes);
        for (size_t i = 0; i < sizes; i++)
            put_figure(page, &kind[k], bytes[i]);
    }
}

const struct section section_mappings = {
    .name = "mappings",
    .title = "Latency by processes and mapping",
    .applies = multiples_apply,
    .write = write_section,
};
