/* SPDX-License-Identifier: BSD-3-Clause */
/* labels.c - labels that do not do what they say: two algorithms or mappings with the same times, a
 * mapping that does not behave like itself. */
#include "analysis/audit/series.h"

enum {
    LEAST_CELLS = 24,
    LEAST_PROCS = 4,
    LEAST_AT_SIZE = 6,
    LEAST_SIZES = 2,
    SMALL_BYTES = 1024,
    LEAST_OUTLIERS = 5
};

/* Same within noise: half of the ratios within 3 %, nine in ten within 10 %. */
static const double same_median = 0.03, same_most = 0.10;

/* ---- two labels ---- */

/* The logarithms of the ratios at the cells that both have. */
struct ratios {
    double *x, *sorted;
    uint64_t *bytes;
    size_t n;
};

/* Ratios of the cells of one size, or of all (UINT64_MAX): their median and 90 % quantile by size;
 * the number of them. */
static size_t sum_up(struct ratios *r, uint64_t bytes, double *median, double *most)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (bytes == UINT64_MAX || r->bytes[i] == bytes)
            r->sorted[n++] = fabs(r->x[i]);
    stats_sort(r->sorted, n);
    *median = n ? stats_quantile(r->sorted, n, 0.5) : NAN;
    *most = n ? stats_quantile(r->sorted, n, 0.9) : NAN;
    return n;
}

static void collect(const struct family *f, const struct family *g, struct ratios *r)
{
    r->n = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct audit_curve *a = &f->curve[i], *b = series_family_at(g, a->procs);
        for (size_t k = 0; b && a->procs >= LEAST_PROCS && k < a->n; k++) {
            const uint64_t bytes = a->seen[k].m->point.cell.bytes;
            const struct seen *s = series_curve_at(b, bytes);
            if (!s || s->outlier || a->seen[k].outlier)
                continue;
            r->bytes[r->n] = bytes;
            r->x[r->n++] = log(s->time_s / a->seen[k].time_s);
        }
    }
}

/* The sizes at which two labels have the same times, as a list of ranges; their number. */
static size_t same_sizes(struct ratios *r, const struct family *f, char *text, size_t size,
                         size_t *cells)
{
    char low[32], high[32];
    const struct audit_curve *c = &f->curve[f->n - 1];
    size_t n = 0, used = 0, first = 0, open = 0;
    *cells = 0;
    *text = '\0';
    for (size_t k = 0; k <= c->n; k++) {
        double median, most;
        const size_t at = k < c->n ? sum_up(r, c->seen[k].m->point.cell.bytes, &median, &most) : 0;
        const int same = at >= LEAST_AT_SIZE && median <= same_median && most <= same_most;
        if (same && !open)
            first = k;
        open = same ? open + 1 : open;
        *cells += same ? at : 0;
        if (same || !open)
            continue;
        if (open >= LEAST_SIZES && used < size)
            used += (size_t)snprintf(
                text + used, size - used, "%s%s to %s", used ? ", " : "",
                format_bytes(c->seen[first].m->point.cell.bytes, low, sizeof low),
                format_bytes(c->seen[k - 1].m->point.cell.bytes, high, sizeof high));
        n += open >= LEAST_SIZES ? open : 0;
        open = 0;
    }
    return n;
}

static void compare(struct audit_data *d, const struct family *f, const struct family *g,
                    struct ratios *r)
{
    char a[128], b[128], subject[256], sizes[200];
    double median, most;
    size_t cells;
    collect(f, g, r);
    if (sum_up(r, UINT64_MAX, &median, &most) < LEAST_CELLS)
        return;
    snprintf(subject, sizeof subject, "%.110s / %.110s", series_family_name(f, a, sizeof a),
             series_family_name(g, b, sizeof b));
    if (median <= same_median && most <= same_most) {
        audit_add(
            d, AUDIT_DOUBTFUL, subject, r->n, median,
            "the same times at all %zu cells: half of them within %.2g %%, nine in ten within "
            "%.2g %% (the label changes nothing)",
            r->n, 100 * median, 100 * most);
        return;
    }
    if (same_sizes(r, f, sizes, sizeof sizes, &cells))
        audit_add(d, AUDIT_NOTE, subject, cells, median,
                  "the same times at %s (%zu cells), elsewhere not (%.0f %% in the median of all): "
                  "one may have run instead of the other",
                  sizes, cells, 100 * median);
}

/* 1 when the labels differ in the algorithm alone, or in the mapping alone. */
static int comparable(const struct point *p, const struct point *q)
{
    const int algorithm = !candidate_equal(&p->candidate, &q->candidate);
    const int mapping = strcmp(p->cell.mapping, q->cell.mapping) != 0;
    return algorithm + mapping == 1 && strcmp(p->cell.collective, q->cell.collective) == 0 &&
           strcmp(p->cell.mpi, q->cell.mpi) == 0 && p->cell.root == q->cell.root;
}

static void find_same(struct audit_data *d)
{
    struct ratios r = { .x = memory_zeros(d->n_seen + 1, sizeof *r.x),
                        .sorted = memory_zeros(d->n_seen + 1, sizeof *r.sorted),
                        .bytes = memory_zeros(d->n_seen + 1, sizeof *r.bytes) };
    for (size_t i = 0; i < d->n_families; i++)
        for (size_t k = i + 1; k < d->n_families; k++)
            if (series_is_timing(&d->family[i]) && series_is_timing(&d->family[k]) &&
                comparable(d->family[i].label, d->family[k].label))
                compare(d, &d->family[i], &d->family[k], &r);
    memory_free(r.x, r.sorted, r.bytes);
}

/* ---- where the second node begins ---- */

/* A jump that another node would show, what two nodes cost at least, and how many standard
 * deviations of a time these are to be seen by. */
static const double a_jump = 1.3, nearly_same = 1.2, clear = 3;

/* The median, over small sizes, of the times of curve b over those of a; NaN: none in common. */
static double small_ratio(const struct audit_curve *a, const struct audit_curve *b)
{
    double x[32];
    size_t n = 0;
    for (size_t i = 0; i < a->n && n < 32; i++) {
        const uint64_t bytes = a->seen[i].m->point.cell.bytes;
        const struct seen *s = bytes <= SMALL_BYTES ? series_curve_at(b, bytes) : NULL;
        if (s && !s->outlier && !a->seen[i].outlier)
            x[n++] = s->time_s / a->seen[i].time_s;
    }
    return n ? stats_median(x, n) : NAN;
}

/* The last curve of at most `cores` processes and the first of more; 0: not both there, or far from
 * the edge. */
static int edge_of(const struct family *f, int cores, const struct audit_curve **last,
                   const struct audit_curve **first)
{
    *last = *first = NULL;
    for (size_t i = 0; i < f->n; i++)
        if (f->curve[i].procs <= cores)
            *last = &f->curve[i];
        else if (!*first)
            *first = &f->curve[i];
    return *last && *first && (*first)->procs * 4 <= (*last)->procs * 5;
}

/* What one more step of processes costs short of the edge: the mean of the four steps to it, as a
 * factor; 1 where there are not so many. */
static double usual_step(const struct family *f, const struct audit_curve *last)
{
    const size_t at = (size_t)(last - f->curve);
    const double r = at >= 4 ? small_ratio(last - 4, last) : NAN;
    return r > 0 ? pow(r, 0.25) : 1;
}

/* A mean over ranks says nothing of the few that are the first on the second node. */
static int hides_edge(const struct audit_curve *first)
{
    const struct measured *m = first->seen[0].m;
    return strcmp(m->statistic, "mean_rank") == 0 && strcmp(m->point.cell.mapping, "node") != 0;
}

/* Of one collective, library and mapping: its algorithms' jumps from one node to two. */
static void check_edge(struct audit_data *d, size_t from, size_t to, int cores)
{
    double x[64];
    size_t n = 0;
    const struct audit_curve *last, *first;
    char subject[200];
    const struct point *p = d->family[from].label;
    int low = 0, high = 0;
    for (size_t i = from; i < to && n < 64; i++) {
        if (!edge_of(&d->family[i], cores, &last, &first) || hides_edge(first))
            continue;
        const double r = small_ratio(last, first) / usual_step(&d->family[i], last);
        if (!isnan(r))
            x[n++] = r;
        low = last->procs;
        high = first->procs;
    }
    if (!n)
        return;
    double most = x[0], noise = 0;
    for (size_t i = 1; i < n; i++)
        most = fmax(most, x[i]);
    for (size_t i = from; i < to; i++)
        noise = fmax(noise, d->family[i].noise);
    const double jump = stats_median(x, n);
    const int in_turns = strcmp(p->cell.mapping, "node") == 0;
    if (log(a_jump) < clear * noise) /* one would not be seen */
        return;
    snprintf(subject, sizeof subject, "%s, %s by %s", p->cell.collective, p->cell.mpi,
             p->cell.mapping);
    if (!in_turns && most < 1.05)
        audit_add(d, AUDIT_DOUBTFUL, subject, n, most,
                  "no jump where the second node begins: P = %d takes at most %.2f times what "
                  "P = %d and the usual growth let expect up to 1 KiB, with any of %zu algorithm%s",
                  high, most, low, COUNTED(n));
    if (in_turns && jump > a_jump)
        audit_add(d, AUDIT_DOUBTFUL, subject, n, jump,
                  "a jump by %.2f, beyond the usual growth, from P = %d to P = %d, though ranks "
                  "take nodes in turns",
                  jump, low, high);
}

/* Two ranks on two nodes against two on one, of one algorithm. */
static void check_two(struct audit_data *d, const struct family *core, const struct family *node)
{
    char name[256];
    const struct audit_curve *a = series_family_at(core, 2), *b = series_family_at(node, 2);
    const double r = a && b ? small_ratio(a, b) : NAN;
    if (r < nearly_same && log(nearly_same / r) > clear * fmax(core->noise, node->noise))
        audit_add(d, AUDIT_DOUBTFUL, series_family_name(node, name, sizeof name), b->n, r,
                  "two ranks, one per node, take %.2f times what two on one node take, up to 1 KiB",
                  r);
}

static int same_but_algorithm(const struct point *p, const struct point *q)
{
    return p->experiment == q->experiment && strcmp(p->cell.collective, q->cell.collective) == 0 &&
           strcmp(p->cell.mpi, q->cell.mpi) == 0 && strcmp(p->cell.mapping, q->cell.mapping) == 0;
}

static void find_nodes(struct audit_data *d)
{
    const int cores = d->facts->sockets * d->facts->cores;
    for (size_t from = 0, to; from < d->n_families; from = to) {
        for (to = from + 1;
             to < d->n_families && same_but_algorithm(d->family[from].label, d->family[to].label);)
            to++;
        if (series_is_timing(&d->family[from]) && cores > 0 && d->facts->nodes > 1)
            check_edge(d, from, to, cores);
    }
    for (size_t i = 0; i < d->n_families; i++)
        for (size_t k = i + 1; k < d->n_families; k++) {
            const struct point *p = d->family[i].label, *q = d->family[k].label;
            if (series_is_timing(&d->family[i]) && comparable(p, q) && d->facts->nodes > 1 &&
                strcmp(p->cell.mapping, "core") == 0 && strcmp(q->cell.mapping, "node") == 0)
                check_two(d, &d->family[i], &d->family[k]);
        }
}

/* ---- outliers by mapping ---- */

struct tally {
    const char *mapping;
    size_t n, outliers;
};

static double share(const struct tally *t)
{
    return (double)t->outliers / (double)t->n;
}

static size_t tally_outliers(const struct audit_data *d, struct tally *t, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_seen; i++) {
        const struct point *p = &d->seen[i].m->point;
        size_t k = 0;
        if (p->experiment != EXP_TIME)
            continue;
        while (k < n && strcmp(t[k].mapping, p->cell.mapping) != 0)
            k++;
        if (k == most)
            continue;
        if (k == n)
            t[n++] = (struct tally){ p->cell.mapping, 0, 0 };
        t[k].n++;
        t[k].outliers += (size_t)d->seen[i].outlier;
    }
    return n;
}

static void find_binding(struct audit_data *d)
{
    struct tally t[8];
    const size_t n = tally_outliers(d, t, 8);
    double least = 1;
    char subject[128];
    for (size_t k = 0; k < n; k++)
        least = fmin(least, share(&t[k]));
    for (size_t k = 0; n > 1 && k < n; k++) {
        if (t[k].outliers < LEAST_OUTLIERS || share(&t[k]) < 0.01 || share(&t[k]) < 4 * least)
            continue;
        snprintf(subject, sizeof subject, "mapping by %.64s", t[k].mapping);
        audit_add(
            d, AUDIT_DOUBTFUL, subject, t[k].outliers, share(&t[k]),
            "%.1f %% of its points are isolated outliers, of another mapping's %.2f %%: ranks "
            "may not be bound to cores, or share them",
            100 * share(&t[k]), 100 * least);
    }
}

/* Two algorithms, or two mappings, with the same times within noise. */
const struct audit_check check_same = { .name = "same_times", .run = find_same, .of_measured = 1 };

/* A mapping that does not behave like itself where nodes begin. */
const struct audit_check check_nodes = { .name = "mapping", .run = find_nodes };

/* A mapping with many more outliers than another. */
const struct audit_check check_binding = { .name = "binding", .run = find_binding };
