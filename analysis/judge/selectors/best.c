/* SPDX-License-Identifier: BSD-3-Clause */
/* best.c - the fastest measured candidate: what every other selector is compared with. */
#include "analysis/judge/selectors/selector.h"

static int choose(const struct selector *self, const struct cell_view *view,
                  struct selected *choice)
{
    (void)self;
    const struct measured *best = NULL;
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        if (!measured_usable(m))
            continue;
        choice->compared++;
        if (!best || m->time.value < best->time.value)
            best = m;
    }
    if (best)
        return choose_measured(best, choice);
    snprintf(choice->reason, sizeof choice->reason, "no candidate was measured");
    return 0;
}

const struct selector selector_best = {
    .name = "best",
    .label = "best (oracle)",
    .help = "the fastest measured candidate (exhaustive measurement)",
    .core_s = spent_on_grid,
    .choose = choose,
};
