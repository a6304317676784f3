/* SPDX-License-Identifier: BSD-3-Clause */
/* audit_told.c - numbers that are right and mislead: means that a few calls make, means over ranks
 * that hide the slowest one, a default that uses what nobody measured by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/audit/series.h"
#include "analysis/measure/stats.h"
#include "harness/base/csv.h"
#include "harness/base/fs.h"

static const double tail_factor = 10, hidden = 0.5, lead = 0.05, share_of_cells = 0.30;

enum { LEAST_CELLS = 10, LEAST_FORCED = 2 };

/* ---- calls far beyond the median ---- */

struct tail {
    size_t told, long_ones, line; /* rows with a median and a percentile; the worst one's line */
    double factor, median_s, high_s;
    char source[128];
};

static void look_at_tail(const struct csv *csv, struct tail *t)
{
    double median = NAN, p95 = NAN;
    uint64_t line = 0;
    csv_f64(csv, csv_column(csv, "median_s"), &median, NULL);
    csv_f64(csv, csv_column(csv, "p95_s"), &p95, NULL);
    if (!(median > 0) || !(p95 > 0))
        return;
    t->told++;
    if (p95 < tail_factor * median)
        return;
    t->long_ones++;
    if (p95 / median <= t->factor)
        return;
    const char *source = csv_text(csv, csv_column(csv, "source")), *slash = strrchr(source, '/');
    csv_u64(csv, csv_column(csv, "line"), &line, NULL);
    t->factor = p95 / median;
    t->median_s = median;
    t->high_s = p95;
    t->line = (size_t)line;
    snprintf(t->source, sizeof t->source, "%s", slash ? slash + 1 : source);
}

static void find_tails(struct audit_data *d)
{
    static const char *const columns[] = { "source", "line", "status", "median_s", "p95_s", NULL };
    struct tail t = { .factor = 0 };
    char path[PATH_SIZE];
    int got = 0;
    if (!d->dir || !d->facts->imported ||
        fs_path(path, sizeof path, NULL, "%s/imported.csv", d->dir) < 0 || !fs_exists(path))
        return;
    struct csv *csv = csv_open(path, columns, &d->err);
    const int status = csv ? csv_column(csv, "status") : -1;
    while (csv && (got = csv_next(csv, &d->err)) == 1)
        if (strcmp(csv_text(csv, status), "ok") == 0)
            look_at_tail(csv, &t);
    d->failed = !csv || csv_end(csv, got, &d->err) < 0;
    csv_close(csv);
    if (t.long_ones)
        audit_add(d, t.long_ones * 100 > t.told ? AUDIT_DOUBTFUL : AUDIT_NOTE, "imported rows",
                  t.long_ones, t.factor,
                  "in %zu of %zu rows with percentiles the 95th is %.0f times the median or more, "
                  "so that few calls make the mean; the most, %s:%zu: %.3g s of %.3g s",
                  t.long_ones, t.told, tail_factor, t.source, t.line, t.high_s, t.median_s);
}

/* ---- means over ranks ---- */

/* Mean over ranks by the slowest rank's time, of points of three ranks and more, into x. */
static size_t ratios(const struct family *f, double *x)
{
    size_t n = 0;
    for (size_t c = 0; c < f->n; c++)
        for (size_t i = 0; f->curve[c].procs > 2 && i < f->curve[c].n; i++) {
            const struct measured *m = f->curve[c].seen[i].m;
            if (strcmp(m->statistic, "max_rank") == 0 && m->mean_rank_s > 0)
                x[n++] = m->mean_rank_s / m->time.mean;
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
            "of %zu of %zu points only the mean over ranks is told; a program waits for the "
            "slowest, and ranks that leave early (root of a broadcast, leaves of a reduction) "
            "lower the mean",
            n, all);
}

static void find_hidden(struct audit_data *d)
{
    char name[256];
    double *x = malloc((d->n_seen + 1) * sizeof *x);
    d->failed = !x;
    for (size_t i = 0; x && i < d->n_families; i++) {
        const size_t n = is_timing(&d->family[i]) ? ratios(&d->family[i], x) : 0;
        const double median = n >= LEAST_CELLS ? stats_median(x, n) : 1;
        if (median < hidden)
            audit_add(d, AUDIT_NOTE, family_name(&d->family[i], name, sizeof name), n, median,
                      "the mean over ranks is %.2f of the slowest rank's time in the median: most "
                      "ranks leave early, and means rank algorithms otherwise than completion does",
                      median);
    }
    free(x);
    if (!d->failed)
        find_means_alone(d);
}

/* ---- a default that beats all ---- */

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
        const struct curve *c = family_at(f, procs);
        const struct seen *s = c ? curve_at(c, bytes) : NULL;
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
    audit_add(d, AUDIT_NOTE, family_name(f, name, sizeof name), ahead, stats_median(x, ahead),
              "in %zu of %zu cells it is faster than every algorithm that was measured by name, by "
              "%.0f %% or more: it uses another one, or other segments, and the best is unknown "
              "without it",
              ahead, cells, 100 * lead);
}

static void find_default(struct audit_data *d)
{
    double *x = malloc((d->n_seen + 1) * sizeof *x);
    d->failed = !x;
    for (size_t i = 0; x && i < d->n_families; i++)
        if (is_timing(&d->family[i]) &&
            algorithm_is_default(d->family[i].label->candidate.algorithm))
            check_default(d, &d->family[i], x);
    free(x);
}

/* Rows whose 95th percentile is ten times the median or more. */
const struct audit_check check_tails = {
    .name = "tails",
    .run = find_tails,
};

/* Means over ranks that hide the slowest rank. */
const struct audit_check check_ranks = {
    .name = "ranks",
    .run = find_hidden,
};

/* A default that is faster than all that was measured by name. */
const struct audit_check check_unnamed = {
    .name = "unnamed",
    .run = find_default,
};
