/* SPDX-License-Identifier: BSD-3-Clause */
/* over_default.c - the library's default, but where something gains over it: `safe` is what whoever
 * asks is given (analysis/learn/model_choice.h), `walk` what a walk of the machine promises. */
#include "analysis/judge/selectors/selector.h"

/* Takes the first of the pool that runs what is to be taken; 0, with the reason, where none does.
 */
static int take(const struct cell_view *view, const struct facts *facts,
                const struct candidate *runs, struct selected *choice)
{
    choice->compared = view->n;
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        const struct candidate own = problem_runs(facts, &view->cell, &m->point.candidate);
        if (candidate_equal(&own, runs))
            return choose_measured(m, choice);
    }
    choice->candidate = *runs;
    snprintf(choice->reason, sizeof choice->reason, "what is given was not measured here");
    return 0;
}

/* Of the points that were measured to decide in the cell the faster one. 1, or 0: there are none.
 */
static int choose_confirmed(const struct safe *safe, const struct cell_view *view,
                            struct selected *choice)
{
    const struct subject *s;
    const struct example *l = safe_confirmed(safe, &view->cell, &s);
    const struct measured *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; l && i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        const struct candidate runs = problem_runs(view->facts, &view->cell, &m->point.candidate);
        const double took = example_log(l, subject_kind(s, &runs));
        if (took < least) {
            least = took;
            best = m;
        }
    }
    if (!best)
        return 0;
    choice->compared = view->n;
    snprintf(choice->reason, sizeof choice->reason,
             "confirmed: of %zu point%s measured to decide here the fastest", COUNTED(l->n));
    return choose_measured(best, choice);
}

/* 1 for what was measured in the cell of a view. */
static int was_measured(const void *of, const struct cell *cell, const struct candidate *kind)
{
    const struct cell_view *view = of;
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        const struct candidate own = problem_runs(view->facts, cell, &m->point.candidate);
        if (measured_usable(m) && candidate_equal(&own, kind))
            return 1;
    }
    return 0;
}

static int choose_safe(const struct selector *self, const struct cell_view *view,
                       struct selected *choice)
{
    const struct model_file *f = self->file;
    const struct subject *s = model_file_subject(f, &view->cell);
    const struct facts machine = model_choice_machine(f, view->facts);
    const struct model_choice_question q = { .cell = &view->cell,
                                             .machine = &machine,
                                             .may = f->walks ? was_measured : NULL,
                                             .may_first = was_measured,
                                             .of = view };
    struct model_choice given = { .take = NULL };
    if (choose_confirmed(&f->safe, view, choice))
        return 1;
    if (!selector_default.choose(&selector_default, view, choice))
        return 0;
    if (!s && f->first) {
        const struct selector first = selector_of_safe(f->first);
        return choose_safe(&first, view, choice);
    }
    if (s)
        model_choice_ask(f, (size_t)(s - f->evidence.subject), &q, &given);
    choice->compared = view->n;
    if (!given.take) {
        snprintf(choice->reason, sizeof choice->reason,
                 "the default: no gain over it is known well enough");
        return 1;
    }
    snprintf(choice->reason, sizeof choice->reason,
             given.why == MODEL_CHOICE_WALK ? "%.3g %% over the default are walked"
             : given.why == MODEL_CHOICE_LEAD
                 ? "%.3g %% over the default are expected by the learner that gained over it in "
                   "such cells"
                 : "gained %.3g %% or more over the default in the cells about it",
             100 * expm1(given.counts));
    return take(view, view->facts, given.take, choice);
}

static int choose_walk(const struct selector *self, const struct cell_view *view,
                       struct selected *choice)
{
    const struct model_file *f = self->file;
    const struct subject *s = model_file_subject(f, &view->cell);
    const struct facts machine = model_choice_machine(f, view->facts);
    const struct model_choice_question q = {
        .cell = &view->cell, .machine = &machine, .may = was_measured, .of = view
    };
    struct model_choice given = { .take = NULL };
    if (!selector_default.choose(&selector_default, view, choice))
        return 0;
    if (s)
        model_choice_ask(f, (size_t)(s - f->evidence.subject), &q, &given);
    const struct candidate *take_it = self->trusting ? given.walked
                                      : given.take   ? given.take
                                                     : given.bold;
    choice->compared = view->n;
    snprintf(choice->reason, sizeof choice->reason,
             take_it ? "%.3g %% over the default are walked" : "the default: too little is walked",
             100 * expm1(given.counts));
    return take_it ? take(view, view->facts, take_it, choice) : 1;
}

struct selector selector_of_walk(const struct model_file *file, int trusting)
{
    return (struct selector){ .name = trusting ? "walk" : "walked",
                              .help = trusting ? "the least walk of the machine"
                                               : "the least walk of the machine, where it gained "
                                                 "on others",
                              .label = trusting ? "walk" : "trusted walk",
                              .problem = &file->evidence,
                              .file = file,
                              .trusting = trusting,
                              .choose = choose_walk };
}

struct selector selector_of_safe(const struct model_file *file)
{
    return (struct selector){ .name = "safe",
                              .help = "the library's default, but where measured cells about it "
                                      "and most learners know something faster",
                              .label = "safe",
                              .in_sample = 1,
                              .problem = &file->evidence,
                              .file = file,
                              .core_s = spent_on_grid,
                              .choose = choose_safe };
}
