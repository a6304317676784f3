/* SPDX-License-Identifier: BSD-3-Clause */
/* The same points in two studies: emulated (or measured) against simulated times, point by point,
 * per algorithm; and whether both agree on the best algorithm. */
#include "analysis/measure/equivalent.h"
#include "analysis/models/simulated/simulated.h"
#include "reports/gnuplot.h"
#include "reports/section_common.h"

static const char *here_word(const struct report_data *d)
{
    return backend_word(d->backend);
}

static const char *there_word(const struct report_data *d)
{
    const char *there = backend_word(d->compared[0].against_backend);
    return strcmp(there, here_word(d)) == 0 ? "the other study’s" : there;
}

/* "time" of the study and of what is held out; "fit" for broadcasts that serve parameters alone;
 * else the experiment. */
static const char *kind_of(const struct compared *c)
{
    const int time = c->point.experiment == EXP_TIME;
    return time && c->point.purpose == FOR_FIT ? "fit" : experiment_words[c->point.experiment];
}

static int is_time(const struct compared *c, const struct context *context)
{
    return strcmp(kind_of(c), "time") == 0 && cell_in(&c->point.cell, context) && c->ratio > 0;
}

/* Times in either study. */
struct extent {
    double low_s, high_s;
    size_t n;
};

static void put_pairs(struct figure *f, const struct context *context, struct series *series,
                      size_t *n, struct extent *e)
{
    const struct report_data *d = f->page->data;
    *e = (struct extent){ .low_s = INFINITY };
    for (size_t i = 0; i < d->n_compared; i++) {
        const struct compared *c = &d->compared[i];
        if (!is_time(c, context))
            continue;
        figure_row(f, "%s %s %s %s %d %ju %d %ju %g %g %g", c->point.cell.mpi,
                   c->point.cell.mapping, c->point.candidate.algorithm,
                   style_of(c->point.candidate.algorithm).label,
                   is_portable(c->point.candidate.algorithm), c->point.candidate.segment_bytes,
                   c->point.cell.procs, c->point.cell.bytes, c->there_s, c->here_s, c->ratio);
        e->n++;
        e->low_s = least_positive(least_positive(e->low_s, c->here_s), c->there_s);
        e->high_s = fmax(e->high_s, fmax(c->here_s, c->there_s));
        size_t k = 0;
        const struct algorithm_style style = style_of(c->point.candidate.algorithm);
        while (k < *n && strcmp(style_of(series[k].algorithm).label, style.label) != 0)
            k++;
        if (k == *n && *n < MOST_SERIES)
            series[(*n)++] = (struct series){ c->point.candidate.algorithm, 0 };
    }
}

static const char *const pair_columns[] = { "mpi",       "mapping",       "algorithm", "label",
                                            "portable",  "segment_bytes", "procs",     "bytes",
                                            "against_s", "time_s",        "ratio",     NULL };

static void label_axes(FILE *gp, const struct report_data *d, const struct extent *e)
{
    const double low = e->low_s / 1.5, high = e->high_s * 1.5;
    gnuplot_print(
        gp,
        "set logscale xy\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset xlabel \"%s "
        "time\"\nset ylabel \"%s time\"\n",
        low, high, low, high, there_word(d), here_word(d));
    ticks_time(gp, low, high, 1);
    fputs("set xtics ", gp);
    ticks_list(gp, low, high, 1);
    fputc('\n', gp);
}

/* Big marks: the library's own algorithms; small ones: portable schedules. */
static void plot_pairs(FILE *gp, const struct series *series, size_t n)
{
    fputs("is(l,p) = (strcol(\"label\") eq l && column(\"portable\") == p) ? 1 : NaN\n"
          "plot x with lines lc rgb \"#777777\" lw 1.2 title \"equal\", \\\n"
          "     2*x with lines lc rgb \"#aaaaaa\" dt 2 title \"factor of two\", \\\n"
          "     x/2 with lines lc rgb \"#aaaaaa\" dt 2 notitle",
          gp);
    for (size_t k = 0; k < n; k++) {
        const struct algorithm_style style = style_of(series[k].algorithm);
        const char *look;
        look = algorithm_look(series[k].algorithm);
        for (int portable = 0; portable < 2; portable++)
            gnuplot_print(
                gp,
                ", \\\n     data using "
                "(is(\"%s\",%d)*column(\"against_s\")):(column(\"time_s\")) with points %s "
                "ps %s notitle",
                style.label, portable, look, portable ? "0.55" : "0.95");
        gnuplot_print(gp, ", NaN with points %s ps 0.95 title \"%s\"", look, style.label);
    }
    fputc('\n', gp);
}

static void put_scatter(struct page *page, const struct context *context)
{
    struct figure f;
    struct series series[MOST_SERIES];
    struct extent e;
    size_t n = 0;
    const struct report_data *d = page->data;
    scoped_figure(&f, page, context, "against", 1040, 640, pair_columns,
                  "the same points in both studies");
    put_pairs(&f, context, series, &n, &e);
    if (!e.n)
        e = (struct extent){ .low_s = 1e-6, .high_s = 1 };
    series_sort(series, n);
    gnuplot_print(
        f.gp,
        "set title \"%s\" textcolor rgb \"#333333\"\nset size ratio -1\nset key outside right "
        "center reverse Left samplen 1.5\n",
        section_common_title(d, context));
    label_axes(f.gp, d, &e);
    plot_pairs(f.gp, series, n);
    figure_end(&f,
               "Every point of %s that has a time in both studies: %s time over %s one. Large "
               "marks: the library’s own algorithms, against the simulation of the schedule that "
               "sends the same messages; small: portable schedules.",
               mpi_label(context->mpi), here_word(d), there_word(d));
}

static void put_worst(struct table *t, const struct compared *c, int named)
{
    if (!c) {
        table_cells(t, "%.2f | %s", NAN, "–");
        return;
    }
    table_number(t, c->ratio, 2);
    const char *label = algorithm_label(c->point.candidate.algorithm, 1);
    table_cell(t, NULL, "%s%sP = %d, %s%s", named ? label : "", named ? ", " : "",
               c->point.cell.procs, show_bytes(c->point.cell.bytes),
               c->point.cell.root ? ", other root" : "");
}

/* The rest of a row; named: the worst point's algorithm is not said before. */
static void put_ratios(struct table *t, const double *ratio, size_t n, const struct compared *worst,
                       int named)
{
    table_cells(t, "%zu | %.2f | %.2f | %.2f", n, stats_quantile(ratio, n, 0.5),
                stats_quantile(ratio, n, 0.1), stats_quantile(ratio, n, 0.9));
    put_worst(t, worst, named);
}

static void ratio_columns(struct table *t)
{
    table_columns(
        t,
        ">points|points ; >median_ratio|median|ratio ; >p10_ratio|p10|ratio ; >p90_ratio|p90|ratio "
        "; >worst_ratio|ratio|farthest from 1 ; <worst_point|there|farthest from 1");
}

/* Which points; algorithm NULL: all. */
struct which {
    const char *kind, *algorithm;
};

static int is_wanted(const struct compared *c, const struct context *context, const struct which *w)
{
    return strcmp(kind_of(c), w->kind) == 0 && cell_in(&c->point.cell, context) && c->ratio > 0 &&
           (!w->algorithm || strcmp(c->point.candidate.algorithm, w->algorithm) == 0);
}

/* Their ratios, ascending; *worst (may be NULL) is the one farthest from 1. */
static size_t collect(const struct report_data *d, const struct context *context,
                      const struct which *w, double *ratio, const struct compared **worst)
{
    const struct compared *farthest = NULL;
    size_t n = 0;
    for (size_t i = 0; i < d->n_compared; i++) {
        const struct compared *c = &d->compared[i];
        if (!is_wanted(c, context, w))
            continue;
        ratio[n++] = c->ratio;
        if (!farthest || fabs(log(c->ratio)) > fabs(log(farthest->ratio)))
            farthest = c;
    }
    stats_sort(ratio, n);
    if (worst)
        *worst = farthest;
    return n;
}

static size_t find_algorithms(const struct report_data *d, const struct context *context,
                              struct series *series)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_compared; i++) {
        struct candidate c = d->compared[i].point.candidate;
        size_t k = 0;
        if (!is_time(&d->compared[i], context))
            continue;
        while (k < n && strcmp(series[k].algorithm, c.algorithm) != 0)
            k++;
        if (k == n && n < MOST_SERIES)
            series[n++] = (struct series){ d->compared[i].point.candidate.algorithm, 0 };
    }
    series_sort(series, n);
    return n;
}

static void put_algorithms(struct page *page, const struct context *context, double *scratch)
{
    struct series series[MOST_SERIES];
    const struct report_data *d = page->data;
    const struct compared *worst;
    size_t n = find_algorithms(d, context, series);
    struct table *t = scoped_table(page, context, "against", "Ratio of %s to %s time, by algorithm",
                                   here_word(d), there_word(d));
    table_columns(t, "<algorithm|algorithm");
    ratio_columns(t);
    for (size_t k = 0; k < n; k++) {
        table_cell(t, series[k].algorithm, "%s", algorithm_label(series[k].algorithm, 1));
        const struct which one = { .kind = "time", .algorithm = series[k].algorithm };
        size_t found = collect(d, context, &one, scratch, &worst);
        put_ratios(t, scratch, found, worst, 0);
    }
    const struct which all = { .kind = "time" };
    size_t found = collect(d, context, &all, scratch, &worst);
    table_text(t, "all");
    put_ratios(t, scratch, found, worst, 1);
    table_note(
        t,
        "Above 1: the %s time is the longer one. p10, p90: a tenth of the points lies below, "
        "above. Farthest from 1: by its logarithm.",
        here_word(d));
    page_table(page, t);
}

static void put_experiments(struct page *page, const struct context *context, double *scratch)
{
    static const char *const experiments[][2] = {
        { "pingpong", "ping-pong (one way)" },
        { "barrier", "barrier" },
        { "fit", "calls for γ" },
        { "gamma", "γ: broadcasts and barriers" },
        { "gather", "α, β: the collective, then a gather" },
    };
    const struct report_data *d = page->data;
    const struct compared *worst;
    struct table *t = scoped_table(page, context, "against-experiments",
                                   "Ratio of %s to %s time of the parameter experiments",
                                   here_word(d), there_word(d));
    table_columns(t, "<experiment|experiment");
    ratio_columns(t);
    for (size_t k = 0; k < sizeof experiments / sizeof *experiments; k++) {
        const struct which one = { .kind = experiments[k][0] };
        size_t n = collect(d, context, &one, scratch, &worst);
        if (!n)
            continue;
        table_cell(t, experiments[k][0], "%s", experiments[k][1]);
        put_ratios(t, scratch, n, worst,
                   strcmp(one.kind, "gather") == 0 || strcmp(one.kind, "fit") == 0);
    }
    page_table_some(page, t);
}

struct same_choices {
    size_t same;
    struct losses loss; /* of the simulation's choice; owned */
};

static struct same_choices find_agreement(const struct report_data *d,
                                          const struct context *context, const char *purpose)
{
    struct same_choices a = { .same = 0 };
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i];
        const size_t known = a.loss.cells;
        if (!cell_in(&c->cell, context) || strcmp(c->name, twin_model->name) != 0 ||
            strcmp(purpose_words[c->purpose], purpose) != 0)
            continue;
        losses_add(&a.loss, c);
        if (a.loss.cells > known)
            a.same += (size_t)equivalent_same(&c->cell, &c->chosen, &c->best);
    }
    return a;
}

static void put_purpose(struct table *t, const char *purpose, const struct same_choices *a)
{
    const double n = (double)a->loss.cells;
    table_cells(t, "%s=%s | %.0f | %.0f | %.0f | %g %% | %g %%", purpose, purpose_label(purpose), n,
                100 * (double)a->same / n, 100 * (double)a->loss.tied / n, losses_mean(&a->loss),
                a->loss.worst_pct);
    table_cell(t, NULL, "P = %d, %s", a->loss.worst->cell.procs,
               show_bytes(a->loss.worst->cell.bytes));
}

static void put_agreement(struct page *page, const struct context *context)
{
    static const char *const purposes[] = { "study", "held_bytes", "held_procs", "held_root" };
    const struct report_data *d = page->data;
    struct table *t = scoped_table(page, context, "against-best",
                                   "Whether the simulation names the best algorithm");
    table_columns(t,
                  "<purpose|cells of ; >cells|cells ; >same_pct|same algorithm (%%) ; "
                  ">optimal_or_tied_pct|optimal or tied (%%) ; >mean_pct|mean|loss of its choice ; "
                  ">worst_pct|worst|loss of its choice ; <worst_cell|there|loss of its choice");
    for (size_t k = 0; k < 4; k++) {
        struct same_choices a = find_agreement(d, context, purposes[k]);
        if (a.loss.cells)
            put_purpose(t, purposes[k], &a);
        losses_clear(&a.loss);
    }
    table_note(t,
               "Same algorithm: the fastest of the simulation and the fastest by %s times send the "
               "same messages, be it as the library’s own algorithm or as its portable twin. Loss: "
               "by how much the simulation’s choice is slower than the best, by %s times.",
               here_word(d), here_word(d));
    page_table_some(page, t);
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    char label[128];
    size_t both = 0, without = 0, gone = 0;
    for (size_t i = 0; i < d->n_compared; i++) {
        both += d->compared[i].status == COMPARE_STUDIES_OK;
        without += d->compared[i].status == COMPARE_STUDIES_NO_TWIN ||
                   d->compared[i].status == COMPARE_STUDIES_SUBSTITUTED;
        gone += d->compared[i].status == COMPARE_STUDIES_NO_TIME ||
                d->compared[i].status == COMPARE_STUDIES_NO_TIME_THERE;
    }
    fprintf(page->md,
            "Compared with results that are **%s** (`comparison.csv`). Of %zu point%s %zu have a "
            "time in both",
            backend_words(d->compared[0].against_backend, label, sizeof label, NULL),
            COUNTED(d->n_compared), both);
    if (without)
        fprintf(page->md,
                "; %zu have no twin there (a library’s default, a schedule that was not "
                "simulated, or something else ran)",
                without);
    if (gone)
        fprintf(page->md, "; %zu lack a time in one of the two", gone);
    fputs(".", page->md);
    if (d->contexts > 1 && strcmp(d->compared[0].against_backend, "sim") == 0)
        fputs(" The simulation has one set of message costs for all libraries; [the machine’s "
              "sources](#platform) say on whose measurements they rest.",
              page->md);
    fputs("\n", page->md);
}

static void write_context(struct page *page, const struct context *context)
{
    double *scratch = memory_zeros(page->data->n_compared + 1, sizeof *scratch);
    put_scatter(page, context);
    put_algorithms(page, context, scratch);
    put_agreement(page, context);
    put_experiments(page, context, scratch);
    free(scratch);
}

const struct section section_against = {
    .name = "against",
    .title = "Against other results",
    .subject = PAGE_PAPERS,
    .rows = SECTION_ROWS(n_compared),
    .write = write_section,
    .heading = "Against: ",
    .each = write_context,
};
