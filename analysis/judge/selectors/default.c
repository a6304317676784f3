/* SPDX-License-Identifier: BSD-3-Clause */
/* default.c - the library's own choice: measured unforced where the library runs; in simulation the
 * published decision function. */
#include "analysis/judge/selectors/selector.h"
#include "analysis/measure/published_default.h"

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

const struct selector selector_default = {
    .name = "default",
    .label = "library default",
    .help = "the library's own choice: measured unforced; in simulation its published decision",
    .choose = choose,
};
