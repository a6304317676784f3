/* SPDX-License-Identifier: BSD-3-Clause */
/* learned.c - the selectors of what was learnt (analysis/learn). A learner is shown the cell and
 * what would run, never a time. */
#include "analysis/judge/selectors/selector.h"

/* What models say of a contender, as logarithms. */
static void listen(const struct contender *c, float *said)
{
    for (size_t k = 0; k < MAX_MODELS; k++) {
        const struct prediction *p = c->prediction[k];
        said[k] = p && models[k] && !models[k]->fitted && prediction_usable(p)
                      ? (float)log(p->seconds)
                      : (float)NAN;
    }
}

static int choose(const struct selector *self, const struct cell_view *view,
                  struct selected *choice)
{
    const struct learnt *learnt = self->learnt;
    const struct skill *skill = learnt_skill(learnt, &view->cell);
    const struct measured *best = NULL;
    double least = INFINITY;
    float x[N_FEATURES], said[MAX_MODELS];
    if (!skill) {
        snprintf(choice->reason, sizeof choice->reason,
                 "nothing was learnt of %.40s, %.20s by %.20s", view->cell.collective,
                 view->cell.mpi, view->cell.mapping);
        return 0;
    }
    problem_features(&view->cell, view->facts, x);
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        const struct candidate runs =
            problem_runs(view->facts, &m->point.cell, &m->point.candidate);
        listen(&view->pool[i], said);
        const double score = skill_score(learnt, skill, &runs, x, said);
        choice->compared += !isnan(score);
        if (score < least) {
            least = score;
            best = m;
        }
    }
    if (!best) {
        snprintf(choice->reason, sizeof choice->reason, "no candidate is one that was learnt");
        return 0;
    }
    snprintf(choice->reason, sizeof choice->reason, "learnt from %zu cell%s: %.90s%s",
             COUNTED(skill->examples), learnt->learner->method->settings[skill->setting],
             skill->ratio ? ", ratios of times" : "");
    return choose_measured(best, choice);
}

struct selector selector_of_learnt(const struct learnt *learnt)
{
    return (struct selector){ .name = learnt->learner->name,
                              .help = learnt->learner->help,
                              .label = learnt->learner->label,
                              .in_sample = 1,
                              .learnt = learnt,
                              .core_s = spent_on_grid,
                              .choose = choose };
}
