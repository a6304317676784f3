/* SPDX-License-Identifier: BSD-3-Clause */
/* random.c - a candidate drawn uniformly: not one draw, but its expectation (the mean time over the
 * usable pool), so that no seed decides how bad ignorance looks. */
#include <math.h>

#include "analysis/judge/selectors/selector.h"

static int choose(const struct selector *self, const struct cell_view *view, struct choice *choice)
{
    (void)self;
    size_t usable = 0;
    for (size_t i = 0; i < view->n; i++)
        usable += (size_t)measured_usable(view->pool[i].measured);
    choice->expectation = usable > 0;
    snprintf(choice->reason, sizeof choice->reason,
             usable ? "expectation over %zu candidates" : "no candidate was measured (%zu)",
             usable);
    return usable > 0;
}

const struct selector selector_random = {
    .name = "random",
    .label = "random",
    .help = "a candidate drawn uniformly: the mean over the candidates",
    .choose = choose,
};
