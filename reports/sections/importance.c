/* SPDX-License-Identifier: BSD-3-Clause */
/* What the trees of learners split by: the share of each feature, per collective. */
#include "reports/section_common.h"

static int applies(const struct report_data *d)
{
    return any_below(i, d->n_unseen, d->unseen[i].importances);
}

/* The features that count anywhere, in their order. */
static size_t find_features(const struct heldout_trials *u, size_t feature[N_FEATURES])
{
    static const double least = 0.005;
    size_t n = 0;
    for (size_t k = 0; k < N_FEATURES; k++) {
        int counts = 0;
        for (size_t i = 0; i < u->importances && !counts; i++)
            counts = strcmp(u->importance[i].feature, feature_name(k)) == 0 &&
                     u->importance[i].share >= least;
        if (counts)
            feature[n++] = k;
    }
    return n;
}

/* 1 when two rows are of the same learner, collective, library and mapping. */
static int is_same(const struct importance_row *a, const struct importance_row *b)
{
    return strcmp(a->selector, b->selector) == 0 && strcmp(a->collective, b->collective) == 0 &&
           strcmp(a->mpi, b->mpi) == 0 && strcmp(a->mapping, b->mapping) == 0;
}

/* The rows from `first` on that are of one learner and subject; returns where the next begin. */
static size_t put_row(struct table *t, const struct heldout_trials *u, size_t first,
                      const size_t *feature, size_t n)
{
    const struct importance_row *r = &u->importance[first];
    size_t end = first;
    while (end < u->importances && is_same(r, &u->importance[end]))
        end++;
    table_cell(t, NULL, "%s, %s, %s", r->collective, mpi_label(r->mpi), r->mapping);
    table_cell(t, r->selector, "%s", selector_label(r->selector));
    for (size_t k = 0; k < n; k++) {
        double share = NAN;
        for (size_t i = first; i < end; i++)
            if (strcmp(u->importance[i].feature, feature_name(feature[k])) == 0)
                share = u->importance[i].share;
        table_number(t, share, 2);
    }
    return end;
}

static void put_table(struct page *page, const struct heldout_trials *u, size_t number)
{
    size_t feature[N_FEATURES];
    const size_t n = find_features(u, feature);
    struct table *t =
        page_table_new(page, brief("importance%zu", number), "Importance of features, as shares");
    table_columns(t, "<learnt_of|learnt of ; <selector|learner");
    for (size_t k = 0; k < n; k++)
        table_columns(t, ">%s|%s", feature_name(feature[k]), feature_name(feature[k]));
    for (size_t i = 0; i < u->importances;)
        i = put_row(t, u, i, feature, n);
    table_note(t,
               "By how much the splits of a feature lower the impurity of the examples that come "
               "to them, over the trees of all candidates: of learners of classes Gini’s, of "
               "learners of times the variance of their logarithms. log2: logarithms to base 2. "
               "Features that count for less than 0.005 everywhere are left out.");
    page_table(page, t);
}

static void write_section(struct page *page)
{
    for (size_t i = 0; i < page->data->n_unseen; i++) {
        const struct heldout_trials *u = &page->data->unseen[i];
        if (!u->importances)
            continue;
        fprintf(page->md, "\nWhere `%s` was held out:\n\n", u->rows ? u->row[0].holdout : u->name);
        put_table(page, u, i + 1);
    }
}

const struct section section_importance = {
    .name = "importance",
    .title = "What learners look at",
    .subject = PAGE_SELECTORS,
    .applies = applies,
    .write = write_section,
};
