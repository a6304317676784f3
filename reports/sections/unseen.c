/* SPDX-License-Identifier: BSD-3-Clause */
/* Selectors on cells that were kept from all that is fitted or learns: a card of the kinds of
 * selectors, and every selector. */
#include "reports/section_common.h"

static void put_loss(struct table *t, const struct heldout_row *r)
{
    table_pct(t, r ? r->geomean_pct.value : NAN);
}

/* The loss and, in small, whose it is. */
static void put_named(struct table *t, const struct heldout_row *r)
{
    put_loss(t, r);
    table_cell(t, r ? r->selector : "", "%s", r ? selector_label(r->selector) : "–");
}

/* Context NULL: all together. */
static void put_card_row(struct table *t, const struct heldout_trials *u,
                         const struct context *context)
{
    const struct heldout_row *own = heldout_trials_row(u, context, "default"),
                             *safe = heldout_trials_row(u, context, "safe"),
                             *any = own ? own : heldout_trials_row(u, context, "best");
    if (!any)
        return;
    if (context)
        table_cell(t, NULL, "%s, %s, %s", context->collective, mpi_label(context->mpi),
                   context->mapping);
    else
        table_text(t, "all together");
    table_number(t, (double)any->cells, 0);
    put_loss(t, heldout_trials_row(u, context, "best"));
    put_loss(t, own);
    put_loss(t, heldout_trials_row(u, context, "best_single"));
    put_named(t, heldout_trials_least(u, context, UNSEEN_MODEL));
    put_named(t, heldout_trials_least(u, context, UNSEEN_LEARNER));
    put_loss(t, safe);
    if (own && safe && safe->geomean_pct.value > own->geomean_pct.value + 1)
        table_mark(t, MARK_BAD);
    else if (own && safe && safe->geomean_pct.value < own->geomean_pct.value - 1)
        table_mark(t, MARK_BEST);
}

static void put_card(struct page *page, const struct heldout_trials *u, size_t number)
{
    struct table *t = page_table_new(page, brief("unseen%zu-card", number),
                                     "What kinds of selectors lose on cells kept from them "
                                     "(geometric mean of chosen over best, less 1)");
    table_columns(
        t,
        "<cells_of|cells of ; >cells|cells ; >best_pct|best ; >default_pct|default ; "
        ">single_pct|best single ; >model_pct|loss|the best model ; <model|which|the best model ; "
        ">learner_pct|loss|the best learner ; <learner|which|the best learner ; >safe_pct|safe");
    for (size_t i = 0; i < page->data->contexts; i++)
        put_card_row(t, u, &page->data->context[i]);
    put_card_row(t, u, NULL);
    table_note(t,
               "The best model and the best learner are picked by these very losses, among "
               "those that decided all of the cells: what nobody knew before. Marked: safe loses "
               "less than the default by over 1 %%, or (red) more.");
    page_table(page, t);
}

static void put_interval(struct table *t, const struct heldout_number *n)
{
    table_pct(t, n->value);
    if (isfinite(n->low) && isfinite(n->high))
        table_cell(t, NULL, "%.1f to %.1f", n->low, n->high);
    else
        table_cell(t, "", "–");
}

static void put_row(struct table *t, const struct heldout_row *r)
{
    table_cells(t, "%s=%s | %zu | %zu", r->selector, selector_label(r->selector), r->cells,
                r->undecided + r->alone);
    put_interval(t, &r->geomean_pct);
    put_interval(t, &r->mean_pct);
    table_cells(t, "%g %% | %g %% | %g %%", r->median_pct.value, r->p95_pct.value, r->worst_pct);
    table_cell(t, NULL, "P = %d, %s", r->worst_procs, show_bytes(r->worst_bytes));
    table_number(t, r->tied_pct.value, 0);
}

static void put_all(struct page *page, const struct heldout_trials *u, size_t number,
                    const struct context *context)
{
    const char *base = brief("unseen%zu%s", number, context ? "" : "-all");
    struct table *t = context ? scoped_table(page, context, base, "Every selector on these cells,")
                              : page_table_new(page, base, "Every selector on all of these cells");
    table_columns(
        t, "<selector|selector ; >cells|cells ; >without|without ; >geomean_pct|loss|geometric "
           "mean ; >geomean_interval|interval (%%)|geometric mean ; >mean_pct|loss|mean ; "
           ">mean_interval|interval (%%)|mean ; >median_pct|median ; >p95_pct|p95 ; "
           ">worst_pct|loss|worst ; <worst_cell|there|worst ; >tied_pct|optimal or tied (%%)");
    for (size_t i = 0; i < u->rows; i++)
        if (u->row[i].cells && heldout_trials_in(&u->row[i], context))
            put_row(t, &u->row[i]);
    table_note(t, "Intervals: bootstrap over the cells, as if these were independent. Without: "
                  "cells without a choice or a time, or with one candidate only.");
    if (context)
        table_fold(t);
    page_table_some(page, t);
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    for (size_t i = 0; i < d->n_unseen; i++) {
        const struct heldout_trials *u = &d->unseen[i];
        fprintf(page->md, "\n### Held out: `%s`\n\nLearnt from %zu other timed points.\n\n",
                u->rows ? u->row[0].holdout : u->name, u->rows ? u->row[0].trained : 0);
        put_card(page, u, i + 1);
        if (heldout_trials_row(u, NULL, "best"))
            put_all(page, u, i + 1, NULL);
        for (size_t k = 0; k < d->contexts; k++)
            put_all(page, u, i + 1, &d->context[k]);
    }
}

const struct section section_unseen = {
    .name = "unseen",
    .title = "Selectors on cells kept from them",
    .subject = PAGE_SELECTORS,
    .rows = SECTION_ROWS(n_unseen),
    .intro = "Some cells were kept from everything that is fitted or learns: parameters of models, "
             "regressions, learners, the best single candidate. Here all choose in them. Best: the "
             "fastest of all times, which nobody can beat; the default is a candidate like the "
             "others.\n",
    .write = write_section,
};
