/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of every candidate of the study by message size. */
#include "reports/gnuplot.h"
#include "reports/section_common.h"

/* Of the data of a figure: sizes and times. */
struct extent {
    uint64_t low, high;
    double least_s, most_s;
};

static int shown(const struct measured *r, const struct context *context, int procs, int root)
{
    return r->point.purpose == FOR_STUDY && r->point.experiment == EXP_TIME &&
           cell_in(&r->point.cell, context) && r->point.cell.procs == procs &&
           r->point.cell.root == root && result_usable(r);
}

static void put_series(FILE *gp, const struct report_data *d, const struct series *series, size_t n)
{
    for (size_t k = 0; k < n; k++)
        gnuplot_print(
            gp,
            "%sdata using (is(\"%s\",%llu)*at_bytes(column(\"bytes\"))):(column(\"time_s\")) "
            "smooth unique with linespoints %s ps 0.8 dt %d title \"%s\"",
            k ? ", \\\n     " : "plot ", series[k].algorithm,
            (unsigned long long)series[k].segment_bytes, algorithm_look(series[k].algorithm),
            series_dash(d, series, k), series_label(series, n, k, shows_library(d)));
    fputc('\n', gp);
}

/* Of more curves than fit beside the plot the legend stands below it, in two columns, and takes no
 * width from it. Pixels. */
enum { MOST_BESIDE = 16, PLOT_HEIGHT = 520, LEGEND_ROW = 20, AXIS_HEIGHT = 66 };

static int legend_height(size_t n)
{
    return n > MOST_BESIDE ? LEGEND_ROW * (int)(n + 1) / 2 : 0;
}

static void put_legend(FILE *gp, size_t n)
{
    const double legend = legend_height(n), height = PLOT_HEIGHT + legend;
    if (n > MOST_BESIDE)
        gnuplot_print(gp,
                      "set bmargin at screen %.4f\nset key at screen 0.52, %.4f center center "
                      "horizontal reverse Left samplen 2.5 maxcols 2\n",
                      (legend + AXIS_HEIGHT) / height, (legend / 2 + 4) / height);
    else
        fputs("set key outside right center reverse Left samplen 2.5\n", gp);
}

static void put_axes(FILE *gp, const struct report_data *d, const struct context *context,
                     int procs, const struct extent *e)
{
    gnuplot_print(
        gp,
        "is(a,s) = (strcol(\"algorithm\") eq a && column(\"segment_bytes\") == s) ? 1 : NaN\n"
        "set title \"%s · P = %d\" textcolor rgb \"#333333\"\nset logscale y\nset xlabel "
        "\"message size\"\nset ylabel \"time\"\n"
        "set yrange [%.9g:%.9g]\n",
        section_common_title(d, context), procs, e->least_s / 1.4, e->most_s * 1.4);
    axis_bytes(gp, e->low, e->high, 4);
    ticks_time(gp, e->least_s / 1.4, e->most_s * 1.4, 1);
}

static void put_algorithms(struct page *page, const struct context *context, int procs, int root)
{
    static const char *const columns[] = { "algorithm", "segment_bytes", "bytes", "time_s", NULL };
    struct figure f;
    struct series series[MOST_SERIES] = { { 0 } };
    size_t n = 0;
    struct extent e = { .low = UINT64_MAX, .least_s = INFINITY };
    const struct report_data *d = page->data;
    for (size_t i = 0; i < d->results; i++)
        if (shown(&d->result[i], context, procs, root))
            n = series_add(series, n, &d->result[i].point.candidate);
    scoped_figure(&f, page, context, brief("algorithms-p%d", procs), 1040,
                  PLOT_HEIGHT + legend_height(n), columns, "time of every algorithm");
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        if (!shown(r, context, procs, root))
            continue;
        figure_row(&f, "%s %ju %ju %g", r->point.candidate.algorithm,
                   r->point.candidate.segment_bytes, r->point.cell.bytes, r->time.value);
        e.low = r->point.cell.bytes < e.low ? r->point.cell.bytes : e.low;
        e.high = r->point.cell.bytes > e.high ? r->point.cell.bytes : e.high;
        e.least_s = least_positive(e.least_s, r->time.value);
        e.most_s = fmax(e.most_s, r->time.value);
    }
    if (!n)
        e = (struct extent){ .low = 1, .high = 1024, .least_s = 1e-6, .most_s = 1 };
    series_sort(series, n);
    put_axes(f.gp, d, context, procs, &e);
    put_legend(f.gp, n);
    if (n)
        put_series(f.gp, d, series, n);
    else
        fputs("plot NaN notitle\n", f.gp);
    f.aside = d->contexts > MANY_CONTEXTS;
    figure_end(&f, "Mean time of every candidate of the study, P = %d.%s", procs,
               d->simulated ? "" : " Solid: the library’s own algorithms; dashed: portable ones.");
}

static void write_context(struct page *page, const struct context *context)
{
    enum { MANY_PROCS = 90, FEW_PROCS = 8 };
    const struct report_data *d = page->data;
    struct grid g;
    grid_find(d, context, "study", &g);
    const int procs = g.n_procs ? g.procs[nearest(g.procs, g.n_procs, MANY_PROCS)] : 0;
    for (size_t p = 0; p < g.n_procs; p++)
        if (g.procs[p] == procs || (!d->simulated && g.n_procs <= FEW_PROCS))
            put_algorithms(page, context, g.procs[p], g.root);
}

const struct section section_algorithms = {
    .name = "algorithms",
    .title = "Every algorithm",
    .subject = PAGE_MODELS,
    .rows = SECTION_ROWS(results),
    .heading = "",
    .each = write_context,
};
