/* SPDX-License-Identifier: BSD-3-Clause */
/* best_single.c - one and the same candidate everywhere: what a table of one line would do. */
#include "analysis/judge/selectors/selector.h"

static const char *const sources[] = {
    [SINGLE_IN_SAMPLE] = "in sample",
    [SINGLE_TRAINED] = "trained on",
    [SINGLE_ELSEWHERE] = "judged by others",
};

static int choose(const struct selector *self, const struct cell_view *view,
                  struct selected *choice)
{
    (void)self;
    const struct single_context *context =
        view->singles ? singles_find(view->singles, &view->cell) : NULL;
    if (!context || !context->n) {
        snprintf(choice->reason, sizeof choice->reason, "no cell of the study has a best");
        return 0;
    }
    const struct single *best = single_best(context);
    const size_t lacks = context->cells - best->measured;
    char missing[64] = "";
    if (lacks)
        snprintf(missing, sizeof missing, ", without a time in %zu more", lacks);
    snprintf(choice->reason, sizeof choice->reason,
             "%.60s loses %.3g %% in the mean of %zu cell%s%s; found from their times (%s)",
             best->candidate.algorithm, best->sum_pct / (double)best->measured,
             COUNTED(best->measured), missing, sources[view->singles->source]);
    choice->candidate = best->candidate;
    choice->compared = context->n;
    choice->measured = pool_find(view, &best->candidate);
    return choice->measured != NULL;
}

const struct selector selector_best_single = {
    .name = "best_single",
    .label = "best single algorithm",
    .help = "one candidate everywhere: of those with times in the most of the study's cells, that "
            "which loses least in the mean",
    .in_sample = 1,
    .core_s = spent_on_grid,
    .choose = choose,
};
