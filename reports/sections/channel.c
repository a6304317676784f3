/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels: what a message costs by where its two ranks sit. Hockney's lines with the ping-pongs,
 * gamma and the ratio of delays, after Tallone (2024). */
#include "reports/gnuplot.h"
#include "reports/section_common.h"

/* Near to far, as in harness/base/seat.h. */
static const struct {
    const char *name, *label, *colour;
    int marker;
} channels[] = {
    { "cache", "cache: cores that share one", "#009E73", 7 },
    { "core", "core: the same socket", "#0072B2", 9 },
    { "socket", "socket: the other one of a node", "#CC79A7", 13 },
    { "node", "node: through the network", "#D55E00", 5 },
};
enum { CHANNELS = sizeof channels / sizeof *channels, MOST_LIBRARIES = 8 };

/* The libraries with channels; how many. */
static size_t libraries_of(const struct report_data *d, const char **mpi)
{
    size_t n = 0;
    for (size_t i = 0; i < d->channels; i++) {
        const size_t k = first_below(j, n, strcmp(mpi[j], d->channel[i].mpi) == 0);
        if (k == n && n < MOST_LIBRARIES)
            mpi[n++] = d->channel[i].mpi;
    }
    return n;
}

/* "channels-gamma", with the library where there are several. */
static const char *name_of(const struct report_data *d, const char *mpi, const char *base)
{
    const char *all[MOST_LIBRARIES];
    return libraries_of(d, all) > 1 ? brief("%s-%s", base, mpi) : base;
}

static void put_title(FILE *gp, const struct report_data *d, const char *mpi, const char *what)
{
    gnuplot_print(gp, "%s \"%s · %s · %s · %s\" textcolor rgb \"#333333\"\n",
                  strcmp(what, "γ(P, m)") == 0 ? "set multiplot title" : "set title", what,
                  mpi_label(mpi), d->cluster, d->backend_title);
}

static const struct channel_row *row_of(const struct report_data *d, const char *mpi,
                                        const char *channel)
{
    return find_below(d->channel, i, d->channels,
                      strcmp(d->channel[i].mpi, mpi) == 0 &&
                          strcmp(channel_words[d->channel[i].channel], channel) == 0);
}

static void put_size(struct table *t, double bytes)
{
    table_value(t, bytes, "%s", isfinite(bytes) ? show_bytes((uint64_t)bytes) : "–");
}

static void put_row(struct table *t, const struct channel_row *r)
{
    table_cells(t,
                "%s | %.3f*1e6 | %.3f*1e6 | %.4f*1e9 | %.4f*1e9 | %.0f*100 | %.0f*100 | %.3f*1e6 | "
                "%.4f*1e9 | %.0f*100 | %.0f*100 | %.0f",
                channel_words[r->channel], r->fit.line.intercept, r->fit.line.intercept_stderr,
                r->fit.line.slope, r->fit.line.slope_stderr, r->fit.median_error,
                r->fit.worst_error, r->fit.line.robust_intercept, r->fit.line.robust_slope,
                r->fit.robust_median, r->fit.robust_worst,
                r->fit.most_procs > 0 ? r->fit.most_procs : NAN);
    put_size(t, r->rendezvous_bytes);
    put_size(t, r->reduce_rendezvous_bytes);
    table_cells(t, "%zu | %s", r->fit.line.n, fit_status_words[r->fit.line.sign]);
}

static void put_table(struct page *page, const char *mpi)
{
    const struct report_data *d = page->data;
    struct table *t = page_table_new(page, name_of(d, mpi, "channels"),
                                     "Hockney’s lines of the channels, %s", mpi_label(mpi));
    table_columns(
        t, "<channel|channel ; >alpha_s|α (µs)|least squares ; >alpha_stderr|± s.e.|least squares "
           "; >beta_s_per_byte|β (ns/B)|least squares ; >beta_stderr|± s.e.|least squares ; "
           ">median_error|error, median (%%)|least squares ; >worst_error|worst (%%)|least squares "
           "; >robust_alpha_s|α (µs)|Huber, relative ; >robust_beta_s_per_byte|β (ns/B)|Huber, "
           "relative ; >robust_median|error, median (%%)|Huber, relative ; >robust_worst|worst "
           "(%%)|Huber, relative ; >most_procs|γ up to P ; >rendezvous_bytes|fan-out|rendezvous "
           "from ; >reduce_rendezvous_bytes|fan-in|rendezvous from ; >n|sizes ; .status|");
    for (size_t c = 0; c < CHANNELS; c++) {
        const struct channel_row *r = row_of(d, mpi, channels[c].name);
        if (r)
            put_row(t, r);
    }
    table_note(
        t, "Errors: of the line, at the ping-pongs that it was fitted to. Large messages decide "
           "the fit of the paper, so that small ones are far from its line; the channel walk takes "
           "the measured times between sizes instead. γ up to P: ranks of the largest fan-out "
           "on the channel. Rendezvous from: here sends begin to wait for their receivers; "
           "–: not seen.");
    page_table(page, t);
}

static void draw_pingpong(FILE *gp, const struct report_data *d, const char *mpi)
{
    const char *comma = "plot ";
    for (size_t c = 0; c < CHANNELS; c++) {
        const struct channel_row *r = row_of(d, mpi, channels[c].name);
        if (!r)
            continue;
        gnuplot_print(
            gp,
            "%sdata using (is(\"%s\")*at_bytes(column(\"bytes\"))):(column(\"seconds\")) with "
            "points lc rgb \"%s\" pt %d ps 0.8 title \"%s\"",
            comma, channel_words[r->channel], channels[c].colour, channels[c].marker,
            channels[c].label);
        comma = ", \\\n     ";
        if (isfinite(r->fit.line.slope))
            gnuplot_print(gp, "%spositive(%.9g + %.9g*x) with lines lc rgb \"%s\" lw 1.6 notitle",
                          comma, r->fit.line.intercept, r->fit.line.slope, channels[c].colour);
        if (isfinite(r->fit.line.robust_slope))
            gnuplot_print(gp, "%s%.9g + %.9g*x with lines lc rgb \"%s\" lw 1.2 dt 3 notitle", comma,
                          r->fit.line.robust_intercept, r->fit.line.robust_slope,
                          channels[c].colour);
    }
    fputs(*comma == 'p' ? "plot NaN notitle\n" : "\n", gp);
}

static void put_pingpong(struct page *page, const char *mpi)
{
    static const char *const columns[] = { "channel", "bytes", "seconds", NULL };
    const struct report_data *d = page->data;
    struct figure f;
    uint64_t low = UINT64_MAX, high = 1;
    double least = INFINITY, most = 0;
    figure_begin(&f, page, name_of(d, mpi, "channels-pingpong"), 1040, 470, columns,
                 "ping-pong by channel");
    for (size_t i = 0; i < d->channel_times; i++) {
        const struct channel_time_row *r = &d->channel_time[i];
        if (strcmp(r->mpi, mpi) != 0 || r->sample.experiment != EXP_PINGPONG || !r->sample.bytes)
            continue;
        figure_row(&f, "%s %ju %g", channel_words[r->sample.channel], r->sample.bytes,
                   r->sample.slowest);
        low = r->sample.bytes < low ? r->sample.bytes : low;
        high = r->sample.bytes > high ? r->sample.bytes : high;
        least = least_positive(least, r->sample.slowest);
        most = fmax(most, r->sample.slowest);
    }
    fputs("is(c) = strcol(\"channel\") eq c ? 1 : NaN\npositive(t) = t > 0 ? t : NaN\n", f.gp);
    put_title(f.gp, d, mpi, "ping-pong");
    gnuplot_print(
        f.gp,
        "set logscale y\nset samples 400\nset xlabel \"message size\"\nset ylabel \"one way\"\n"
        "set key left top reverse Left samplen 1.5\nset yrange [%.9g:%.9g]\n",
        f.rows ? least / 1.6 : 1e-6, f.rows ? most * 1.6 : 1);
    axis_bytes(f.gp, low < high ? low : 1, high > 1 ? high : 2, 4);
    ticks_time(f.gp, f.rows ? least / 1.6 : 1e-6, f.rows ? most * 1.6 : 1, 1);
    draw_pingpong(f.gp, d, mpi);
    figure_end(&f,
               "Ping-pong, one way, by channel and size, with Hockney’s lines: by least squares "
               "(solid; not drawn where it is negative) and by Huber’s regression of relative "
               "errors (dotted).");
}

/* Sizes that are drawn, where they were measured. */
static const struct {
    uint64_t bytes;
    const char *colour;
    int marker;
} sizes[] = {
    { 1, "#0072B2", 6 },      { 1024, "#56B4E9", 4 },   { 8192, "#009E73", 8 },
    { 16384, "#E69F00", 10 }, { 131072, "#D55E00", 1 }, { 1048576, "#CC79A7", 2 },
};
enum { SIZES = sizeof sizes / sizeof *sizes, DASHES = 5 /* that gnuplot has of its own */ };

static size_t size_number(uint64_t bytes)
{
    const size_t k = first_below(i, SIZES, sizes[i].bytes == bytes);
    return k;
}

/* Writes the rows; which sizes each channel has a line for. */
static void put_gamma_rows(struct figure *f, const char *mpi, int drawn[CHANNELS][SIZES])
{
    const struct report_data *d = f->page->data;
    for (size_t i = 0; i < d->channel_gammas; i++) {
        const struct channel_gamma_row *r = &d->channel_gamma[i];
        const size_t k = size_number(r->bytes);
        const size_t c =
            first_below(j, CHANNELS, strcmp(channels[j].name, channel_words[r->channel]) == 0);
        if (k == SIZES || c == CHANNELS || strcmp(r->mpi, mpi) != 0)
            continue;
        drawn[c][k] = drawn[c][k] || isfinite(r->gamma);
        figure_row(f, "%s %ju %d %g %g %g", channel_words[r->channel], r->bytes, r->procs, r->gamma,
                   r->measured_gamma, r->gamma_slowest);
    }
}

/* There are no half processes: a tick at each of few. */
static int tick_step(const struct report_data *d, const char *mpi, size_t c)
{
    enum { FEW = 10 };
    int most = 0;
    for (size_t i = 0; i < d->channel_gammas; i++) {
        const struct channel_gamma_row *r = &d->channel_gamma[i];
        if (strcmp(r->mpi, mpi) == 0 && strcmp(channel_words[r->channel], channels[c].name) == 0)
            most = r->procs > most ? r->procs : most;
    }
    return most <= FEW;
}

static void draw_gamma_panel(FILE *gp, size_t c, const int *drawn)
{
    const char *comma = "plot ";
    static const double left = 0.06, width = 0.235;
    gnuplot_print(gp,
                  "set lmargin at screen %.3f\nset rmargin at screen %.3f\nset title \"%s\" offset "
                  "0,-0.5\n",
                  left + (double)c * width, left + (double)c * width + width - 0.045,
                  channels[c].name);
    if (c == 0)
        fputs("set ylabel \"γ(P, m)\"\n", gp);
    else
        fputs("unset ylabel\n", gp);
    for (size_t k = 0; k < SIZES; k++) {
        if (!drawn[k])
            continue;
        gnuplot_print(
            gp,
            "%sdata using (is(\"%s\", %llu)*column(\"procs\")):(column(\"measured\")) with "
            "points lc rgb \"%s\" pt %d ps 0.7 lw 1.4 notitle, \\\n     data using (is(\"%s\", "
            "%llu)*column(\"procs\")):(column(\"gamma\")) with lines lc rgb \"%s\" dt %zu lw 1.6 "
            "notitle",
            comma, channels[c].name, (unsigned long long)sizes[k].bytes, sizes[k].colour,
            sizes[k].marker, channels[c].name, (unsigned long long)sizes[k].bytes, sizes[k].colour,
            k % DASHES + 1);
        comma = ", \\\n     ";
    }
    fputs(*comma == 'p' ? "set yrange [0:1]\nplot NaN notitle\nset yrange [0:*]\n" : "\n", gp);
}

static void draw_gamma_legend(FILE *gp, int drawn[CHANNELS][SIZES])
{
    const char *comma = "";
    legend_begin(gp, 0.1);
    for (size_t k = 0; k < SIZES; k++) {
        int any = 0;
        for (size_t c = 0; c < CHANNELS; c++)
            any = any || drawn[c][k];
        if (!any)
            continue;
        gnuplot_print(gp,
                      "%sNaN with linespoints pt %d dt %zu ps 0.6 lw 1.6 lc rgb \"%s\" title "
                      "\"%s\u2003\u2003\"",
                      comma, sizes[k].marker, k % DASHES + 1, sizes[k].colour,
                      show_bytes(sizes[k].bytes));
        comma = ", ";
    }
    if (!*comma)
        fputs("NaN notitle", gp);
    legend_end(gp);
}

static void put_gamma(struct page *page, const char *mpi)
{
    static const char *const columns[] = { "channel",  "bytes",         "procs", "gamma",
                                           "measured", "gamma_slowest", NULL };
    const struct report_data *d = page->data;
    struct figure f;
    int drawn[CHANNELS][SIZES] = { { 0 } };
    figure_begin(&f, page, name_of(d, mpi, "channels-gamma"), 1040, 400, columns,
                 "gamma(P, m) by channel");
    put_gamma_rows(&f, mpi, drawn);
    fputs("is(c, m) = (strcol(\"channel\") eq c && at_bytes(column(\"bytes\")) == m) ? 1 : NaN\n",
          f.gp);
    put_title(f.gp, d, mpi, "γ(P, m)");
    fputs("set tmargin at screen 0.84\nset bmargin at screen 0.25\nset xlabel \"processes P\"\n"
          "set yrange [0:*]\nset xrange [1:*]\n",
          f.gp);
    for (size_t c = 0; c < CHANNELS; c++) {
        gnuplot_print(f.gp, "set xtics %s\n", tick_step(d, mpi, c) ? "1" : "autofreq");
        draw_gamma_panel(f.gp, c, drawn[c]);
    }
    draw_gamma_legend(f.gp, drawn);
    figure_end(&f,
               "γ(P, m) of each channel: the time of a linear broadcast to P − 1 ranks that are "
               "all on this channel with the root over that of a ping-pong, means over ranks as "
               "in the paper. At P = 2 it is therefore below one: the root of a broadcast is done "
               "before its receiver. Lines: one fit divided by the other; circles: one measured "
               "time divided by the other. Where the fit of the ping-pong is wrong for small "
               "messages, the whole line is too high or too low.");
}

static const char *const pair_colours[] = { "#56B4E9", "#009E73", "#0072B2",
                                            "#E69F00", "#CC79A7", "#D55E00" };

static void draw_ratio(FILE *gp, const struct report_data *d, const char *mpi)
{
    int pair = 0;
    fputs("plot 1 with lines lc rgb \"#9a9a95\" lw 1 notitle", gp);
    for (size_t near = 0; near < CHANNELS; near++)
        for (size_t far = near + 1; far < CHANNELS; far++, pair++) {
            if (!row_of(d, mpi, channels[near].name) || !row_of(d, mpi, channels[far].name))
                continue;
            gnuplot_print(
                gp,
                ", \\\n     data using (is(\"%s\", \"%s\")*at_bytes(column(\"bytes\"))):"
                "(column(\"measured\")) with linespoints pt %d ps 0.7 lw 1.4 lc rgb \"%s\" "
                "title \"%s over %s\", \\\n     data using (is(\"%s\", \"%s\")"
                "*at_bytes(column(\"bytes\"))):(column(\"fitted\")) with lines dt 3 lw 1.4 lc rgb "
                "\"%s\" notitle",
                channels[near].name, channels[far].name, 4 + pair, pair_colours[pair],
                channels[far].name, channels[near].name, channels[near].name, channels[far].name,
                pair_colours[pair]);
        }
    fputc('\n', gp);
}

static void put_ratio(struct page *page, const char *mpi)
{
    static const char *const columns[] = { "near",   "far",    "bytes", "measured",
                                           "fitted", "slower", NULL };
    const struct report_data *d = page->data;
    struct figure f;
    uint64_t low = UINT64_MAX, high = 1;
    figure_begin(&f, page, name_of(d, mpi, "channels-ratio"), 1040, 430, columns,
                 "ratio of delays by size");
    for (size_t i = 0; i < d->channel_ratios; i++) {
        const struct channel_ratio_row *r = &d->channel_ratio[i];
        if (strcmp(r->mpi, mpi) != 0 || !r->bytes)
            continue;
        figure_row(&f, "%s %s %ju %g %g %s", channel_words[r->near], channel_words[r->far],
                   r->bytes, r->measured_ratio, r->slower == r->near ? 1 / r->ratio : r->ratio,
                   channel_words[r->slower]);
        low = r->bytes < low ? r->bytes : low;
        high = r->bytes > high ? r->bytes : high;
    }
    fputs("is(n, f) = (strcol(\"near\") eq n && strcol(\"far\") eq f) ? 1 : NaN\n", f.gp);
    put_title(f.gp, d, mpi, "ratio of delays");
    fputs("set logscale y\nset xlabel \"message size\"\nset ylabel \"farther over nearer\"\n"
          "set key outside right center reverse Left samplen 2\nset yrange [0.2:*]\n"
          "set ytics autofreq\n",
          f.gp);
    axis_bytes(f.gp, low < high ? low : 1, high > 1 ? high : 2, 4);
    draw_ratio(f.gp, d, mpi);
    figure_end(&f,
               "Ratio of the delays of two channels by message size: measured ping-pongs (marks) "
               "and their fits (dotted). Below one the farther channel is the quicker one; Q(m) "
               "is then taken the other way round, so that it is never below one.");
}

static void write_section(struct page *page)
{
    const char *mpi[MOST_LIBRARIES];
    const size_t n = libraries_of(page->data, mpi);
    for (size_t i = 0; i < n; i++) {
        if (n > 1)
            fprintf(page->md, "\n\n### %s\n\n", mpi_label(mpi[i]));
        put_table(page, mpi[i]);
        put_pingpong(page, mpi[i]);
        put_gamma(page, mpi[i]);
        put_ratio(page, mpi[i]);
    }
}

const struct section section_channel = {
    .name = "channels",
    .title = "Channels",
    .subject = PAGE_MODELS,
    .rows = SECTION_ROWS(channels),
    .intro =
        "What a message costs depends on what lies between its two ranks: a cache that their "
        "cores share, a socket, a node, or the network. Each of these channels has its own "
        "ping-pongs, and its own linear broadcasts and reductions among ranks that are all on it. "
        "The parameters of the models `channel_stage` (stages, as in the paper) and `channel_walk` "
        "(message by message) come from them alone.\n",
    .write = write_section,
};
