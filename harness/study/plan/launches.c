/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/launches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/study/plan/bound.h"
#include "harness/study/plan/same.h"
#include "harness/study/rounds.h"

/* Order by what makes a launch: library, mapping, placement, world. Then by id, so that the shuffle
 * starts from one order. */
static int by_launch(const void *left, const void *right)
{
    const struct wanted_point *a = left, *b = right;
    int c = strcmp(a->point.cell.mpi, b->point.cell.mpi);
    if (!c)
        c = strcmp(a->point.cell.mapping, b->point.cell.mapping);
    if (!c)
        c = (a->point.cell.nodes > b->point.cell.nodes) -
            (a->point.cell.nodes < b->point.cell.nodes);
    if (!c)
        c = (a->point.cell.ppn > b->point.cell.ppn) - (a->point.cell.ppn < b->point.cell.ppn);
    if (!c)
        c = (a->world > b->world) - (a->world < b->world);
    return c;
}

static int by_launch_and_id(const void *left, const void *right)
{
    const struct wanted_point *a = left, *b = right;
    int c = by_launch(left, right);
    return c ? c : strcmp(a->point.id, b->point.id);
}

/* Those that run the same follow each other. */
static int by_weight(const void *left, const void *right)
{
    const struct wanted_point *a = left, *b = right;
    int c = (a->together < b->together) - (a->together > b->together);
    if (!c)
        c = (a->first > b->first) - (a->first < b->first);
    return c ? c : strcmp(a->point.id, b->point.id);
}

/* Who runs the same as who in a group that is sorted by id, so that `first` is in that order, too.
 * What is timed with another sends no messages of its own. */
static void find_same(const struct wanted *w, struct wanted_point *group, size_t n)
{
    struct point *points = memory_zeros(n, sizeof *points);
    for (size_t i = 0; i < n; i++)
        points[i] = group[i].point;
    size_t *same = same_find(w->cluster, points, n, NULL);
    for (size_t i = 0; i < n; i++) {
        group[i].first = same[i];
        if (same[i] != i)
            group[i].messages = 0;
        if (same[i] != i && !w->queued)
            group[i].weight = 0;
        group[same[i]].together += group[i].weight;
    }
    for (size_t i = 0; i < n; i++)
        group[i].together = group[same[i]].together;
    memory_free(same, points);
}

/* End of the group of equal launches that starts at i. */
static size_t group_end(const struct wanted *w, size_t i)
{
    size_t end = i + 1;
    while (end < w->n && by_launch(&w->points[i], &w->points[end]) == 0)
        end++;
    return end;
}

/* How many launches a group of points is cut in. Simulated, so that cores share the work; queued,
 * so that each fits into a job: dealt out, none is longer than the mean and its largest point. */
static int chunks_of(const struct wanted *w, const struct wanted_point *group, size_t n)
{
    double weight = 0, most = 0, chunks = 1, items = 0;
    for (size_t i = 0; i < n; i++) {
        items += group[i].first == i;
        weight += group[i].weight;
        most = fmax(most, group[i].together);
    }
    double limit =
        w->queued ? bound_most_launch(w->cluster, w->study) : (double)w->study->launch_messages;
    if (w->simulated)
        chunks = ceil(weight / limit);
    else if (w->queued && weight > limit)
        chunks = limit > most ? ceil(weight / (limit - most)) : items;
    return chunks < 1 ? 1 : chunks > items ? (int)items : (int)chunks;
}

/* Makes room for so many more, counted when they are filled in. */
static void plan_room(struct plan *plan, size_t points, size_t launches)
{
    array_more(&plan->points, &plan->n, points);
    plan->n -= points;
    array_more(&plan->launches, &plan->n_launches, launches);
    plan->n_launches -= launches;
}

static struct launch *add_launch(struct plan *plan, const struct wanted_point *like, int chunk,
                                 int repeat)
{
    const struct cell *c = &like->point.cell;
    struct launch *l = &plan->launches[plan->n_launches++];
    *l = (struct launch){ .nodes = c->nodes,
                          .ppn = c->ppn,
                          .procs = like->world,
                          .chunk = chunk,
                          .repeat = repeat,
                          .first = plan->n };
    memcpy(l->mpi, c->mpi, sizeof l->mpi);
    memcpy(l->mapping, c->mapping, sizeof l->mapping);
    launch_name(l);
    return l;
}

/* Deals a group into chunks of like size, the largest points first, those that run the same into
 * one; chunk[i] is from 0. Sorts the group. */
static void deal(struct wanted_point *group, size_t n, int chunks, int *chunk)
{
    double *load = memory_zeros((size_t)chunks, sizeof *load);
    qsort(group, n, sizeof *group, by_weight);
    for (size_t i = 0; i < n; i++) {
        int least = i && group[i].first == group[i - 1].first ? chunk[i - 1] : 0;
        for (int k = 1; k < chunks && !(i && group[i].first == group[i - 1].first); k++)
            if (load[k] < load[least])
                least = k;
        chunk[i] = least;
        load[least] += group[i].weight;
    }
    free(load);
}

static void fill_launch(struct plan *plan, struct launch *l, const struct wanted_point *group,
                        const int *chunk, size_t n, struct rng *rng)
{
    for (size_t i = 0; i < n; i++) {
        if (chunk[i] + 1 != (l->chunk ? l->chunk : 1))
            continue;
        plan->points[plan->n++] = group[i].point;
        l->messages += group[i].messages;
        l->n++;
    }
    rng_shuffle(rng, &plan->points[l->first], l->n, sizeof *plan->points);
}

static void plan_group(const struct wanted *w, struct plan *plan, struct wanted_point *group,
                       size_t n, struct rng *rng)
{
    find_same(w, group, n);
    int chunks = chunks_of(w, group, n);
    const struct rounds_rule rule = rounds_rule_of(w->study, 0);
    const int repeats = rounds_planned(&rule, w->simulated, plan_is_exact(group->point.cell.mpi));
    int *chunk = memory_zeros(n, sizeof *chunk);
    deal(group, n, chunks, chunk);
    plan_room(plan, n * (size_t)repeats, (size_t)(chunks * repeats));
    for (int r = 1; r <= repeats; r++)
        for (int k = 1; k <= chunks; k++)
            fill_launch(plan, add_launch(plan, group, chunks > 1 ? k : 0, r), group, chunk, n, rng);
    free(chunk);
}

/* Launches start in shuffled order, repeat by repeat; equal seeds give equal orders. */
static void order_launches(struct plan *plan, struct rng *rng)
{
    rng_shuffle(rng, plan->launches, plan->n_launches, sizeof *plan->launches);
    for (size_t i = 1; i < plan->n_launches; i++) { /* stable insertion by repeat */
        struct launch l = plan->launches[i];
        size_t k = i;
        for (; k > 0 && plan->launches[k - 1].repeat > l.repeat; k--)
            plan->launches[k] = plan->launches[k - 1];
        plan->launches[k] = l;
    }
}

void launches_deal(struct wanted *w, struct plan *plan)
{
    struct rng rng;
    rng_init(&rng, w->study->seed);
    if (w->n)
        qsort(w->points, w->n, sizeof *w->points, by_launch_and_id);
    for (size_t i = 0; i < w->n;) {
        size_t end = group_end(w, i);
        plan_group(w, plan, w->points + i, end - i, &rng);
        i = end;
    }
    order_launches(plan, &rng);
}
