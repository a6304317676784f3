/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/same.h"

#include "harness/study/plan/bound.h"
#include "workloads/schedules/schedule.h"

/* A point, and what of its library's runs. */
struct runs {
    const struct point *point;
    size_t index;
    struct candidate ran;
    int renamed; /* that is not what was asked for, or it is another one in effect */
};

/* 0 where it is not known what runs. */
static int find_out(const struct cluster *cluster, const struct point *p, struct runs *r)
{
    struct schedule s;
    if ((p->experiment != EXP_TIME && p->experiment != EXP_GATHER) ||
        bound_schedule(p, cluster, &s) < 0)
        return 0;
    const struct algorithm *effect = schedule_in_effect(&s);
    snprintf(r->ran.algorithm, NAME_SIZE, "%.*s:%s", (int)strcspn(p->candidate.algorithm, ":"),
             p->candidate.algorithm, effect == s.alg ? schedule_called(&s).text : effect->name);
    r->ran.segment_bytes = effect->segmented ? s.segment_bytes : 0;
    r->ran.fanout = effect->default_fanout ? s.fanout : 0;
    r->renamed = effect != s.asked;
    r->point = p;
    return 1;
}

static int order(uint64_t a, uint64_t b)
{
    return ascending(a, b);
}

static int compare(const struct runs *a, const struct runs *b)
{
    const struct point *p = a->point, *q = b->point;
    return by_keys(order(p->experiment, q->experiment), order(p->gather_bytes, q->gather_bytes),
                   cell_compare(&p->cell, &q->cell), candidate_compare(&a->ran, &b->ran));
}

static int by_what_runs(const void *left, const void *right)
{
    const struct runs *a = left, *b = right;
    return by_keys(compare(a, b), order(a->index, b->index));
}

size_t *same_find(const struct cluster *cluster, const struct point *points, size_t n,
                  const char *todo)
{
    size_t *same = memory_zeros(n + 1, sizeof *same), known = 0;
    struct runs *all = memory_zeros(n + 1, sizeof *all);
    for (size_t i = 0; i < n; i++) {
        same[i] = i;
        all[known].index = i;
        if (!todo || todo[i])
            known += (size_t)find_out(cluster, &points[i], &all[known]);
    }
    qsort(all, known, sizeof *all, by_what_runs);
    for (size_t i = 0, end; i < known; i = end) {
        int renamed = 0;
        for (end = i; end < known && compare(&all[i], &all[end]) == 0; end++)
            renamed |= all[end].renamed;
        for (size_t k = i; renamed && k < end; k++)
            same[all[k].index] = all[i].index;
    }
    free(all);
    return same;
}
