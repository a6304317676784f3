/* SPDX-License-Identifier: BSD-3-Clause */
/* selection.h - all selectors on all cells, judged by the times that they see. */
#pragma once

#include "analysis/judge/select.h"

/* store: of the samples, NULL: none. predictions: of these points. */
static inline int selection_make(const struct points *points, const struct predictions *predictions,
                                 const struct facts *facts, const struct store *store,
                                 struct selection_table *table, struct err *err)
{
    const struct judge judge = { .facts = facts, .store = facts->deterministic ? NULL : store };
    const struct selecting of = {
        .points = points, .predictions = predictions, .facts = facts, .judge = &judge
    };
    return selection_judged(&of, table, err);
}
