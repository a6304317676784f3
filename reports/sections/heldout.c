/* SPDX-License-Identifier: BSD-3-Clause */
/* How well the models predict, where they were fitted and where they were not: error of the
 * predicted times by model and purpose. */
#include "reports/section_common.h"

/* Models that are fitted to the very points are judged with points left out, in a table of their
 * own (errors). */
static int is_judged(const struct predicted *p)
{
    return !p->model->fitted;
}

/* The models that are judged, in the order of the file; returns how many. Of what others measured
 * only those that predict anything: the experiments of the others are not to come. */
static size_t find_models(const struct report_data *d, const struct model **model)
{
    size_t n = 0;
    for (size_t i = 0; i < d->predictions; i++) {
        const size_t k = first_below(j, n, model[j] == d->prediction[i].model);
        if (k == n && n < MAX_MODELS && (!d->imported || d->prediction[i].prediction.seconds > 0) &&
            is_judged(&d->prediction[i]))
            model[n++] = d->prediction[i].model;
    }
    return n;
}

/* What others measured has seldom the experiments that these models are fitted to: then there is
 * nothing to judge. */
static int applies(const struct report_data *d)
{
    return any_below(i, d->predictions,
                     !d->imported ||
                         (d->prediction[i].prediction.seconds > 0 && is_judged(&d->prediction[i])));
}

/* |predicted / measured - 1| in percent, or NaN. */
static double error_pct(const struct predicted *p)
{
    return fabs(longer_pct(p->prediction.seconds, p->measured_s));
}

static int belongs(const struct predicted *p, const struct context *context,
                   const struct model *model, const char *purpose)
{
    return p->model == model && strcmp(purpose_words[p->point.purpose], purpose) == 0 &&
           cell_in(&p->point.cell, context);
}

static void put_worst(struct table *t, const struct predicted *p)
{
    if (!p) {
        table_cells(t, "– | –");
        return;
    }
    table_pct(t, error_pct(p));
    table_cell(t, NULL, "%s, P = %d, %s", algorithm_label(p->point.candidate.algorithm, 0),
               p->point.cell.procs, show_bytes(p->point.cell.bytes));
}

/* On the study's grid, or on what is held out, where nobody is in sample. */
static enum standing standing_in(const struct report_data *d, const struct model *model,
                                 const char *purpose)
{
    const enum standing standing = model_standing(model, d->backend);
    return standing == STANDING_IN_SAMPLE && strcmp(purpose, "study") != 0 ? STANDING_TEST
                                                                           : standing;
}

static void put_row(struct table *t, const struct report_data *d, const struct context *context,
                    const struct model *model, const char *purpose, double *error)
{
    size_t n = 0, without = 0, over = 0;
    const struct predicted *worst = NULL;
    for (size_t i = 0; i < d->predictions; i++) {
        const struct predicted *p = &d->prediction[i];
        if (!belongs(p, context, model, purpose))
            continue;
        if (!isfinite(error_pct(p))) {
            without++;
            continue;
        }
        over += p->prediction.seconds > p->measured_s;
        error[n++] = error_pct(p);
        if (!worst || error_pct(p) > error_pct(worst))
            worst = p;
    }
    if (n + without == 0)
        return;
    const enum standing standing = standing_in(d, model, purpose);
    table_cell(t, purpose, "%s%s", purpose_label(purpose), standing ? ", no test" : "");
    table_cell(t, model->name, "%s%s%s", model_label(model), standing_mark(standing),
               chosen_mark(d, model));
    table_cells(t, "%zu | %zu", n, without);
    table_number(t, stats_median(error, n), 1); /* sorts */
    table_cells(t, "%.1f | %.0f", stats_quantile(error, n, 0.95),
                n ? 100.0 * (double)over / (double)n : NAN);
    put_worst(t, worst);
}

static void put_table(struct page *page, const struct context *context)
{
    static const char *const purposes[] = { "study", "held_bytes", "held_procs", "held_root" };
    const struct report_data *d = page->data;
    const struct model *model[MAX_MODELS];
    const size_t models_here = find_models(d, model);
    double *error = memory_zeros(d->predictions + 1, sizeof *error);
    struct table *t =
        scoped_table(page, context, "prediction-error",
                     "Error of predicted times, |predicted / %s − 1|,", times_word(d));
    table_columns(t, "<purpose|points of ; <model|model ; >points|points ; >without|without ; "
                     ">median_pct|median|error (%%) ; >p95_pct|p95|error (%%) ; >over_pct|%% of "
                     "points|too slow in ; >worst_pct|error|worst ; <worst_point|there|worst");
    for (size_t k = 0; k < 4; k++)
        for (int apart = 0; apart < 2; apart++)
            for (size_t m = 0; m < models_here; m++)
                if ((standing_in(d, model[m], purposes[k]) != STANDING_TEST) == apart)
                    put_row(t, d, context, model[m], purposes[k], error);
    note_marks(t);
    table_note(t,
               "Without: points without a time, or for which the model predicts nothing. "
               "Too slow in: share of points whose predicted time is above the %s one.",
               times_word(d));
    table_note(t, "To choose, a model needs the right order of the algorithms, not the right "
                  "times: see the losses in the table of selectors.");
    page_table(page, t);
    free(error);
}

/* What the judged points are: only what the study has. */
static void say_purposes(struct page *page)
{
    static const char *const held[][2] = { { "held_bytes", "sizes × √2" },
                                           { "held_procs", "other process counts" },
                                           { "held_root", "other roots" } };
    const struct report_data *d = page->data;
    size_t n = 0, at[3] = { 0 };
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < d->predictions; i++)
            if (strcmp(purpose_words[d->prediction[i].point.purpose], held[k][0]) == 0) {
                at[n++] = k;
                break;
            }
    fprintf(page->md, "Predicted times are compared with %s ones, on the study’s grid",
            times_word(d));
    if (n)
        fputs(" and at points that no fit has seen: ", page->md);
    for (size_t i = 0; i < n; i++)
        fprintf(page->md, "%s%s", list_separator(i, n), held[at[i]][1]);
    fprintf(page->md,
            ". The error is |predicted / %s − 1|. What the models were fitted to, their own "
            "sections say.\n\n",
            times_word(d));
}

static void write_section(struct page *page)
{
    say_purposes(page);
    const struct model *model[MAX_MODELS] = { NULL };
    const size_t n = find_models(page->data, model);
    /* What each of the models at hand is. */
    for (size_t i = 0; i < n; i++)
        fprintf(page->md, "- *%s* (`%s`): %s.\n", model_label(model[i]), model[i]->name,
                model_prose(model[i]));
    fputs("\n", page->md);
}

const struct section section_heldout = {
    .name = "heldout",
    .title = "How well the models predict",
    .subject = PAGE_MODELS,
    .applies = applies,
    .absent =
        "No predictions yet: `predictions.csv` has none of these models (`collsel fit` writes it).",
    .write = write_section,
    .heading = "",
    .each = put_table,
};
