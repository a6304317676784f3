/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/heatmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "reports/gnuplot.h"

/* Degradation is shown in classes; colours from light to dark (ColorBrewer OrRd and beyond). */
static const struct {
    double below;
    const char *label, *colour;
    int light_ink;
} classes[] = {
    { -2.5, "a gain", "#b5d8ec", 0 },           { 2.5, "up to 2.5 %", "#f3f3ee", 0 },
    { 10, "2.5 to 10 %", "#fee8c8", 0 },        { 50, "10 to 50 %", "#fdbb84", 0 },
    { 100, "50 to 100 %", "#ef6548", 0 },       { 1000, "100 to 1000 %", "#b30000", 1 },
    { INFINITY, "above 1000 %", "#4d0011", 1 },
};
enum { N_CLASSES = sizeof classes / sizeof *classes };

int heatmap_white(const char *colour)
{
    unsigned long rgb = strtoul(colour + 1, NULL, 16);
    double y = 0.2126 * pow((double)(rgb >> 16 & 255) / 255, 2.2) +
               0.7152 * pow((double)(rgb >> 8 & 255) / 255, 2.2) +
               0.0722 * pow((double)(rgb & 255) / 255, 2.2);
    return y < 0.3;
}

static size_t class_of(double pct)
{
    size_t k = 0;
    while (k + 1 < N_CLASSES && pct > classes[k].below)
        k++;
    return k;
}

static const char *const columns[] = { "column",    "row",           "procs", "bytes",
                                       "algorithm", "segment_bytes", "value", "series",
                                       "text",      "ink",           NULL };

void heatmap_cell(struct figure *f, size_t x, size_t y, const struct cell *cell,
                  const struct candidate *candidate, const char *series, const char *text,
                  double value, int white)
{
    figure_row(f, "%zu %zu %d %ju %s %ju %g %s %s %d", x + 1, y + 1, cell->procs, cell->bytes,
               candidate->algorithm, candidate->segment_bytes, value, series, text,
               white ? 0xffffff : 0x111111);
}

/* Beyond so many process counts the rows are low: texts, which do not leave the telling to colours
 * alone, stand in some of them, and no gaps between cells, which would be unevenly wide, and
 * numbers at some rows alone. The data file has all texts all the same. */
enum { MOST_TEXT_ROWS = 24, MOST_TEXTS = 300 };

static int is_tall(const struct grid *g)
{
    return g->n_procs > MOST_TEXT_ROWS;
}

/* Rows of the legend that there are more than two of. */
enum { LEGEND_ROWS = 2, LEGEND_ROW = 22 /* pixels */ };
static int more_rows(const struct grid *g)
{
    return g->legend_rows > LEGEND_ROWS ? g->legend_rows - LEGEND_ROWS : 0;
}

/* In pixels. */
static int height(const struct grid *g)
{
    return 170 + LEGEND_ROW * more_rows(g) + (is_tall(g) ? 10 : 32) * (int)g->n_procs;
}

/* 1 when these processes outnumber the cores. */
static int row_oversubscribed(const struct report_data *d, const struct context *context,
                              const struct grid *g, int procs)
{
    for (size_t i = 0; i < g->n_bytes; i++) {
        const struct selection *c = grid_cell(d, context, g, procs, g->bytes[i], NULL);
        if (c)
            return oversubscribed(d, &c->cell);
    }
    return 0;
}

const char *heatmap_note(const struct report_data *d, const struct context *context,
                         const struct grid *g)
{
    for (size_t i = 0; i < g->n_procs; i++)
        if (row_oversubscribed(d, context, g, g->procs[i]))
            return " *: more processes than cores.";
    return "";
}

/* Beyond so many sizes a number and its unit do not fit the width of a column. */
enum { MOST_WIDE_COLUMNS = 16 };

static int is_narrow(const struct grid *g)
{
    return g->n_bytes > MOST_WIDE_COLUMNS;
}

/* Where the cells are, in shares of the figure, from the left and from below. */
static const double left = 0.075, right = 0.985;

static double top(const struct grid *g)
{
    return 1 - 40.0 / height(g);
}

static double bottom(const struct grid *g)
{
    return ((is_narrow(g) ? 126.0 : 110.0) + LEGEND_ROW * more_rows(g)) / height(g);
}

/* Tells the page's script (page.js) which cell is where. */
static void mark(struct figure *f, const struct report_data *d, const struct context *context,
                 const struct grid *g)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    fprintf(out, " data-c=\"%d\" data-box=\"%g %.4f %g %.4f\" data-m=\"",
            context_number(d, context), left, bottom(g), right, top(g));
    for (size_t i = 0; i < g->n_bytes; i++)
        fprintf(out, "%s%llu", i ? " " : "", (unsigned long long)g->bytes[i]);
    fputs("\" data-p=\"", out);
    for (size_t i = 0; i < g->n_procs; i++)
        fprintf(out, "%s%d", i ? " " : "", g->procs[i]);
    fputc('"', out);
    fclose(out);
    free(f->marks);
    f->marks = text;
}

/* "64 KiB", or the unit below the number. */
static void put_size(FILE *gp, uint64_t bytes, int narrow)
{
    static const char blank[] = "\u00a0";
    const char *text = show_bytes(bytes), *unit = strstr(text, blank);
    if (narrow && unit)
        gnuplot_print(gp, "%.*s\\n%s", (int)(unit - text), text, unit + sizeof blank - 1);
    else
        fputs(text, gp);
}

void heatmap_axes(struct figure *f, const struct report_data *d, const struct context *context,
                  const struct grid *g)
{
    const size_t step = is_tall(g) ? 4 : 1;
    const int narrow = is_narrow(g);
    gnuplot_print(f->gp, "set title \"%s\" textcolor rgb \"#333333\"\n",
                  section_common_title(d, context));
    gnuplot_print(f->gp, "set xrange [0.5:%zu.5]\nset yrange [0.5:%zu.5]\nset xtics (", g->n_bytes,
                  g->n_procs);
    for (size_t i = 0; i < g->n_bytes; i++) {
        gnuplot_print(f->gp, "%s\"", i ? ", " : "");
        put_size(f->gp, g->bytes[i], narrow);
        gnuplot_print(f->gp, "\" %zu", i + 1);
    }
    fputs(")\nset ytics (", f->gp);
    for (size_t i = 0; i < g->n_procs; i += step)
        gnuplot_print(f->gp, "%s\"%d%s\" %zu", i ? ", " : "", g->procs[i],
                      row_oversubscribed(d, context, g, g->procs[i]) ? "*" : "", i + 1);
    gnuplot_print(
        f->gp,
        ")\nset tics scale 0\nunset grid\nset border 0\nset xlabel \"message size\"%s\n"
        "set ylabel \"processes\"\nset lmargin at screen %g\nset rmargin at screen %g\nset tmargin "
        "at screen %.3f\nset bmargin at screen %.3f\nset key at screen 0.52, %.3f center "
        "center horizontal reverse Left samplen 2%s\n",
        narrow ? " offset 0,-0.5" : "", left, right, top(g), bottom(g),
        (24.0 + LEGEND_ROW / 2.0 * more_rows(g)) / height(g), more_rows(g) ? " maxcols 3" : "");
    mark(f, d, context, g);
}

void heatmap_plots(struct figure *f, const struct grid *g, const char *const *series,
                   const char *const *colour, const char *const *label, size_t n)
{
    fputs("is(name) = (strcol(\"series\") eq name) ? 1 : NaN\nplot ", f->gp);
    for (size_t i = 0; i < n; i++)
        gnuplot_print(f->gp,
                      "data using (is(\"%s\")*column(\"column\")):(column(\"row\")):(%s) with "
                      "boxxyerror fs solid noborder lc rgb \"%s\" title \"%s\"%s",
                      series[i], is_tall(g) ? "0.5):(0.5" : "0.485):(0.47", colour[i], label[i],
                      ", \\\n     ");
    if (is_tall(g)) {
        const size_t cells = g->n_procs * g->n_bytes;
        gnuplot_print(f->gp,
                      "data using ((int(column(\"row\")) %% %zu == 1 ? column(\"column\") : NaN)):"
                      "(column(\"row\")):(strcol(\"text\")):(column(\"ink\")) with labels font "
                      "\",9\" textcolor rgb variable notitle\n",
                      cells / MOST_TEXTS > 2 ? cells / MOST_TEXTS : 2);
        return;
    }
    fputs("data using (column(\"column\")):(column(\"row\")):(strcol(\"text\")):(column(\"ink\")) "
          "with labels textcolor rgb variable notitle\n",
          f->gp);
}

void heatmap_begin(struct figure *f, struct page *page, const char *name, const struct grid *grid,
                   const char *title)
{
    figure_begin(f, page, name, 1040, height(grid), columns, title);
}

void heatmap_losses(struct figure *f, const struct report_data *d, const struct context *context,
                    const struct grid *g, const char *selector)
{
    char text[32];
    const char *colour[N_CLASSES], *label[N_CLASSES];
    int seen[N_CLASSES] = { 0 };
    size_t n = 0;
    for (size_t y = 0; y < g->n_procs; y++)
        for (size_t x = 0; x < g->n_bytes; x++) {
            const struct selection *c =
                grid_cell(d, context, g, g->procs[y], g->bytes[x], selector);
            if (!c || !isfinite(c->degradation_pct))
                continue;
            size_t k = class_of(c->degradation_pct);
            seen[k] = 1;
            snprintf(text, sizeof text, "%.*f", fabs(c->degradation_pct) < 9.95 ? 1 : 0,
                     c->degradation_pct);
            heatmap_cell(f, x, y, &c->cell, &c->chosen, classes[k].label, text, c->degradation_pct,
                         classes[k].light_ink);
        }
    for (size_t k = 0; k < N_CLASSES; k++)
        if (seen[k]) {
            label[n] = classes[k].label;
            colour[n++] = classes[k].colour;
        }
    heatmap_axes(f, d, context, g);
    heatmap_plots(f, g, label, colour, label, n);
}
