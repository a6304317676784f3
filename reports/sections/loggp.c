/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of the model loggp: what a message costs on the platform by its size, and the two
 * scales of each algorithm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "reports/gnuplot.h"
#include "reports/section_common.h"
#include "reports/section.h"
#include "reports/style.h"
#include "workloads/schedules/collectives.h"

static int is_here(const struct loggp_fit *r, const struct context *context)
{
    return fit_in(r->collective, r->mpi, r->mapping, context);
}

/* ---- scales ---- */

static void put_row(struct table *t, const struct report_data *d, const struct loggp_fit *r)
{
    char raw[40];
    table_cell(t, r->candidate.algorithm, "%s",
               algorithm_label(r->candidate.algorithm, shows_library(d)));
    snprintf(raw, sizeof raw, "%llu", (unsigned long long)r->candidate.segment_bytes);
    table_cells(
        t, "%s=%s | %.3f | %.3f | %.3f | %.3f | %.1f*100 | %.1f*100 | %zu | %.3e | %s=%s [%d] | %d",
        raw, r->candidate.segment_bytes ? show_bytes(r->candidate.segment_bytes) : "none",
        r->scale.latency, (r->high.latency - r->low.latency) / 2, r->scale.gap,
        (r->high.gap - r->low.gap) / 2, r->mean_error, r->worst_error, r->n, r->condition,
        fit_status_name(r->status), fit_label(fit_status_name(r->status)),
        r->status == FIT_OK ? MARK_NONE : MARK_FAIR, r->procs);
}

static int by_style(const void *a, const void *b)
{
    const struct loggp_fit *x = *(const struct loggp_fit *const *)a;
    const struct loggp_fit *y = *(const struct loggp_fit *const *)b;
    const int c = style_compare(x->candidate.algorithm, y->candidate.algorithm);
    return c ? c
             : (x->candidate.segment_bytes > y->candidate.segment_bytes) -
                   (x->candidate.segment_bytes < y->candidate.segment_bytes);
}

static void put_rows(struct table *t, const struct report_data *d, const struct context *context)
{
    const struct loggp_fit **rows = memory_zeros(d->n_event + 1, sizeof *rows);
    size_t n = 0;
    for (size_t i = 0; i < d->n_event; i++)
        if (is_here(&d->event[i], context))
            rows[n++] = &d->event[i];
    if (n)
        qsort(rows, n, sizeof *rows, by_style);
    for (size_t i = 0; i < n; i++)
        put_row(t, d, rows[i]);
    free(rows);
}

/* Each reason once. */
static void note_reasons(struct table *t, const struct report_data *d,
                         const struct context *context)
{
    for (size_t i = 0; i < d->n_event; i++) {
        const struct loggp_fit *r = &d->event[i];
        size_t k = 0;
        while (k < i &&
               (!is_here(&d->event[k], context) || strcmp(d->event[k].reason, r->reason) != 0))
            k++;
        if (k == i && *r->reason && r->status != FIT_SCALE_UNIDENTIFIED && is_here(r, context))
            table_note(t, "%s: %s.", fit_label(fit_status_name(r->status)), r->reason);
    }
}

static void put_table(struct page *page, const struct context *context)
{
    const struct report_data *d = page->data;
    struct table *t = scoped_table(page, context, "loggp", "Scales of the LogGP model");
    table_columns(t, "<algorithm|algorithm", ">segment_bytes|segment", ">latency_scale|×|latency",
                  ">latency_half|±|latency", ">gap_scale|×|gap", ">gap_half|±|gap",
                  ">mean_error|mean|error (%)", ">worst_error|worst|error (%)", ">n|points|fit",
                  ">condition|condition|fit", "<status|status|fit", ".procs|", NULL);
    put_rows(t, d, context);
    table_note(t, "Factors by which the algorithm multiplies the platform’s latency and gap (the "
                  "time that sender or receiver is busy); 1 takes them as they are. "
                  "±: half-width of the 95 %% confidence interval. Error: of the times that the "
                  "factors were fitted to. Scale set to 1: the times do not depend on this factor, "
                  "and the other was fitted alone.");
    note_reasons(t, d, context);
    page_table(page, t);
}

/* ---- costs of a message ---- */

static const struct {
    const char *cost, *label, *colour;
    int marker;
} costs[] = {
    { "latency", "latency (ping-pong, one way)", "#0072B2", 7 },
    { "send", "send: the sender is busy", "#D55E00", 9 },
    { "receive", "receive: the receiver is busy", "#009E73", 13 },
};
enum { N_COSTS = sizeof costs / sizeof *costs };

static void put_figure(struct page *page, const struct context *context)
{
    static const char *const columns[] = { "cost", "bytes", "seconds", NULL };
    struct figure f;
    uint64_t low = UINT64_MAX, high = 0;
    double least = INFINITY, most = 0;
    const struct report_data *d = page->data;
    scoped_figure(&f, page, context, "loggp-costs", 1040, 430, columns,
                  "what a message costs, by size");
    for (size_t i = 0; i < d->loggp_costs; i++) {
        const struct loggp_cost *c = &d->loggp_cost[i];
        if (!fit_in("", c->mpi, c->mapping, context) || !(c->seconds > 0) || !c->bytes)
            continue;
        figure_row(&f, "%s %ju %g", loggp_cost_words[c->cost], c->bytes, c->seconds);
        low = c->bytes < low ? c->bytes : low;
        high = c->bytes > high ? c->bytes : high;
        least = least_positive(least, c->seconds);
        most = fmax(most, c->seconds);
    }
    if (!high) {
        low = 1;
        high = 1024;
        least = 1e-6;
        most = 1;
    }
    gnuplot_print(
        f.gp,
        "is(c) = strcol(\"cost\") eq c ? 1 : NaN\nset title \"%s\" textcolor rgb \"#333333\"\n"
        "set logscale y\nset xlabel \"message size\"\nset ylabel \"time\"\n"
        "set key outside right center reverse Left samplen 2.5\nset yrange [%.9g:%.9g]\n",
        section_common_title(d, context), least / 1.4, most * 1.4);
    axis_bytes(f.gp, low, high, 4);
    ticks_time(f.gp, least / 1.4, most * 1.4, 1);
    for (size_t k = 0; k < N_COSTS; k++)
        gnuplot_print(f.gp,
                      "%sdata using (is(\"%s\")*at_bytes(column(\"bytes\"))):(column(\"seconds\")) "
                      "smooth unique "
                      "with linespoints lc rgb \"%s\" pt %d ps 0.8 lw 1.8 title \"%s\"",
                      k ? ", \\\n     " : "plot ", costs[k].cost, costs[k].colour, costs[k].marker,
                      costs[k].label);
    fputc('\n', f.gp);
    const int reduces = collective_combines(context->collective);
    figure_end(
        &f,
        reduces
            ? "The costs of a message by its size, linear between the marks: latency from "
              "ping-pongs; the time that the receiver is busy (combining included) from linear "
              "reductions; the time that the sender is busy from linear broadcasts of a segment."
            : "The costs of a message by its size, linear between the marks: latency from "
              "ping-pongs, the time that the sender is busy from linear broadcasts, the time that "
              "the receiver is busy from the pipeline.");
}

static void write_context(struct page *page, const struct context *context)
{
    put_table(page, context);
    put_figure(page, context);
}

const struct section section_loggp = {
    .name = "loggp",
    .title = "The LogGP model",
    .subject = PAGE_MODELS,
    .rows = SECTION_ROWS(n_event),
    .intro =
        "This model is ours, after LogGP. It follows the schedule message by message, and tells "
        "latency from the time that the sender and the receiver are busy. These three costs "
        "depend on the message size and belong to the platform. Each algorithm multiplies them "
        "by two factors of its own, which are fitted to its times at one number of processes: of "
        "that number the model has seen the times.\n",
    .heading = "",
    .each = write_context,
};
