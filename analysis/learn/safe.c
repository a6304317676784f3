/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/safe.h"

/* Thresholds tried: a gain of so much, as the logarithm. */
static const double thresholds[] = { 0.025, 0.05, 0.1, 0.2, 0.4 };

/* ---- the bound ---- */

/* The least, where all are known; else nothing is. */
static double least(double a, double b)
{
    return isnan(a) || isnan(b) ? -INFINITY : fmin(a, b);
}

/* With one of the measured sizes: between two P, or beyond the last. */
static double bound_with(const struct neighbour_gains_of *of, double bytes)
{
    const double p = of->cell->procs;
    const struct procs_about procs = neighbour_gains_procs(of->subject, p, bytes);
    double gain[3];
    for (int i = 0; i < 3; i++)
        gain[i] = neighbour_gains_at(of, procs.low[i], bytes);
    const double above = neighbour_gains_at(of, procs.high, bytes);
    if (isnan(procs.low[0]))
        return neighbour_gains_far(least(above, above), p, procs.high);
    if (!isnan(procs.high))
        return least(above, gain[0]);
    double bound = least(gain[0], gain[1]);
    if (isfinite(bound) && !isnan(gain[2]))
        bound = fmin(bound, gain[2]);
    if (isfinite(bound)) {
        bound = fmin(bound, neighbour_gains_least(of, &procs, bytes));
        bound = fmin(bound, gain[0] - neighbour_gains_fall(gain[0], gain[1], &procs, p));
    }
    return neighbour_gains_far(bound, p, procs.low[0]);
}

/* Whether anybody saw the network is not asked. */
static double bound_about(const struct subject *subject, const struct candidate *runs,
                          const struct cell *cell, const struct candidate *default_runs)
{
    const struct neighbour_gains_of of = { subject, subject_kind(subject, runs), cell,
                                           default_runs };
    if (of.kind == subject->n_kinds)
        return -INFINITY;
    const struct sizes_about bytes = neighbour_gains_bytes(subject, (double)cell->bytes);
    if (isnan(bytes.low) || isnan(bytes.high)) {
        const double last = isnan(bytes.high) ? bytes.low : bytes.high;
        return neighbour_gains_far(bound_with(&of, last), (double)cell->bytes, last);
    }
    const double bound = bound_with(&of, bytes.low);
    return bytes.high == bytes.low ? bound : least(bound, bound_with(&of, bytes.high));
}

double safe_bound(const struct subject *subject, const struct candidate *runs,
                  const struct cell *cell, const struct candidate *default_runs)
{
    return neighbour_gains_cross_network(subject, cell)
               ? -INFINITY
               : bound_about(subject, runs, cell, default_runs);
}

/* ---- what was known before ---- */

/* A subject without some of its examples: those of more processes than `most`, or, where that is 0,
 * those apart. Borrows all but where its examples are. */
static struct subject past_make(const struct subject *s, int most)
{
    struct subject past = *s;
    past.order = NULL;
    past.n = 0;
    past.example = memory_zeros(s->n + 1, sizeof *past.example);
    for (size_t i = 0; i < s->n; i++)
        if (most ? s->example[i].cell.procs <= most : !s->example[i].apart)
            past.example[past.n++] = s->example[i];
    subject_sort(&past);
    return past;
}

static void past_clear(struct subject *past)
{
    memory_free(past->example, past->order);
}

/* The bound of a candidate in an example, by what was known before; that of the default: none. */
static double past_bound(const struct subject *past, const struct example *l, const struct offer *o)
{
    return o->kind == l->by_default
               ? -INFINITY
               : bound_about(past, &past->kind[o->kind], &l->cell, &l->default_runs);
}

/* ---- what is gained for sure ---- */

/* Where choices fail together: those of a number of processes, of a size, of a former end. */
enum { AT_PROCS, AT_BYTES, AT_END, N_PLACES };

/* A choice that was tried: what it promised to gain over the default, and what it gained. */
struct tried {
    double promised, gain;
    uint64_t place[N_PLACES];
};

static struct tried tried_make(const struct example *l, int end, double promised, double gain)
{
    return (
        struct tried){ promised, gain, { (uint64_t)l->cell.procs, l->cell.bytes, (uint64_t)end } };
}

/* What was gained in a place, more than the mean. */
struct placed {
    uint64_t place;
    double more;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return ascending(x->place, y->place);
}

/* The standard error of the mean, where what is in one place hangs together: by the sums of the
 * places. INFINITY: of fewer places than `least`. Sorts. */
static double error_of(struct placed *at, size_t n, size_t least)
{
    double squares = 0;
    size_t places = 0;
    qsort(at, n, sizeof *at, by_place);
    for (size_t first = 0, end; first < n; first = end, places++) {
        double sum = 0;
        for (end = first; end < n && at[end].place == at[first].place; end++)
            sum += at[end].more;
        squares += sum * sum;
    }
    if (places < least)
        return INFINITY;
    return places < 2 ? 0 : sqrt(squares * (double)places / (double)(places - 1)) / (double)n;
}

/* What is gained in the mean at a threshold, less the largest standard error; choices that promise
 * less leave the default, and gain 0. least: of fewer places of a sort nobody knows. */
static double worth_of(const struct tried *tried, size_t n, double threshold, size_t least)
{
    struct placed *at = memory_zeros(n + 1, sizeof *at);
    double sum = 0, error = 0;
    for (size_t i = 0; i < n; i++)
        sum += tried[i].promised > threshold ? tried[i].gain : 0;
    const double mean = sum / (double)n;
    for (int k = 0; k <= N_PLACES; k++) { /* last: each choice by itself */
        for (size_t i = 0; i < n; i++) {
            at[i].place = k < N_PLACES ? tried[i].place[k] : i;
            at[i].more = (tried[i].promised > threshold ? tried[i].gain : 0) - mean;
        }
        error = fmax(error, error_of(at, n, least));
    }
    free(at);
    return mean - error;
}

/* ---- thresholds between what was measured ---- */

/* The candidate with the largest bound in an example. */
static struct tried try_example(const struct subject *past, const struct example *l)
{
    struct tried best = tried_make(l, 0, -INFINITY, 0);
    for (size_t i = 0; i < l->n; i++) {
        const double bound = past_bound(past, l, &l->offer[i]);
        if (bound > best.promised)
            best = tried_make(l, 0, bound, example_log(l, l->by_default) - l->offer[i].log_s);
    }
    return best;
}

static double choose_threshold(const struct subject *s, double *most)
{
    struct subject past = past_make(s, 0);
    struct tried *tried = NULL;
    size_t n = 0;
    double best = INFINITY, worth = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->example[i].apart && !isnan(example_log(&s->example[i], s->example[i].by_default)))
            *array_add(&tried, &n) = try_example(&past, &s->example[i]);
    past_clear(&past);
    for (size_t k = 0; n && k < sizeof thresholds / sizeof *thresholds; k++) {
        const double w = worth_of(tried, n, thresholds[k], 1);
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

static int most_procs(const struct subject *s)
{
    return subject_end(s, INT_MAX);
}

/* As if only P up to `end` had been measured: how much more was gained than bounds promised in the
 * examples beyond, by whether these ran on several nodes. */
static void look_back(const struct subject *s, int end, struct mean more[2])
{
    struct subject past = past_make(s, end);
    for (size_t i = 0; i < s->n; i++) {
        const struct example *l = &s->example[i];
        const double own = l->cell.procs > end ? example_log(l, l->by_default) : NAN;
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
    for (int end = subject_end(s, most_procs(s) / 2); end > 1; end = subject_end(s, end / 2))
        look_back(s, end, more);
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

/* Two ends show no spread. */
static const size_t least_ends = 3;

/* Which of a learner's choices count. */
struct asked_for {
    int past;      /* 0: in the examples apart */
    int several;   /* of the past: on several nodes, */
    int doublings; /* so far beyond the end */
};

static int counts(const struct learner_trial *t, const struct cell *cell,
                  const struct asked_for *which)
{
    return which->past ? t->end && (cell->nodes > 1) == which->several &&
                             learner_doublings(cell->procs, t->end) == which->doublings
                       : !t->end;
}

/* Tries a learner with all thresholds: it leads where it gains more than *most. */
static void try_lead(const struct subject *s, const struct learner *learner,
                     const struct skill *skill, const struct asked_for *which, double *most,
                     struct safe_lead *lead)
{
    struct tried *tried = NULL;
    size_t n = 0;
    for (size_t i = 0; i < skill->n_trials; i++) {
        const struct learner_trial *t = &skill->trial[i];
        const struct example *l = &s->example[t->example];
        if (counts(t, &l->cell, which))
            *array_add(&tried, &n) = tried_make(l, t->end, t->promised, t->gain);
    }
    for (size_t k = 0; n && k < sizeof thresholds / sizeof *thresholds; k++) {
        const double w = worth_of(tried, n, thresholds[k], which->past ? least_ends : 1);
        if (w > *most) {
            *most = w;
            *lead = (struct safe_lead){ learner, thresholds[k] };
        }
    }
    free(tried);
}

/* worth: what is to be gained more than. */
static struct safe_lead choose_lead(const struct safe *safe, const struct subject *s,
                                    const struct asked_for *which, double worth)
{
    struct safe_lead lead = { .learner = NULL };
    for (size_t i = 0; i < safe->n_members; i++) {
        const struct skill *skill = learnt_skill(&safe->member[i], &s->context);
        if (skill && learner_has_voice(safe->member[i].learner))
            try_lead(s, safe->member[i].learner, skill, which, &worth, &lead);
    }
    return lead;
}

/* worth: what the bound gains on the examples apart. */
static void choose_leads(const struct safe *safe, const struct subject *s, double worth,
                         struct safe_leads *out)
{
    const struct asked_for apart = { .past = 0 };
    out->between = choose_lead(safe, s, &apart, worth);
    out->network = any_below(i, s->n, !s->example[i].apart && s->example[i].cell.nodes > 1);
    for (int several = 0; several < 2; several++)
        for (int d = 0; d < SAFE_DOUBLINGS; d++) {
            const struct asked_for past = { 1, several, d + 1 };
            out->beyond[several][d] = choose_lead(safe, s, &past, 0);
        }
    safe_leads_place(s, out);
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
        choose_leads(out, &problem->subject[i], worth, &out->lead[i]);
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
        if (!skill || !learner_has_voice(m->learner))
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

void safe_leads_place(const struct subject *s, struct safe_leads *lead)
{
    lead->least_procs = lead->least_nodes = INT_MAX;
    lead->least_bytes = UINT64_MAX;
    lead->most_procs = lead->most_nodes = 0;
    lead->most_bytes = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct cell *c = &s->example[i].cell;
        lead->least_procs = c->procs < lead->least_procs ? c->procs : lead->least_procs;
        lead->most_procs = c->procs > lead->most_procs ? c->procs : lead->most_procs;
        lead->least_nodes = c->nodes < lead->least_nodes ? c->nodes : lead->least_nodes;
        lead->most_nodes = c->nodes > lead->most_nodes ? c->nodes : lead->most_nodes;
        lead->least_bytes = c->bytes < lead->least_bytes ? c->bytes : lead->least_bytes;
        lead->most_bytes = c->bytes > lead->most_bytes ? c->bytes : lead->most_bytes;
    }
}

/* The lead beyond the largest P. */
static const struct safe_lead *lead_beyond(const struct subject *s, const struct safe_leads *of,
                                           const struct cell *cell,
                                           const struct candidate *default_runs)
{
    const int d = learner_doublings(cell->procs, of->most_procs);
    return d <= SAFE_DOUBLINGS && !neighbour_gains_cross_network(s, cell) &&
                   neighbour_gains_same_default(s, cell, default_runs)
               ? &of->beyond[cell->nodes > 1][d - 1]
               : NULL;
}

const struct safe_lead *safe_leader(const struct safe *safe, const struct cell *cell,
                                    const struct candidate *default_runs)
{
    const struct subject *s = problem_subject(safe->problem, cell);
    if (!s || !safe->lead)
        return NULL;
    const struct safe_leads *of = &safe->lead[s - safe->problem->subject];
    const struct safe_lead *lead = NULL;
    if (cell->bytes < of->least_bytes || cell->bytes > of->most_bytes ||
        cell->procs < of->least_procs)
        return NULL;
    if (cell->procs > of->most_procs)
        lead = lead_beyond(s, of, cell, default_runs);
    else if (cell->nodes <= of->most_nodes && (cell->nodes == 1 || of->network))
        lead = &of->between;
    return lead && lead->learner ? lead : NULL;
}

double safe_gain(const struct safe *safe, const struct cell *cell, const float *x,
                 const struct candidate *runs, const struct candidate *by_default,
                 const struct candidate *default_runs)
{
    const struct subject *s = problem_subject(safe->problem, cell);
    const struct safe_lead *lead = safe_leader(safe, cell, default_runs);
    const struct learnt *m = safe->member;
    if (!s)
        return -INFINITY;
    if (!lead) {
        const double bound = safe_bound(s, runs, cell, default_runs);
        return safe_may(safe, cell, x, bound, runs, by_default) ? bound : -INFINITY;
    }
    while (m->learner != lead->learner)
        m++;
    const struct skill *skill = learnt_skill(m, cell);
    const double gain =
        skill_score(m, skill, by_default, x, NULL) - skill_score(m, skill, runs, x, NULL);
    return gain > lead->least && most_agree(safe, cell, x, runs, by_default) ? gain : -INFINITY;
}

CLEARS(safe_clear, safe, it->threshold, it->lead, it->beyond)
