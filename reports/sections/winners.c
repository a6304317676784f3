/* SPDX-License-Identifier: BSD-3-Clause */
/* Which algorithm is best where, and what the default loses there: two heat maps over processes and
 * message size. */
#include "reports/gnuplot.h"
#include "reports/section_common.h"

/* ---- heat maps over processes (down) and message size (across): a coloured cell with a text for
 * each, or for some where there are too many ---- */

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

/* Whether white text reads better on this colour ("#rrggbb"): relative luminance below 0.3. */
static int wants_white(const char *colour)
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

/* A cell in column x and row y: of a series, with a text in white or black. */
static void put_cell(struct figure *f, size_t x, size_t y, const struct cell *cell,
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

/* Explains the star at a process count, for a caption; "": no star. */
static const char *star_note(const struct report_data *d, const struct context *context,
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

static double top_of(const struct grid *g)
{
    return 1 - 40.0 / height(g);
}

static double bottom_of(const struct grid *g)
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
            context_number(d, context), left, bottom_of(g), right, top_of(g));
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

/* Title and axes: every process count and size is a category. */
static void put_axes(struct figure *f, const struct report_data *d, const struct context *context,
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
        narrow ? " offset 0,-0.5" : "", left, right, top_of(g), bottom_of(g),
        (24.0 + LEGEND_ROW / 2.0 * more_rows(g)) / height(g), more_rows(g) ? " maxcols 3" : "");
    mark(f, d, context, g);
}

static void plot_series(struct figure *f, const struct grid *g, const char *const *series,
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

/* Draws all cells of a figure, by the losses of the default; with axes. */
static void put_losses(struct figure *f, const struct report_data *d, const struct context *context,
                       const struct grid *g)
{
    char text[32];
    const char *colour[N_CLASSES], *label[N_CLASSES];
    int seen[N_CLASSES] = { 0 };
    size_t n = 0;
    for (size_t y = 0; y < g->n_procs; y++)
        for (size_t x = 0; x < g->n_bytes; x++) {
            const struct selection *c =
                grid_cell(d, context, g, g->procs[y], g->bytes[x], "default");
            if (!c || !isfinite(c->degradation_pct))
                continue;
            size_t k = class_of(c->degradation_pct);
            seen[k] = 1;
            snprintf(text, sizeof text, "%.*f", fabs(c->degradation_pct) < 9.95 ? 1 : 0,
                     c->degradation_pct);
            put_cell(f, x, y, &c->cell, &c->chosen, classes[k].label, text, c->degradation_pct,
                     classes[k].light_ink);
        }
    for (size_t k = 0; k < N_CLASSES; k++)
        if (seen[k]) {
            label[n] = classes[k].label;
            colour[n++] = classes[k].colour;
        }
    put_axes(f, d, context, g);
    plot_series(f, g, label, colour, label, n);
}

/* ---- the best ---- */

/* "Bi", or "Bi 8K" where the segment is part of the answer. Returns buf. */
static const char *cell_text(const struct report_data *d, const struct context *context,
                             const struct candidate *c, const char *code, char *buf, size_t size)
{
    static const char unit[] = { '\0', 'K', 'M', 'G' };
    uint64_t v = c->segment_bytes;
    size_t u = 0;
    for (; v && v % 1024 == 0 && u + 1 < sizeof unit; u++)
        v /= 1024;
    if (!several_segments(d, context, c->algorithm))
        snprintf(buf, size, "%s", code);
    else if (!v)
        snprintf(buf, size, "%s –", code);
    else
        snprintf(buf, size, "%s %llu%.1s", code, (unsigned long long)v, &unit[u]);
    return buf;
}

/* Rows of the legend: of an entry for each algorithm that is best somewhere, three in a row, or two
 * where names are long. */
static int count_rows(const struct report_data *d, const struct context *context,
                      const struct grid *g)
{
    enum { LONG = 16, FEW = 2, MANY = 3 };
    char seen[MOST_SERIES][sizeof((struct algorithm_style *)0)->label];
    size_t n = 0, longest = 0;
    for (size_t y = 0; y < g->n_procs; y++)
        for (size_t x = 0; x < g->n_bytes && n < MOST_SERIES; x++) {
            const struct selection *c = grid_cell(d, context, g, g->procs[y], g->bytes[x], NULL);
            if (!c || !*c->best.algorithm)
                continue;
            const struct algorithm_style style = style_of(c->best.algorithm);
            const size_t k = first_below(i, n, strcmp(seen[i], style.label) == 0);
            if (k == n)
                memcpy(seen[n++], style.label, sizeof style.label);
            longest = strlen(style.label) > longest ? strlen(style.label) : longest;
        }
    const size_t across = longest > LONG ? FEW : MANY;
    return (int)((n + across - 1) / across);
}

/* The algorithms of a map, in the order in which it comes to them. */
struct legend {
    struct algorithm_style style[MOST_SERIES];
    size_t n;
};

static int is_taken(const struct legend *l, const char *code)
{
    const size_t k = first_below(i, l->n, strcmp(l->style[i].code, code) == 0);
    return k < l->n;
}

/* The look of an algorithm, which joins the legend the first time, where there is room. Letters
 * tell apart where colours do not: those that another has already get a number. */
static struct algorithm_style join(struct legend *l, const char *algorithm)
{
    struct algorithm_style s = style_of(algorithm);
    char letters[sizeof s.code];
    for (size_t k = 0; k < l->n; k++)
        if (strcmp(l->style[k].label, s.label) == 0)
            return l->style[k];
    memcpy(letters, s.code, sizeof letters);
    for (unsigned char number = 2; is_taken(l, s.code); number++)
        snprintf(s.code, sizeof s.code, "%.11s%hhu", letters, number);
    if (l->n < MOST_SERIES)
        l->style[l->n++] = s;
    return s;
}

static void plot_best(struct figure *f, const struct grid *g, const struct legend *l)
{
    const char *series[MOST_SERIES], *colour[MOST_SERIES], *label[MOST_SERIES];
    char text[MOST_SERIES][96];
    for (size_t i = 0; i < l->n; i++) {
        snprintf(text[i], sizeof text[i], "%s  %s", l->style[i].code, l->style[i].label);
        series[i] = l->style[i].label;
        colour[i] = l->style[i].colour;
        label[i] = text[i];
    }
    plot_series(f, g, series, colour, label, l->n);
}

static void put_best(struct page *page, const struct context *context, const struct grid *g)
{
    struct figure f;
    struct legend legend = { .n = 0 };
    char text[64];
    int segments = 0;
    const char *name = scoped_name(page->data, context, "best");
    figure_begin(&f, page, name, 1040, height(g), columns, "best algorithm by processes and size");
    for (size_t y = 0; y < g->n_procs; y++)
        for (size_t x = 0; x < g->n_bytes; x++) {
            const struct selection *c =
                grid_cell(page->data, context, g, g->procs[y], g->bytes[x], NULL);
            if (!c || !*c->best.algorithm)
                continue;
            const struct algorithm_style s = join(&legend, c->best.algorithm);
            cell_text(page->data, context, &c->best, s.code, text, sizeof text);
            segments |= strchr(text, ' ') != NULL;
            put_cell(&f, x, y, &c->cell, &c->best, s.label, text, c->best_s, wants_white(s.colour));
        }
    put_axes(&f, page->data, context, g);
    plot_best(&f, g, &legend);
    figure_end(&f, "The fastest candidate of every cell, by time%s. Empty: no time.%s",
               segments ? ", and its segment size in bytes where the study has several (–: none)"
                        : "",
               star_note(page->data, context, g));
}

static void put_default(struct page *page, const struct context *context, const struct grid *g)
{
    struct figure f;
    const char *name = scoped_name(page->data, context, "default-loss");
    figure_begin(&f, page, name, 1040, height(g), columns, "what the library's default loses");
    put_losses(&f, page->data, context, g);
    figure_end(&f,
               "By how many percent the library’s default is slower than the best of the study’s "
               "candidates and the default.%s",
               star_note(page->data, context, g));
}

static int has_default(const struct report_data *d, const struct context *context)
{
    return any_below(i, d->choices,
                     cell_in(&d->choice[i].cell, context) &&
                         strcmp(d->choice[i].name, "default") == 0 &&
                         isfinite(d->choice[i].degradation_pct));
}

/* The study's sizes, and every process count that was measured at them. */
static void find_grid(const struct report_data *d, const struct context *context, struct grid *g)
{
    struct grid held;
    grid_find(d, context, "study", g);
    grid_find(d, context, "held_procs", &held);
    for (size_t i = 0; i < held.n_procs && g->n_procs < MOST_PROCS; i++)
        g->procs[g->n_procs++] = held.procs[i];
    for (size_t i = 1; i < g->n_procs; i++)
        for (size_t k = i; k > 0 && g->procs[k] < g->procs[k - 1]; k--) {
            int other = g->procs[k];
            g->procs[k] = g->procs[k - 1];
            g->procs[k - 1] = other;
        }
}

/* Leaves out the process counts at which no cell has a best. */
static void drop_empty(const struct report_data *d, const struct context *context, struct grid *g)
{
    size_t kept = 0;
    for (size_t p = 0; p < g->n_procs; p++) {
        int any = 0;
        for (size_t i = 0; i < g->n_bytes && !any; i++) {
            const struct selection *c = grid_cell(d, context, g, g->procs[p], g->bytes[i], NULL);
            any = c && *c->best.algorithm;
        }
        if (any)
            g->procs[kept++] = g->procs[p];
    }
    g->n_procs = kept;
}

static void write_context(struct page *page, const struct context *context)
{
    struct grid g;
    find_grid(page->data, context, &g);
    drop_empty(page->data, context, &g);
    if (!g.n_procs || !g.n_bytes) {
        fputs("Nothing was decided here: selection.csv has no cell of the study.\n", page->md);
        return;
    }
    struct grid named = g;
    named.legend_rows = count_rows(page->data, context, &g);
    put_best(page, context, &named);
    if (has_default(page->data, context))
        put_default(page, context, &g);
    else
        fputs("\nThe library’s default has no times here.\n", page->md);
}

const struct section section_winners = {
    .name = "winners",
    .title = "The fastest algorithm",
    .subject = PAGE_CHOICES,
    .rows = SECTION_ROWS(choices),
    .absent = "No selection yet: `selection.csv` is not there (`collsel select` writes it).",
    .file = "selection.csv",
    .heading = "",
    .each = write_context,
};
