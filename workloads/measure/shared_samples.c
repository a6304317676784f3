/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/shared_samples.h"

#include "workloads/schedules/schedule.h"

static int is_substituted(const struct outcome *o)
{
    return strcmp(o->status, "substituted") == 0;
}

/* It is proved what ran, and more was asked for than what the library chooses. */
static int is_comparable(const struct point *p, const struct outcome *ran)
{
    static const char *const proofs[] = { "executed", "interposed", "counted", "walked",
                                          "planted" };
    int proved = 0;
    if (strcmp(ran->status, "ok") != 0 && !is_substituted(ran))
        return 0;
    for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++)
        proved |= strcmp(ran->verified, proofs[i]) == 0;
    return proved && *ran->ran_algorithm && !algorithm_is_default(p->candidate.algorithm);
}

/* Where what ran is another algorithm in effect, that one; 1 when it is. */
static int take_effect(const struct cell *c, struct candidate *ran)
{
    const char *name = algorithm_base_name(ran->algorithm);
    const struct schedule_arguments arguments = { .procs = c->procs,
                                                  .root = c->root,
                                                  .bytes = c->bytes,
                                                  .fanout = ran->fanout,
                                                  .segment_bytes = ran->segment_bytes,
                                                  .levels = algorithm_levels(name) };
    const struct algorithm *a = algorithm_find(c->collective, name), *effect;
    struct schedule s;
    if (!a || !a->in_effect || schedule_make(&s, a, &arguments, NULL) < 0 ||
        (effect = schedule_in_effect(&s)) == s.alg)
        return 0;
    snprintf(ran->algorithm + (name - ran->algorithm), NAME_SIZE - (size_t)(name - ran->algorithm),
             "%s", effect->name);
    ran->fanout = 0;
    return 1;
}

/* The id that the point would have, had it been asked for what ran, or for what that is in effect
 * (*renamed 1). */
static uint64_t what_ran(const struct point *p, const struct outcome *ran, int *renamed)
{
    struct point as = *p;
    char text[ID_SIZE + sizeof ran->ran_component + 1];
    snprintf(as.candidate.algorithm, NAME_SIZE, "%s", ran->ran_algorithm);
    as.candidate.segment_bytes = ran->ran_segment_bytes;
    as.candidate.fanout = ran->ran_fanout;
    *renamed = take_effect(&as.cell, &as.candidate) || is_substituted(ran);
    point_identify(&as);
    snprintf(text, sizeof text, "%s %s", as.id, ran->ran_component);
    return fs_digest(text, strlen(text));
}

const struct shared_samples_row *shared_samples_find(const struct shared_samples *once,
                                                     const struct point *point,
                                                     const struct outcome *ran)
{
    if (!once->n || !is_comparable(point, ran))
        return NULL;
    int renamed;
    const uint64_t what = what_ran(point, ran, &renamed);
    return find_below(once->row, i, once->n,
                      once->row[i].what == what && (once->row[i].renamed || renamed));
}

void shared_samples_note(struct shared_samples *once, const struct point *point,
                         const struct outcome *outcome, int keep)
{
    if (!is_comparable(point, outcome))
        return;
    struct shared_samples_row *row = array_add(&once->row, &once->n);
    row->what = what_ran(point, outcome, &row->renamed);
    if (!keep)
        return;
    row->outcome = memory_zeros(1, sizeof *row->outcome);
    *row->outcome = *outcome;
    memcpy(row->outcome->point, point->id, sizeof row->outcome->point);
}

void shared_samples_take(struct outcome *outcome, const struct shared_samples_row *row)
{
    const struct outcome *from = row->outcome;
    outcome->n_rows = from->n_rows;
    outcome->n = from->n;
    outcome->converged = from->converged;
    outcome->late = from->late;
    outcome->clock_error_s = from->clock_error_s;
    memcpy(outcome->same_as, from->point, sizeof outcome->same_as);
}

void shared_samples_clear(struct shared_samples *once)
{
    for (size_t i = 0; i < once->n; i++)
        free(once->row[i].outcome);
    free(once->row);
    *once = (struct shared_samples){ 0 };
}
