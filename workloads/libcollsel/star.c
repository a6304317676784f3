/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/star.h"

enum { FIRST_DELTA = 2, WHOLE = 0, LAST = 1 };

const char *const star_judge_words[] = { "sure", "fastest", NULL };

const struct star_options star_usual = { .judge = STAR_FASTEST,
                                         .cost = 0.02,
                                         .iterations = 10,
                                         .most_delta = 64,
                                         .groups = 1,
                                         .epsilon = 0.1 };

struct candidate {
    int group;
    double seconds; /* what counts; below 0: not measured */
    int calls;      /* of which that was made */
};

struct star {
    struct star_options options;
    int n;
    struct candidate *candidate;
    struct sure *sure; /* does it all; NULL: another judge */

    enum star_stage stage;
    int *order, n_order; /* what is measured in turn */
    int at, call;        /* in Measure_Select: of order; of its calls */
    int64_t *ns;         /* of each of these: `iterations` times */

    int best, delta;
    long monitored;   /* calls of this period */
    int64_t total[2]; /* of the period; of its last calls */
    int agreements, changes;
};

static void measure_new(struct star *s)
{
    s->stage = STAR_MEASURE;
    s->n_order = s->at = s->call = 0;
}

static int is_first_of_group(const struct star *s, int candidate)
{
    for (int i = 0; i < candidate; i++)
        if (s->candidate[i].group == s->candidate[candidate].group)
            return 0;
    return 1;
}

/* The others of a group. Returns how many there are. */
static int measure_group(struct star *s, int group)
{
    measure_new(s);
    for (int i = 0; i < s->n; i++)
        if (s->candidate[i].group == group && s->candidate[i].seconds < 0)
            s->order[s->n_order++] = i;
    return s->n_order;
}

struct star *star_new(const struct star_options *options, int n, const int *group)
{
    struct star *s = memory_zeros(1, sizeof *s);
    s->options = *options;
    s->n = n;
    s->sure = options->judge == STAR_SURE ? sure_new(options->cost) : NULL;
    if (s->sure)
        return s;
    s->candidate = memory_zeros((size_t)n, sizeof *s->candidate);
    s->order = memory_zeros((size_t)n, sizeof *s->order);
    s->ns = memory_zeros((size_t)(n * options->iterations), sizeof *s->ns);
    s->delta = FIRST_DELTA;
    s->best = -1;
    for (int i = 0; i < n; i++)
        s->candidate[i] = (struct candidate){ .group = group[i], .seconds = -1 };
    measure_new(s);
    for (int i = 0; i < n; i++)
        if (!options->groups || is_first_of_group(s, i))
            s->order[s->n_order++] = i;
    return s;
}

void star_free(struct star *s)
{
    if (!s)
        return;
    sure_free(s->sure);
    memory_free(s->candidate, s->order, s->ns, s);
}

/* The best that was measured, but for one; -1: there is none. */
static int best_but(const struct star *s, int other)
{
    int best = -1;
    for (int i = 0; i < s->n; i++)
        if (i != other && s->candidate[i].seconds >= 0 &&
            (best < 0 || s->candidate[i].seconds < s->candidate[best].seconds))
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

static void take(struct star *s, int candidate)
{
    s->changes += s->best >= 0 && s->best != candidate;
    s->best = candidate;
    monitor(s, FIRST_DELTA);
}

/* The best takes over, once all of its group are known. */
static void take_best(struct star *s)
{
    const int best = best_but(s, -1);
    if (measure_group(s, s->candidate[best].group) == 0)
        take(s, best);
}

/* The fastest call of each one of the round counts. */
static void agreed_on_measured(struct star *s, int procs)
{
    const int calls = s->options.iterations;
    for (int i = 0; i < s->n_order; i++) {
        struct candidate *c = &s->candidate[s->order[i]];
        int64_t least = s->ns[i * calls];
        for (int j = 1; j < calls; j++)
            least = s->ns[i * calls + j] < least ? s->ns[i * calls + j] : least;
        c->seconds = (double)least * 1e-9 / procs;
        c->calls = calls;
    }
    take_best(s);
}

static void agreed_on_monitored(struct star *s, int procs)
{
    const double whole_s = (double)s->total[WHOLE] * 1e-9 / procs / (double)s->monitored;
    const double last_s = (double)s->total[LAST] * 1e-9 / procs / s->options.iterations;
    const int second = best_but(s, s->best);
    const double limit_s =
        second < 0 ? -1 : (1 + s->options.epsilon) * s->candidate[second].seconds;
    if (limit_s < 0 || whole_s < limit_s) {
        const int twice = s->delta * 2;
        monitor(s, twice < s->options.most_delta ? twice : s->options.most_delta);
    } else if (last_s >= limit_s) {
        s->candidate[s->best].seconds = whole_s;
        s->candidate[s->best].calls = (int)s->monitored;
        take_best(s);
    } else {
        monitor(s, FIRST_DELTA);
    }
}

int star_next(const struct star *s)
{
    return s->sure ? sure_next(s->sure) : s->stage == STAR_MEASURE ? s->order[s->at] : s->best;
}

int star_choice(const struct star *s)
{
    return s->sure ? sure_choice(s->sure) : s->stage == STAR_MONITOR ? s->best : -1;
}

enum star_stage star_stage(const struct star *s)
{
    return !s->sure ? s->stage : sure_is_trial(s->sure) ? STAR_MEASURE : STAR_MONITOR;
}

static size_t record_measured(struct star *s, int64_t ns, int64_t **values)
{
    const int calls = s->options.iterations;
    s->ns[s->at * calls + s->call++] = ns;
    if (s->call == calls) {
        s->call = 0;
        s->at++;
    }
    *values = s->ns;
    return s->at == s->n_order ? (size_t)s->n_order * (size_t)calls : 0;
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
    return s->sure                    ? sure_record(s->sure, ns, values)
           : s->stage == STAR_MEASURE ? record_measured(s, ns, values)
                                      : record_monitored(s, ns, values);
}

void star_agreed(struct star *s, int procs)
{
    s->agreements++;
    if (s->sure)
        sure_agreed(s->sure, procs);
    else if (s->stage == STAR_MEASURE)
        agreed_on_measured(s, procs);
    else
        agreed_on_monitored(s, procs);
}

double star_seconds(const struct star *s, int candidate, int *calls)
{
    if (s->sure)
        return sure_seconds(s->sure, candidate, calls);
    if (calls)
        *calls = s->candidate[candidate].calls;
    return s->candidate[candidate].seconds;
}

int star_agreements(const struct star *s)
{
    return s->agreements;
}

int star_changes(const struct star *s)
{
    return s->sure ? sure_changes(s->sure) : s->changes;
}

int star_wants(const struct star *s)
{
    return s->sure && sure_wants(s->sure);
}

void star_begin(struct star *s, int n, const struct star_prior *prior)
{
    sure_begin(s->sure, n, prior);
}

void star_own(struct star *s, int64_t ns)
{
    if (s->sure)
        sure_own(s->sure, ns);
}

void star_whole(struct star *s, int64_t start_ns, int64_t all_ns)
{
    if (s->sure)
        sure_whole(s->sure, start_ns, all_ns);
}

enum star_word star_saving(const struct star *s, struct star_saving *saving)
{
    *saving = (struct star_saving){ .is_known = 0 };
    return s->sure ? sure_saving(s->sure, saving) : STAR_NOT_SETTLED;
}

void star_tell(const struct star *s, int candidate, struct star_learnt *learnt)
{
    sure_tell(s->sure, candidate, learnt);
}

void star_learn(struct star *s, int candidate, const struct star_learnt *learnt)
{
    sure_learn(s->sure, candidate, learnt);
}
