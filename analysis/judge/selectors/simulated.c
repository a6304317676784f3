/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated.c - the least time in a simulation of the same cluster. The library's own algorithm and
 * our schedule of the same messages are one to the simulation: the library's is taken. */
#include <string.h>

#include "analysis/judge/selectors/selector.h"

static size_t model_place(void)
{
    size_t k = 0;
    while (models[k] && strcmp(models[k]->name, "simulated") != 0)
        k++;
    return k;
}

static int is_portable(const struct contender *c)
{
    return strncmp(c->measured->point.candidate.algorithm, "portable:", 9) == 0;
}

static int choose(const struct cell_view *view, struct choice *choice)
{
    const size_t k = model_place();
    const struct contender *best = NULL;
    for (size_t i = 0; i < view->n; i++) {
        const struct contender *c = &view->pool[i];
        const struct prediction *p = c->prediction[k];
        if (!p || p->status != PREDICT_OK)
            continue;
        if (!best || p->seconds < best->prediction[k]->seconds ||
            (p->seconds <= best->prediction[k]->seconds && is_portable(best) && !is_portable(c)))
            best = c;
    }
    if (!best) {
        snprintf(choice->reason, sizeof choice->reason, "no candidate was simulated");
        return 0;
    }
    choice->predicted_s = best->prediction[k]->seconds;
    return choose_measured(best->measured, choice);
}

static int applies(const struct predictions *predictions)
{
    for (size_t i = 0; i < predictions->n; i++)
        if (strcmp(predictions->row[i].model->name, "simulated") == 0)
            return 1;
    return 0;
}

const struct selector selector_simulated = {
    .name = "simulated",
    .help = "the least time in a simulation of the same cluster",
    .applies = applies,
    .choose = choose,
};
