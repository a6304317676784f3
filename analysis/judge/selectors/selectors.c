/* SPDX-License-Identifier: BSD-3-Clause */
/* selectors.c - the table, and what selectors share. */
#include <math.h>
#include <string.h>

#include "analysis/judge/selectors/selector.h"

const struct selector *const selectors[] = {
    &selector_best,
    &selector_default,
    &selector_default_study_segment,
    &selector_derived,
    &selector_event,
    &selector_simulated,
    &selector_traditional,
    &selector_dummy,
    &selector_channel,
    &selector_channel_event,
    &selector_random,
    &selector_no_collisions,
    &selector_contention,
    &selector_contention_hops,
    &selector_contention_queue,
    &selector_contention_flow,
    NULL,
};

int choose_measured(const struct measured *m, struct choice *choice)
{
    choice->measured = m;
    choice->candidate = m->point.candidate;
    return 1;
}

int choose_by_model(const struct cell_view *view, const char *model, struct choice *choice)
{
    size_t k = 0;
    while (models[k] && strcmp(models[k]->name, model) != 0)
        k++;
    const struct contender *best = NULL;
    for (size_t i = 0; models[k] && i < view->n; i++) {
        const struct prediction *p = view->pool[i].prediction[k];
        if (p && prediction_usable(p) && (!best || p->seconds < best->prediction[k]->seconds))
            best = &view->pool[i];
    }
    if (!best) {
        snprintf(choice->reason, sizeof choice->reason, "no candidate has a %s prediction", model);
        return 0;
    }
    choice->predicted_s = best->prediction[k]->seconds;
    return choose_measured(best->measured, choice);
}

const struct measured *view_find(const struct cell_view *view, const struct candidate *candidate)
{
    struct point p = { .experiment = EXP_TIME, .cell = view->cell, .candidate = *candidate };
    for (size_t i = 0; i < view->n; i++)
        if (candidate_equal(&view->pool[i].measured->point.candidate, candidate))
            return view->pool[i].measured;
    point_identify(&p);
    return points_find(view->points, p.id);
}

int spent_for(const struct spending *of, const struct measured *m)
{
    const struct point *p = &m->point;
    const int is_timed = p->experiment == EXP_TIME || p->experiment == EXP_GATHER;
    return strcmp(p->cell.mpi, of->mpi) == 0 &&
           (p->channel != CHANNEL_NONE || strcmp(p->cell.mapping, of->mapping) == 0) &&
           (!is_timed || strcmp(p->cell.collective, of->collective) == 0);
}

double spent_on(const struct points *points, const struct spending *of, enum experiment experiment)
{
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == experiment && m->point.channel == CHANNEL_NONE &&
            spent_for(of, m))
            sum += m->core_s;
    }
    return sum;
}

double spent_on_grid(const struct points *points, const struct spending *of)
{
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == EXP_TIME && m->point.purpose == FOR_STUDY && spent_for(of, m))
            sum += m->core_s;
    }
    return sum;
}
