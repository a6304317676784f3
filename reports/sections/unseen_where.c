/* SPDX-License-Identifier: BSD-3-Clause */
/* Where selectors lose on cells that were kept from them: a heat map over processes and sizes of
 * the safe one, the learner and the model that lose least. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "reports/heatmap.h"
#include "reports/section_common.h"
#include "reports/section.h"
#include "reports/style.h"

static int applies(const struct report_data *d)
{
    for (size_t i = 0; i < d->n_unseen; i++)
        if (d->unseen[i].choices)
            return 1;
    return 0;
}

/* What a selector chose in the study's cells of a context. */
struct choices {
    const struct selection **row;
    size_t n;
};

static const struct selection *find(const void *of, const struct report_data *d,
                                    const struct context *context, const struct grid *g, int procs,
                                    uint64_t bytes)
{
    const struct choices *c = of;
    (void)d;
    (void)context;
    for (size_t i = 0; i < c->n; i++)
        if (c->row[i]->cell.procs == procs && c->row[i]->cell.bytes == bytes &&
            c->row[i]->cell.root == g->root)
            return c->row[i];
    return NULL;
}

/* Those with a loss, and the grid of their cells. */
static void collect(const struct heldout_trials *u, const struct context *context,
                    const char *selector, struct choices *out, struct grid *g)
{
    *out = (struct choices){ .row = memory_zeros(u->choices + 1, sizeof *out->row) };
    *g = (struct grid){ .root = INT_MAX };
    for (size_t i = 0; i < u->choices; i++) {
        const struct selection *s = &u->choice[i];
        if (s->purpose != FOR_STUDY || strcmp(s->name, selector) != 0 ||
            !cell_in(&s->cell, context) || !isfinite(s->degradation_pct))
            continue;
        out->row[out->n++] = s;
        g->root = s->cell.root < g->root ? s->cell.root : g->root;
        grid_add(g, s->cell.procs, s->cell.bytes);
    }
}

static void put_map(struct page *page, const struct heldout_trials *u, size_t number,
                    const char *role, const struct context *context, const char *selector)
{
    char base[64];
    struct choices choices;
    struct grid g;
    struct figure f;
    collect(u, context, selector, &choices, &g);
    if (choices.n) {
        snprintf(base, sizeof base, "unseen%zu-%s", number, role);
        heatmap_begin(&f, page, scoped_name(page->data, context, base), &g,
                      "what a selector loses");
        heatmap_losses(&f, page->data, context, &g, find, &choices);
        f.aside = page->data->n_unseen > 1 &&
                  (page->data->contexts > MANY_CONTEXTS || strcmp(role, "safe") != 0);
        figure_end(&f,
                   "%s: by how many percent its choice is slower than the best of the cell, where "
                   "%s was held out. Empty: no choice, or no time.%s",
                   selector_label(selector), u->row[0].holdout,
                   heatmap_note(page->data, context, &g));
    }
    free(choices.row);
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    for (size_t i = 0; i < d->n_unseen; i++) {
        const struct heldout_trials *u = &d->unseen[i];
        for (size_t k = 0; k < d->contexts && u->rows; k++) {
            const struct context *context = &d->context[k];
            const struct heldout_row *learner = heldout_trials_least(u, context, UNSEEN_LEARNER),
                                     *model = heldout_trials_least(u, context, UNSEEN_MODEL);
            if (heldout_trials_row(u, context, "safe"))
                put_map(page, u, i + 1, "safe", context, "safe");
            if (learner)
                put_map(page, u, i + 1, "learner", context, learner->selector);
            if (model)
                put_map(page, u, i + 1, "model", context, model->selector);
        }
    }
}

const struct section section_unseen_where = {
    .name = "unseen-where",
    .title = "Where selectors lose on cells kept from them",
    .subject = PAGE_SELECTORS,
    .applies = applies,
    .intro = "Of each collective the safe selector, and the learner and the model that lose least "
             "there (picked by these very losses).\n",
    .write = write_section,
};
