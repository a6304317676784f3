/* SPDX-License-Identifier: BSD-3-Clause */
/* traditional.c - the least prediction of the textbook formulas. */
#include "analysis/judge/selectors/selector.h"

static double core_s(const struct points *points, const struct spending *of)
{
    return spent_on(points, of, EXP_PINGPONG);
}

static int choose(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "textbook", choice);
}

const struct selector selector_traditional = {
    .name = "textbook",
    .help = "the least prediction of textbook formulas with ping-pong parameters",
    .core_s = core_s,
    .choose = choose,
};
