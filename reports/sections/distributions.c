/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples themselves, call by call and launch by launch, in the cells in which the default
 * loses most: whether a difference of medians is one of the calls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/samples.h"
#include "analysis/measure/stats.h"
#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "reports/gnuplot.h"
#include "reports/section_common.h"
#include "reports/section.h"
#include "reports/style.h"

enum {
    MOST_PANELS = 6,
    MOST_OF_CONTEXT = 2, /* panels, while other contexts have cells */
    ACROSS = 3,          /* panels side by side */
    MOST_CALLS = 150,    /* drawn of a candidate: of more every so many-th */
    PANEL_HEIGHT = 300,
    LEGEND = 44 /* both in pixels */
};

/* ---- which cells ---- */

/* A cell: what the default loses there, and the candidates drawn, side by side. */
struct panel {
    const struct selection *usual;
    const struct measured *shown[3]; /* the fastest, the next, the default; NULL: none */
};

/* The row of a candidate in a cell; NULL: none that has a time. */
static const struct measured *find_row(const struct report_data *d, const struct cell *cell,
                                       const struct candidate *candidate)
{
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *m = &d->result[i];
        if (result_usable(m) && m->point.experiment == EXP_TIME &&
            cell_compare(&m->point.cell, cell) == 0 &&
            candidate_equal(&m->point.candidate, candidate))
            return m;
    }
    return NULL;
}

/* The fastest of a cell but for two. */
static const struct measured *find_next(const struct report_data *d, const struct panel *p)
{
    const struct measured *next = NULL;
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *m = &d->result[i];
        if (result_usable(m) && m->point.experiment == EXP_TIME && m != p->shown[0] &&
            m != p->shown[2] && cell_compare(&m->point.cell, &p->usual->cell) == 0 &&
            (!next || m->time.value < next->time.value))
            next = m;
    }
    return next;
}

/* 1 when launches tell what the default loses in the cell. */
static int is_candidate(const struct selection *c)
{
    return strcmp(c->name, "default") == 0 && c->purpose == FOR_STUDY && c->status == SELECT_OK &&
           c->degradation_pct > 0 && c->tied == 0;
}

static size_t count_of_context(const struct panel *p, size_t n, const struct cell *cell)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        k += cell_compare_context(&p[i].usual->cell, cell) == 0;
    return k;
}

static int is_among(const struct panel *p, size_t n, const struct selection *c)
{
    for (size_t i = 0; i < n; i++)
        if (p[i].usual == c)
            return 1;
    return 0;
}

/* The cell that loses most of those not taken yet; NULL: none is left. */
static const struct selection *find_worst(const struct report_data *d, const struct panel *p,
                                          size_t n, size_t most_of_context)
{
    const struct selection *worst = NULL;
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i];
        if (is_candidate(c) && !is_among(p, n, c) &&
            count_of_context(p, n, &c->cell) < most_of_context &&
            (!worst || c->degradation_pct > worst->degradation_pct))
            worst = c;
    }
    return worst;
}

static size_t find_panels(const struct report_data *d, struct panel panel[MOST_PANELS])
{
    size_t n = 0;
    const size_t most[] = { MOST_OF_CONTEXT, MOST_PANELS };
    for (size_t k = 0; k < 2; k++)
        for (const struct selection *c; n < MOST_PANELS && (c = find_worst(d, panel, n, most[k]));
             n++) {
            panel[n] = (struct panel){ .usual = c };
            panel[n].shown[0] = find_row(d, &c->cell, &c->best);
            panel[n].shown[2] = find_row(d, &c->cell, &c->chosen);
            panel[n].shown[1] = find_next(d, &panel[n]);
        }
    return n;
}

/* ---- the data ---- */

static const char *const columns[] = { "panel",  "of",    "x",     "seconds", "candidate",
                                       "launch", "procs", "bytes", NULL };

static void put_row(struct figure *f, const struct measured *m, size_t panel, const char *of,
                    double x, double seconds, int launch)
{
    figure_row(f, "%zu %s %g %g %s %d %d %ju", panel, of, x, seconds, m->point.candidate.algorithm,
               launch, m->point.cell.procs, m->point.cell.bytes);
}

/* The calls of one launch from left to right, and their median. */
static void put_launch(struct figure *f, const struct measured *m, size_t panel, double left,
                       double wide, const struct sample_series *s, size_t launch, size_t step)
{
    static const char *const call = "call", *const median = "median";
    const size_t from = launch ? s->launch_end[launch - 1] : 0, to = s->launch_end[launch];
    for (size_t i = from; i < to; i += step)
        put_row(f, m, panel, call, left + wide * ((double)(i - from) + 0.5) / (double)(to - from),
                s->value[i], s->repeat[launch]);
    double *sorted = memory_zeros(to - from + 1, sizeof *sorted);
    memcpy(sorted, s->value + from, (to - from) * sizeof *sorted);
    stats_sort(sorted, to - from);
    put_row(f, m, panel, median, left + wide / 2, stats_quantile(sorted, to - from, 0.5),
            s->repeat[launch]);
    free(sorted);
}

/* Launch beside launch, around x. 0, or -1 with *err. */
static int put_candidate(struct figure *f, const struct store *store, const struct measured *m,
                         size_t panel, double x, struct err *err)
{
    struct sample_series s;
    if (series_collect(store, &m->point, &s, err) < 0)
        return -1;
    const size_t step = (s.n + MOST_CALLS - 1) / MOST_CALLS;
    const double wide = 0.8 / (double)(s.launches ? s.launches : 1);
    for (size_t k = 0; k < s.launches; k++)
        put_launch(f, m, panel, x - 0.4 + wide * (double)k, 0.9 * wide, &s, k, step ? step : 1);
    series_clear(&s);
    return 0;
}

/* ---- the figure ---- */

/* The default is not drawn again where it is the fastest or the next. */
static int is_shown(const struct panel *p, size_t k)
{
    const int again = k == 2 && (p->shown[2] == p->shown[0] || p->shown[2] == p->shown[1]);
    return p->shown[k] && !again;
}

static void put_titles(struct figure *f, const struct report_data *d, const struct panel *p)
{
    const struct cell *c = &p->usual->cell;
    const char *label;
    const int library = shows_library(d);
    gnuplot_print(f->gp, "set title \"%s%s%s, P = %d, %s\"\nset xtics (", c->collective,
                  library ? ", " : "", library ? mpi_label(c->mpi) : "", c->procs,
                  show_bytes(c->bytes));
    for (size_t k = 0, n = 0; k < 3; k++) {
        if (!is_shown(p, k))
            continue;
        const struct candidate *one = &p->shown[k]->point.candidate;
        const char *own = is_portable(one->algorithm) ? "portable" : "native";
        const int usual = strcmp(algorithm_base_name(one->algorithm), "default") == 0;
        label = algorithm_label(one->algorithm, 0);
        fputs(n++ ? ", \"" : "\"", f->gp);
        fputs(k == 1 ? "\\n\\n" : "", f->gp); /* below its neighbours */
        gnuplot_print(f->gp, "%s\\n%s%s%s\" %zu", label, usual ? "" : own,
                      one->segment_bytes ? ", " : "",
                      one->segment_bytes ? show_bytes(one->segment_bytes) : "", k + 1);
    }
    fputs(") scale 0\n", f->gp);
    double low = INFINITY, high = 0;
    for (size_t k = 0; k < 3; k++)
        if (p->shown[k]) {
            low = fmin(low, p->shown[k]->time.min);
            high = fmax(high, p->shown[k]->time.max);
        }
    gnuplot_print(f->gp, "set yrange [%.4g:%.4g]\n", low / 1.2, high * 1.2);
    ticks_time(f->gp, low / 1.2, high * 1.2, 1);
}

static void put_panel(struct figure *f, const struct report_data *d, const struct panel *p,
                      size_t number, size_t panels)
{
    const size_t rows = (panels + ACROSS - 1) / ACROSS, row = number / ACROSS;
    const double high = (double)PANEL_HEIGHT / (double)(rows * PANEL_HEIGHT + LEGEND);
    const double left = (double)(number % ACROSS) / ACROSS;
    const double top = 1 - high * (double)row;
    put_titles(f, d, p);
    gnuplot_print(f->gp,
                  "set lmargin at screen %.3f\nset rmargin at screen %.3f\nset tmargin at screen "
                  "%.3f\nset bmargin at screen %.3f\n",
                  left + 0.065, left + 1.0 / ACROSS - 0.01, top - 0.12 * high, top - 0.66 * high);
    gnuplot_print(
        f->gp,
        "plot data using (at(%zu, \"call\")):(column(\"seconds\")) with points pt 7 ps 0.28 lc "
        "rgb \"#0072b2\" notitle, \\\n     data using (at(%zu, "
        "\"median\")):(column(\"seconds\")) "
        "with points pt 2 ps 0.8 lw 2 lc rgb \"#d55e00\" notitle\n",
        number, number);
}

static void put_figure(struct page *page, const struct store *store, const struct panel *panel,
                       size_t n)
{
    struct figure f;
    struct err err;
    const size_t rows = (n + ACROSS - 1) / ACROSS;
    figure_begin(&f, page, "samples", 1040, (int)rows * PANEL_HEIGHT + LEGEND, columns,
                 "samples of the cells in which the default loses most");
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            if (is_shown(&panel[i], k) &&
                put_candidate(&f, store, panel[i].shown[k], i, (double)k + 1, &err) < 0)
                page_fail(page, &err);
    fputs("at(n, of) = (column(\"panel\") == n && strcol(\"of\") eq of) ? column(\"x\") : NaN\n"
          "set multiplot\nset logscale y\nset xrange [0.4:3.6]\n",
          f.gp);
    for (size_t i = 0; i < n; i++)
        put_panel(&f, page->data, &panel[i], i, n);
    legend_begin(f.gp, (double)LEGEND / (double)(rows * PANEL_HEIGHT + LEGEND));
    fputs(
        "NaN with points pt 7 ps 0.5 lc rgb \"#0072b2\" title \"a call\", NaN with points pt 2 ps "
        "0.8 lw 2 lc rgb \"#d55e00\" title \"median of a launch\"",
        f.gp);
    legend_end(f.gp);
    figure_end(&f,
               "The fastest, the one behind it, and the default in the %zu cell%s in which the "
               "default loses most and launches tell so, at most two of a collective, library and "
               "mapping where there are others. Every launch from left to right, its calls in "
               "their order; of more than %d calls every so many-th is drawn.",
               n, plural(n), MOST_CALLS);
}

/* ---- the section ---- */

static int applies(const struct report_data *d)
{
    char path[PATH_SIZE];
    if (d->simulated || d->imported || fs_path(path, sizeof path, NULL, "%s/samples", d->dir) < 0 ||
        !fs_exists(path))
        return 0;
    for (size_t i = 0; i < d->choices; i++)
        if (is_candidate(&d->choice[i]))
            return 1;
    return 0;
}

static void write_section(struct page *page)
{
    struct panel panel[MOST_PANELS];
    struct store store;
    const size_t n = find_panels(page->data, panel);
    const char *digest = manifest_text(page->data, "digest");
    if (page->failed)
        return;
    if (store_open(page->data->dir, digest, &store, &page->err) < 0) {
        page->failed = 1;
        return;
    }
    put_figure(page, &store, panel, n);
    store_free(&store);
}

const struct section section_distributions = {
    .name = "distributions",
    .title = "The samples themselves",
    .subject = PAGE_CHOICES,
    .applies = applies,
    .intro =
        "A median hides what the calls do. Where the clouds of two candidates lie apart in every "
        "launch, the difference is one of the calls; where launches lie apart, more launches "
        "tell more than more calls.\n",
    .write = write_section,
};
