/* SPDX-License-Identifier: BSD-3-Clause */
/* dummy.c - the least time by the dummy regression. It rests on the very times of the study's grid:
 * there it is no selection but a smoothing, and only between them does it say anything new. */
#include <string.h>

#include "analysis/judge/selectors/selector.h"

static int choose(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "regression", choice);
}

static int applies(const struct predictions *predictions)
{
    for (size_t i = 0; i < predictions->n; i++)
        if (strcmp(predictions->row[i].model->name, "regression") == 0)
            return 1;
    return 0;
}

const struct selector selector_dummy = {
    .name = "regression",
    .help = "the least time by the dummy regression over the number of processes",
    .in_sample = 1,
    .applies = applies,
    .core_s = spent_on_grid,
    .choose = choose,
};
