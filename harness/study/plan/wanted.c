/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/wanted.h"

#include "harness/study/plan/bound.h"

static const char *planned_id(const struct wanted *w, size_t i)
{
    return w->points[i].point.id;
}

static const char *skipped_id(const struct wanted *w, size_t i)
{
    return w->skipped[i].point.id;
}

typedef const char *id_at(const struct wanted *w, size_t i);

/* The slot of a point: its own, or the free one where it belongs. */
static size_t *slot_of(const struct wanted *w, const struct wanted_index *index, id_at *at,
                       const char *id)
{
    size_t i = strtoull(id, NULL, 16) % index->n;
    while (index->slot[i] && strcmp(at(w, index->slot[i] - 1), id) != 0)
        i = (i + 1) % index->n;
    return &index->slot[i];
}

/* The slot of a point in an index of `used` points, which grows. */
static size_t *find_slot(const struct wanted *w, struct wanted_index *index, size_t used, id_at *at,
                         const char *id)
{
    if (2 * (used + 1) > index->n) {
        const size_t n = index->n ? 2 * index->n : 1024;
        free(index->slot);
        *index = (struct wanted_index){ memory_zeros(n, sizeof *index->slot), n };
        for (size_t i = 0; i < used; i++)
            *slot_of(w, index, at, at(w, i)) = i + 1;
    }
    return slot_of(w, index, at, id);
}

void wanted_add(struct wanted *w, struct point *point, int world)
{
    point_identify(point);
    size_t *slot = find_slot(w, &w->planned, w->n, planned_id, point->id);
    if (*slot)
        return;
    struct wanted_point *added = array_add(&w->points, &w->n);
    double messages = bound_messages(point, w->cluster, w->study->inner);
    double weight = w->queued ? bound_point(point, w->cluster, w->study) : messages;
    *added = (struct wanted_point){
        .point = *point, .world = world, .messages = messages, .weight = weight
    };
    *slot = w->n;
}

void wanted_skip(struct wanted *w, struct point *point, const char *reason)
{
    point_identify(point);
    size_t *slot = find_slot(w, &w->left_out, w->n_skipped, skipped_id, point->id);
    if (*slot)
        return;
    struct skipped *s = array_add(&w->skipped, &w->n_skipped);
    s->point = *point;
    snprintf(s->reason, sizeof s->reason, "%.159s", reason);
    *slot = w->n_skipped;
}

int wanted_place(const struct wanted *w, struct cell *c, struct err *err)
{
    const int room = plan_node_room(w->cluster, w->study) * w->study->oversubscribe;
    if (!w->shape_nodes)
        return plan_place(w->cluster, w->study, c->mapping, c->procs, &c->nodes, &c->ppn, err);
    c->nodes = w->shape_nodes;
    c->ppn = w->shape_ppn;
    if (c->nodes <= w->study->nodes && c->ppn <= room)
        return 0;
    return err_set(err, "%d node%s of %d rank%s do not fit: %s has %d node%s with room for %d each",
                   c->nodes, plural(c->nodes), c->ppn, plural(c->ppn), w->cluster->name,
                   w->study->nodes, plural(w->study->nodes), room);
}

void wanted_add_placed(struct wanted *w, struct point *point)
{
    struct err why = { 0 };
    struct cell *c = &point->cell;
    if (wanted_place(w, c, &why) < 0)
        wanted_skip(w, point, why.text);
    else if (w->refusal)
        wanted_skip(w, point, w->refusal);
    else
        wanted_add(w, point, c->procs);
}

CLEARS(wanted_clear, wanted, it->points, it->skipped, it->planned.slot, it->left_out.slot)
