/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/single_candidate.h"

#include <stdlib.h>

#include "harness/base/array.h"

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
    size_t i = 0;
    while (i < context->n && !candidate_equal(&context->row[i].candidate, candidate))
        i++;
    if (i == context->n) {
        struct single *added = array_add(&context->row, &context->n);
        added->candidate = *candidate;
    }
    context->row[i].measured++;
    context->row[i].sum_pct += loss_pct;
}

const struct single_context *singles_find(const struct singles *singles, const struct cell *cell)
{
    for (size_t i = 0; i < singles->n; i++)
        if (cell_compare_context(&singles->context[i].cell, cell) == 0)
            return &singles->context[i];
    return NULL;
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
