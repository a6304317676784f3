/* SPDX-License-Identifier: BSD-3-Clause */
/* gamma(P): the paper's Table 1, the linear fit and the effect of subtracting the barrier. */
#include "reports/section_common.h"

static int is_of(const struct gamma_row *r, enum gamma_direction direction, const struct context *c)
{
    return r->direction == direction && fit_in("", r->mpi, r->mapping, c);
}

static const struct gamma_line *line_of(const struct report_data *d, const struct context *c)
{
    for (size_t i = 0; i < d->lines; i++) {
        const struct gamma_line *l = &d->line[i];
        if (l->direction == GAMMA_SEND && fit_in("", l->mpi, l->mapping, c) && isfinite(l->slope))
            return l;
    }
    return NULL;
}

/* A value that cannot be, and what follows of it. */
static void note_implausible(struct table *t, const struct report_data *d,
                             const struct context *context, enum gamma_direction direction)
{
    for (size_t i = 0; i < d->gammas; i++) {
        const struct gamma_row *r = &d->gamma[i];
        const int below = strcmp(r->point.status, "below_one") == 0;
        if (!is_of(r, direction, context) || (!below && strcmp(r->point.status, "not_rising") != 0))
            continue;
        table_note(t,
                   "γ(%d) = %.3g%s is %s, which is impossible: the measurements behind γ are "
                   "wrong. Models that need γ predict nothing.",
                   r->point.procs, r->point.value, direction == GAMMA_RECEIVE ? " of gathers" : "",
                   below ? "below one" : "below that of fewer processes");
        return;
    }
}

static void put_table(struct page *page, const struct context *context, const struct reference *ref)
{
    const struct report_data *d = page->data;
    const struct gamma_line *line = line_of(d, context);
    int with_paper = reference_find(ref, 1, d->cluster, 0, 0, NULL, "gamma") != NULL;
    struct table *t = scoped_table(page, context, "table1", "Table 1. Estimated values of γ(P)");
    table_columns(t, ">procs|P ; >gamma|γ(P)|this study ; >stderr|± s.e.|this study ; "
                     ">linear_gamma|linear fit|this study ; >alone_s|one broadcast (µs)|this study "
                     "; >gamma_subtracted|barrier subtracted|the paper’s loop, here ; "
                     ">gamma_with_barrier|not subtracted|the paper’s loop, here");
    if (with_paper)
        table_columns(t, ">paper_gamma|γ(P), 2021|the paper’s");
    for (size_t i = 0; i < d->gammas; i++) {
        const struct gamma_row *r = &d->gamma[i];
        if (!is_of(r, GAMMA_SEND, context))
            continue;
        const struct reference_row *p =
            reference_find(ref, 1, d->cluster, r->point.procs, 0, NULL, "gamma");
        table_cells(t, "%d | %.3f | %.3f | %.3f | %.2f*1e6 | %.3f | %.3f", r->point.procs,
                    r->point.value, r->point.stderr_of, r->point.linear, r->point.alone_s,
                    r->point.subtracted, r->point.with_barrier);
        if (with_paper) {
            table_cells(t, "%.3f [%d]", p ? p->value : NAN, MARK_REFERENCE);
        }
    }
    if (line)
        table_note(t, "Linear fit: γ(P) ≈ %.4f %s %.5f P (s.e. %.2g and %.2g, r² = %.4f).",
                   line->intercept, line->slope < 0 ? "−" : "+", fabs(line->slope),
                   line->intercept_stderr, line->slope_stderr, line->r2);
    note_implausible(t, d, context, GAMMA_SEND);
    if (with_paper)
        table_note(t,
                   "Last column: printed in Nuriyev & Lastovetsky (2021), Table 1, measured on "
                   "the real %s.",
                   d->cluster);
    table_note(t,
               "The paper’s loop: the root’s time per call of N broadcasts separated by "
               "barriers, with and without the barrier’s own mean subtracted. Where small messages "
               "are sent at once, without waiting for the receiver, the next broadcast begins "
               "while the barrier is still ending: the loop then times more than the broadcast. "
               "γ(P) itself comes from broadcasts that synchronised processes begin together.");
    page_table(page, t);
}

static int has_receives(const struct report_data *d, const struct context *c)
{
    for (size_t i = 0; collective_of(c->collective)->combines && i < d->gammas; i++)
        if (is_of(&d->gamma[i], GAMMA_REDUCE, c))
            return 1;
    return 0;
}

/* The row of a direction at so many processes; NULL: none. */
static const struct gamma_row *row_at(const struct report_data *d, const struct context *c,
                                      enum gamma_direction direction, int procs)
{
    return find_below(d->gamma, i, d->gammas,
                      d->gamma[i].point.procs == procs && is_of(&d->gamma[i], direction, c));
}

static void put_receives(struct page *page, const struct context *context)
{
    const struct report_data *d = page->data;
    struct table *t =
        scoped_table(page, context, "gamma-receives", "γ(P) of fan-ins: several receives");
    table_columns(
        t, ">procs|P ; >gamma|γ(P)|received and combined ; >stderr|± s.e.|received and combined ; "
           ">alone_s|one reduction (µs)|received and combined ; >receive_gamma|γ(P)|received ; "
           ">receive_stderr|± s.e.|received ; >receive_s|one gather (µs)|received");
    for (size_t i = 0; i < d->gammas; i++) {
        const struct gamma_row *r = &d->gamma[i];
        if (!is_of(r, GAMMA_REDUCE, context))
            continue;
        const struct gamma_row *g = row_at(d, context, GAMMA_RECEIVE, r->point.procs);
        table_cells(t, "%d | %.3f | %.3f | %.2f*1e6 | %.3f | %.3f | %.2f*1e6", r->point.procs,
                    r->point.value, r->point.stderr_of, r->point.alone_s, g ? g->point.value : NAN,
                    g ? g->point.stderr_of : NAN, g ? g->point.alone_s : NAN);
    }
    note_implausible(t, d, context, GAMMA_REDUCE);
    note_implausible(t, d, context, GAMMA_RECEIVE);
    table_note(t, "Linear fan-ins of one segment from P − 1 synchronised processes to a root, "
                  "which takes them one after the other: once as a reduction, once as a gather, "
                  "which combines nothing. Among two processes the difference is the time to "
                  "combine a segment. Among more, combining may go on while the next segment "
                  "arrives. For reductions the stage model uses the first γ.");
    page_table(page, t);
}

static void write_context(struct page *page, const struct context *context)
{
    struct reference ref = page_reference(page, &reference_schema);
    put_table(page, context, &ref);
    if (has_receives(page->data, context))
        put_receives(page, context);
    free(ref.row);
}

const struct section section_gamma = {
    .name = "gamma",
    .title = "γ(P): sending to several at once",
    .subject = PAGE_MODELS,
    .rows = SECTION_ROWS(gammas),
    .absent = "Not fitted yet: `fit/gamma.csv` is not there (`collsel fit` writes it).",
    .file = "fit/gamma.csv",
    .of_experiments = 1,
    .intro =
        "γ(P) says how much longer a process takes to send one segment to P − 1 children at once "
        "than to one child. It is the time of a linear broadcast of one segment among P "
        "processes, divided by the time among two. What the paper’s own way of measuring "
        "it gives here stands beside it.\n",
    .heading = "",
    .each = write_context,
};
