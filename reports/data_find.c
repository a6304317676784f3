/* SPDX-License-Identifier: BSD-3-Clause */
/* data_find.c - looking things up in the files of a study. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/data.h"

int fit_in(const char *collective, const char *mpi, const char *mapping,
           const struct context *context)
{
    return (!*collective || strcmp(collective, context->collective) == 0) &&
           strcmp(mpi, context->mpi) == 0 && strcmp(mapping, context->mapping) == 0;
}

int cell_in(const struct cell *cell, const struct context *context)
{
    return strcmp(cell->collective, context->collective) == 0 &&
           strcmp(cell->mpi, context->mpi) == 0 && strcmp(cell->mapping, context->mapping) == 0;
}

int degradation_in(const struct degradation *row, const struct context *context)
{
    return strcmp(row->collective, context->collective) == 0 &&
           strcmp(row->mpi, context->mpi) == 0 && strcmp(row->mapping, context->mapping) == 0;
}

int several_segments(const struct report_data *data, const struct context *context,
                     const char *algorithm)
{
    const struct offered *first = NULL;
    for (size_t i = 0; i < data->n_offered; i++) {
        const struct offered *o = &data->offered[i];
        if (memcmp(&o->context, context, sizeof *context) != 0 ||
            strcmp(o->candidate.algorithm, algorithm) != 0)
            continue;
        if (first && first->candidate.segment_bytes != o->candidate.segment_bytes)
            return 1;
        first = first ? first : o;
    }
    return 0;
}

/* By what a grid knows of a cell (reports/section_common.h), then by the rest of it, then by
 * selector. */
static int by_grid(const struct cell *a, const struct cell *b)
{
    int c = strcmp(a->collective, b->collective);
    c = c ? c : strcmp(a->mpi, b->mpi);
    c = c ? c : strcmp(a->mapping, b->mapping);
    c = c ? c : (a->procs > b->procs) - (a->procs < b->procs);
    c = c ? c : (a->bytes > b->bytes) - (a->bytes < b->bytes);
    return c ? c : (a->root > b->root) - (a->root < b->root);
}

static int by_cell(const void *a, const void *b)
{
    const struct selection *x = a, *y = b;
    int c = by_grid(&x->cell, &y->cell);
    c = c ? c : cell_compare(&x->cell, &y->cell);
    return c ? c : strcmp(x->name, y->name);
}

void choices_sort(struct report_data *data)
{
    if (data->choices)
        qsort(data->choice, data->choices, sizeof *data->choice, by_cell);
}

const struct selection *choices_at(const struct report_data *data, const struct cell *cell,
                                   size_t *n)
{
    size_t low = 0, high = data->choices;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_grid(&data->choice[middle].cell, cell) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *n = 0;
    while (low + *n < data->choices && by_grid(&data->choice[low + *n].cell, cell) == 0)
        ++*n;
    return data->choice + low;
}

const char chosen_note[] =
    "‡: the rules of this model were chosen with these data in sight (docs/notebook says "
    "which). "
    "Its errors and losses are in sample here in every column, whatever it was fitted to, and tell "
    "less than on other data.";

const char simulator_note[] =
    "(simulator): no test. These times were simulated or walked, and the model follows messages "
    "and shares links by the same rules and costs: that it comes near them says nothing about a "
    "machine, so it is not ranked beside the others.";

const char *no_test_mark(const struct report_data *data, const struct model *model)
{
    return standing_mark(model_standing(model, data->backend));
}

const char *chosen_mark(const struct report_data *data, const struct model *model)
{
    const char *what = data->imported ? manifest_text(data, "import/format") : data->cluster;
    return model && what && model_chosen_on(model, data->backend, what) ? " ‡" : "";
}

int result_usable(const struct measured *r)
{
    return measured_usable(r) && isfinite(r->time.value);
}

void count_points(const struct report_data *data, size_t *planned, size_t *missing)
{
    *planned = *missing = 0;
    for (size_t i = 0; i < data->results; i++) {
        *planned += data->result[i].status != POINT_SKIPPED;
        *missing += data->result[i].status == POINT_MISSING;
    }
}

size_t count_doubted(const struct report_data *data)
{
    size_t n = 0;
    for (size_t i = 0; i < data->results; i++)
        n += (size_t)measured_doubted(&data->result[i]);
    return n;
}

const char *ran_at(const struct report_data *data, const struct cell *cell,
                   const struct candidate *candidate)
{
    for (size_t i = 0; data->any_ran && i < data->results; i++) {
        const struct measured *r = &data->result[i];
        if (*r->ran_algorithm && r->point.experiment == EXP_TIME &&
            strcmp(r->point.candidate.algorithm, candidate->algorithm) == 0 &&
            r->point.candidate.segment_bytes == candidate->segment_bytes &&
            cell_compare(&r->point.cell, cell) == 0)
            return r->ran_algorithm;
    }
    return candidate->algorithm;
}

int oversubscribed(const struct report_data *data, const struct cell *cell)
{
    return !data->simulated && data->cores > 0 && cell->ppn > data->cores;
}
