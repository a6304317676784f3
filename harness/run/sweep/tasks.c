/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/estimate.h"
#include "harness/study/store.h"

double tasks_point_weight(const struct sweep *s, size_t i)
{
    const double overhead = 2000; /* in simulated messages: a point's start and end */
    if (!s->req->backend->deterministic)
        return 1;
    return overhead + bound_messages(&s->plan.points[i], s->req->study->inner);
}

/* What the store says of each point of a launch. */
static void fill_task(struct sweep *s, struct task *t, const struct store *store)
{
    const struct launch *l = t->launch;
    for (size_t i = l->first; i < l->first + l->n; i++) {
        const char *id = s->plan.points[i].id;
        const struct failure *f = store_failure(store, id, "", l->repeat);
        s->result->points++;
        s->failures[i] = f ? f->count : 0;
        if (store_find(store, id, l->repeat)) {
            s->result->finished++;
        } else if (s->failures[i] > s->req->retries) {
            s->result->failed++;
        } else {
            t->todo[i] = 1;
            t->left++;
            t->weight += tasks_point_weight(s, i);
        }
    }
}

static int by_weight(const void *left, const void *right)
{
    const struct task *a = left, *b = right;
    return (a->weight < b->weight) - (a->weight > b->weight);
}

int tasks_make(struct sweep *s)
{
    struct store store;
    s->n_tasks = s->plan.n_launches;
    s->tasks = calloc(s->n_tasks, sizeof *s->tasks);
    s->failures = calloc(s->plan.n, sizeof *s->failures);
    if (!s->tasks || !s->failures)
        return err_set(s->err, "out of memory");
    if (store_open(s->req->dir, s->provenance.digest, &store, s->err) < 0)
        return -1;
    if (store.n_other)
        progress_say(&s->progress,
                     "%zu earlier sample files were measured under other facts or settings "
                     "and are passed over",
                     store.n_other);
    int status = 0;
    for (size_t i = 0; status == 0 && i < s->n_tasks; i++) {
        s->tasks[i].launch = &s->plan.launches[i];
        if (s->req->only && strcmp(s->req->only, s->plan.launches[i].name) != 0)
            continue;
        s->tasks[i].todo = calloc(s->plan.n, 1);
        if (s->tasks[i].todo)
            fill_task(s, &s->tasks[i], &store);
        else
            status = err_set(s->err, "out of memory");
    }
    store_free(&store);
    if (s->req->backend->parallel) /* the largest first, so that cores end together */
        qsort(s->tasks, s->n_tasks, sizeof *s->tasks, by_weight);
    return status;
}

size_t tasks_left(const struct sweep *s, double *weight)
{
    size_t left = 0;
    *weight = 0;
    for (size_t i = 0; i < s->n_tasks; i++) {
        left += s->tasks[i].left;
        *weight += s->tasks[i].weight;
    }
    return left;
}

void tasks_strike(struct sweep *s, struct task *t, size_t i)
{
    t->todo[i] = 0;
    t->left--;
    s->weight_done += tasks_point_weight(s, i);
}

void tasks_free(struct sweep *s)
{
    for (size_t i = 0; s->tasks && i < s->n_tasks; i++)
        free(s->tasks[i].todo);
    free(s->tasks);
    free(s->failures);
}
