/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the models' times are from the measured ones (errors.csv): by algorithm, mapping and
 * split for every model. */
#include "reports/section_common.h"

static const char *const splits[] = { "in_sample", "alternate", "extrapolated" };
static const char *const split_title[] = { "in sample", "alternate P", "P beyond half" };

/* Only splits that say something: with few process counts nothing is left to judge. */
static int applies(const struct report_data *d)
{
    return d->model_errors > 0 && regressions_apply(d);
}

static int same_candidate(const struct error_row *a, const struct error_row *b)
{
    return candidate_equal(&a->candidate, &b->candidate) && a->cell.root == b->cell.root &&
           cell_compare_context(&a->cell, &b->cell) == 0;
}

/* The row of this candidate; NULL where there is none. The file keeps a candidate's rows together,
 * `like` is one of them. */
static const struct error_row *find(const struct report_data *d, const struct error_row *like,
                                    const struct model *model, const char *statistic,
                                    const char *split, const char *sizes)
{
    const struct error_row *end = d->model_error + d->model_errors, *e = like;
    while (e > d->model_error && same_candidate(e - 1, like))
        e--;
    for (; e < end && same_candidate(e, like); e++)
        if (e->model == model && strcmp(e->statistic, statistic) == 0 &&
            strcmp(split_words[e->split], split) == 0 &&
            strcmp(size_class_words[e->size], sizes) == 0)
            return e;
    return NULL;
}

/* 1 at the first row of each candidate of a kind and mapping (NULL: any). */
static int begins(const struct report_data *d, size_t i, const struct kind *kind,
                  const char *mapping)
{
    const struct error_row *e = &d->model_error[i];
    return strcmp(e->cell.collective, kind->collective) == 0 &&
           strcmp(e->cell.mpi, kind->mpi) == 0 &&
           (!mapping || strcmp(e->cell.mapping, mapping) == 0) &&
           (i == 0 || !same_candidate(e, e - 1));
}

/* The statistic that the times of a study are: that of its first row. */
static const char *own_statistic(const struct report_data *d)
{
    for (size_t i = 0; i < d->model_errors; i++)
        if (strcmp(d->model_error[i].statistic, "max_rank") == 0)
            return "max_rank";
    return "mean_rank";
}

/* The k-th of the models of a candidate, in the file's order; NULL beyond the last. */
static const struct model *model_at(const struct report_data *d, const struct error_row *like,
                                    size_t k)
{
    const struct error_row *end = d->model_error + d->model_errors;
    const struct model *last = NULL;
    for (const struct error_row *e = like; e < end && same_candidate(e, like); e++) {
        if (e->model == last)
            continue;
        last = e->model;
        if (k-- == 0)
            return last;
    }
    return NULL;
}

/* The first of the models that are fitted to the times that they predict; NULL: none is. */
static const struct model *fitted_model(void)
{
    size_t k = 0;
    while (models[k] && !models[k]->fitted)
        k++;
    return models[k];
}

static void put_errors(struct table *t, const struct error_row *e)
{
    table_cells(t, "%.1f | %.1f | %.0f | %.0f", e && e->n > 0 ? e->median_pct : NAN,
                e && e->n > 0 ? e->p90_pct : NAN, e ? (double)e->n : NAN,
                e ? (double)e->without : NAN);
}

static int any_points(const struct report_data *d, const struct error_row *like,
                      const struct model *model, const char *statistic)
{
    for (size_t s = 0; s < N_SPLITS; s++) {
        const struct error_row *e = find(d, like, model, statistic, splits[s], "all");
        if (e && e->n > 0)
            return 1;
    }
    return 0;
}

static void put_models(struct table *t, const struct report_data *d, const struct error_row *like,
                       const char *statistic)
{
    const struct model *model;
    struct candidate whole = like->candidate;
    whole.segment_bytes = 0; /* has a column of its own */
    for (size_t k = 0; (model = model_at(d, like, k)); k++) {
        if (!any_points(d, like, model, statistic))
            continue;
        table_cells(t, "%s=%s | %zu", like->candidate.algorithm,
                    rooted_label(&like->cell, &whole, shows_library(d)),
                    like->candidate.segment_bytes);
        const int tested = model->fitted && model_standing(model, d->backend) != STANDING_SIMULATOR;
        table_cell(t, model->name, "%s%s%s%s", model_label(model), model->fitted ? " †" : "",
                   tested ? "" : no_test_mark(d, model), chosen_mark(d, model));
        for (size_t s = 0; s < N_SPLITS; s++)
            put_errors(t, find(d, like, model, statistic, splits[s], "all"));
    }
}

static void put_table(struct page *page, const struct kind *kind, const char *mapping,
                      const char *statistic)
{
    const struct report_data *d = page->data;
    struct table *t = page_table_new(
        page, regression_name(d, kind, brief("errors-%s-%s", mapping, statistic), 0),
        "Error of predicted times, |predicted / %s − 1|, %.63s by %.63s, mapping by %s, on %s: %s",
        times_word(d), kind->collective, mpi_label(kind->mpi), mapping, d->cluster,
        strcmp(statistic, "max_rank") == 0 ? "slowest rank" : "mean over ranks");
    table_columns(t, "<algorithm|algorithm ; >segment_bytes|segment (B) ; <model|model");
    for (size_t s = 0; s < N_SPLITS; s++)
        table_columns(t,
                      ">%s_median_pct|median|%s (%%) ; >%s_p90_pct|p90|%s (%%) ; "
                      ">%s_points|points|%s (%%) ; >%s_without|without|%s (%%)",
                      splits[s], split_title[s], splits[s], split_title[s], splits[s],
                      split_title[s], splits[s], split_title[s]);
    for (size_t i = 0; i < d->model_errors; i++)
        if (begins(d, i, kind, mapping))
            put_models(t, d, &d->model_error[i], statistic);
    table_note(t,
               "†: fitted to these times. In sample: to all of them. Alternate P: fitted at every "
               "other P and judged at the rest. P beyond half: fitted up to half of the largest "
               "P and judged above. The other models have not seen these times, or few of them "
               "(their sections say which), and are judged at the same points. A prediction of "
               "no positive time counts as 100 %% off. Without: points for which the model "
               "predicts nothing.");
    note_marks(t);
    if (strcmp(statistic, own_statistic(d)) != 0)
        table_fold(t);
    page_table(page, t);
}

static void put_mappings(struct page *page, const struct kind *kind)
{
    static const char *const mappings[] = { "core", "node", "socket" };
    static const char *const statistics[] = { "max_rank", "mean_rank" };
    const struct report_data *d = page->data;
    const struct model *m = fitted_model();
    for (size_t k = 0; m && k < 3; k++)
        for (size_t s = 0; s < 2; s++)
            for (size_t i = 0; i < d->model_errors; i++)
                if (begins(d, i, kind, mappings[k]) &&
                    find(d, &d->model_error[i], m, statistics[s], "in_sample", "all")) {
                    put_table(page, kind, mappings[k], statistics[s]);
                    break;
                }
}

static void write_section(struct page *page)
{
    struct kind kind[MOST_KINDS];
    const size_t kinds = regression_kinds(page->data, kind);
    fprintf(page->md,
            "The error of a prediction is |predicted / %s − 1|. *In sample*: at all points. "
            "*Alternate P*: at every other process count; the regressions are then fitted to the "
            "rest. *P beyond half*: above half of the largest process count; the regressions are "
            "then fitted to the lower half.\n",
            times_word(page->data));
    for (size_t k = 0; k < kinds; k++) {
        fprintf(page->md, "\n\n### %s, %s\n\n", kind[k].collective, mpi_label(kind[k].mpi));
        put_mappings(page, &kind[k]);
    }
}

const struct section section_errors = {
    .name = "errors",
    .title = "Errors of the models",
    .subject = PAGE_MODELS,
    .applies = applies,
    .write = write_section,
};
