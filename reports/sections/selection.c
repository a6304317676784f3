/* SPDX-License-Identifier: BSD-3-Clause */
/* The default, a model's choice and the best side by side: the paper's Fig. 5 and Table 3. The
 * model is main_model's. */
#include "reports/gnuplot.h"
#include "reports/section_common.h"

enum { MOST_CURVES = 8, MOST_MODELS = 3 };

struct drawn_curve {
    const char *selector, *title, *mark; /* mark: NULL, or behind the title */
    char style[80];
    int seen; /* it has a value */
};

static size_t add_curve(struct drawn_curve *curve, size_t n, const char *selector,
                        const char *title, const char *style)
{
    curve[n] = (struct drawn_curve){ .selector = selector, .title = title };
    snprintf(curve[n].style, sizeof curve[n].style, "%s", style);
    return n + 1;
}

/* The best, the models that lose least and the default, from below. */
static size_t find_curves(const struct report_data *d, const struct context *context,
                          const struct model *first, struct drawn_curve *curve)
{
    size_t n = add_curve(curve, 0, "best", "best algorithm", "lines lc rgb \"#c9c9c4\" lw 8");
    const struct model *taken[MOST_MODELS];
    size_t n_models = 0;
    char style[80];
    for (const struct model *m = first;
         m && (m == first || model_standing(m, d->backend) == STANDING_TEST);) {
        snprintf(style, sizeof style, "linespoints %s", model_look(m));
        n = add_curve(curve, n, m->name, model_label(m), style);
        curve[n - 1].mark = no_test_mark(d, m);
        taken[n_models++] = m;
        m = n_models < MOST_MODELS ? next_model(d, context, taken, n_models) : NULL;
    }
    return add_curve(curve, n, "default", selector_label("default"),
                     "linespoints lc rgb \"#1f5fa8\" lw 1.8 pt 4 ps 0.9");
}

struct extent {
    double low, high;
};

static size_t put_curves(struct figure *f, const struct context *context, const struct grid *g,
                         struct drawn_curve *curve, size_t n, struct extent *time)
{
    size_t rows = 0;
    for (size_t p = 0; p < g->n_procs; p++)
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < g->n_bytes; i++) {
                const struct selection *c = grid_cell(f->page->data, context, g, g->procs[p],
                                                      g->bytes[i], curve[k].selector);
                if (!c || !isfinite(c->chosen_s))
                    continue;
                figure_row(f, "%d %s %ju %g %s", g->procs[p], curve[k].selector, g->bytes[i],
                           c->chosen_s, c->chosen.algorithm);
                curve[k].seen = 1;
                time->low = least_positive(time->low, c->chosen_s);
                time->high = fmax(time->high, c->chosen_s);
                rows++;
            }
    return rows;
}

/* 1 when a selector (NULL: any) has a time at these processes. */
static int has_curve(const struct report_data *d, const struct context *context,
                     const struct grid *g, int procs, const char *selector)
{
    for (size_t i = 0; i < g->n_bytes; i++) {
        const struct selection *c = grid_cell(d, context, g, procs, g->bytes[i], selector);
        if (c && isfinite(selector ? c->chosen_s : c->best_s))
            return 1;
    }
    return 0;
}

/* Why nothing can be measured at these processes: the reason of the first point, where all are
 * skipped; else NULL. */
static const char *skipped_because(const struct report_data *d, const struct context *context,
                                   int procs)
{
    const char *reason = NULL;
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *m = &d->result[i];
        if (m->point.cell.procs != procs || m->point.experiment != EXP_TIME ||
            !cell_in(&m->point.cell, context))
            continue;
        if (m->status != POINT_SKIPPED)
            return NULL;
        reason = reason ? reason : m->reason;
    }
    return reason;
}

/* The process counts without a time: those that are skipped with the reason, and the others. */
static void say_empty(FILE *md, const struct report_data *d, const struct context *context,
                      const int *procs, size_t n)
{
    size_t said = 0;
    for (size_t i = 0; i < n; i++) {
        const char *reason = skipped_because(d, context, procs[i]);
        if (reason)
            fprintf(md, "\nP = %d is left out: %s.\n", procs[i], reason);
    }
    for (size_t i = 0; i < n; i++)
        if (!skipped_because(d, context, procs[i]))
            fprintf(md, "%s%d", said++ ? ", " : "\nThere are no times yet at P = ", procs[i]);
    fputs(said ? ".\n\n" : "\n", md);
}

/* Leaves out of the grid the process counts at which nothing is measured, and says which. */
static void drop_empty(FILE *md, const struct report_data *d, const struct context *context,
                       struct grid *g)
{
    const size_t all = g->n_procs;
    int dropped[MOST_PROCS];
    size_t kept = 0, n = 0;
    for (size_t p = 0; p < all; p++) {
        if (has_curve(d, context, g, g->procs[p], NULL))
            g->procs[kept++] = g->procs[p];
        else
            dropped[n++] = g->procs[p];
    }
    g->n_procs = kept;
    if (!n)
        return;
    if (d->imported)
        fprintf(
            md,
            "\nAt %zu of %zu values of P fewer than two algorithms have a time that counts.\n\n", n,
            all);
    else
        say_empty(md, d, context, dropped, n);
}

/* The p-th of n panels, as an index: the last ones, the largest process counts; of many, some from
 * all of the range. */
static size_t panel_procs(const struct grid *g, size_t p, size_t n)
{
    enum { FEW = 16 };
    if (g->n_procs <= FEW)
        return p + g->n_procs - n;
    return (p + 1) * g->n_procs / n - 1;
}

static void put_panel(FILE *gp, const struct report_data *d, const struct context *context,
                      const struct grid *g, const struct drawn_curve *curve, size_t curves,
                      size_t p, size_t place, size_t n)
{
    struct cell cell = { .ppn = 0 };
    const struct selection *c = grid_cell(d, context, g, g->procs[p], g->bytes[0], NULL);
    if (c)
        cell = c->cell;
    double width = 0.9 / (double)n, left = 0.095 + (double)place * width;
    gnuplot_print(gp, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left,
                  left + width - 0.035);
    gnuplot_print(gp, "set title \"P = %d%s\" offset 0,-0.5\n", g->procs[p],
                  oversubscribed(d, &cell) ? " (oversubscribed)" : "");
    const char *comma = "plot ";
    for (size_t k = 0; k < curves; k++) {
        if (!has_curve(d, context, g, g->procs[p], curve[k].selector))
            continue;
        gnuplot_print(
            gp,
            "%sdata using (pick(%d,\"%s\")*at_bytes(column(\"bytes\"))):(column(\"time_s\")) with "
            "%s notitle",
            comma, g->procs[p], curve[k].selector, curve[k].style);
        comma = ", \\\n     ";
    }
    fputs(*comma == 'p' ? "plot NaN notitle # nothing measured\n" : "\n", gp);
}

static void put_legend(FILE *gp, const struct drawn_curve *curve, size_t n)
{
    const char *comma = "";
    legend_begin(gp, 0.1);
    for (size_t k = 0; k < n; k++)
        if (curve[k].seen) {
            gnuplot_print(gp, "%sNaN with %s title \"%s%s\"", comma, curve[k].style, curve[k].title,
                          curve[k].mark ? curve[k].mark : "");
            comma = ", ";
        }
    legend_end(gp);
}

static void put_figure(struct page *page, const struct context *context, const struct grid *g,
                       const struct model *model)
{
    static const char *const columns[] = {
        "procs", "selector", "bytes", "time_s", "algorithm", NULL
    };
    struct figure f;
    struct extent time = { INFINITY, 0 };
    struct drawn_curve curve[MOST_CURVES];
    const struct report_data *d = page->data;
    const size_t curves = find_curves(d, context, model, curve);
    const char *name = scoped_name(d, context, "fig5");
    figure_begin(&f, page, name, 1040, 470, columns, "default, model-based and best selection");
    if (!put_curves(&f, context, g, curve, curves, &time))
        time = (struct extent){ 1e-6, 1 };
    size_t n = g->n_procs < 4 ? g->n_procs : 4;
    gnuplot_print(f.gp,
                  "pick(p,s) = (column(\"procs\") == p && strcol(\"selector\") eq s) ? 1 : NaN\n"
                  "set multiplot title \"%s\" textcolor rgb \"#333333\"\n"
                  "set tmargin at screen 0.84\nset bmargin at screen 0.25\nset logscale y\n"
                  "set xlabel \"message size\"\nset ylabel \"time\"\nset yrange [%.9g:%.9g]\n",
                  section_common_title(d, context), time.low / 1.4, time.high * 1.4);
    const uint64_t low = g->bytes[0], high = g->bytes[g->n_bytes - 1];
    axis_bytes(f.gp, low, high, panel_factor(low, high));
    for (size_t p = 0; p < n; p++) {
        ticks_time(f.gp, time.low / 1.4, time.high * 1.4, p == 0);
        if (p == 1)
            fputs("unset ylabel\n", f.gp);
        put_panel(f.gp, d, context, g, curve, curves, panel_procs(g, p, n), p, n);
    }
    put_legend(f.gp, curve, curves);
    figure_end(&f,
               "Time of the %s by message size, both axes logarithmic, as Fig. 5 of the paper: the "
               "library’s default%s%s%s, and (grey band) the best algorithm.",
               collective_word(context->collective), model ? ", the choice of the " : "",
               model ? model->label : "", model ? no_test_mark(d, model) : "");
}

static enum mark mark_of(const struct selection *c)
{
    double pct = c->degradation_pct;
    if (!isfinite(pct))
        return MARK_NONE;
    if (pct <= 2.5 || (c->tied == 1 && pct <= 10))
        return MARK_BEST;
    return c->tied == 1 || pct <= 10 ? MARK_FAIR : MARK_BAD;
}

static const char *why_not(const struct selection *c)
{
    if (!c || c->status == SELECT_NO_CHOICE)
        return "no choice";
    return c->status == SELECT_NOT_MEASURED ? "not measured" : "nothing to compare";
}

/* The library's default is named by what it was seen to run. */
static void put_choice(struct table *t, const struct report_data *d, const struct selection *c)
{
    if (!c || !isfinite(c->degradation_pct)) {
        table_cells(t, "%s=%s | –", "", why_not(c));
        return;
    }
    const char *ran = ran_at(d, &c->cell, &c->chosen);
    const char *label = algorithm_label(ran, shows_library(d));
    /* the library's own segment, where it is known, is a part of its choice */
    if (strcmp(c->name, "default") == 0 && c->chosen.segment_bytes)
        table_cell(t, ran, "%s, %s", label, show_bytes(c->chosen.segment_bytes));
    else
        table_cell(t, ran, "%s", label);
    table_cells(t, "%g %% [%d]", c->degradation_pct, (int)mark_of(c));
}

/* The interval of the loss of what others measured, or that there is none. */
static void put_interval(struct table *t, const struct selection *c)
{
    if (!c || !isfinite(c->degradation_pct))
        table_cell(t, "", "–");
    else if (!isfinite(c->ci_low_pct))
        table_cell(t, "none", "none: too few runs");
    else
        table_cell(t, "runs", "%s to %s", show_pct(c->ci_low_pct), show_pct(c->ci_high_pct));
    table_cells(t, "%.1f | %.1f", c ? c->ci_low_pct : NAN, c ? c->ci_high_pct : NAN);
}

/* What the paper prints for this size; three pairs of cells. */
static void put_reference(struct table *t, const struct reference *ref, const char *cluster,
                          uint64_t bytes)
{
    static const char *const quantity[] = { "best", "model", "default" };
    for (size_t k = 0; k < 3; k++) {
        const struct reference_row *r =
            reference_find(ref, 3, cluster, 0, bytes, NULL, quantity[k]);
        if (!r)
            table_cell(t, "", "–");
        else
            table_cell(t, r->algorithm, "%s", algorithm_label(r->algorithm, 0));
        table_mark(t, MARK_REFERENCE);
        if (k == 0)
            continue;
        table_value(t, r ? r->value : NAN, r ? "%.0f %%" : "–", r ? r->value : 0);
        table_mark(t, MARK_REFERENCE);
    }
}

static void put_columns(struct table *t, const char *ours, const char *model, int imported,
                        int with_paper)
{
    const char *under = ours ? "|" : "";
    const char *group = ours ? ours : "";
    table_columns(t, ">bytes|message size ; <best_algorithm|best%s%s ; >best_s|time%s%s", under,
                  group, under, group);
    if (model)
        table_columns(t, "<model_algorithm|%s%s%s ; >model_degradation_pct|loss%s%s",
                      selector_label(model), under, group, under, group);
    table_columns(t, "<default_algorithm|default%s%s ; >default_degradation_pct|loss%s%s", under,
                  group, under, group);
    if (imported)
        table_columns(t,
                      "<default_runs|interval%s%s ; .default_ci_low_pct| ; .default_ci_high_pct|",
                      under, group);
    if (!with_paper)
        return;
    table_columns(t, "<paper_best_algorithm|best|the paper’s, measured in 2021 ; "
                     "<paper_model_algorithm|model-based|the paper’s, measured in 2021 ; "
                     ">paper_model_degradation_pct|loss|the paper’s, measured in 2021 ; "
                     "<paper_default_algorithm|Open MPI 3.1|the paper’s, measured in 2021 ; "
                     ">paper_default_degradation_pct|loss|the paper’s, measured in 2021");
}

/* 1 where a candidate is there for the default alone: the study has other segments. */
static int is_default_alone(const struct report_data *d, const struct cell *cell,
                            const struct candidate *c)
{
    struct point p = { .experiment = EXP_TIME, .cell = *cell, .candidate = *c };
    point_identify(&p);
    for (size_t i = 0; i < d->results; i++)
        if (strcmp(d->result[i].point.id, p.id) == 0)
            return d->result[i].point.purpose == FOR_DEFAULT;
    return 0;
}

static void put_best(struct table *t, const struct report_data *d, const struct selection *best)
{
    if (!best) {
        table_cell(t, "", "–");
        return;
    }
    const struct candidate *c = &best->best;
    const char *label = algorithm_label(c->algorithm, shows_library(d));
    if (c->segment_bytes && is_default_alone(d, &best->cell, c))
        table_cell(t, c->algorithm, "%s, %s", label, show_bytes(c->segment_bytes));
    else
        table_cell(t, c->algorithm, "%s", label);
}

static void put_row(struct table *t, const struct report_data *d, const struct context *context,
                    const struct grid *g, const char *model, int procs, uint64_t bytes)
{
    const struct selection *best = grid_cell(d, context, g, procs, bytes, NULL);
    table_bytes(t, bytes);
    put_best(t, d, best);
    table_time(t, best ? best->best_s : NAN);
    if (model)
        put_choice(t, d, grid_cell(d, context, g, procs, bytes, model));
    const struct selection *by_default = grid_cell(d, context, g, procs, bytes, "default");
    put_choice(t, d, by_default);
    if (d->imported)
        put_interval(t, by_default);
}

/* One of a context is open, the others are folded. */
static void put_table(struct page *page, const struct context *context, const struct grid *g,
                      const struct reference *ref, const char *model, int procs, int open)
{
    const struct report_data *d = page->data;
    const struct reference_row *r = reference_find(ref, 3, d->cluster, procs, 0, NULL, "best");
    struct table *t = scoped_table(
        page, context, brief("table3-p%d", procs),
        "Table 3. The %s selection against the best algorithm, %s, P = %d",
        model ? "model-based and the default" : "default", context_call(context), procs);
    put_columns(t, r ? "this study" : NULL, model, d->imported, r != NULL);
    for (size_t i = 0; i < g->n_bytes; i++) {
        put_row(t, d, context, g, model, procs, g->bytes[i]);
        if (r)
            put_reference(t, ref, d->cluster, g->bytes[i]);
    }
    table_note(t, "Loss: 100 · (T − T_best) / T_best. Green: within 2.5 %%, or within 10 %% where "
                  "the samples do not tell it from the best. Yellow: within 10 %%, or more where "
                  "the samples do not tell. Red: more.");
    if (d->imported)
        table_note(t, "Interval: of the loss, where both algorithms have at least three runs. With "
                      "one or two runs there is none: the spread within a run does not tell how "
                      "far off another run would be.");
    if (r)
        table_note(t,
                   "Right-hand side: printed in Nuriyev & Lastovetsky (2021), Table 3, measured "
                   "on the real %s with Open MPI 3.1; what is called chain there is the "
                   "pipeline here (fan-out 1).",
                   d->cluster);
    if (!open)
        table_fold(t);
    page_table(page, t);
}

/* Beyond so many process counts only a few have their table: selection.csv has all cells. */
enum { MOST_TABLES = 16, FEW_TABLES = 4 };

static void write_context(struct page *page, const struct context *context)
{
    const struct report_data *d = page->data;
    struct grid g;
    grid_find(d, context, "study", &g);
    drop_empty(page->md, d, context, &g);
    if (!g.n_procs || !g.n_bytes) {
        fputs("Nothing was decided here: selection.csv has no cell of the study.\n", page->md);
        return;
    }
    struct reference ref = page_reference(page, &reference_schema);
    const struct model *model = main_model(d, context);
    put_figure(page, context, &g, model);
    const struct reference *paper = scoped_reference(&ref, context);
    const struct reference_row *r = reference_find(paper, 3, d->cluster, 0, 0, NULL, "best");
    size_t first = nearest(g.procs, g.n_procs, r ? r->procs : g.procs[g.n_procs - 1]);
    const size_t step = g.n_procs > MOST_TABLES ? (g.n_procs + FEW_TABLES - 1) / FEW_TABLES : 1;
    if (step > 1)
        fprintf(page->md,
                "\nOf %zu process counts one in %zu has its table here; `selection.csv` has all "
                "cells.\n",
                g.n_procs, step);
    for (size_t p = 0; p < g.n_procs; p++)
        if (p == first || p % step == 0)
            put_table(page, context, &g, paper, model ? model->name : NULL, g.procs[p], p == first);
    free(ref.row);
}

const struct section section_selection = {
    .name = "selection",
    .title = "Default, model and best",
    .subject = PAGE_CHOICES,
    .rows = SECTION_ROWS(choices),
    .absent = "No selection yet: `selection.csv` is not there (`collsel select` writes it).",
    .file = "selection.csv",
    .heading = "",
    .each = write_context,
};
