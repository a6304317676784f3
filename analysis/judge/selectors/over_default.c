/* SPDX-License-Identifier: BSD-3-Clause */
/* over_default.c - the library's default, but where something gains over it: `safe` is what whoever
 * asks is given (analysis/learn/model_choice.h), `walk` what a walk of the machine promises. */
#include "analysis/judge/select.h"

/* Takes the first of the pool that runs what is to be taken; where none does, what has no time. 1.
 */
static int take(const struct cell_view *view, const struct facts *facts,
                const struct candidate *runs, struct selected *choice)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        const struct candidate own = problem_runs(facts, &view->cell, &m->point.candidate);
        if (candidate_equal(&own, runs))
            return choose_measured(m, choice);
    }
    choice->candidate = *runs;
    choice->measured = NULL;
    return 1;
}

/* What the times that were measured to decide in the cell take, as advice has it. 1, or 0: there
 * are none. */
static int choose_confirmed(const struct safe *safe, const struct cell_view *view,
                            struct selected *choice)
{
    const struct selection *by =
        safe->confirmed ? selection_decides(safe->confirmed, &view->cell) : NULL;
    if (!by)
        return 0;
    choice->candidate = by->chosen;
    choice->measured = pool_find(view, &by->chosen);
    choice->compared = view->n;
    snprintf(choice->reason, sizeof choice->reason, "confirmed: measured here, %s",
             candidate_equal(&by->chosen, &by->best)
                 ? "the fastest"
                 : "nothing is faster than the default for sure");
    return 1;
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

static const struct candidate *pick(const struct selector *self, const struct model_choice *given)
{
    return self->promises == PROMISES_ANY                   ? given->walked
           : given->take || self->promises == PROMISES_SAFE ? given->take
                                                            : given->bold;
}

/* What whoever asks is given. Where a walk takes what was not measured in the cell, that is
 * choice->given, and the next one that was stands in. NULL: the default stays. */
static const struct candidate *ask(const struct selector *self, const struct subject *s,
                                   const struct cell_view *view, struct model_choice *given,
                                   struct selected *choice)
{
    const struct model_file *f = self->file;
    const struct facts machine = model_choice_machine(f, view->facts);
    struct model_choice_question q = { .cell = &view->cell, .machine = &machine, .of = view };
    model_choice_ask(f, (size_t)(s - f->evidence.subject), &q, given);
    const struct candidate *take = pick(self, given);
    if (!take || !given->file->walks || was_measured(view, &view->cell, take))
        return take;
    choice->given = *take;
    q.may = f->walks ? was_measured : NULL;
    q.may_first = was_measured;
    model_choice_ask(f, (size_t)(s - f->evidence.subject), &q, given);
    return pick(self, given);
}

static int choose(const struct selector *self, const struct cell_view *view,
                  struct selected *choice)
{
    const struct model_file *f = self->file;
    const struct subject *s = model_file_subject(f, &view->cell);
    struct model_choice given = { .take = NULL };
    if (choose_confirmed(&f->safe, view, choice))
        return 1;
    if (!selector_default.choose(&selector_default, view, choice))
        return 0;
    if (!s && f->first) {
        const struct selector first = selector_of_safe(f->first);
        return choose(&first, view, choice);
    }
    const struct candidate *taken = s ? ask(self, s, view, &given, choice) : NULL;
    choice->compared = view->n;
    snprintf(choice->reason, sizeof choice->reason,
             !taken ? (*choice->given.algorithm
                           ? "the default stands in: what is given has no time here, and of what "
                             "has one nothing gains enough"
                       : self->promises == PROMISES_SAFE
                           ? "the default: no gain over it is known well enough"
                           : "the default: too little is walked")
             : given.why == MODEL_CHOICE_INTERVAL
                 ? "the whole interval of its gain over the default is above zero"
             : given.why == MODEL_CHOICE_LEAD
                 ? "%.3g %% over the default are expected by the learner that gained over it in "
                   "such cells"
             : given.why == MODEL_CHOICE_BOUND
                 ? "gained %.3g %% or more over the default in the cells about it"
                 : "%.3g %% over the default are walked",
             100 * expm1(given.counts));
    return taken ? take(view, view->facts, taken, choice) : 1;
}

struct selector selector_of_walk(const struct model_file *file, enum promises promises)
{
    const int any = promises == PROMISES_ANY;
    return (struct selector){ .name = any ? "walk" : "walked",
                              .help = any ? "the least walk of the machine"
                                          : "the least walk of the machine, where it gained on "
                                            "others",
                              .label = any ? "walk" : "trusted walk",
                              .problem = &file->evidence,
                              .file = file,
                              .promises = promises,
                              .choose = choose };
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
                              .choose = choose };
}
