/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan.h"

/* Adds a launch's points to the skipped ones; the room is there. */
static void skip_launch(struct plan *plan, const struct point *points, const struct launch *l,
                        const char *reason)
{
    for (size_t i = l->first; i < l->first + l->n; i++) {
        struct skipped *s = &plan->skipped[plan->n_skipped++];
        s->point = points[i];
        snprintf(s->reason, sizeof s->reason, "%s", reason);
    }
}

static int by_id(const void *a, const void *b)
{
    const struct skipped *x = *(const struct skipped *const *)a;
    const struct skipped *y = *(const struct skipped *const *)b;
    return by_keys(strcmp(x->point.id, y->point.id), ascending(x, y));
}

/* Of the points skipped from `first` on each is kept where it stands first: others are of another
 * repeat. */
static void drop_repeats(struct plan *plan, size_t first)
{
    const size_t n = plan->n_skipped - first;
    struct skipped *all = plan->skipped + first;
    struct skipped **sorted = memory_zeros(n + 1, sizeof *sorted);
    char *again = memory_zeros(n + 1, 1);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &all[i];
    qsort(sorted, n, sizeof *sorted, by_id);
    for (size_t i = 1; i < n; i++)
        again[sorted[i] - all] = strcmp(sorted[i]->point.id, sorted[i - 1]->point.id) == 0;
    plan->n_skipped = first;
    for (size_t i = 0; i < n; i++)
        if (!again[i])
            plan->skipped[plan->n_skipped++] = all[i];
    memory_free(sorted, again);
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
            skip_launch(plan, old, &l, reason);
            continue;
        }
        memcpy(points + plan->n, old + l.first, l.n * sizeof *points);
        l.first = plan->n;
        plan->n += l.n;
        plan->launches[plan->n_launches++] = l;
    }
    plan->points = points;
    free(old);
    drop_repeats(plan, first);
}

void plan_keep(struct plan *plan, const struct plan_part *part)
{
    if (!part->has)
        return;
    struct point *points = memory_zeros(plan->n + 1, sizeof *points);
    const size_t n_launches = plan->n_launches;
    plan->n = plan->n_launches = 0;
    for (size_t k = 0; k < n_launches; k++) {
        struct launch l = plan->launches[k];
        const size_t first = plan->n;
        for (size_t i = l.first; i < l.first + l.n; i++)
            if (part->has(&plan->points[i], part->of))
                points[plan->n++] = plan->points[i];
        l.messages *= l.n ? (double)(plan->n - first) / (double)l.n : 0;
        l.first = first;
        l.n = plan->n - first;
        if (l.n)
            plan->launches[plan->n_launches++] = l;
    }
    free(plan->points);
    plan->points = points;
}

CLEARS(plan_free, plan, it->points, it->launches, it->skipped, it->releases)

const struct launch *plan_launch(const struct plan *plan, const char *name)
{
    return find_below(plan->launches, i, plan->n_launches,
                      strcmp(plan->launches[i].name, name) == 0);
}
