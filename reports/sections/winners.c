/* SPDX-License-Identifier: BSD-3-Clause */
/* Which algorithm is best where, and what the default loses there: two heat maps over processes and
 * message size. */
#include <math.h>
#include <string.h>

#include "reports/heatmap.h"
#include "reports/section_common.h"
#include "reports/section.h"
#include "reports/style.h"

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
            size_t k = 0;
            while (k < n && strcmp(seen[k], style.label) != 0)
                k++;
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
    size_t k = 0;
    while (k < l->n && strcmp(l->style[k].code, code) != 0)
        k++;
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
    heatmap_plots(f, g, series, colour, label, l->n);
}

static void put_best(struct page *page, const struct context *context, const struct grid *g)
{
    struct figure f;
    struct legend legend = { .n = 0 };
    char text[64];
    int segments = 0;
    const char *name = scoped_name(page->data, context, "best");
    heatmap_begin(&f, page, name, g, "best algorithm by processes and size");
    for (size_t y = 0; y < g->n_procs; y++)
        for (size_t x = 0; x < g->n_bytes; x++) {
            const struct selection *c =
                grid_cell(page->data, context, g, g->procs[y], g->bytes[x], NULL);
            if (!c || !*c->best.algorithm)
                continue;
            const struct algorithm_style s = join(&legend, c->best.algorithm);
            cell_text(page->data, context, &c->best, s.code, text, sizeof text);
            segments |= strchr(text, ' ') != NULL;
            heatmap_cell(&f, x, y, &c->cell, &c->best, s.label, text, c->best_s,
                         heatmap_white(s.colour));
        }
    heatmap_axes(&f, page->data, context, g);
    plot_best(&f, g, &legend);
    figure_end(&f, "The fastest candidate of every cell, by time%s. Empty: no time.%s",
               segments ? ", and its segment size in bytes where the study has several (–: none)"
                        : "",
               heatmap_note(page->data, context, g));
}

static void put_default(struct page *page, const struct context *context, const struct grid *g)
{
    struct figure f;
    const char *name = scoped_name(page->data, context, "default-loss");
    heatmap_begin(&f, page, name, g, "what the library's default loses");
    heatmap_losses(&f, page->data, context, g, "default");
    figure_end(&f,
               "By how many percent the library’s default is slower than the best of the study’s "
               "candidates and the default.%s",
               heatmap_note(page->data, context, g));
}

static int has_default(const struct report_data *d, const struct context *context)
{
    for (size_t i = 0; i < d->choices; i++)
        if (cell_in(&d->choice[i].cell, context) && strcmp(d->choice[i].name, "default") == 0 &&
            isfinite(d->choice[i].degradation_pct))
            return 1;
    return 0;
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
    .title = "Who wins where",
    .subject = PAGE_CHOICES,
    .rows = SECTION_ROWS(choices),
    .absent = "No selection yet: `selection.csv` is not there (`collsel select` writes it).",
    .file = "selection.csv",
    .heading = "",
    .each = write_context,
};
