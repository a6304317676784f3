/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/wanted.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/study/plan/bound.h"

static size_t slot_of(const struct wanted *w, const char *id)
{
    size_t i = strtoull(id, NULL, 16) % w->n_slots;
    while (w->slots[i] && strcmp(w->points[w->slots[i] - 1].point.id, id) != 0)
        i = (i + 1) % w->n_slots;
    return i;
}

static int index_grow(struct wanted *w)
{
    if (2 * (w->n + 1) <= w->n_slots)
        return 0;
    size_t n = w->n_slots ? 2 * w->n_slots : 1024;
    size_t *slots = calloc(n, sizeof *slots);
    if (!slots)
        return err_set(w->err, "out of memory");
    free(w->slots);
    w->slots = slots;
    w->n_slots = n;
    for (size_t i = 0; i < w->n; i++)
        w->slots[slot_of(w, w->points[i].point.id)] = i + 1;
    return 0;
}

int wanted_add(struct wanted *w, struct point *point, int world)
{
    point_identify(point);
    if (index_grow(w) < 0)
        return -1;
    size_t slot = slot_of(w, point->id);
    if (w->slots[slot])
        return 0;
    struct wanted_point *added = array_add(&w->points, &w->n);
    if (!added)
        return err_set(w->err, "out of memory");
    double messages = bound_messages(point, w->study->inner);
    double weight = w->queued ? bound_point(point, w->cluster, w->study) : messages;
    *added = (struct wanted_point){
        .point = *point, .world = world, .messages = messages, .weight = weight
    };
    w->slots[slot] = w->n;
    return 0;
}

int wanted_skip(struct wanted *w, struct point *point, const char *reason)
{
    struct skipped *s = array_add(&w->skipped, &w->n_skipped);
    if (!s)
        return err_set(w->err, "out of memory");
    point_identify(point);
    s->point = *point;
    snprintf(s->reason, sizeof s->reason, "%.159s", reason);
    return 0;
}

int wanted_add_placed(struct wanted *w, struct point *point)
{
    struct err why = { 0 };
    struct cell *c = &point->cell;
    if (plan_place(w->cluster, w->study, c->mapping, c->procs, &c->nodes, &c->ppn, &why) < 0)
        return wanted_skip(w, point, why.text);
    return wanted_add(w, point, c->procs);
}

void wanted_clear(struct wanted *w)
{
    free(w->points);
    free(w->skipped);
    free(w->slots);
    *w = (struct wanted){ 0 };
}
