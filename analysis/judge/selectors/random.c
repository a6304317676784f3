/* SPDX-License-Identifier: BSD-3-Clause */
/* random.c - a candidate drawn uniformly: not one draw, but its expectation (the mean time over the
 * usable pool), so that no seed decides how bad ignorance looks. */

#include "analysis/judge/selectors/selector.h"

static int choose(const struct selector *self, const struct cell_view *view,
                  struct selected *choice)
{
    (void)self;
    int with_default = 0;
    for (size_t i = 0; i < view->n; i++) {
        if (!measured_usable(view->pool[i].measured))
            continue;
        choice->compared++;
        with_default |= view->pool[i].measured == view->by_default;
    }
    choice->expectation = choice->compared > 0;
    if (choice->expectation)
        snprintf(choice->reason, sizeof choice->reason,
                 "expectation over the %zu of %zu candidate%s that %s a time%s", choice->compared,
                 COUNTED(view->n), of_number(view->n, "has", "have"),
                 with_default ? ", the default among them" : "");
    else
        snprintf(choice->reason, sizeof choice->reason, "no candidate was measured");
    return choice->expectation;
}

const struct selector selector_random = {
    .name = "random",
    .label = "random",
    .help = "a candidate drawn uniformly: the mean over those with a time",
    .choose = choose,
};
