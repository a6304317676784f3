/* SPDX-License-Identifier: BSD-3-Clause */
/* Why textbook models do not do: binary against binomial tree as the traditional model, the
 * measurement and the derived model see them (the paper's Fig. 1, with a third panel); and every
 * algorithm's measured time. */
#include <math.h>
#include <string.h>

#include "reports/scope.h"
#include "reports/section.h"
#include "reports/style.h"

enum { PAPER_PROCS = 90, FEW_PROCS = 8 };

static int applies(const struct report_data *d)
{
    return d->predictions > 0;
}

static const char *const trees[] = { "binary_tree", "binomial" };

static int is_tree(const char *algorithm, size_t k)
{
    return strcmp(algorithm_base_name(algorithm), trees[k]) == 0;
}

/* The rows of the figure: "textbook", "measured" or "stage" time of one of the trees. Our own
 * schedules are shown where native algorithms of the same name are measured too. */
static int wanted(const struct predicted *p, const struct context *context, int procs, int root)
{
    return cell_in(&p->point.cell, context) && p->point.cell.procs == procs &&
           p->point.cell.root == root &&
           strncmp(p->point.candidate.algorithm, "portable:", 9) == 0 &&
           (p->point.purpose == FOR_STUDY || p->point.purpose == FOR_HELD_BYTES) &&
           (is_tree(p->point.candidate.algorithm, 0) || is_tree(p->point.candidate.algorithm, 1));
}

static const char *const panels[] = { "textbook", "measured", "stage" };
enum { N_PANELS = 3, N_TREES = 2 };

/* Of the data of a figure: sizes, times, and the curves that there are. */
struct extent {
    uint64_t low, high;
    double least_s, most_s;
    int curve[N_PANELS][N_TREES];
};

static void put_value(struct figure *f, const char *panel, const struct predicted *p, double s,
                      struct extent *e)
{
    if (!(s > 0) || !isfinite(s))
        return;
    csvw_text(&f->data, panel);
    csvw_text(&f->data, algorithm_base_name(p->point.candidate.algorithm));
    csvw_u64(&f->data, p->point.cell.bytes);
    csvw_f64(&f->data, s);
    figure_row(f);
    e->low = p->point.cell.bytes < e->low ? p->point.cell.bytes : e->low;
    e->high = p->point.cell.bytes > e->high ? p->point.cell.bytes : e->high;
    e->least_s = least_positive(e->least_s, s);
    e->most_s = fmax(e->most_s, s);
    for (size_t i = 0; i < N_PANELS; i++)
        if (strcmp(panels[i], panel) == 0)
            e->curve[i][is_tree(p->point.candidate.algorithm, 1)] = 1;
}

/* Returns whether there is anything to draw. */
static int put_values(struct figure *f, const struct context *context, int procs, int root,
                      struct extent *e)
{
    const struct report_data *d = f->page->data;
    uint64_t segment = UINT64_MAX; /* the smallest, where the study has several */
    *e = (struct extent){ .low = UINT64_MAX, .least_s = INFINITY };
    for (size_t i = 0; i < d->predictions; i++)
        if (wanted(&d->prediction[i], context, procs, root) &&
            d->prediction[i].point.candidate.segment_bytes < segment)
            segment = d->prediction[i].point.candidate.segment_bytes;
    for (size_t i = 0; i < d->predictions; i++) {
        const struct predicted *p = &d->prediction[i];
        if (!wanted(p, context, procs, root) || p->point.candidate.segment_bytes != segment)
            continue;
        put_value(f, p->model->name, p, p->prediction.seconds, e);
        if (strcmp(p->model->name, "textbook") == 0)
            put_value(f, "measured", p, p->measured_s, e);
    }
    return e->high > 0;
}

/* The paper's panel of experiments, by what they are here. */
static const char *experiment_title(const struct report_data *d)
{
    if (strcmp(d->backend, "sim") == 0)
        return "(b) simulated";
    if (d->emulated)
        return "(b) emulated";
    return strcmp(d->backend, "null") == 0 ? "(b) planted" : "(b) measured";
}

static void put_panels(FILE *gp, const struct report_data *d, const struct extent *e)
{
    char look[64];
    const double low = e->least_s / 1.4, high = e->most_s * 1.4;
    const char *const title[] = { "(a) traditional model", experiment_title(d),
                                  "(c) derived model" };
    for (size_t p = 0; p < N_PANELS; p++) {
        double left = 0.08 + 0.305 * (double)p;
        fprintf(gp,
                "set lmargin at screen %.3f\nset rmargin at screen %.3f\nset title \"%s\" offset "
                "0,-0.5\n",
                left, left + 0.285, title[p]);
        ticks_time(gp, low, high, p == 0);
        if (p == 1)
            fputs("unset ylabel\n", gp);
        const char *comma = "plot ";
        for (size_t k = 0; k < N_TREES; k++) {
            if (!e->curve[p][k])
                continue;
            fprintf(gp,
                    "%sdata using "
                    "(pick(\"%s\",\"%s\")*at_bytes(column(\"bytes\"))):(column(\"time_s\")) "
                    "smooth unique with linespoints %s ps 0.8 notitle",
                    comma, panels[p], trees[k], algorithm_look(trees[k], look, sizeof look));
            comma = ", \\\n     ";
        }
        fputs(*comma == 'p' ? "plot NaN notitle # nothing here\n" : "\n", gp);
    }
    legend_begin(gp, 0.1);
    for (size_t k = 0; k < 2; k++)
        fprintf(gp, "%sNaN with linespoints %s ps 0.8 title \"%s tree\"", k ? ", " : "",
                algorithm_look(trees[k], look, sizeof look), style_of(trees[k]).label);
    legend_end(gp);
}

static void put_figure(struct page *page, const struct context *context, int procs, int root)
{
    static const char *const columns[] = { "panel", "algorithm", "bytes", "time_s", NULL };
    struct figure f;
    char name[200], title[300];
    struct extent e;
    const struct report_data *d = page->data;
    figure_begin(&f, page, scoped_name(d, context, "fig1", name, sizeof name), 1040, 430, columns,
                 "binary and binomial tree: models and measurement");
    if (!put_values(&f, context, procs, root, &e))
        e = (struct extent){ .low = 1, .high = 1024, .least_s = 1e-6, .most_s = 1 };
    fprintf(f.gp,
            "pick(p,a) = (strcol(\"panel\") eq p && strcol(\"algorithm\") eq a) ? 1 : NaN\n"
            "set multiplot title \"%s · P = %d\" textcolor rgb \"#333333\"\n"
            "set tmargin at screen 0.83\nset bmargin at screen 0.26\nset logscale y\n"
            "set xlabel \"message size\"\nset ylabel \"time\"\nset yrange [%.9g:%.9g]\n",
            scope_title(d, context, title, sizeof title), procs, e.least_s / 1.4, e.most_s * 1.4);
    axis_bytes(f.gp, e.low, e.high, panel_factor(e.low, e.high));
    put_panels(f.gp, d, &e);
    figure_end(&f,
               "As Fig. 1 of the paper, P = %d: what the traditional models (textbook formulas, α "
               "and β of point-to-point) say of the binary and the binomial tree, what the "
               "experiment gives, and what the derived models say.",
               procs);
}

/* ---- all algorithms ---- */

static int shown(const struct measured *r, const struct context *context, int procs, int root)
{
    return r->point.purpose == FOR_STUDY && r->point.experiment == EXP_TIME &&
           cell_in(&r->point.cell, context) && r->point.cell.procs == procs &&
           r->point.cell.root == root && result_usable(r);
}

static void put_series(FILE *gp, const struct report_data *d, const struct series *series, size_t n)
{
    char text[192], look[64];
    for (size_t k = 0; k < n; k++)
        fprintf(gp,
                "%sdata using (is(\"%s\",%llu)*at_bytes(column(\"bytes\"))):(column(\"time_s\")) "
                "smooth "
                "unique with linespoints %s ps 0.8 dt %d title \"%s\"",
                k ? ", \\\n     " : "plot ", series[k].algorithm,
                (unsigned long long)series[k].segment_bytes,
                algorithm_look(series[k].algorithm, look, sizeof look), series_dash(d, series, k),
                series_label(series, n, k, shows_library(d), text, sizeof text));
    fputc('\n', gp);
}

static void put_axes(FILE *gp, const struct report_data *d, const struct context *context,
                     int procs, const struct extent *e)
{
    char text[300];
    fprintf(gp,
            "is(a,s) = (strcol(\"algorithm\") eq a && column(\"segment_bytes\") == s) ? 1 : NaN\n"
            "set title \"%s · P = %d\" textcolor rgb \"#333333\"\nset logscale y\nset xlabel "
            "\"message size\"\nset ylabel \"time\"\n"
            "set key outside right center reverse Left samplen 2.5\nset yrange [%.9g:%.9g]\n",
            scope_title(d, context, text, sizeof text), procs, e->least_s / 1.4, e->most_s * 1.4);
    axis_bytes(gp, e->low, e->high, 4);
    ticks_time(gp, e->least_s / 1.4, e->most_s * 1.4, 1);
}

static void put_algorithms(struct page *page, const struct context *context, int procs, int root)
{
    static const char *const columns[] = { "algorithm", "segment_bytes", "bytes", "time_s", NULL };
    struct figure f;
    char base[64], name[200];
    struct series series[MOST_SERIES] = { { 0 } };
    size_t n = 0;
    struct extent e = { .low = UINT64_MAX, .least_s = INFINITY };
    const struct report_data *d = page->data;
    snprintf(base, sizeof base, "algorithms-p%d", procs);
    figure_begin(&f, page, scoped_name(d, context, base, name, sizeof name), 1040, 520, columns,
                 "time of every algorithm");
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        if (!shown(r, context, procs, root))
            continue;
        csvw_text(&f.data, r->point.candidate.algorithm);
        csvw_u64(&f.data, r->point.candidate.segment_bytes);
        csvw_u64(&f.data, r->point.cell.bytes);
        csvw_f64(&f.data, r->time.mean);
        figure_row(&f);
        e.low = r->point.cell.bytes < e.low ? r->point.cell.bytes : e.low;
        e.high = r->point.cell.bytes > e.high ? r->point.cell.bytes : e.high;
        e.least_s = least_positive(e.least_s, r->time.mean);
        e.most_s = fmax(e.most_s, r->time.mean);
        n = series_add(series, n, &r->point.candidate);
    }
    if (!n)
        e = (struct extent){ .low = 1, .high = 1024, .least_s = 1e-6, .most_s = 1 };
    series_sort(series, n);
    put_axes(f.gp, d, context, procs, &e);
    if (n)
        put_series(f.gp, d, series, n);
    else
        fputs("plot NaN notitle\n", f.gp);
    figure_end(&f, "Mean time of every candidate of the study, P = %d.%s", procs,
               d->simulated ? "" : " Solid: the library’s own algorithms; dashed: portable ones.");
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    for (size_t i = 0; i < d->contexts; i++) {
        const struct context *context = &d->context[i];
        struct grid g;
        grid_find(d, context, "study", &g);
        scope_heading(page, context, "");
        if (!g.n_procs)
            continue;
        int procs = g.procs[nearest(g.procs, g.n_procs, PAPER_PROCS)];
        put_figure(page, context, procs, g.root);
        for (size_t p = 0; p < g.n_procs; p++)
            if (g.procs[p] == procs || (!d->simulated && g.n_procs <= FEW_PROCS))
                put_algorithms(page, context, g.procs[p], g.root);
    }
}

const struct section section_models = {
    .name = "models",
    .title = "Models against measurement",
    .applies = applies,
    .absent = "No predictions yet: `predictions.csv` is not there (`collsel fit` writes it).",
    .write = write_section,
};
