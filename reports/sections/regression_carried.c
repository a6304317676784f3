/* SPDX-License-Identifier: BSD-3-Clause */
/* Beyond the nodes that were measured: the regression of the lower half of the process counts, gone
 * on alone and carried by a model of messages, against what was measured there. */
#include <math.h>
#include <string.h>

#include "analysis/measure/sizes.h"
#include "reports/multiples.h"
#include "reports/section.h"
#include "reports/style.h"

static int applies(const struct report_data *d)
{
    return d->n_carried > 0 && multiples_apply(d);
}

/* The mark of what was carried by a model of messages. What the regression was fitted to is not
 * among these cells. */
static const char *by_messages(const struct report_data *d)
{
    return d->simulated ? no_test_mark(d, extrapolated_model) : "";
}

/* The classes in the order of the columns: all sizes first. */
static enum size_class column_class(int column)
{
    return column ? (enum size_class)(column - 1) : SIZE_ALL;
}

static const struct error_row *find(const struct report_data *d, const struct error_row *like,
                                    const char *model, const char *sizes)
{
    for (size_t i = 0; i < d->model_errors; i++) {
        const struct error_row *e = &d->model_error[i];
        if (strcmp(e->model->name, model) == 0 && strcmp(size_class_name(e->size), sizes) == 0 &&
            e->split == like->split && strcmp(e->statistic, like->statistic) == 0 &&
            cell_compare_context(&e->cell, &like->cell) == 0 && e->cell.root == like->cell.root &&
            candidate_equal(&e->candidate, &like->candidate))
            return e;
    }
    return NULL;
}

static void put_median(struct table *t, const struct error_row *e)
{
    table_number(t, e && e->n > 0 ? e->median_pct : NAN, 1);
}

/* 1 where the row is carried somewhere: by node nothing new is met. */
static int is_carried(const struct report_data *d, const struct error_row *e)
{
    for (size_t i = 0; i < d->n_carried; i++)
        if (strcmp(d->carried[i].cell.mapping, e->cell.mapping) == 0 &&
            strcmp(d->carried[i].cell.collective, e->cell.collective) == 0 &&
            strcmp(d->carried[i].candidate.algorithm, e->candidate.algorithm) == 0)
            return 1;
    return 0;
}

static void put_rows(struct table *t, const struct report_data *d, const struct kind *kind)
{
    for (size_t i = 0; i < d->model_errors; i++) {
        const struct error_row *e = &d->model_error[i];
        if (e->model != extrapolated_model || e->split != SPLIT_EXTRAPOLATED ||
            e->size != SIZE_ALL || strcmp(e->statistic, "max_rank") != 0 ||
            strcmp(e->cell.collective, kind->collective) != 0 ||
            strcmp(e->cell.mpi, kind->mpi) != 0 || !is_carried(d, e))
            continue;
        table_cells(t, "%s | %s=%s", e->cell.mapping, e->candidate.algorithm,
                    rooted_label(&e->cell, &e->candidate, shows_library(d)));
        put_median(t, find(d, e, extrapolated_from->name, "all"));
        put_median(t, find(d, e, "channel_walk", "all"));
        for (int c = 0; c < N_SIZE_CLASSES; c++)
            put_median(t, find(d, e, extrapolated_model->name, size_class_name(column_class(c))));
    }
}

static void put_table(struct page *page, const struct kind *kind)
{
    const struct report_data *d = page->data;
    struct table *t = page_table_new(
        page, multiples_name(d, kind, "carried", 0),
        "Median error (%%) beyond the nodes that were fitted, %.63s by %.63s on %.63s",
        kind->collective, mpi_label(kind->mpi), d->cluster);
    table_columns(t, "<mapping|mapping", "<algorithm|algorithm", NULL);
    table_column(t, "regression_median_pct", "alone", model_label(extrapolated_from), ALIGN_RIGHT);
    char messages[64], group[64];
    snprintf(messages, sizeof messages, "channels, message by message%s", by_messages(d));
    snprintf(group, sizeof group, "carried%s", by_messages(d));
    table_column(t, "model_median_pct", "alone", messages, ALIGN_RIGHT);
    for (int c = 0; c < N_SIZE_CLASSES; c++) {
        char key[64];
        snprintf(key, sizeof key, "carried_%s_median_pct", size_class_name(column_class(c)));
        table_column(t, key, group, size_class_title(column_class(c)), ALIGN_RIGHT);
    }
    put_rows(t, d, kind);
    table_note(t, "Fitted: P up to half of the largest. Times of the slowest rank.");
    if (*by_messages(d))
        table_note(t, "%s", simulator_note);
    page_table(page, t);
}

static void write_section(struct page *page)
{
    struct kind kind[MOST_KINDS];
    const size_t kinds = multiples_kinds(page->data, kind);
    for (size_t k = 0; k < kinds; k++)
        put_table(page, &kind[k]);
}

const struct section section_regression_carried = {
    .name = "carried",
    .title = "Beyond the nodes that were measured",
    .subject = PAGE_MODELS,
    .applies = applies,
    .intro =
        "A regression knows nothing of a node that none of its points used: it goes on as if no "
        "new node were reached. There a model of messages takes over: T = f M, where M is that "
        "model’s time. The factor f is the square root of the median of measured time over M at "
        "the largest P that were fitted. A library’s default is taken for the algorithm that it "
        "runs there (`fit/carried.csv`).\n",
    .write = write_section,
};
