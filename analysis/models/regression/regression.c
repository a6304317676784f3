/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/regression/regression.h"
#include "harness/base/parallel.h"

#include "harness/base/parallel.h"

const char *regression_method_name(enum regression_method method)
{
    static const char *const names[N_REGRESSION_METHODS] = {
        [REGRESSION_HUBER] = "huber", [REGRESSION_LS] = "plain", [REGRESSION_MM] = "mm"
    };
    return names[method];
}

/* ---- one group ---- */

/* The points of a group that are fitted, and room for their equations. */
struct equations {
    const struct facts *facts;
    size_t n, cap;
    const struct cell **cell;
    double *y, *x, *start, *scratch;
    unsigned char *fitted;
    unsigned *pattern; /* of each point, by the design at hand */
};

static void equations_init(struct equations *s, const struct facts *facts, size_t most)
{
    *s = (struct equations){ .facts = facts, .cap = most };
    s->cell = memory_zeros(most + 1, sizeof *s->cell);
    s->y = memory_zeros(most + 1, (REGRESS_MAX + 3) * sizeof *s->y);
    s->fitted = memory_zeros(most + 1, 1);
    s->pattern = memory_zeros(most + 1, sizeof *s->pattern);
    s->start = s->y + most;
    s->scratch = s->start + most;
    s->x = s->scratch + most;
}

static void equations_take(struct equations *s, const struct point_group *group, enum split split,
                           enum rank_statistic statistic)
{
    s->n = 0;
    split_group(split, group, s->fitted, NULL);
    for (size_t i = 0; i < group->n; i++) {
        const double seconds = measured_seconds(group->row[i], statistic);
        if (!s->fitted[i] || !(seconds > 0))
            continue;
        s->cell[s->n] = &group->row[i]->point.cell;
        s->y[s->n++] = seconds;
    }
}

/* ---- the start of the MM-estimator ---- */

/* Siegel's repeated medians: the median over i of the median over j of the slopes between i and j;
 * then the median of what is left. x, y of n points; scratch has room for 2 n. */
static void repeated_medians(const double *x, const double *y, size_t n, double *scratch,
                             double *intercept, double *slope)
{
    double *outer = scratch, *inner = scratch + n;
    size_t lines = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        for (size_t j = 0; j < n; j++)
            if (x[j] < x[i] || x[j] > x[i])
                inner[k++] = (y[j] - y[i]) / (x[j] - x[i]);
        if (k)
            outer[lines++] = stats_middle(inner, k);
    }
    *slope = lines ? stats_middle(outer, lines) : 0;
    for (size_t i = 0; i < n; i++)
        outer[i] = y[i] - *slope * x[i];
    *intercept = stats_middle(outer, n);
}

/* Start values of all points: a line through each stretch of equal kept dummies. */
static void start_values(struct equations *s, const struct regression_design *d)
{
    unsigned kept = 0;
    double *x = s->scratch, *y = s->x, *scratch = s->x + s->n; /* not in use yet */
    unsigned bit = 1;
    for (int i = 0; i < d->n_z; i++, bit <<= 1)
        kept |= d->level[i] ? bit : 0;
    for (size_t from = 0; from < s->n; from++) {
        const unsigned pattern = s->pattern[from] & kept;
        size_t n = 0, first = from;
        double intercept, slope;
        for (size_t i = 0; i < s->n; i++) {
            if ((s->pattern[i] & kept) != pattern)
                continue;
            first = i < first ? i : first;
            x[n] = regression_x(d, s->cell[i]);
            y[n++] = s->y[i];
        }
        if (first < from)
            continue; /* done with the first of its stretch */
        repeated_medians(x, y, n, scratch, &intercept, &slope);
        for (size_t i = from; i < s->n; i++)
            if ((s->pattern[i] & kept) == pattern)
                s->start[i] = intercept + slope * regression_x(d, s->cell[i]);
    }
}

static int regress(struct equations *s, double confidence, struct regression_fit *f)
{
    const size_t p = f->design.columns;
    if (f->method == REGRESSION_MM)
        start_values(s, &f->design);
    for (size_t i = 0; i < s->n; i++)
        regression_row(&f->design, s->facts, s->cell[i], s->x + i * f->design.columns);
    for (size_t i = 0; i < s->n; i++)
        s->scratch[i] = 1;
    switch (f->method) {
    case REGRESSION_HUBER:
        return regress_huber(s->x, s->y, NULL, s->n, p, confidence, &f->r, s->scratch);
    case REGRESSION_MM:
        return regress_mm(s->x, s->y, NULL, s->start, s->n, p, confidence, &f->r, s->scratch);
    default:
        return regress_least_squares(s->x, s->y, NULL, s->n, p, confidence, &f->r);
    }
}

/* R2 with the weights that the residuals have, so that an outlier neither spoils nor makes it. */
static double weighted_r2(const struct equations *s, const struct regression_fit *f)
{
    double sum = 0, weights = 0, left = 0, total = 0;
    for (size_t i = 0; i < s->n; i++) {
        sum += s->scratch[i] * s->y[i];
        weights += s->scratch[i];
    }
    for (size_t i = 0; i < s->n; i++) {
        left +=
            s->scratch[i] * pow(s->y[i] - regress_value(&f->r, s->x + i * f->design.columns), 2);
        total += s->scratch[i] * pow(s->y[i] - sum / weights, 2);
    }
    return total > 0 ? 1 - left / total : NAN;
}

static double median_error(const struct equations *s, const struct regression_fit *f)
{
    for (size_t i = 0; i < s->n; i++)
        s->start[i] = fabs(regress_value(&f->r, s->x + i * f->design.columns) / s->y[i] - 1);
    return stats_median(s->start, s->n);
}

static double at_least(const struct regression_fit *f, double seconds)
{
    return seconds > f->least_s ? seconds : f->least_s;
}

/* How far measurements are from the line, and how that grows with the time (regression.h).
 * Overwrites the equations. */
static void find_spread(struct equations *s, double confidence, struct regression_fit *f)
{
    enum { LEAST_FREE = 8 }; /* degrees of freedom from which on a slope means anything */
    const size_t n = s->n, free = n - f->design.columns;
    double *time = s->start, *left = s->scratch, *x = s->x, *y = x + n, *scratch = y + n;
    double row[REGRESS_MAX], intercept;
    size_t k = 0;
    f->least_s = INFINITY;
    for (size_t i = 0; i < n; i++)
        f->least_s = fmin(f->least_s, s->y[i]);
    for (size_t i = 0; i < n; i++) {
        regression_row(&f->design, s->facts, s->cell[i], row);
        left[i] = fabs(s->y[i] - regress_value(&f->r, row));
        time[i] = at_least(f, regress_value(&f->r, row));
    }
    for (size_t i = 0; i < n; i++)
        if (left[i] > 0) {
            x[k] = log(time[i]);
            y[k++] = log(left[i]);
        }
    f->power = 0;
    if (k && free >= LEAST_FREE)
        repeated_medians(x, y, k, scratch, &intercept, &f->power);
    f->power = fmin(1, fmax(0, f->power));
    for (size_t i = 0; i < n; i++)
        left[i] /= pow(time[i], f->power);
    stats_median(left, n); /* sorts */
    const double q = (confidence * (double)(n + 1) - 1) / (double)(n - 1);
    f->spread = sqrt((double)n / (double)free) * stats_quantile(left, n, fmin(1, q));
}

/* Fits with as many of the dummies as the equations bear. */
static void fit_group(struct equations *s, const struct point_group *group, double confidence,
                      struct regression_fit *f)
{
    const size_t wanted = f->design.columns;
    int status = regress(s, confidence, f);
    while (status < 0 && regression_design_reduce(&f->design))
        status = regress(s, confidence, f);
    if (status < 0) {
        snprintf(f->reason, sizeof f->reason, "%zu point%s", COUNTED(s->n));
        return;
    }
    if (f->design.columns < wanted)
        snprintf(f->reason, sizeof f->reason,
                 "%zu of %zu columns left out: dependent, or more than the points bear",
                 wanted - f->design.columns, wanted);
    f->r.r2 = weighted_r2(s, f);
    f->median_error = median_error(s, f);
    f->weight = memory_zeros(group->n, sizeof *f->weight);
    size_t k = 0;
    for (size_t i = 0; i < group->n; i++) {
        const int used = k < s->n && s->cell[k] == &group->row[i]->point.cell;
        f->weight[i] = used ? s->scratch[k++] : NAN;
    }
    find_spread(s, confidence, f);
}

/* ---- all ---- */

static void name_fit(struct regression_fit *f, const struct point_group *group,
                     const struct equations *s, enum regression_method method,
                     enum rank_statistic statistic)
{
    const struct point *p = &group->row[0]->point;
    *f = (struct regression_fit){ .cell = p->cell,
                                  .candidate = p->candidate,
                                  .method = method,
                                  .median_error = NAN,
                                  .spread = NAN,
                                  .power = NAN,
                                  .covered = NAN,
                                  .procs_low = s->n ? s->cell[0]->procs : 0,
                                  .procs_high = s->n ? s->cell[s->n - 1]->procs : 0 };
    if (s->n)
        f->edge = *s->cell[s->n - 1];
    f->cell.nodes = f->cell.ppn = f->cell.procs = 0;
    for (size_t i = 0; i < s->n; i++)
        f->nodes_high = s->cell[i]->nodes > f->nodes_high ? s->cell[i]->nodes : f->nodes_high;
    snprintf(f->statistic, sizeof f->statistic, "%s",
             rank_statistic_name(group->row[0], statistic));
}

/* What is fitted, group by group; each has its own rows in `out`. */
struct fitting {
    const struct point_groups *groups;
    struct regressions *out;
};

static void fit_nth(size_t g, void *user)
{
    const struct fitting *f = user;
    const struct point_group *group = &f->groups->group[g];
    struct equations s;
    equations_init(&s, f->out->facts, group->n);
    equations_take(&s, group, f->out->split, f->out->statistic);
    for (int m = 0; m < N_REGRESSION_METHODS; m++) {
        struct regression_fit *fit = &f->out->fit[g * N_REGRESSION_METHODS + (size_t)m];
        name_fit(fit, group, &s, (enum regression_method)m, f->out->statistic);
        regression_design_make(&fit->design, s.facts, fit->candidate.algorithm, s.cell, s.n,
                               s.pattern, fit->reason, sizeof fit->reason);
        fit_group(&s, group, f->out->facts->confidence, fit);
    }
    memory_free(s.cell, s.y, s.fitted, s.pattern);
}

void regressions_fit(const struct point_groups *groups, const struct facts *facts,
                     enum rank_statistic statistic, enum split split, struct regressions *fits)
{
    struct fitting fitting = { groups, fits };
    *fits = (struct regressions){ .facts = facts, .statistic = statistic, .split = split };
    fits->n = groups->n * N_REGRESSION_METHODS;
    fits->fit = memory_zeros(fits->n + 1, sizeof *fits->fit);
    parallel_for(groups->n, fit_nth, &fitting);
}

void regressions_clear(struct regressions *fits)
{
    for (size_t i = 0; i < fits->n; i++)
        free(fits->fit[i].weight);
    free(fits->fit);
    *fits = (struct regressions){ .n = 0 };
}

static int by_group(const void *key, const void *row)
{
    const struct regression_fit *a = key, *b = row;
    return by_keys(group_compare(&a->cell, &a->candidate, &b->cell, &b->candidate),
                   (int)a->method - (int)b->method);
}

const struct regression_fit *regressions_find(const struct regressions *fits,
                                              enum regression_method method,
                                              const struct cell *cell,
                                              const struct candidate *candidate)
{
    const struct regression_fit key = { .cell = *cell, .candidate = *candidate, .method = method };
    return fits->n ? bsearch(&key, fits->fit, fits->n, sizeof key, by_group) : NULL;
}

int regressions_usable(const struct regressions *fits)
{
    return any_below(i, fits->n, fits->fit[i].median_error >= 0);
}

/* 1 when the cell uses a socket or node that no point of the fit did. */
static int crosses(const struct regressions *fits, const struct regression_fit *fit,
                   const struct cell *cell)
{
    return cell->nodes > fit->nodes_high ||
           (regression_pattern(&fit->design, fits->facts, cell) & ~fit->design.seen) != 0;
}

int regression_predict(const struct regressions *fits, const struct regression_fit *fit,
                       const struct cell *cell, struct regression_prediction *prediction)
{
    double row[REGRESS_MAX];
    if (!(fit->median_error >= 0))
        return -1;
    regression_row(&fit->design, fits->facts, cell, row);
    const double t = regress_value(&fit->r, row);
    const double half =
        hypot(regress_half_width(&fit->r, row), fit->spread * pow(at_least(fit, t), fit->power));
    *prediction = (struct regression_prediction){ .seconds = t, .low = t - half, .high = t + half };
    prediction->extrapolated =
        cell->procs < fit->procs_low || cell->procs > fit->procs_high || crosses(fits, fit, cell);
    return 0;
}

/* Judged times of a group within the interval of a fit to the others; NaN: none is judged. */
static double share_within(const struct regressions *d, const struct regression_fit *f,
                           const struct point_group *group, unsigned char *judged)
{
    size_t n = 0, within = 0;
    split_group(d->split, group, NULL, judged);
    for (size_t i = 0; i < group->n; i++) {
        struct regression_prediction p;
        const double seconds = measured_seconds(group->row[i], d->statistic);
        if (!judged[i] || !(seconds > 0) ||
            regression_predict(d, f, &group->row[i]->point.cell, &p) < 0)
            continue;
        n++;
        within += p.low <= seconds && seconds <= p.high;
    }
    return n ? (double)within / (double)n : NAN;
}

/* Fits to the one half of a group's points, judged by the other. */
struct covering {
    const struct point_groups *groups;
    const struct regressions *others;
    struct regressions *fits;
};

static void cover_nth(size_t g, void *user)
{
    const struct covering *c = user;
    const struct point_group *group = &c->groups->group[g];
    unsigned char *judged = memory_zeros(group->n + 1, 1);
    for (size_t i = g * N_REGRESSION_METHODS; i < (g + 1) * N_REGRESSION_METHODS; i++)
        c->fits->fit[i].covered = share_within(c->others, &c->others->fit[i], group, judged);
    free(judged);
}

void regressions_cover(const struct point_groups *groups, struct regressions *fits)
{
    struct regressions others;
    struct covering covering = { groups, &others, fits };
    regressions_fit(groups, fits->facts, fits->statistic, SPLIT_ALTERNATE, &others);
    parallel_for(groups->n, cover_nth, &covering);
    regressions_clear(&others);
}

const char *regression_x_name(const struct regression_design *d)
{
    return d->log2_x ? "log2_procs" : "procs";
}

const char *regression_unit_name(enum regression_unit unit)
{
    static const char *const names[] = {
        [REGRESSION_NONE] = "none", [REGRESSION_SOCKETS] = "sockets", [REGRESSION_NODES] = "nodes"
    };
    return names[unit];
}

int regression_uses_log2(const char *algorithm)
{
    static const char *const trees[] = { "binary_tree", "binary", "in-order_binary", "binomial",
                                         "knomial" };
    return any_below(i, sizeof trees / sizeof *trees,
                     strcmp(algorithm_base_name(algorithm), trees[i]) == 0);
}

double regression_x(const struct regression_design *d, const struct cell *cell)
{
    return d->log2_x ? log2(cell->procs) : cell->procs;
}

static int known_sockets(const struct facts *facts)
{
    return facts->sockets > 0 && facts->cores > 0 ? facts->sockets : 1;
}

/* 1 when the i-th socket or node (from 0, node by node) holds a rank. */
static int in_use(const struct regression_design *d, const struct facts *facts,
                  const struct cell *cell, int i)
{
    const struct seating s = facts_seating(facts, cell);
    if (d->unit == REGRESSION_NODES)
        return i < cell->nodes && seat_count(&s, i) > 0;
    const int sockets = known_sockets(facts), node = i / sockets;
    return node < cell->nodes && seat_count(&s, node) > i % sockets * facts->cores;
}

unsigned regression_pattern(const struct regression_design *d, const struct facts *facts,
                            const struct cell *cell)
{
    unsigned pattern = 0;
    for (int i = 0; i < d->n_z; i++)
        if (in_use(d, facts, cell, i + 1))
            pattern |= 1u << i;
    return pattern;
}

/* What the dummies tell apart, and how many of them there could be. Returns 0 where there are too
 * many. */
static int choose_unit(struct regression_design *d, const struct facts *facts,
                       const struct cell *const *cell, size_t n)
{
    int nodes = 1;
    for (size_t i = 0; i < n; i++)
        nodes = cell[i]->nodes > nodes ? cell[i]->nodes : nodes;
    if (n == 0 || strcmp(cell[0]->mapping, "node") == 0)
        return 1;
    d->n_z = nodes * known_sockets(facts) - 1;
    d->unit = REGRESSION_SOCKETS;
    if (strcmp(cell[0]->mapping, "socket") == 0 || known_sockets(facts) == 1 ||
        d->n_z > REGRESSION_MOST) {
        d->n_z = nodes - 1;
        d->unit = REGRESSION_NODES;
    }
    if (d->n_z > 0 && d->n_z <= REGRESSION_MOST)
        return 1;
    const int too_many = d->n_z > 0;
    d->n_z = 0;
    d->unit = REGRESSION_NONE;
    return !too_many;
}

/* The different process counts at which z_(i+1) is the last of the kept dummies, and 1. */
static int own_procs(const unsigned *pattern, const struct cell *const *cell, size_t n,
                     unsigned kept, int i)
{
    int count = 0, last = -1;
    for (size_t k = 0; k < n; k++) { /* ascending P */
        if (!(pattern[k] >> i & 1) || (pattern[k] & kept) >> (i + 1) || cell[k]->procs == last)
            continue;
        last = cell[k]->procs;
        count++;
    }
    return count;
}

/* 1 when z_(i+1) is the same at all points, or the same as a kept one before it. */
static int says_nothing(const unsigned *pattern, size_t n, unsigned kept, int i)
{
    unsigned equal = kept & ((1u << i) - 1); /* kept ones that have not differed yet */
    int ones = 0;
    for (size_t k = 0; k < n; k++) {
        const unsigned z = pattern[k] >> i & 1;
        ones += (int)z;
        equal &= z ? pattern[k] : ~pattern[k];
    }
    return ones == 0 || (size_t)ones == n || equal;
}

/* Fills level and slope; returns how many dummies that say something had too few points. */
static int choose_columns(struct regression_design *d, const unsigned *pattern,
                          const struct cell *const *cell, size_t n)
{
    unsigned kept = 0;
    int poor = 0;
    for (int i = 0; i < d->n_z; i++)
        if (!says_nothing(pattern, n, kept, i))
            kept |= 1u << i;
    for (int i = d->n_z - 1; i >= 0; i--) {
        if (!(kept >> i & 1))
            continue;
        const int own = own_procs(pattern, cell, n, kept, i);
        d->level[i] = own >= REGRESSION_LEVEL_POINTS;
        d->slope[i] = own >= REGRESSION_SLOPE_POINTS;
        d->columns += (size_t)d->level[i] + d->slope[i];
        poor += !d->slope[i];
        if (!d->level[i])
            kept &= ~(1u << i);
    }
    return poor;
}

void regression_design_make(struct regression_design *d, const struct facts *facts,
                            const char *algorithm, const struct cell *const *cell, size_t n,
                            unsigned *pattern, char *reason, size_t size)
{
    *d = (struct regression_design){ .log2_x = regression_uses_log2(algorithm), .columns = 2 };
    snprintf(reason, size, "%s", "");
    if (!choose_unit(d, facts, cell, n))
        snprintf(reason, size, "too many nodes to tell apart: no dummies");
    for (size_t k = 0; k < n; k++) {
        pattern[k] = regression_pattern(d, facts, cell[k]);
        d->seen |= pattern[k];
    }
    const int poor = choose_columns(d, pattern, cell, n);
    if (poor)
        snprintf(reason, size,
                 "%d of %d dummies with fewer than %d process counts: without a slope or left out",
                 poor, d->n_z, REGRESSION_SLOPE_POINTS);
}

int regression_design_reduce(struct regression_design *d)
{
    for (int i = d->n_z - 1; i >= 0; i--) {
        unsigned char *column = d->slope[i] ? &d->slope[i] : &d->level[i];
        if (!*column)
            continue;
        *column = 0;
        d->columns--;
        return 1;
    }
    return 0;
}

void regression_row(const struct regression_design *d, const struct facts *facts,
                    const struct cell *cell, double *row)
{
    const unsigned pattern = regression_pattern(d, facts, cell);
    const double x = regression_x(d, cell);
    size_t k = 0;
    row[k++] = 1;
    row[k++] = x;
    for (int i = 0; i < d->n_z; i++) {
        const int z = pattern >> i & 1;
        if (d->level[i])
            row[k++] = z;
        if (d->slope[i])
            row[k++] = z * x;
    }
}

const char *regression_column_name(const struct regression_design *d, size_t k, char *buf,
                                   size_t size)
{
    snprintf(buf, size, "%s", k == 0 ? "intercept" : "x");
    size_t at = 2;
    for (int i = 0; i < d->n_z; i++) {
        if (d->level[i] && at++ == k)
            snprintf(buf, size, "z%d", i + 1);
        if (d->slope[i] && at++ == k)
            snprintf(buf, size, "x:z%d", i + 1);
    }
    return buf;
}
