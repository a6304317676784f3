/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/adaptive.h"

#include "harness/base/rng.h"
#include "harness/base/robust.h"

/* Assumed until it is known: between launches, a tenth; of what the model says, a factor of two. */
static const double assumed_error = 0.7;
enum { NOISE_DOF = 3, CORE_DOF = 6, LEAST_ERRORS = 8, SURE_LAUNCHES = 3 };

/* How much of the measured points is predicted as closely as the error says; the share of all costs
 * that goes into learning it in the first round. */
static const double error_share = 0.9, cheap_share = 0.01;

/* What the error says of nine of ten, as a standard deviation. */
static const double error_to_sd = 1 / 1.645;

/* What is left in doubt: in a point of the mean price a fifth of a tie, in dearer and cheaper ones
 * in proportion, between a tenth of it and the whole. */
static const double fair_share = 0.2, least_share = 0.1;

/* A point's launches tell no less of it than its neighbours do, whose word is a tenth off at least.
 */
static const double least_said_sd = 0.1;

/* So many cores apart launches disagree; so many cores of gain are told by two launches (Student's
 * t of one degree of freedom is 12.7). */
static const double torn_from = 4 * M_SQRT2, clear_from = 13;

/* In place of a time. */
static const double FAILED = -1;

/* Doublings between cells that differ in their root alone, and the least that count. */
static const double other_root = 0.25, least_distance = 0.25;

/* A point that selectors compare. Times are logarithms. */
struct contender {
    const struct point *at;
    size_t cell, context, series;           /* series: of the same candidate in a context */
    double prior;                           /* of a blind one: its cell's middle */
    double log_procs, log_nodes, log_bytes; /* to the base of 2 */
    int is_default, blind;                  /* blind: nobody knows what it sends */
    double *time, *cost; /* by round, from 1: seconds, NaN none, FAILED; core-seconds */
    char *wanted;        /* by round */
    /* by the rounds before the one at hand */
    int n;                   /* launches that gave a time */
    int failed;              /* 1: none did, and some should have: it is not tried again */
    double *sorted;          /* their logarithms */
    double mid, squares;     /* their median, the sum of squares about their mean */
    double own_core_s;       /* of one launch, where it was measured */
    double half;             /* half of its interval: measured, or predicted */
    double said, said_sd;    /* what the others of its series say */
    int sure;                /* 1: the nearest of these was launched more than once */
    double predicted, price; /* measured, or said; core-seconds of its next launch */
    double worth, weight;
    int called; /* 1: a profile has calls of its cell */
};

struct arena_cell {
    const struct cell *at;
    size_t first, n, context;
    double core; /* standard deviation of a launch that did not go wrong */
    int level;   /* round from which on it is looked at, from 0 */
};

/* ---- what there is ---- */

/* What neighbours have in common: all but processes, places, root and bytes. */
static int compare_context(const struct cell *a, const struct cell *b)
{
    return by_keys(cell_compare_context(a, b), cell_compare_conditions(a, b));
}

static int by_context(const void *left, const void *right)
{
    const struct contender *a = left, *b = right;
    return by_keys(
        compare_context(&a->at->cell, &b->at->cell), cell_compare(&a->at->cell, &b->at->cell),
        candidate_compare(&a->at->candidate, &b->at->candidate), strcmp(a->at->id, b->at->id));
}

static void take_points(const struct plan *plan, const struct prior *prior, struct adaptive *a)
{
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        a->rounds = l->repeat > a->rounds ? l->repeat : a->rounds;
        for (size_t i = l->first; l->repeat == 1 && i < l->first + l->n; i++) {
            if (!point_is_contender(&plan->points[i]))
                continue;
            const struct prior_row *row = prior_find(prior, plan->points[i].id);
            a->v[a->n++] = (struct contender){ .at = &plan->points[i],
                                               .prior = row ? log(row->seconds) : NAN,
                                               .is_default = row && row->is_default,
                                               .weight = row && row->weight > 0 ? row->weight : 1,
                                               .called = row && row->weight > 1e-3 };
        }
    }
    if (a->n)
        qsort(a->v, a->n, sizeof *a->v, by_context);
    const size_t each = (size_t)a->rounds + 1;
    a->numbers = memory_zeros(3 * (a->n + 1) * each, sizeof *a->numbers);
    a->marks = memory_zeros((a->n + 1) * each, 1);
    for (size_t i = 0; i < a->n; i++) {
        a->v[i].log_procs = log2(a->v[i].at->cell.procs);
        a->v[i].log_nodes = log2(a->v[i].at->cell.nodes);
        a->v[i].log_bytes = log2(fmax((double)a->v[i].at->cell.bytes, 0.5));
        a->v[i].time = a->numbers + 3 * i * each;
        a->v[i].cost = a->v[i].time + each;
        a->v[i].sorted = a->v[i].cost + each;
        a->v[i].wanted = a->marks + i * each;
        for (size_t r = 0; r < each; r++)
            a->v[i].time[r] = NAN;
    }
}

static void find_cells(struct adaptive *a)
{
    a->cell = memory_zeros(a->n + 1, sizeof *a->cell);
    for (size_t i = 0; i < a->n; i++) {
        const struct cell *at = &a->v[i].at->cell;
        struct arena_cell *last = a->n_cells ? &a->cell[a->n_cells - 1] : NULL;
        if (!last || cell_compare(last->at, at) != 0) {
            a->n_contexts += !last || compare_context(last->at, at) != 0;
            last = &a->cell[a->n_cells++];
            *last = (struct arena_cell){ .at = at, .first = i, .context = a->n_contexts - 1 };
        }
        last->n++;
        a->v[i].cell = a->n_cells - 1;
        a->v[i].context = last->context;
    }
}

static int by_series(const void *left, const void *right)
{
    const struct contender *a = *(struct contender *const *)left,
                           *b = *(struct contender *const *)right;
    return by_keys(ascending(a->context, b->context),
                   candidate_compare(&a->at->candidate, &b->at->candidate), ascending(a, b));
}

static void find_series(struct adaptive *a)
{
    struct contender **sorted = memory_zeros(a->n + 1, sizeof *sorted);
    for (size_t i = 0; i < a->n; i++)
        sorted[i] = &a->v[i];
    qsort(sorted, a->n, sizeof *sorted, by_series);
    for (size_t i = 0; i < a->n; i++) {
        if (i == 0 || sorted[i]->context != sorted[i - 1]->context ||
            candidate_compare(&sorted[i]->at->candidate, &sorted[i - 1]->at->candidate) != 0)
            a->n_series++;
        sorted[i]->series = a->n_series - 1;
    }
    free(sorted);
}

static int by_id(const void *left, const void *right, void *of)
{
    const struct adaptive *a = of;
    return strcmp(a->v[*(const size_t *)left].at->id, a->v[*(const size_t *)right].at->id);
}

static void index_points(struct adaptive *a)
{
    a->by_id = memory_zeros(a->n + 1, sizeof *a->by_id);
    for (size_t i = 0; i < a->n; i++)
        a->by_id[i] = i;
    qsort_r(a->by_id, a->n, sizeof *a->by_id, by_id, a);
}

/* Where nobody knows what a point sends it is thought to take what its cell's others do. */
static void fill_priors(struct adaptive *a)
{
    double *x = memory_zeros(a->n + 1, sizeof *x);
    for (size_t k = 0; k < a->n_cells; k++) {
        const struct arena_cell *cell = &a->cell[k];
        size_t n = 0;
        for (size_t i = cell->first; i < cell->first + cell->n; i++)
            if (isfinite(a->v[i].prior))
                x[n++] = a->v[i].prior;
        const double middle = n ? robust_median(x, n) : log(1e-3);
        for (size_t i = cell->first; i < cell->first + cell->n; i++) {
            a->v[i].blind = !isfinite(a->v[i].prior);
            a->v[i].prior = a->v[i].blind ? middle : a->v[i].prior;
        }
    }
    free(x);
}

/* ---- coarse first ---- */

/* 0 for every fourth of n and the last one, 1 for every other, 2 for the rest. */
static int level_of(const uint64_t *x, size_t n, uint64_t value)
{
    const uint64_t *at = bsearch(&value, x, n, sizeof *x, array_by_u64);
    const size_t i = (size_t)(at - x);
    return i % 4 == 0 || i == n - 1 ? 0 : i % 2 == 0 ? 1 : 2;
}

/* Levels of the cells of one context: by size, by processes, other roots last. */
static void set_levels(struct arena_cell *cell, size_t n)
{
    uint64_t *bytes = memory_zeros(2 * n, sizeof *bytes), *procs = bytes + n;
    int root = INT_MAX;
    for (size_t i = 0; i < n; i++) {
        bytes[i] = cell[i].at->bytes;
        procs[i] = (uint64_t)cell[i].at->procs;
        root = cell[i].at->root < root ? cell[i].at->root : root;
    }
    const size_t n_bytes = array_set_u64(bytes, n), n_procs = array_set_u64(procs, n);
    for (size_t i = 0; i < n; i++) {
        const int by_bytes = level_of(bytes, n_bytes, cell[i].at->bytes),
                  by_procs = level_of(procs, n_procs, (uint64_t)cell[i].at->procs);
        cell[i].level = cell[i].at->root != root ? 2 : by_bytes > by_procs ? by_bytes : by_procs;
    }
    free(bytes);
}

static void find_levels(struct adaptive *a)
{
    for (size_t i = 0, end; i < a->n_cells; i = end) {
        for (end = i + 1; end < a->n_cells && a->cell[end].context == a->cell[i].context; end++)
            continue;
        set_levels(a->cell + i, end - i);
        for (size_t k = i; k < end; k++)
            if (a->v[a->cell[k].first].called)
                a->cell[k].level = 0;
    }
}

/* ---- prices ---- */

double adaptive_cost(const struct adaptive_rule *rule, int exact, int procs, double seconds)
{
    const double share = rule->point_s / rule->repeats;
    return procs * (exact ? rule->repeats : 1) * fmin(rule->calls * seconds, fmax(share, seconds));
}

static double cost_of(const struct adaptive *a, const struct contender *c, double seconds)
{
    return adaptive_cost(&a->rule, a->exact, c->at->cell.procs, seconds);
}

/* By how much launches were dearer than they are reckoned; 1: nothing is known. */
static double dearness(const struct adaptive *a)
{
    double took = 0, reckoned = 0;
    for (size_t i = 0; i < a->n && !a->exact; i++)
        if (a->v[i].n) {
            took += a->v[i].own_core_s;
            reckoned += cost_of(a, &a->v[i], exp(a->v[i].mid));
        }
    return took > 0 && reckoned > 0 ? took / reckoned : 1;
}

static void set_prices(struct adaptive *a)
{
    const double dear = dearness(a);
    a->mean_price = 0;
    for (size_t i = 0; i < a->n; i++) {
        struct contender *c = &a->v[i];
        c->price = c->n && !a->exact ? c->own_core_s : dear * cost_of(a, c, exp(c->predicted));
        a->mean_price += c->price / (double)a->n;
    }
}

/* ---- what was measured ---- */

static double squares_of(const double *x, int n)
{
    double mean = 0, sum = 0;
    for (int i = 0; i < n; i++)
        mean += x[i] / n;
    for (int i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum;
}

/* The launches before a round. */
static void look(struct adaptive *a, int round)
{
    struct launch_samples samples = { .n_apart = 0 };
    a->spent_core_s = 0;
    for (size_t i = 0; i < a->n; i++) {
        struct contender *c = &a->v[i];
        double core_s = 0;
        c->n = c->failed = 0;
        for (int r = 1; r < round && r <= a->rounds; r++) {
            core_s += c->cost[r];
            c->failed |= c->time[r] < 0;
            if (c->time[r] > 0)
                c->sorted[c->n++] = log(c->time[r]);
        }
        c->failed &= c->n == 0;
        a->spent_core_s += core_s;
        c->own_core_s = c->n ? core_s / c->n : 0;
        c->squares = squares_of(c->sorted, c->n);
        launch_samples_add(&samples, c->sorted, c->n);
        if (c->n)
            qsort(c->sorted, (size_t)c->n, sizeof *c->sorted, array_by_double);
        c->mid = c->n ? (c->sorted[(c->n - 1) / 2] + c->sorted[c->n / 2]) / 2 : NAN;
    }
    launch_error_learn(&samples, &a->launches);
}

/* The core of a cell: its points', as far as their launches did not go wrong, and that of the plan.
 */
static double core_of(const struct adaptive *a, const struct arena_cell *cell)
{
    const double core = a->launches.core;
    double squares = CORE_DOF * core * core;
    int dof = CORE_DOF;
    for (size_t i = cell->first; i < cell->first + cell->n; i++)
        for (int k = 0; a->v[i].n > 1 && k < a->v[i].n; k++) {
            const double off = a->v[i].sorted[k] - a->v[i].mid;
            squares += fmin(off * off, 9 * core * core);
            dof += k > 0;
        }
    return sqrt(squares / dof);
}

/* How sure the time of a measured point is. */
static double sd_of(const struct adaptive *a, const struct contender *c)
{
    const double core = a->cell[c->cell].core;
    const int dof = NOISE_DOF + c->n - 1;
    return a->exact || !c->n ? 0 : sqrt((NOISE_DOF * core * core + c->squares) / dof / c->n);
}

static void set_intervals(struct adaptive *a)
{
    for (size_t k = 0; k < a->n_cells && !a->exact; k++) {
        struct arena_cell *cell = &a->cell[k];
        cell->core = core_of(a, cell);
        for (size_t i = cell->first; i < cell->first + cell->n; i++) {
            struct contender *c = &a->v[i];
            const int dof = NOISE_DOF + c->n - 1;
            c->half = c->n ? student_quantile(a->rule.confidence, dof) * sd_of(a, c) : INFINITY;
        }
    }
}

/* ---- what was not ---- */

static double distance(const struct contender *a, const struct contender *b)
{
    const double p = a->log_procs - b->log_procs, n = a->log_nodes - b->log_nodes,
                 m = a->log_bytes - b->log_bytes,
                 r = a->at->cell.root == b->at->cell.root ? 0 : other_root;
    return fmax(sqrt(p * p + n * n + m * m + r * r), least_distance);
}

/* The points of one candidate in a context. */
struct series {
    struct contender **v;
    size_t n;
};

/* How much slower than its prior a point is taken to be, by the others of its series that were
 * measured; *far: doublings to the nearest. NaN: there is none. */
static double correction(const struct series *s, const struct contender *c, double *far, int *sure)
{
    double sum = 0, weights = 0;
    *far = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        const struct contender *o = s->v[i];
        if (o == c || !o->n)
            continue;
        const double d = distance(c, o);
        sum += (o->mid - o->prior) / (d * d);
        weights += 1 / (d * d);
        if (d < *far) {
            *sure = o->n > 1;
            *far = d;
        }
    }
    return weights > 0 ? sum / weights : NAN;
}

/* That value below which a share of them is; fallback: of too few. */
static double reached(double *x, size_t n, double fallback)
{
    if (n < LEAST_ERRORS)
        return fallback;
    qsort(x, n, sizeof *x, array_by_double);
    return x[(size_t)(error_share * (double)(n - 1) + 0.5)];
}

/* Groups the points; the series of a context follow each other. To be freed: *all. */
static struct series *list_series(const struct adaptive *a, struct contender ***all)
{
    struct series *s = memory_zeros(a->n_series + 1, sizeof *s);
    size_t *end = memory_zeros(a->n_series + 1, sizeof *end);
    *all = memory_zeros(a->n + 1, sizeof **all);
    for (size_t i = 0; i < a->n; i++)
        s[a->v[i].series].n++;
    for (size_t k = 0, first = 0; k < a->n_series; first += s[k++].n)
        s[k].v = *all + first;
    for (size_t i = 0; i < a->n; i++)
        s[a->v[i].series].v[end[a->v[i].series]++] = &a->v[i];
    free(end);
    return s;
}

/* The errors of the model in a context, from its measured points. */
struct model_error {
    double per_doubling; /* of a candidate that was measured somewhere */
    double offset,
        far; /* of one that was not: what the others are slower, and how alike they are */
};

/* How far off each measured point of a series is predicted by its others, per doubling to the
 * nearest of these. Returns how many. */
static size_t list_errors(const struct series *s, double *x)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct contender *c = s->v[i];
        double far;
        int sure = 0;
        const double said = c->n ? correction(s, c, &far, &sure) : NAN;
        if (isfinite(said))
            x[n++] = fabs(c->mid - c->prior - said) / far;
    }
    return n;
}

static struct model_error learn(const struct series *s, size_t n, double *x, int *learnt)
{
    struct model_error l = { .offset = 0 };
    size_t errors = 0, points = 0;
    for (size_t k = 0; k < n; k++)
        errors += list_errors(&s[k], x + errors);
    *learnt |= errors >= LEAST_ERRORS;
    l.per_doubling = reached(x, errors, assumed_error);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < s[k].n; i++)
            if (s[k].v[i]->n)
                x[points++] = s[k].v[i]->mid - s[k].v[i]->prior;
    l.offset = points ? robust_median(x, points) : 0;
    for (size_t i = 0; i < points; i++)
        x[i] = fabs(x[i] - l.offset);
    l.far = fmax(reached(x, points, assumed_error), assumed_error);
    return l;
}

/* A series that was measured often enough knows its own error. */
static void predict(const struct series *s, const struct model_error *l, double *x)
{
    const double per_doubling = reached(x, list_errors(s, x), l->per_doubling);
    for (size_t i = 0; i < s->n; i++) {
        struct contender *c = s->v[i];
        double far;
        c->sure = 0;
        const double said = correction(s, c, &far, &c->sure);
        const double half = isfinite(said) ? per_doubling * far : c->blind ? INFINITY : l->far;
        c->said = c->prior + (isfinite(said) ? said : l->offset);
        c->said_sd = half * error_to_sd;
        c->predicted = c->n ? c->mid : c->said;
        c->half = c->n ? c->half : half;
    }
}

/* Intervals of all points, by the rounds before this one. */
static void know(struct adaptive *a, int round)
{
    struct contender **all;
    double *x = memory_zeros(a->n + 1, sizeof *x), sum = 0;
    struct series *s = list_series(a, &all);
    look(a, round);
    set_intervals(a);
    a->learnt = 0;
    for (size_t k = 0, end; k < a->n_series; k = end) {
        for (end = k + 1; end < a->n_series && s[end].v[0]->context == s[k].v[0]->context; end++)
            continue;
        const struct model_error l = learn(s + k, end - k, x, &a->learnt);
        sum += l.per_doubling;
        for (size_t i = k; i < end; i++)
            predict(&s[i], &l, x);
    }
    a->error = a->n_contexts ? sum / (double)a->n_contexts : assumed_error;
    memory_free(x, s, all);
    set_prices(a);
}

/* ---- one cell ---- */

static double tie(const struct adaptive *a)
{
    return log1p(a->rule.tie_pct / 100);
}

/* The least measured time, or where there is none the least predicted one. NULL: all failed. */
static struct contender *best_of(const struct adaptive *a, const struct arena_cell *cell)
{
    struct contender *best = NULL;
    for (size_t i = cell->first; i < cell->first + cell->n; i++) {
        struct contender *c = &a->v[i];
        if (c->failed)
            continue;
        if (!best || (c->n > 0) > (best->n > 0) ||
            ((c->n > 0) == (best->n > 0) && c->predicted < best->predicted))
            best = c;
    }
    return best;
}

/* 1 while a measured point's interval reaches the best's. */
static int is_in(const struct contender *c, const struct contender *best)
{
    return c->n && (c == best || c->predicted - c->half <= best->predicted + best->half);
}

/* What a point is expected to be faster than the best of its cell. */
static double doubt_of(const struct adaptive *a, const struct contender *c,
                       const struct contender *best)
{
    const double best_sd = sd_of(a, best), told_sd = c->said_sd;
    if (c == best || (a->exact && c->n))
        return 0;
    if (c->n)
        return remeasure_value_of_launches(c->sorted, c->n, a->cell[c->cell].core, c->said,
                                           hypot(told_sd, least_said_sd), &a->launches,
                                           best->predicted, best_sd);
    if (isinf(c->half))
        return INFINITY;
    return a->exact || c->sure
               ? remeasure_value_normal(c->predicted - best->predicted, hypot(told_sd, best_sd))
               : remeasure_value_of_launches(&c->predicted, 1, told_sd, 0, INFINITY, &a->launches,
                                             best->predicted, best_sd);
}

/* How much a point may be expected to gain without being worth its price. */
static double tolerance(const struct adaptive *a, const struct contender *c)
{
    return fmin(fmax(fair_share * c->price / a->mean_price, least_share), 1) * tie(a);
}

/* Launches of what is chosen: two, and a third where they disagree. */
static int launches_to_lead(const struct adaptive *a, const struct contender *c)
{
    const double range = c->n > 1 ? c->sorted[c->n - 1] - c->sorted[0] : 0;
    return a->exact || a->rule.repeats == 1 ? 1 : 2 + (range > torn_from * a->cell[c->cell].core);
}

/* Launches of the choice and of the default beside it by which the gain has an interval: where it
 * is large two suffice. A dear default that is no rival has the one it needs. */
static int launches_to_tell(const struct adaptive *a, const struct contender *best,
                            const struct contender *standing)
{
    const double gain = standing->predicted - best->predicted;
    if (a->exact || standing == best)
        return 1;
    if (standing->n && standing->price > a->mean_price &&
        doubt_of(a, standing, best) < tolerance(a, standing))
        return 1;
    const int n = gain > clear_from * a->cell[best->cell].core ? 2 : SURE_LAUNCHES;
    return a->rule.repeats < n ? a->rule.repeats : n;
}

static void want(struct contender *c, int round, double worth)
{
    c->wanted[round] = 1;
    c->worth = fmin(fmax(worth, 1e-3), 1) * c->weight;
}

/* Nothing was measured: the default, and what is thought to be fastest. */
static void want_first(struct adaptive *a, const struct arena_cell *cell, int round)
{
    const struct contender *best = best_of(a, cell);
    double gain = 0;
    for (size_t i = cell->first; i < cell->first + cell->n; i++)
        if (a->v[i].is_default)
            gain = a->v[i].predicted - best->predicted;
    for (size_t i = cell->first; i < cell->first + cell->n; i++)
        if (!a->v[i].failed && (a->v[i].is_default || &a->v[i] == best))
            want(&a->v[i], round, gain + tie(a));
}

/* What may still gain more than it is worth. Returns the most launches that one of them has, -1
 * where there is none; *worth: of the best's next launch, which is compared with theirs. */
static int want_rivals(struct adaptive *a, const struct arena_cell *cell,
                       const struct contender *best, int round, double *worth)
{
    int most = -1;
    *worth = 0;
    for (size_t i = cell->first; i < cell->first + cell->n; i++) {
        struct contender *c = &a->v[i];
        const double doubt = c->failed || c->n >= a->rule.most ? 0 : doubt_of(a, c, best);
        if (!(doubt > tolerance(a, c)))
            continue;
        want(c, round, doubt);
        most = c->n > most ? c->n : most;
        *worth = c->n ? fmax(*worth, doubt) : *worth;
    }
    return most;
}

static void want_doubtful(struct adaptive *a, const struct arena_cell *cell, int round)
{
    struct contender *const best = best_of(a, cell);
    const struct contender *standing = best;
    double worth;
    const int rivals = want_rivals(a, cell, best, round, &worth);
    for (size_t i = cell->first; i < cell->first + cell->n; i++)
        if (a->v[i].is_default && !a->v[i].failed)
            standing = &a->v[i];
    const int told = launches_to_tell(a, best, standing), led = launches_to_lead(a, best);
    if (best->n < a->rule.most && (best->n <= rivals || best->n < led || best->n < told))
        want(best, round, best->n <= rivals ? worth : 0);
    for (size_t i = cell->first; i < cell->first + cell->n; i++) {
        struct contender *c = &a->v[i];
        if (c->is_default && !c->failed && c != best && !c->wanted[round] && c->n < told)
            want(c, round, c->n ? 0 : tie(a));
    }
}

/* ---- cheap points of the first round ---- */

static int by_procs(const void *left, const void *right)
{
    const struct contender *a = *(struct contender *const *)left,
                           *b = *(struct contender *const *)right;
    return by_keys(a->at->cell.procs - b->at->cell.procs, ascending(a->price, b->price),
                   strcmp(a->at->id, b->at->id));
}

/* Points of the coarse cells that are not wanted anyway, of few processes first, which are cheap
 * whatever their size. */
static void want_cheap(struct adaptive *a)
{
    struct contender **cheap = memory_zeros(a->n + 1, sizeof *cheap);
    double left = cheap_share * a->full_core_s;
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        if (!a->v[i].wanted[1] && a->cell[a->v[i].cell].level == 0)
            cheap[n++] = &a->v[i];
    qsort(cheap, n, sizeof *cheap, by_procs);
    for (size_t i = 0; i < n; i++) {
        if (cheap[i]->price > left)
            continue;
        want(cheap[i], 1, 0);
        left -= cheap[i]->price;
    }
    free(cheap);
}

/* ---- a round ---- */

static int by_value(const void *left, const void *right)
{
    const struct contender *a = *(struct contender *const *)left,
                           *b = *(struct contender *const *)right;
    const double x = a->worth / a->price, y = b->worth / b->price;
    return x != y ? ascending(y, x) : strcmp(a->at->id, b->at->id);
}

/* A budget is given out in equal steps, over the first five eighths of the rounds: what a point
 * costs is known badly before its neighbours were measured. The steps were chosen with replayed
 * data sets in sight (make first). */
double adaptive_left(const struct adaptive *a, int round)
{
    return fmin(1.6 * round / a->rounds, 1) * a->rule.core_budget_s - a->spent_core_s;
}

/* 1: the budget is less than everything costs, and an equal share of the first round's part pays
 * for a launch of each point of the cell. */
static int is_cheap(const struct adaptive *a, const struct arena_cell *cell)
{
    double left = (adaptive_left(a, 1) + a->spent_core_s) / (double)a->n_cells;
    for (size_t i = cell->first; i < cell->first + cell->n; i++)
        left -= a->v[i].price;
    return a->rule.core_budget_s < a->full_core_s && left >= 0;
}

/* Leaves out what the budget has no room for. While a point that a profile calls waits for room no
 * other takes it. */
static void cut(struct adaptive *a, int round)
{
    struct contender **all = memory_zeros(a->n + 1, sizeof *all);
    double left = adaptive_left(a, round);
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        if (a->v[i].wanted[round])
            all[n++] = &a->v[i];
    qsort(all, n, sizeof *all, by_value);
    int waits = 0;
    for (size_t i = 0; i < n; i++) {
        const int fits = all[i]->price <= left && (all[i]->called || !waits);
        waits |=
            all[i]->called && !fits && all[i]->price <= a->rule.core_budget_s - a->spent_core_s;
        all[i]->wanted[round] = (char)fits;
        left -= fits ? all[i]->price : 0;
    }
    free(all);
}

size_t adaptive_round(struct adaptive *a, int round)
{
    size_t wanted = 0;
    know(a, round);
    for (size_t i = 0; i < a->n; i++)
        a->v[i].wanted[round] = 0;
    for (size_t k = 0; k < a->n_cells; k++) {
        const struct arena_cell *cell = &a->cell[k];
        const struct contender *best = best_of(a, cell);
        if (!best || (cell->level >= round && !is_cheap(a, cell)))
            continue;
        if (best->n)
            want_doubtful(a, cell, round);
        else
            want_first(a, cell, round);
    }
    if (round == 1)
        want_cheap(a);
    if (isfinite(a->rule.core_budget_s))
        cut(a, round);
    for (size_t i = 0; i < a->n; i++)
        wanted += (size_t)a->v[i].wanted[round];
    return wanted;
}

/* ---- asked from outside ---- */

void adaptive_make(const struct plan *plan, const struct prior *prior,
                   const struct adaptive_rule *rule, struct adaptive *a)
{
    *a = (struct adaptive){ .rule = *rule, .v = memory_zeros(plan->n + 1, sizeof *a->v) };
    take_points(plan, prior, a);
    a->exact = a->n && plan_is_exact(a->v[0].at->cell.mpi);
    find_cells(a);
    find_series(a);
    index_points(a);
    fill_priors(a);
    find_levels(a);
    for (size_t i = 0; i < a->n; i++)
        a->full_core_s += (a->exact ? 1 : rule->repeats) * cost_of(a, &a->v[i], exp(a->v[i].prior));
}

size_t adaptive_find(const struct adaptive *a, const char *point)
{
    const size_t at = sorted_below(i, a->n, strcmp(a->v[a->by_id[i]].at->id, point) >= 0);
    return at < a->n && strcmp(a->v[a->by_id[at]].at->id, point) == 0 ? a->by_id[at] : a->n;
}

const struct point *adaptive_point(const struct adaptive *a, size_t i)
{
    return a->v[i].at;
}

void adaptive_took(struct adaptive *a, size_t i, int round, double seconds, double core_s)
{
    struct contender *c = &a->v[i];
    c->time[round] = seconds > 0 ? seconds : FAILED;
    const double known_s = isfinite(core_s) ? core_s : 0;
    c->cost[round] = !a->exact ? known_s : known_s > 0 && seconds > 0 ? cost_of(a, c, seconds) : 0;
}

double adaptive_spent(const struct adaptive *a)
{
    double core_s = 0;
    for (size_t i = 0; i < a->n; i++)
        for (int r = 1; r <= a->rounds; r++)
            core_s += a->v[i].cost[r];
    return core_s;
}

int adaptive_wants(const struct adaptive *a, size_t i, int round)
{
    return i < a->n && round >= 1 && round <= a->rounds && a->v[i].wanted[round];
}

double adaptive_price(const struct adaptive *a, size_t i)
{
    return a->v[i].price;
}

void adaptive_sum_up(struct adaptive *a)
{
    know(a, a->rounds + 1);
}

const char *adaptive_reason(const struct adaptive *a, size_t i, char buf[REASON_SIZE])
{
    const struct contender *c = &a->v[i];
    const struct contender *best = best_of(a, &a->cell[c->cell]);
    buf[0] = '\0';
    if (!best || c->failed)
        return buf;
    const double slower = exp(c->predicted - c->half - best->predicted - (c->n ? best->half : 0)),
                 doubt = best->n ? doubt_of(a, c, best) : INFINITY;
    if (c->n && !is_in(c, best))
        snprintf(buf, REASON_SIZE, "eliminated after %d launch%s, at least %.3g times slower", c->n,
                 of_number(c->n, "", "es"), slower);
    else if (!c->n && best->n && slower > 1)
        snprintf(buf, REASON_SIZE,
                 "not measured: predicted at least %.3g times slower than the best", slower);
    else if (!c->n && doubt <= tolerance(a, c))
        snprintf(buf, REASON_SIZE,
                 "not measured: expected to gain %.2g %%, which is not worth its price",
                 100 * expm1(doubt));
    else if (!c->n)
        snprintf(buf, REASON_SIZE, "not measured: %s",
                 isfinite(a->rule.core_budget_s) ? "the budget has no room for it"
                                                 : "its turn has not come");
    return buf;
}

CLEARS(adaptive_free, adaptive, it->numbers, it->marks, it->v, it->cell, it->by_id)

/* ---- in thought ---- */

/* Of few points 16 trials, of more so many that all together have no more than that many points. */
enum { MOST_DRAWS = 16, LEAST_DRAWS = 4, DRAWN_POINTS = 80000 };

static const double shared = 0.8;

/* The true times of one draw. */
static void draw(const struct adaptive *a, struct rng *rng, double *truth)
{
    double *of_series = memory_zeros(a->n_series + 1, sizeof *of_series);
    for (size_t k = 0; k < a->n_series; k++)
        of_series[k] = rng_normal(rng);
    for (size_t i = 0; i < a->n; i++) {
        const struct contender *c = &a->v[i];
        const double z = sqrt(shared) * of_series[c->series] + sqrt(1 - shared) * rng_normal(rng),
                     half = isinf(c->half) ? assumed_error : c->half;
        truth[i] = c->n ? c->predicted : c->predicted + half * error_to_sd * z;
    }
    free(of_series);
}

/* What is lost by what was measured, in the mean over cells, %; *blank: cells without anything. */
static double lost(const struct adaptive *a, const double *truth, size_t *blank)
{
    double sum = 0;
    *blank = 0;
    for (size_t k = 0; k < a->n_cells; k++) {
        const struct arena_cell *cell = &a->cell[k];
        double least = INFINITY, by_default = INFINITY;
        const struct contender *best = best_of(a, cell);
        for (size_t i = cell->first; i < cell->first + cell->n; i++) {
            least = fmin(least, truth[i]);
            by_default = a->v[i].is_default ? truth[i] : by_default;
        }
        if (!best)
            continue;
        *blank += !best->n;
        const double taken = best->n || isinf(by_default) ? truth[best - a->v] : by_default;
        sum += expm1(taken - least);
    }
    return a->n_cells ? 100 * sum / (double)a->n_cells : 0;
}

/* Goes on with a plan that is measured in thought; noise: between launches, as far as it is known
 * before. */
static void play(struct adaptive *a, int round, const double *truth, double noise, struct rng *rng)
{
    for (; round <= a->rounds; round++) {
        if (!adaptive_round(a, round))
            continue;
        for (size_t i = 0; i < a->n; i++) {
            if (!a->v[i].wanted[round])
                continue;
            const double seconds = exp(truth[i] + (noise > 0 ? noise * rng_normal(rng) : 0));
            adaptive_took(a, i, round, seconds, cost_of(a, &a->v[i], seconds));
        }
    }
    adaptive_sum_up(a);
}

/* Takes back what was measured in thought. */
static void take_back(struct adaptive *a, int round)
{
    for (size_t i = 0; i < a->n; i++)
        for (int r = round; r <= a->rounds; r++) {
            a->v[i].time[r] = NAN;
            a->v[i].cost[r] = 0;
            a->v[i].wanted[r] = 0;
        }
}

void adaptive_rehearse(struct adaptive *a, int round, uint64_t seed, struct adaptive_outlook *out)
{
    struct rng rng;
    double *truth = memory_zeros(a->n + 1, sizeof *truth);
    const int draws = (int)fmax(LEAST_DRAWS, fmin(MOST_DRAWS, DRAWN_POINTS / (double)(a->n + 1)));
    *out = (struct adaptive_outlook){
        .points = a->n, .core_low = INFINITY, .loss_low = INFINITY, .draws = draws
    };
    rng_init(&rng, seed);
    for (int k = 0; k < draws; k++) {
        size_t blank;
        out->first = adaptive_round(a, round);
        out->learnt = a->learnt;
        out->error = a->error;
        draw(a, &rng, truth);
        for (size_t i = 0; i < a->n; i++)
            out->full_core_s +=
                (a->exact ? 1 : a->rule.repeats) * cost_of(a, &a->v[i], exp(truth[i])) / draws;
        play(a, round, truth, a->exact ? 0 : a->launches.core, &rng);
        const double loss = lost(a, truth, &blank);
        out->core_s += a->spent_core_s / draws;
        out->core_low = fmin(out->core_low, a->spent_core_s);
        out->core_high = fmax(out->core_high, a->spent_core_s);
        out->loss_pct += loss / draws;
        out->loss_low = fmin(out->loss_low, loss);
        out->loss_high = fmax(out->loss_high, loss);
        out->left_pct += a->n_cells ? 100.0 * (double)blank / (double)a->n_cells / draws : 0;
        take_back(a, round);
    }
    adaptive_round(a, round);
    free(truth);
}
