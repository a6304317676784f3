/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/star.h"

#include <stdlib.h>

#include "harness/base/memory.h"

enum { FIRST_DELTA = 2, WHOLE = 0, LAST = 1 };

const struct star_options star_usual = {
    .iterations = 10, .most_delta = 64, .groups = 1, .epsilon = 0.1
};

struct star {
    struct star_options options;
    int n;
    int *group;
    double *best_s; /* of each candidate; below 0: not measured */

    enum star_stage stage;
    int *order, n_order; /* the candidates that are measured now */
    int at, call;        /* in Measure_Select: of order; of its calls */
    int64_t *ns;         /* of each of these: iterations times */

    int best, delta;
    long monitored;   /* calls of this period */
    int64_t total[2]; /* of the period; of its last calls */
    int agreements, changes;
};

/* ---- Measure_Select ---- */

static void measure_none(struct star *s)
{
    s->stage = STAR_MEASURE;
    s->n_order = s->at = s->call = 0;
}

static int is_first_of_group(const struct star *s, int candidate)
{
    for (int i = 0; i < candidate; i++)
        if (s->group[i] == s->group[candidate])
            return 0;
    return 1;
}

/* The others of a group. Returns how many there are. */
static int measure_group(struct star *s, int group)
{
    measure_none(s);
    for (int i = 0; i < s->n; i++)
        if (s->group[i] == group && s->best_s[i] < 0)
            s->order[s->n_order++] = i;
    return s->n_order;
}

struct star *star_new(const struct star_options *options, int n, const int *group)
{
    struct star *s = memory_zeros(1, sizeof *s);
    const size_t count = (size_t)n;
    s->options = *options;
    s->n = n;
    s->group = memory_zeros(count, sizeof *s->group);
    s->order = memory_zeros(count, sizeof *s->order);
    s->best_s = memory_zeros(count, sizeof *s->best_s);
    s->ns = memory_zeros(count * (size_t)options->iterations, sizeof *s->ns);
    s->delta = FIRST_DELTA;
    s->best = -1;
    for (int i = 0; i < n; i++) {
        s->group[i] = group[i];
        s->best_s[i] = -1;
    }
    measure_none(s);
    for (int i = 0; i < n; i++)
        if (!options->groups || is_first_of_group(s, i))
            s->order[s->n_order++] = i;
    return s;
}

void star_free(struct star *s)
{
    if (!s)
        return;
    free(s->group);
    free(s->order);
    free(s->best_s);
    free(s->ns);
    free(s);
}

/* The best that was measured but for one; -1: there is none. */
static int best_but(const struct star *s, int other)
{
    int best = -1;
    for (int i = 0; i < s->n; i++)
        if (i != other && s->best_s[i] >= 0 && (best < 0 || s->best_s[i] < s->best_s[best]))
            best = i;
    return best;
}

static void monitor(struct star *s, int delta)
{
    s->stage = STAR_MONITOR;
    s->delta = delta;
    s->monitored = 0;
    s->total[WHOLE] = s->total[LAST] = 0;
}

/* The best takes over, once all of its group are known. */
static void take_best(struct star *s)
{
    const int best = best_but(s, -1), before = s->best;
    if (measure_group(s, s->group[best]) > 0)
        return;
    s->best = best;
    s->changes += before >= 0 && before != best;
    monitor(s, FIRST_DELTA);
}

static void agreed_on_measured(struct star *s, int procs)
{
    const int iterations = s->options.iterations;
    for (int i = 0; i < s->n_order; i++) {
        int64_t least = s->ns[i * iterations];
        for (int j = 1; j < iterations; j++)
            if (s->ns[i * iterations + j] < least)
                least = s->ns[i * iterations + j];
        s->best_s[s->order[i]] = (double)least * 1e-9 / procs;
    }
    take_best(s);
}

/* ---- Monitor_Adapt ---- */

static void agreed_on_monitored(struct star *s, int procs)
{
    const double whole_s = (double)s->total[WHOLE] * 1e-9 / procs / (double)s->monitored;
    const double last_s = (double)s->total[LAST] * 1e-9 / procs / s->options.iterations;
    const int second = best_but(s, s->best);
    const double limit_s = second < 0 ? -1 : (1 + s->options.epsilon) * s->best_s[second];
    if (second < 0 || whole_s < limit_s) {
        const int twice = s->delta * 2;
        monitor(s, twice < s->options.most_delta ? twice : s->options.most_delta);
    } else if (last_s >= limit_s) {
        s->best_s[s->best] = whole_s;
        take_best(s);
    } else {
        monitor(s, FIRST_DELTA);
    }
}

/* ---- a call ---- */

int star_next(const struct star *s)
{
    return s->stage == STAR_MEASURE ? s->order[s->at] : s->best;
}

enum star_stage star_stage(const struct star *s)
{
    return s->stage;
}

static size_t record_measured(struct star *s, int64_t ns, int64_t **values)
{
    s->ns[s->at * s->options.iterations + s->call++] = ns;
    if (s->call == s->options.iterations) {
        s->call = 0;
        s->at++;
    }
    *values = s->ns;
    return s->at == s->n_order ? (size_t)s->n_order * (size_t)s->options.iterations : 0;
}

static size_t record_monitored(struct star *s, int64_t ns, int64_t **values)
{
    const long period = (long)s->delta * s->options.iterations;
    s->total[WHOLE] += ns;
    if (period - s->monitored <= s->options.iterations)
        s->total[LAST] += ns;
    s->monitored++;
    *values = s->total;
    return s->monitored == period ? 2 : 0;
}

size_t star_record(struct star *s, int64_t ns, int64_t **values)
{
    return s->stage == STAR_MEASURE ? record_measured(s, ns, values)
                                    : record_monitored(s, ns, values);
}

void star_agreed(struct star *s, int procs)
{
    s->agreements++;
    if (s->stage == STAR_MEASURE)
        agreed_on_measured(s, procs);
    else
        agreed_on_monitored(s, procs);
}

double star_seconds(const struct star *s, int candidate)
{
    return s->best_s[candidate];
}

int star_agreements(const struct star *s)
{
    return s->agreements;
}

int star_changes(const struct star *s)
{
    return s->changes;
}
