/* SPDX-License-Identifier: BSD-3-Clause */
/* default.c - the library's own choice: measured unforced where the library runs; in simulation the
 * published decision function, with the library's segment size and with the study's. */
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/selectors/selector.h"
#include "analysis/measure/published_default.h"
#include "workloads/schedules/decision.h"

static int refuse(struct selected *choice, const char *why)
{
    snprintf(choice->reason, sizeof choice->reason, "%s", why);
    return 0;
}

static int simulated(const struct cell_view *view)
{
    return view->facts->simulated;
}

/* What the decision function says, named as the study's candidates are. */
static int published(const struct cell_view *view, struct selected *choice)
{
    struct decision d;
    if (!decided_by(view->facts->sim_default, &view->cell, &d))
        return refuse(choice, d.why ? d.why : "no decision function is known");
    choice->candidate = (struct candidate){ .segment_bytes = d.segment_bytes, .fanout = d.fanout };
    snprintf(choice->candidate.algorithm, NAME_SIZE, "portable:%.50s", d.algorithm);
    snprintf(choice->reason, sizeof choice->reason, "decision function of %s",
             decision_library(view->facts->sim_default));
    return 1;
}

/* The choice, with its point where the plan has one. */
static int choose_planned(const struct cell_view *view, struct selected *choice)
{
    choice->measured = pool_find(view, &choice->candidate);
    return choice->measured ? 1 : refuse(choice, "the default's choice is not in the plan");
}

static int choose(const struct selector *self, const struct cell_view *view,
                  struct selected *choice)
{
    (void)self;
    if (simulated(view))
        return published(view, choice) && choose_planned(view, choice);
    if (!view->by_default)
        return refuse(choice, "the library's default is not in the plan");
    const struct measured *m = view->by_default;
    choose_measured(m, choice);
    snprintf(choice->reason, sizeof choice->reason, "%s%.60s (%.40s)",
             *m->ran_algorithm ? "ran " : "which algorithm ran is not known", m->ran_algorithm,
             *m->verified ? m->verified : "unverified");
    return 1;
}

/* The study's candidate with this algorithm whose segment is nearest to the library's. */
static int choose_like(const struct cell_view *view, const struct candidate *like,
                       struct selected *choice)
{
    const struct measured *nearest = NULL;
    uint64_t distance = UINT64_MAX;
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        uint64_t a = m->point.candidate.segment_bytes, b = like->segment_bytes;
        uint64_t d = a > b ? a - b : b - a;
        if (m != view->by_default && strcmp(m->point.candidate.algorithm, like->algorithm) == 0 &&
            d < distance) {
            nearest = m;
            distance = d;
        }
    }
    return nearest ? choose_measured(nearest, choice)
                   : refuse(choice, "the default's algorithm is not a candidate of the study");
}

static int choose_study_segment(const struct selector *self, const struct cell_view *view,
                                struct selected *choice)
{
    (void)self;
    if (simulated(view))
        return published(view, choice) && choose_like(view, &choice->candidate, choice);
    if (!view->by_default || !*view->by_default->ran_algorithm)
        return refuse(choice, "which algorithm the default ran is not known");
    struct candidate ran = { .fanout = 0 };
    memcpy(ran.algorithm, view->by_default->ran_algorithm, sizeof ran.algorithm);
    if (view->by_default->ran_segment_bytes > 0)
        ran.segment_bytes = (uint64_t)view->by_default->ran_segment_bytes;
    return choose_like(view, &ran, choice);
}

const struct selector selector_default = {
    .name = "default",
    .label = "library default",
    .help = "the library's own choice: measured unforced; in simulation its published decision",
    .choose = choose,
};

const struct selector selector_default_study_segment = {
    .name = "default_study_segment",
    .label = "default, study’s segment",
    .help = "the default's algorithm with the study's segment size",
    .choose = choose_study_segment,
};
