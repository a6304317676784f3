/* SPDX-License-Identifier: BSD-3-Clause */
/* selector.c - what selectors share, and the selectors of the models. */
#include "analysis/judge/selectors/selector.h"

int choose_measured(const struct measured *m, struct selected *choice)
{
    choice->measured = m;
    choice->candidate = m->point.candidate;
    return 1;
}

static int is_portable(const struct contender *c)
{
    return strncmp(c->measured->point.candidate.algorithm, "portable:", 9) == 0;
}

/* 1 when a contender is to be taken before the best so far. */
static int is_better(const struct contender *c, const struct contender *best,
                     const struct model *model, size_t k)
{
    if (!best || c->prediction[k]->seconds < best->prediction[k]->seconds)
        return 1;
    return model->takes_native && c->prediction[k]->seconds <= best->prediction[k]->seconds &&
           is_portable(best) && !is_portable(c);
}

/* Chooses the least prediction of self->model among the candidates that have one. */
static int choose_by_model(const struct selector *self, const struct cell_view *view,
                           struct selected *choice)
{
    const size_t k = model_index(self->model);
    const struct contender *best = NULL;
    for (size_t i = 0; i < view->n; i++) {
        const struct prediction *p = view->pool[i].prediction[k];
        if (!p || !prediction_usable(p))
            continue;
        choice->compared++;
        if (is_better(&view->pool[i], best, self->model, k))
            best = &view->pool[i];
    }
    if (!best) {
        snprintf(choice->reason, sizeof choice->reason, "no candidate has a %s prediction",
                 self->name);
        return 0;
    }
    choice->predicted_s = best->prediction[k]->seconds;
    choice->by_poor_fit = best->prediction[k]->status == PREDICT_POOR_FIT;
    if (choice->by_poor_fit)
        snprintf(choice->reason, sizeof choice->reason, "chosen by a poor fit");
    return choose_measured(best->measured, choice);
}

enum standing selector_standing(const struct selector *selector, enum purpose purpose,
                                const char *backend)
{
    if (model_standing(selector->model, backend) == STANDING_SIMULATOR)
        return STANDING_SIMULATOR;
    return selector->in_sample && purpose == FOR_STUDY ? STANDING_IN_SAMPLE : STANDING_TEST;
}

static struct selector selector_of_model(const struct model *model)
{
    return (struct selector){ .name = model->name,
                              .help = model->help,
                              .label = model->label,
                              .in_sample = model->in_sample,
                              .model = model,
                              .core_s = model->core_s,
                              .choose = choose_by_model };
}

struct selector *selectors_all(const struct selector *more, size_t n_more, size_t *n)
{
    size_t n_rows = 0, n_models = 0;
    while (selectors[n_rows])
        n_rows++;
    while (models[n_models])
        n_models++;
    struct selector *all = memory_zeros(n_rows + n_models + n_more + 1, sizeof *all);
    *n = 0;
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t k = 0; i == n_rows - 1 && k < n_models; k++)
            if (!models[k]->only_predicts)
                all[(*n)++] = selector_of_model(models[k]);
        for (size_t k = 0; i == n_rows - 1 && k < n_more; k++)
            all[(*n)++] = more[k];
        all[(*n)++] = *selectors[i];
    }
    return all;
}

const struct measured *pool_find(const struct cell_view *view, const struct candidate *candidate)
{
    for (size_t i = 0; i < view->n; i++)
        if (candidate_equal(&view->pool[i].measured->point.candidate, candidate))
            return view->pool[i].measured;
    return NULL;
}

struct single_context *singles_cell(struct singles *singles, const struct cell *cell)
{
    size_t i = singles->n; /* mostly that of the cell before; sets that were joined begin anew */
    while (i > 0 && cell_compare_context(&singles->context[i - 1].cell, cell) != 0)
        i--;
    if (i == 0) {
        struct single_context *added = array_add(&singles->context, &singles->n);
        added->cell = *cell;
        i = singles->n;
    }
    singles->context[i - 1].cells++;
    return &singles->context[i - 1];
}

void single_add(struct single_context *context, const struct candidate *candidate, double loss_pct)
{
    const size_t i =
        first_below(k, context->n, candidate_equal(&context->row[k].candidate, candidate));
    if (i == context->n) {
        struct single *added = array_add(&context->row, &context->n);
        added->candidate = *candidate;
    }
    context->row[i].measured++;
    context->row[i].sum_pct += loss_pct;
}

const struct single_context *singles_find(const struct singles *singles, const struct cell *cell)
{
    return find_below(singles->context, i, singles->n,
                      cell_compare_context(&singles->context[i].cell, cell) == 0);
}

const struct single *single_best(const struct single_context *context)
{
    const struct single *best = context->row;
    for (const struct single *s = best; s < context->row + context->n; s++)
        if (s->measured > best->measured ||
            (s->measured == best->measured && s->sum_pct < best->sum_pct))
            best = s;
    return best;
}

void singles_clear(struct singles *singles)
{
    for (size_t i = 0; i < singles->n; i++)
        free(singles->context[i].row);
    free(singles->context);
    *singles = (struct singles){ .n = 0 };
}
