/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/safe.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/learn/gains.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"

/* Thresholds tried: a gain of so much, as the logarithm. */
static const double thresholds[] = { 0.025, 0.05, 0.1, 0.2, 0.4 };

/* ---- the bound ---- */

/* The least, where all are known; else nothing is. */
static double least(double a, double b)
{
    return isnan(a) || isnan(b) ? -INFINITY : fmin(a, b);
}

/* With one of the measured sizes: between two P, or beyond the last. */
static double bound_with(const struct gains_of *of, double bytes)
{
    const double p = of->cell->procs;
    const struct procs_about procs = gains_procs(of->subject, p, bytes);
    double gain[3];
    for (int i = 0; i < 3; i++)
        gain[i] = gains_at(of, procs.low[i], bytes);
    const double above = gains_at(of, procs.high, bytes);
    if (isnan(procs.low[0]))
        return gains_far(least(above, above), p, procs.high);
    if (!isnan(procs.high))
        return least(above, gain[0]);
    double bound = least(gain[0], gain[1]);
    if (isfinite(bound) && !isnan(gain[2]))
        bound = fmin(bound, gain[2]);
    if (isfinite(bound)) {
        bound = fmin(bound, gains_least(of, &procs, bytes));
        bound = fmin(bound, gain[0] - gains_fall(gain[0], gain[1], &procs, p));
    }
    return gains_far(bound, p, procs.low[0]);
}

/* Whether anybody saw the network is not asked. */
static double bound_about(const struct subject *subject, const struct candidate *runs,
                          const struct cell *cell, const struct candidate *default_runs)
{
    const struct gains_of of = { subject, subject_kind(subject, runs), cell, default_runs };
    if (of.kind == subject->n_kinds)
        return -INFINITY;
    const struct sizes_about bytes = gains_bytes(subject, (double)cell->bytes);
    if (isnan(bytes.low) || isnan(bytes.high)) {
        const double last = isnan(bytes.high) ? bytes.low : bytes.high;
        return gains_far(bound_with(&of, last), (double)cell->bytes, last);
    }
    const double bound = bound_with(&of, bytes.low);
    return bytes.high == bytes.low ? bound : least(bound, bound_with(&of, bytes.high));
}

double safe_bound(const struct subject *subject, const struct candidate *runs,
                  const struct cell *cell, const struct candidate *default_runs)
{
    return gains_cross_network(subject, cell) ? -INFINITY
                                              : bound_about(subject, runs, cell, default_runs);
}

/* ---- what was known before ---- */

/* A subject without some of its lessons: those of more processes than `most`, or, where that is 0,
 * those apart. Borrows all but where its lessons are. */
static struct subject past_make(const struct subject *s, int most)
{
    struct subject past = *s;
    past.order = NULL;
    past.n = 0;
    past.lesson = memory_zeros(s->n + 1, sizeof *past.lesson);
    for (size_t i = 0; i < s->n; i++)
        if (most ? s->lesson[i].cell.procs <= most : !s->lesson[i].apart)
            past.lesson[past.n++] = s->lesson[i];
    subject_sort(&past);
    return past;
}

static void past_clear(struct subject *past)
{
    free(past->lesson);
    free(past->order);
}

/* The bound of a candidate in a lesson, by what was known before; that of the default: none. */
static double past_bound(const struct subject *past, const struct lesson *l, const struct offer *o)
{
    return o->kind == l->by_default
               ? -INFINITY
               : bound_about(past, &past->kind[o->kind], &l->cell, &l->default_runs);
}

/* ---- thresholds between what was measured ---- */

/* What overriding at a bound or more gains in a lesson, with the bound: of the candidate whose
 * bound is the largest. */
struct trial_of {
    double bound, gain;
};

static struct trial_of try_lesson(const struct subject *past, const struct lesson *l)
{
    struct trial_of best = { -INFINITY, 0 };
    for (size_t i = 0; i < l->n; i++) {
        const double bound = past_bound(past, l, &l->offer[i]);
        if (bound > best.bound)
            best = (struct trial_of){ bound, lesson_log(l, l->by_default) - l->offer[i].log_s };
    }
    return best;
}

/* A mean that is being taken. */
struct mean {
    double sum, squares;
    size_t n;
};

static void mean_add(struct mean *m, double value)
{
    m->sum += value;
    m->squares += value * value;
    m->n++;
}

/* It less one standard error. */
static double mean_sure(const struct mean *m)
{
    const double n = (double)m->n, mean = m->sum / n, spread = m->squares / n - mean * mean;
    return mean - sqrt(fmax(spread, 0) / n);
}

/* What is gained at a threshold; lessons in which nothing overrides gain 0. */
static double worth_of(const struct trial_of *tried, size_t n, double threshold)
{
    struct mean gain = { .n = 0 };
    for (size_t i = 0; i < n; i++)
        mean_add(&gain, tried[i].bound > threshold ? tried[i].gain : 0);
    return mean_sure(&gain);
}

static double choose_threshold(const struct subject *s, double *most)
{
    struct subject past = past_make(s, 0);
    struct trial_of *tried = NULL;
    size_t n = 0;
    double best = INFINITY, worth = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->lesson[i].apart && !isnan(lesson_log(&s->lesson[i], s->lesson[i].by_default)))
            *array_add(&tried, &n) = try_lesson(&past, &s->lesson[i]);
    past_clear(&past);
    for (size_t k = 0; n && k < sizeof thresholds / sizeof *thresholds; k++) {
        const double w = worth_of(tried, n, thresholds[k]);
        if (w > worth) {
            worth = w;
            best = thresholds[k];
        }
    }
    free(tried);
    *most = worth;
    return best;
}

/* ---- thresholds beyond ---- */

/* Of fewer promises nobody knows how far they hold. */
static const size_t least_promises = 4;

static int most_procs(const struct subject *s)
{
    int most = 0;
    for (size_t i = 0; i < s->n; i++)
        most = s->lesson[i].cell.procs > most ? s->lesson[i].cell.procs : most;
    return most;
}

/* As if only P up to `end` had been measured: how much more was gained than bounds promised in the
 * lessons beyond, by whether these ran on several nodes. */
static void look_back(const struct subject *s, int end, struct mean more[2])
{
    struct subject past = past_make(s, end);
    for (size_t i = 0; i < s->n; i++) {
        const struct lesson *l = &s->lesson[i];
        const double own = l->cell.procs > end ? lesson_log(l, l->by_default) : NAN;
        for (size_t o = 0; o < l->n && !isnan(own); o++) {
            const double bound = past_bound(&past, l, &l->offer[o]);
            if (bound > thresholds[0])
                mean_add(&more[l->cell.nodes > 1], own - l->offer[o].log_s - bound);
        }
    }
    past_clear(&past);
}

/* The least threshold, and what promises fell short by. */
static double threshold_beyond(const struct mean *more)
{
    return more->n < least_promises ? INFINITY : thresholds[0] + fmax(-mean_sure(more), 0);
}

static void choose_beyond(const struct subject *s, double beyond[2])
{
    struct mean more[2] = { { .n = 0 }, { .n = 0 } };
    for (int end = most_procs(s) / 2; end > 1;) {
        int next = 0;
        for (size_t i = 0; i < s->n; i++)
            if (s->lesson[i].cell.procs <= end && s->lesson[i].cell.procs > next)
                next = s->lesson[i].cell.procs;
        if (next > 1)
            look_back(s, next, more);
        end = next / 2;
    }
    for (int i = 0; i < 2; i++)
        beyond[i] = threshold_beyond(&more[i]);
}

void safe_look_back(struct safe *safe)
{
    const struct problem *p = safe->problem;
    safe->beyond = memory_zeros(p->n + 1, sizeof *safe->beyond);
    for (size_t i = 0; i < p->n; i++)
        choose_beyond(&p->subject[i], safe->beyond[i]);
}

/* ---- who leads ---- */

/* More than this is lost nowhere: 1 %. */
static const double most_lost = 0.01;

/* A choice at a number of processes, or of bytes. */
struct placed {
    uint64_t place;
    struct trial_of tried;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* 1 when what overrides at a threshold loses in the mean at some place. Sorts. */
static int loses_somewhere(struct placed *at, size_t n, double threshold)
{
    qsort(at, n, sizeof *at, by_place);
    for (size_t first = 0, end; first < n; first = end) {
        double sum = 0;
        for (end = first; end < n && at[end].place == at[first].place; end++)
            sum += at[end].tried.bound > threshold ? at[end].tried.gain : 0;
        if (sum < -most_lost * (double)(end - first))
            return 1;
    }
    return 0;
}

/* Tries a learner with all thresholds: it leads where it gains more than *most. */
static void try_lead(const struct subject *s, const struct learnt *m, const struct skill *skill,
                     double *most, struct safe_lead *lead)
{
    const size_t n = skill->n_trials;
    struct trial_of *tried = memory_zeros(n + 1, sizeof *tried);
    struct placed *procs = memory_zeros(n + 1, sizeof *procs),
                  *bytes = memory_zeros(n + 1, sizeof *bytes);
    for (size_t i = 0; i < n; i++) {
        const struct cell *c = &s->lesson[skill->trial[i].lesson].cell;
        tried[i] = (struct trial_of){ skill->trial[i].promised, skill->trial[i].gain };
        procs[i] = (struct placed){ (uint64_t)c->procs, tried[i] };
        bytes[i] = (struct placed){ c->bytes, tried[i] };
    }
    for (size_t k = 0; n && k < sizeof thresholds / sizeof *thresholds; k++) {
        const double w = worth_of(tried, n, thresholds[k]);
        if (!(w > *most) || loses_somewhere(procs, n, thresholds[k]) ||
            loses_somewhere(bytes, n, thresholds[k]))
            continue;
        *most = w;
        lead->learner = m->learner;
        lead->least = thresholds[k];
    }
    free(tried);
    free(procs);
    free(bytes);
}

/* How far the lessons apart are from the others. */
static void measure_reach(const struct subject *s, struct safe_lead *lead)
{
    int most[2] = { 1, 1 };
    lead->network = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct lesson *l = &s->lesson[i];
        const int apart = l->apart != 0;
        most[apart] = l->cell.procs > most[apart] ? l->cell.procs : most[apart];
        lead->network |= !apart && l->cell.nodes > 1;
    }
    lead->reach = fmax(log2((double)most[1] / most[0]), 0);
}

static int has_voice(const struct learnt *m)
{
    return !m->learner->classifies && !m->learner->copies && !m->learner->hybrid;
}

/* worth: what the bound gains on the lessons apart. */
static struct safe_lead choose_lead(const struct safe *safe, const struct subject *s, double worth)
{
    struct safe_lead lead = { .learner = NULL };
    for (size_t i = 0; i < safe->n_members; i++) {
        const struct skill *skill = learnt_skill(&safe->member[i], &s->context);
        if (skill && has_voice(&safe->member[i]))
            try_lead(s, &safe->member[i], skill, &worth, &lead);
    }
    if (lead.learner) {
        measure_reach(s, &lead);
        safe_lead_place(s, &lead);
    }
    return lead;
}

void safe_make(const struct problem *problem, const struct learnt *member, size_t n_members,
               struct safe *out)
{
    *out = (struct safe){ .problem = problem, .member = member, .n_members = n_members };
    out->threshold = memory_zeros(problem->n + 1, sizeof *out->threshold);
    out->lead = memory_zeros(problem->n + 1, sizeof *out->lead);
    for (size_t i = 0; i < problem->n; i++) {
        double worth;
        out->threshold[i] = choose_threshold(&problem->subject[i], &worth);
        out->lead[i] = choose_lead(out, &problem->subject[i], worth);
    }
    safe_look_back(out);
}

/* ---- asking ---- */

/* Do most of those that learnt times say so? */
static int most_agree(const struct safe *safe, const struct cell *cell, const float *x,
                      const struct candidate *runs, const struct candidate *by_default)
{
    size_t yes = 0, no = 0;
    for (size_t i = 0; i < safe->n_members; i++) {
        const struct learnt *m = &safe->member[i];
        const struct skill *skill = learnt_skill(m, cell);
        if (!skill || !has_voice(m))
            continue;
        const double gain =
            skill_score(m, skill, by_default, x, NULL) - skill_score(m, skill, runs, x, NULL);
        yes += gain > 0;
        no += !(gain > 0);
    }
    return yes > no;
}

static double threshold_of(const struct safe *safe, const struct subject *s,
                           const struct cell *cell)
{
    const size_t at = (size_t)(s - safe->problem->subject);
    return cell->procs > most_procs(s) ? safe->beyond[at][cell->nodes > 1] : safe->threshold[at];
}

int safe_may(const struct safe *safe, const struct cell *cell, const float *x, double bound,
             const struct candidate *runs, const struct candidate *by_default)
{
    const struct subject *s = problem_subject(safe->problem, cell);
    return s && bound > threshold_of(safe, s, cell) && most_agree(safe, cell, x, runs, by_default);
}

void safe_lead_place(const struct subject *s, struct safe_lead *lead)
{
    lead->least_procs = INT_MAX;
    lead->least_bytes = UINT64_MAX;
    lead->most_procs = lead->most_nodes = 0;
    lead->most_bytes = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct cell *c = &s->lesson[i].cell;
        lead->least_procs = c->procs < lead->least_procs ? c->procs : lead->least_procs;
        lead->most_procs = c->procs > lead->most_procs ? c->procs : lead->most_procs;
        lead->most_nodes = c->nodes > lead->most_nodes ? c->nodes : lead->most_nodes;
        lead->least_bytes = c->bytes < lead->least_bytes ? c->bytes : lead->least_bytes;
        lead->most_bytes = c->bytes > lead->most_bytes ? c->bytes : lead->most_bytes;
    }
}

const struct learner *safe_leader(const struct safe *safe, const struct cell *cell,
                                  const struct candidate *default_runs)
{
    const struct subject *s = problem_subject(safe->problem, cell);
    const struct safe_lead *lead = s && safe->lead ? &safe->lead[s - safe->problem->subject] : NULL;
    if (!lead || !lead->learner)
        return NULL;
    const double far = exp2(lead->reach) * (1 + 1e-9);
    const int near = cell->procs >= lead->least_procs && cell->procs <= far * lead->most_procs &&
                     cell->nodes <= far * lead->most_nodes && cell->bytes >= lead->least_bytes &&
                     cell->bytes <= lead->most_bytes && (cell->nodes == 1 || lead->network);
    return near && (cell->procs <= lead->most_procs || gains_same_default(s, cell, default_runs))
               ? lead->learner
               : NULL;
}

double safe_gain(const struct safe *safe, const struct cell *cell, const float *x,
                 const struct candidate *runs, const struct candidate *by_default,
                 const struct candidate *default_runs)
{
    const struct subject *s = problem_subject(safe->problem, cell);
    const struct learner *leader = safe_leader(safe, cell, default_runs);
    const struct learnt *m = safe->member;
    if (!s)
        return -INFINITY;
    if (!leader) {
        const double bound = safe_bound(s, runs, cell, default_runs);
        return safe_may(safe, cell, x, bound, runs, by_default) ? bound : -INFINITY;
    }
    while (m->learner != leader)
        m++;
    const struct skill *skill = learnt_skill(m, cell);
    const double gain =
        skill_score(m, skill, by_default, x, NULL) - skill_score(m, skill, runs, x, NULL);
    return gain > safe->lead[s - safe->problem->subject].least &&
                   most_agree(safe, cell, x, runs, by_default)
               ? gain
               : -INFINITY;
}

const struct lesson *safe_confirmed(const struct safe *safe, const struct cell *cell,
                                    const struct subject **subject)
{
    *subject = safe->confirmed ? problem_subject(safe->confirmed, cell) : NULL;
    for (size_t i = 0; *subject && i < (*subject)->n; i++)
        if (cell_compare(&(*subject)->lesson[i].cell, cell) == 0)
            return &(*subject)->lesson[i];
    return NULL;
}

void safe_clear(struct safe *safe)
{
    free(safe->threshold);
    free(safe->lead);
    free(safe->beyond);
    *safe = (struct safe){ .threshold = NULL };
}
