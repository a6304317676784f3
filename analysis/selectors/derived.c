/* SPDX-License-Identifier: BSD-3-Clause */
/* derived.c - the least prediction of the implementation-derived models (Nuriyev & Lastovetsky). */
#include "analysis/selectors/selector.h"

static double core_s(const struct points *points, const char *mpi, const char *mapping)
{
    return spent_on(points, mpi, mapping, EXP_GATHER) + spent_on(points, mpi, mapping, EXP_GAMMA) +
           spent_on(points, mpi, mapping, EXP_BARRIER);
}

static int choose(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "derived", choice);
}

const struct selector selector_derived = {
    .name = "derived",
    .help = "the least prediction of the models derived from the implementation",
    .core_s = core_s,
    .choose = choose,
};
