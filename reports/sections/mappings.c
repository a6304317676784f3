/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency against the number of processes, for each algorithm and mapping, as measured and as the
 * models see it (the figures of Tallone 2024): small multiples, one figure per collective, library
 * and message size. */
#include <math.h>
#include <string.h>

#include "reports/gnuplot.h"
#include "reports/multiples.h"
#include "reports/section_common.h"
#include "reports/section.h"
#include "reports/style.h"

/* The models that are drawn in every panel, from below: all that choose. The one that is fitted to
 * the very times comes with its interval. */
struct lines {
    const struct model *model[MAX_MODELS];
    int drawn[MAX_MODELS];
    double low_s[MAX_MODELS], high_s[MAX_MODELS]; /* what a line says; 0: nothing */
    size_t n;
    const char *fitted; /* NULL: none */
};

/* Lines without marks: each of those drawn has a dash of its own. */
static int dash_of(const struct lines *lines, size_t k)
{
    int dash = 1;
    for (size_t i = 0; i < k; i++)
        dash += lines->drawn[i] != 0;
    return dash;
}

static void find_lines(struct lines *lines)
{
    *lines = (struct lines){ .n = 0 };
    for (const struct model *const *m = models; *m; m++) {
        if ((*m)->only_predicts)
            continue;
        lines->fitted = !lines->fitted && (*m)->fitted ? (*m)->name : lines->fitted;
        lines->model[lines->n++] = *m;
    }
}

/* ---- data ---- */

static void put_value(struct figure *f, struct multiples *m, const struct panel_place *at,
                      const char *series, const struct cell *cell,
                      const struct candidate *candidate, const double *time_s)
{
    multiples_row(m, f, at->number);
    figure_row(f, "%d %s %s %s %ju %d %g %g %g", at->number, series, cell->mapping,
               candidate->algorithm, candidate->segment_bytes, cell->procs, time_s[0], time_s[1],
               time_s[2]);
}

/* The number of the fitted model's line; lines->n: none. */
static size_t fitted_line(const struct lines *lines)
{
    size_t k = 0;
    while (k < lines->n && lines->model[k]->name != lines->fitted)
        k++;
    return k;
}

static void line_says(struct lines *lines, size_t k, double time_s)
{
    if (k == lines->n || !(time_s > 0) || !isfinite(time_s))
        return;
    lines->low_s[k] = lines->high_s[k] > 0 ? fmin(lines->low_s[k], time_s) : time_s;
    lines->high_s[k] = fmax(lines->high_s[k], time_s);
}

/* 1 when a line is drawn, but none of it lies within the scale. */
static int is_off(const struct multiples *m, const struct lines *lines, size_t k)
{
    return lines->drawn[k] && (lines->low_s[k] > m->most || lines->high_s[k] < m->least);
}

/* Measured times, and the fitted model with its interval. */
static void put_measured(struct figure *f, struct multiples *m, struct lines *lines, uint64_t bytes)
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
        if (lines->fitted) {
            put_value(f, m, &at, lines->fitted, &p->cell, &p->candidate, fitted);
            line_says(lines, fitted_line(lines), p->huber_s);
        }
        multiples_extend(m, p->measured_s);
    }
}

/* The line that a prediction belongs to, and its panel; lines->n: none. */
static size_t line_of(const struct multiples *m, const struct lines *lines, uint64_t bytes,
                      const struct predicted *p, struct panel_place *at)
{
    size_t k = 0;
    if (p->point.cell.bytes != bytes || !(p->prediction.seconds > 0) ||
        !multiples_place(m, &p->point.cell, &p->point.candidate, at))
        return lines->n;
    while (k < lines->n && lines->model[k] != p->model)
        k++;
    return k;
}

/* Which lines there are, for the legend. */
static void mark_drawn(const struct report_data *d, struct multiples *m, struct lines *lines,
                       uint64_t bytes)
{
    struct panel_place at;
    for (size_t i = 0; i < d->predictions; i++) {
        const size_t k = line_of(m, lines, bytes, &d->prediction[i], &at);
        if (k < lines->n)
            lines->drawn[k] = 1;
    }
    m->named = 1;
    for (size_t k = 0; k < lines->n; k++)
        m->named += lines->drawn[k] == 1;
}

/* The other models' lines. */
static void put_predicted(struct figure *f, struct multiples *m, struct lines *lines,
                          uint64_t bytes)
{
    const struct report_data *d = f->page->data;
    struct panel_place at;
    for (size_t i = 0; i < d->predictions; i++) {
        const struct predicted *p = &d->prediction[i];
        const double time_s[] = { p->prediction.seconds, NAN, NAN };
        const size_t k = line_of(m, lines, bytes, p, &at);
        if (k == lines->n || lines->fitted == lines->model[k]->name)
            continue;
        put_value(f, m, &at, p->model->name, &p->point.cell, &p->point.candidate, time_s);
        multiples_reach(m, p->prediction.seconds);
        line_says(lines, k, p->prediction.seconds);
    }
}

/* ---- drawing ---- */

static void draw_panel(FILE *gp, const struct multiples *m, const struct panel_place *at,
                       const struct lines *lines)
{
    const char *data = multiples_source(m, at->number);
    const char *comma = "plot ";
    for (size_t k = 0; k < lines->n; k++) {
        const struct model *line = lines->model[k];
        if (!lines->drawn[k])
            continue;
        if (line->name == lines->fitted) {
            gnuplot_print(
                gp,
                "%s%s using (is(%d,\"%s\")*column(\"procs\")):(column(\"low_s\")):("
                "column(\"high_s\")) with filledcurves fs solid 0.18 noborder lc rgb \"%s\" "
                "notitle",
                comma, data, at->number, line->name, model_colour(line));
            comma = ", \\\n     ";
        }
        gnuplot_print(gp,
                      "%s%s using (is(%d,\"%s\")*column(\"procs\")):(column(\"time_s\")) "
                      "smooth unique with lines lc rgb \"%s\" dt %d lw 1.5 notitle",
                      comma, data, at->number, line->name, model_colour(line), dash_of(lines, k));
        comma = ", \\\n     ";
    }
    gnuplot_print(gp,
                  "%s%s using (is(%d,\"measured\")*column(\"procs\")):(below(column("
                  "\"time_s\"))) with points pt 7 ps %.2f lc rgb \"#222222\" notitle"
                  ", \\\n     %s using (is(%d,\"measured\")*column(\"procs\")):(above(column("
                  "\"time_s\"))) with points pt 9 ps 0.5 lc rgb \"#CC0000\" notitle\n",
                  comma, data, at->number, multiples_mark(m, 0.22), data, at->number);
}

/* Without the lines that lie off the scale, of which the caption tells. */
static void draw_legend(FILE *gp, const struct report_data *d, const struct multiples *m,
                        const struct lines *lines)
{
    multiples_legend(gp, m);
    gnuplot_print(gp, "NaN with points pt 7 ps 0.5 lc rgb \"#222222\" title \"%s\"", times_word(d));
    for (size_t k = 0; k < lines->n; k++) {
        const struct model *line = lines->model[k];
        if (lines->drawn[k] && !is_off(m, lines, k))
            gnuplot_print(gp, ", NaN with lines lc rgb \"%s\" dt %d lw 1.5 title \"%s%s\"",
                          model_colour(line), dash_of(lines, k), model_label(line),
                          no_test_mark(d, line));
    }
    legend_end(gp);
}

/* " Off the scale: textbook model (15 ms)." or nothing. */
static void say_off(const struct report_data *d, const struct multiples *m,
                    const struct lines *lines, char *text, size_t size)
{
    const char *low;
    const char *high;
    size_t used = 0;
    *text = '\0';
    for (size_t k = 0; k < lines->n && used < size; k++) {
        if (!is_off(m, lines, k))
            continue;
        low = show_time(lines->low_s[k]);
        high = show_time(lines->high_s[k]);
        const int one = strcmp(low, high) == 0;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s (%s%s%s)",
                                 used ? ", " : " Off the scale: ", model_label(lines->model[k]),
                                 no_test_mark(d, lines->model[k]), low, one ? "" : " to ",
                                 one ? "" : high);
    }
    if (used && used < size)
        snprintf(text + used, size - used, ".");
}

/* What the band is, and how far it holds for times that the regression was not fitted to. */
static void say_band(const struct report_data *d, const struct multiples *m, uint64_t bytes,
                     char *text, size_t size)
{
    struct panel_place at;
    double covered = 0, confidence = NAN;
    size_t n = 0;
    for (size_t i = 0; i < d->regressions; i++) {
        const struct regression_row *r = &d->regression[i];
        if (r->cell.bytes != bytes || strcmp(r->method, "huber") != 0 || !isfinite(r->covered) ||
            !multiples_place(m, &r->cell, &r->candidate, &at))
            continue;
        covered += r->covered;
        confidence = r->confidence;
        n++;
    }
    if (n)
        snprintf(text, size,
                 "Band: where the regression expects %g %% of single times. Fitted to every "
                 "other P, it holds %.0f %% of the rest.",
                 100 * confidence, 100 * covered / (double)n);
    else
        snprintf(text, size, "Band: where the regression expects single times.");
}

static void put_figure(struct page *page, const struct kind *kind, uint64_t bytes)
{
    static const char *const columns[] = { "panel",         "series", "mapping", "algorithm",
                                           "segment_bytes", "procs",  "time_s",  "low_s",
                                           "high_s",        NULL };
    struct figure f;
    struct multiples m;
    char band[240], off[200], cut[80] = "";
    const char *word = times_word(page->data);
    struct lines lines;
    find_lines(&lines);
    multiples_find(page->data, kind, bytes, &m);
    mark_drawn(page->data, &m, &lines, bytes);
    const char *name = multiples_name(page->data, kind, "latency", bytes);
    figure_begin(&f, page, name, multiples_width(&m), multiples_height(&m), columns,
                 "latency against the number of processes");
    put_measured(&f, &m, &lines, bytes);
    put_predicted(&f, &m, &lines, bytes);
    multiples_data(&m, &f);
    const size_t over = multiples_cut(&m);
    fputs("is(p,s) = (column(\"panel\") == p && strcol(\"series\") eq s) ? 1 : NaN\n", f.gp);
    gnuplot_print(f.gp,
                  "top = %.9g\nbelow(t) = t <= top ? t : NaN\nabove(t) = t > top ? top : NaN\n",
                  m.most);
    multiples_begin(f.gp, page->data, &m, kind, bytes);
    for (size_t r = 0; r < m.rows; r++)
        for (size_t c = 0; c < m.columns; c++) {
            const struct panel_place at = { r, c, (int)(r * m.columns + c) };
            multiples_panel(f.gp, page->data, &m, &at);
            draw_panel(f.gp, &m, &at, &lines);
        }
    draw_legend(f.gp, page->data, &m, &lines);
    if (over)
        snprintf(cut, sizeof cut, " Triangles at the top: %zu %s times beyond the scale.", over,
                 word);
    say_band(page->data, &m, bytes, band, sizeof band);
    say_off(page->data, &m, &lines, off, sizeof off);
    f.aside = page->data->contexts > MANY_CONTEXTS;
    figure_end(&f, "%s, %s: time against P, by mapping (down) and algorithm (across). %s%s%s",
               kind->collective, show_bytes(bytes), band, off, cut);
}

static void write_section(struct page *page)
{
    struct kind kind[MOST_KINDS];
    uint64_t bytes[MOST_SIZES];
    const size_t kinds = multiples_kinds(page->data, kind);
    fprintf(page->md,
            "How time grows with the number of processes, drawn as in Tallone (2024). Points are "
            "%s times. Lines are models: a regression was fitted to these very times, the "
            "others to none or few of them (their sections say which); (simulator): no test, the "
            "simulator's own arithmetic.\n",
            times_word(page->data));
    for (size_t k = 0; k < kinds; k++) {
        const size_t sizes = multiples_sizes(page->data, &kind[k], bytes);
        for (size_t i = 0; i < sizes; i++)
            put_figure(page, &kind[k], bytes[i]);
    }
}

const struct section section_mappings = {
    .name = "mappings",
    .title = "Latency by processes and mapping",
    .subject = PAGE_MODELS,
    .applies = multiples_apply,
    .write = write_section,
};
