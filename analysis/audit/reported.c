/* SPDX-License-Identifier: BSD-3-Clause */
/* reported.c - rows as others told them: numbers that cannot be, came again, or are right and
 * mislead (means that a few calls make, means over ranks that hide the slowest one, a default that
 * uses what nobody measured by name). */
#include "analysis/audit/series.h"
#include "harness/study/imported_rows.h"

static const double tail_factor = 10, hidden = 0.5, lead = 0.05, share_of_cells = 0.30;

enum { LEAST_CELLS = 10, LEAST_FORCED = 2 };

/* Calls take for each row; 0, also where there is no imported.csv, or -1 with d->failed. */
static int each_row(struct audit_data *d, int (*take)(const struct imported *row, void *state),
                    void *state)
{
    char path[PATH_SIZE];
    struct schema_reader in;
    struct imported row;
    int got;
    if (!d->dir || !d->facts->imported ||
        fs_path(path, sizeof path, NULL, "%s/%s", d->dir, imported_schema.path) < 0 ||
        !fs_exists(path))
        return 0;
    if ((d->failed = schema_open(&in, &imported_schema, path, &d->err) < 0))
        return -1;
    while ((got = schema_next(&in, &row, &d->err)) == 1)
        if (take(&row, state) < 0)
            break;
    schema_close(&in);
    d->failed = got != 0;
    return d->failed ? -1 : 0;
}

/* Where a row stood: "bcast_core.csv:12". */
struct place {
    char text[160];
};

static struct place place_of(const struct imported *row)
{
    struct place p;
    const char *slash = strrchr(row->source, '/');
    snprintf(p.text, sizeof p.text, "%.120s:%llu", slash ? slash + 1 : row->source,
             (unsigned long long)row->line);
    return p;
}

struct tail {
    size_t told, long_ones; /* rows with a median and a percentile */
    double factor, median_s, high_s;
    struct place place; /* of the worst */
};

static int look_at_tail(const struct imported *row, void *state)
{
    struct tail *t = state;
    const double median = row->median_s, p95 = row->p95_s;
    if (row->status != ROW_OK || !(median > 0) || !(p95 > 0))
        return 0;
    t->told++;
    t->long_ones += p95 >= tail_factor * median;
    if (p95 < tail_factor * median || p95 / median <= t->factor)
        return 0;
    t->factor = p95 / median;
    t->median_s = median;
    t->high_s = p95;
    t->place = place_of(row);
    return 0;
}

static void find_tails(struct audit_data *d)
{
    struct tail t = { .factor = 0 };
    if (each_row(d, look_at_tail, &t) == 0 && t.long_ones)
        audit_add(d, t.long_ones * 100 > t.told ? AUDIT_DOUBTFUL : AUDIT_NOTE, "imported rows",
                  t.long_ones, t.factor,
                  "in %zu of %zu row%s with percentiles the 95th is %.0f times the median or more, "
                  "so that few calls make the mean; the most, %s: %.3g s of %.3g s",
                  t.long_ones, COUNTED(t.told), tail_factor, t.place.text, t.high_s, t.median_s);
}

struct fate {
    size_t n, repeated, aside;
};

static int count_fate(const struct imported *row, void *state)
{
    struct fate *f = state;
    f->n++;
    f->repeated += row->status == ROW_REPEATED;
    f->aside += row->status == ROW_SET_ASIDE;
    return 0;
}

static void find_repeated(struct audit_data *d)
{
    struct fate f = { .n = 0 };
    if (each_row(d, count_fate, &f) < 0)
        return;
    if (f.repeated)
        audit_add(d, f.repeated * 10 > f.n ? AUDIT_DOUBTFUL : AUDIT_NOTE, "imported rows",
                  f.repeated, (double)f.repeated / (double)f.n,
                  "%zu of %zu row%s came before, in the same file or as a whole file (runs joined "
                  "twice?); %s once",
                  f.repeated, COUNTED(f.n), of_number(f.repeated, "it counts", "they count"));
    if (f.aside)
        audit_add(d, f.aside * 10 > f.n ? AUDIT_DOUBTFUL : AUDIT_NOTE, "imported rows", f.aside,
                  (double)f.aside / (double)f.n,
                  "%zu of %zu row%s %s set aside (imported.csv has why)", f.aside, COUNTED(f.n),
                  of_number(f.aside, "was", "were"));
}

struct means {
    size_t told, below, above;
    double worst; /* a bound over the mean, or the mean over one */
    double min_s, mean_s, max_s;
    int procs;
    struct place place;
};

/* What the last digit of a number that others printed is worth; trailing zeros are not known. */
static double last_digit(double v)
{
    char text[32];
    snprintf(text, sizeof text, "%.8e", v);
    int place = 8;
    while (place > 0 && text[1 + place] == '0')
        place--;
    return pow(10, strtod(strchr(text, 'e') + 1, NULL) - place);
}

/* The slowest rank and P - 1 others, none below the fastest, have a mean of (max + (P - 1) min) / P
 * or more; likewise from above. Numbers are rounded. */
static int look_at_mean(const struct imported *row, void *state)
{
    struct means *m = state;
    const double max = row->max_s, mean = row->mean_s, p = row->point.cell.procs;
    const double told_min = row->min_s, min = isnan(told_min) ? 0 : told_min;
    if (row->status != ROW_OK || row->point.experiment == EXP_PINGPONG || !(max > 0) ||
        !(mean > 0) || !(p > 1))
        return 0;
    const double low = (max + (p - 1) * min) / p, high = ((p - 1) * max + min) / p;
    const double unit =
        fmin(last_digit(mean), fmin(last_digit(max), min > 0 ? last_digit(min) : 1));
    const int below = mean < low - unit, above = !isnan(told_min) && mean > high + unit;
    m->told++;
    m->below += (size_t)below;
    m->above += (size_t)above;
    const double factor = below ? low / mean : above ? mean / high : 0;
    if (factor <= m->worst)
        return 0;
    *m = (struct means){
        m->told, m->below, m->above, factor, min, mean, max, (int)p, place_of(row)
    };
    return 0;
}

static void find_means(struct audit_data *d)
{
    struct means m = { .worst = 0 };
    if (each_row(d, look_at_mean, &m) < 0 || !(m.below + m.above))
        return;
    audit_add(
        d, AUDIT_WRONG, "imported rows", m.below + m.above, m.worst,
        "in %zu of %zu row%s the mean over ranks is below (max + (P - 1) min) / P, in %zu above "
        "((P - 1) max + min) / P, which no P times have; the farthest, %s, P = %d: min %.4g s, "
        "mean %.4g s, max %.4g s, %.3g times beyond",
        m.below, COUNTED(m.told), m.above, m.place.text, m.procs, m.min_s, m.mean_s, m.max_s,
        m.worst);
}

/* Mean over ranks by the slowest rank's time, of points of three ranks and more, into x. */
static size_t ratios(const struct family *f, double *x)
{
    size_t n = 0;
    for (size_t c = 0; c < f->n; c++)
        for (size_t i = 0; f->curve[c].procs > 2 && i < f->curve[c].n; i++) {
            const struct measured *m = f->curve[c].seen[i].m;
            if (strcmp(m->statistic, "max_rank") == 0 && m->mean_rank_s > 0)
                x[n++] = m->mean_rank_s / m->time.value;
        }
    return n;
}

static void find_means_alone(struct audit_data *d)
{
    size_t n = 0, all = 0;
    for (size_t i = 0; i < d->n_seen; i++) {
        const struct measured *m = d->seen[i].m;
        if (m->point.experiment != EXP_TIME || m->point.cell.procs < 3)
            continue;
        all++;
        n += strcmp(m->statistic, "mean_rank") == 0;
    }
    if (n)
        audit_add(
            d, AUDIT_NOTE, "times of collectives", n, (double)n / (double)all,
            "of %zu of %zu point%s only the mean over ranks is reported; a program waits for the "
            "slowest, and ranks that leave early (root of a broadcast, leaves of a reduction) "
            "lower the mean",
            n, COUNTED(all));
}

static void find_hidden(struct audit_data *d)
{
    char name[256];
    double *x = memory_zeros(d->n_seen + 1, sizeof *x);
    for (size_t i = 0; i < d->n_families; i++) {
        const size_t n = series_is_timing(&d->family[i]) ? ratios(&d->family[i], x) : 0;
        const double median = n >= LEAST_CELLS ? stats_median(x, n) : 1;
        if (median < hidden)
            audit_add(d, AUDIT_NOTE, series_family_name(&d->family[i], name, sizeof name), n,
                      median,
                      "the mean over ranks is %.2f of the slowest rank's time in the median: most "
                      "ranks leave early, and means rank algorithms otherwise than completion does",
                      median);
    }
    free(x);
    find_means_alone(d);
}

static int same_but_algorithm(const struct point *p, const struct point *q)
{
    return p->experiment == q->experiment && p->cell.root == q->cell.root &&
           strcmp(p->cell.collective, q->cell.collective) == 0 &&
           strcmp(p->cell.mpi, q->cell.mpi) == 0 && strcmp(p->cell.mapping, q->cell.mapping) == 0;
}

/* The best time of the other algorithms of the cell; 0: fewer than two were measured. */
static double best_forced(const struct audit_data *d, const struct family *of, int procs,
                          uint64_t bytes)
{
    double best = INFINITY;
    size_t n = 0;
    for (size_t i = 0; i < d->n_families; i++) {
        const struct family *f = &d->family[i];
        if (f == of || !same_but_algorithm(f->label, of->label))
            continue;
        const struct audit_curve *c = series_family_at(f, procs);
        const struct seen *s = c ? series_curve_at(c, bytes) : NULL;
        if (!s)
            continue;
        best = fmin(best, s->time_s);
        n++;
    }
    return n < LEAST_FORCED ? 0 : best;
}

static void check_default(struct audit_data *d, const struct family *f, double *x)
{
    char name[256];
    size_t cells = 0, ahead = 0;
    for (size_t c = 0; c < f->n; c++)
        for (size_t i = 0; i < f->curve[c].n; i++) {
            const struct seen *s = &f->curve[c].seen[i];
            const double best = best_forced(d, f, f->curve[c].procs, s->m->point.cell.bytes);
            cells += best > 0;
            if (best > 0 && s->time_s < (1 - lead) * best)
                x[ahead++] = s->time_s / best;
        }
    if (cells < LEAST_CELLS || (double)ahead < share_of_cells * (double)cells)
        return;
    audit_add(d, AUDIT_NOTE, series_family_name(f, name, sizeof name), ahead,
              stats_median(x, ahead),
              "in %zu of %zu cells it is faster than every algorithm that was measured by name, by "
              "%.0f %% or more: it uses another one, or other segments, and the best is unknown "
              "without it",
              ahead, cells, 100 * lead);
}

static void find_default(struct audit_data *d)
{
    double *x = memory_zeros(d->n_seen + 1, sizeof *x);
    for (size_t i = 0; i < d->n_families; i++)
        if (series_is_timing(&d->family[i]) &&
            algorithm_is_default(d->family[i].label->candidate.algorithm))
            check_default(d, &d->family[i], x);
    free(x);
}

/* Rows that came again, or were set aside, when the data was imported. */
const struct audit_check check_repeated = { .name = "repeated", .run = find_repeated };

/* Means over ranks that are outside what minimum and maximum allow. */
const struct audit_check check_means = { .name = "means", .run = find_means };

/* Rows whose 95th percentile is ten times the median or more. */
const struct audit_check check_tails = { .name = "tails", .run = find_tails };

/* Means over ranks that hide the slowest rank. */
const struct audit_check check_ranks = { .name = "ranks", .run = find_hidden };

/* A default that is faster than all that was measured by name. */
const struct audit_check check_unnamed = { .name = "unnamed", .run = find_default };
