/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"

static int is_skipped(const struct plan *plan, size_t first, const char *id)
{
    for (size_t i = first; i < plan->n_skipped; i++)
        if (strcmp(plan->skipped[i].point.id, id) == 0)
            return 1;
    return 0;
}

/* Adds a launch's points to the skipped ones; the room is there. */
static void skip_launch(struct plan *plan, const struct point *points, const struct launch *l,
                        size_t first, const char *reason)
{
    for (size_t i = l->first; i < l->first + l->n; i++) {
        struct skipped *s = &plan->skipped[plan->n_skipped];
        if (is_skipped(plan, first, points[i].id)) /* of another repeat */
            continue;
        s->point = points[i];
        snprintf(s->reason, sizeof s->reason, "%s", reason);
        plan->n_skipped++;
    }
}

void plan_leave_out(struct plan *plan, const char *mpi, const char *reason)
{
    const size_t first = plan->n_skipped, launches = plan->n_launches;
    struct point *old = plan->points, *points = NULL;
    size_t n = 0;
    array_more(&points, &n, plan->n);
    array_more(&plan->skipped, &plan->n_skipped, plan->n);
    plan->n_skipped = first; /* the room is there */
    plan->n = plan->n_launches = 0;
    for (size_t k = 0; k < launches; k++) {
        struct launch l = plan->launches[k];
        if (strcmp(l.mpi, mpi) == 0) {
            skip_launch(plan, old, &l, first, reason);
            continue;
        }
        memcpy(points + plan->n, old + l.first, l.n * sizeof *points);
        l.first = plan->n;
        plan->n += l.n;
        plan->launches[plan->n_launches++] = l;
    }
    plan->points = points;
    free(old);
}

void plan_free(struct plan *plan)
{
    free(plan->points);
    free(plan->launches);
    free(plan->skipped);
    *plan = (struct plan){ 0 };
}

const struct launch *plan_launch(const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_launches; i++)
        if (strcmp(plan->launches[i].name, name) == 0)
            return &plan->launches[i];
    return NULL;
}
