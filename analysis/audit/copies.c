/* SPDX-License-Identifier: BSD-3-Clause */
/* copies.c - numbers that were not measured where they stand: the same sequence of times
 * under two labels, times that are a constant multiple of others. */
#include "analysis/audit/series.h"

/* A run of WINDOW times that are equal to all digits is no chance where they have three digits each
 * (16 bits and more in all); with two, as at the smallest times of benchmarks that print
 * hundredths of microseconds, it may be. */
enum { WINDOW = 5, DIGITS = 15, SHOWN = 3, LEAST_RATIO = 8 };

static const double ratio_spread = 0.002, ratio_range = 4, equal_ratio = 0.002;

struct window {
    uint64_t digest;
    size_t curve, at;
};

/* Significant digits that a time was told with, of at most nine. Of a mean of few runs these are
 * not its own: 0.51, 0.51 and 0.52 have a mean of 0.5133, their sum ends where they did. */
static int digits(const struct seen *s)
{
    const size_t runs = s->m->time.launches;
    const double v = s->time_s, sum = runs > 1 ? v * (double)runs : v;
    char text[32];
    snprintf(text, sizeof text, "%.8e", sum);
    int n = 9;
    for (const char *c = text + 9; n > 1 && *c == '0'; c--)
        n--;
    return n - (int)(floor(log10(sum)) - floor(log10(v)));
}

static int by_digest(const void *left, const void *right)
{
    const struct window *a = left, *b = right;
    return by_keys(ascending(a->digest, b->digest), ascending(a->curve, b->curve));
}

static size_t find_windows(const struct audit_data *d, struct window *w)
{
    size_t n = 0;
    for (size_t k = 0; k < d->n_curves; k++) {
        const struct audit_curve *c = &d->curve[k];
        for (size_t i = 0; i + WINDOW <= c->n; i++) {
            char key[WINDOW * 48];
            size_t used = 0;
            int sum = 0;
            for (size_t j = i; j < i + WINDOW; j++) {
                sum += digits(&c->seen[j]);
                used += (size_t)snprintf(key + used, sizeof key - used, "%llu:%.9g,",
                                         (unsigned long long)c->seen[j].m->point.cell.bytes,
                                         c->seen[j].time_s);
            }
            if (sum >= DIGITS)
                w[n++] = (struct window){ fs_digest(key, used), k, i };
        }
    }
    return n;
}

/* A pair of curves with windows in common, one after the other from `at` on. */
struct twins {
    size_t a, b, windows, at;
};

static int by_curves(const void *left, const void *right)
{
    const struct twins *x = left, *y = right;
    return by_keys(ascending(x->a, y->a), ascending(x->b, y->b), ascending(x->at, y->at));
}

static const struct family *family_of(const struct audit_data *d, size_t curve)
{
    const struct audit_curve *c = &d->curve[curve];
    return &d->family[sorted_below(i, d->n_families, d->family[i].curve > c) - 1];
}

static void add_copied(struct audit_data *d, const struct twins *p)
{
    char a[128], b[128], low[32], high[32], subject[256];
    const struct audit_curve *c = &d->curve[p->a], *o = &d->curve[p->b];
    const size_t n = p->windows + WINDOW - 1;
    snprintf(subject, sizeof subject, "%.110s / %.110s",
             series_family_name(family_of(d, p->a), a, sizeof a),
             series_family_name(family_of(d, p->b), b, sizeof b));
    audit_add(
        d, AUDIT_WRONG, subject, n, (double)n,
        "the same %zu times, to all digits, at P = %d and P = %d, %s to %s (%.4g s, %.4g s ...)", n,
        c->procs, o->procs, format_bytes(c->seen[p->at].m->point.cell.bytes, low, sizeof low),
        format_bytes(c->seen[p->at + n - 1 < c->n ? p->at + n - 1 : c->n - 1].m->point.cell.bytes,
                     high, sizeof high),
        c->seen[p->at].time_s, c->seen[p->at + 1].time_s);
}

/* Pairs of neighbours among equal windows: a block that stands in many places is seen in each. */
static size_t pair_up(const struct window *w, size_t n, struct twins *pair)
{
    size_t pairs = 0;
    for (size_t i = 1; i < n; i++)
        if (w[i].digest == w[i - 1].digest && w[i].curve != w[i - 1].curve)
            pair[pairs++] = (struct twins){ w[i - 1].curve, w[i].curve, 1, w[i - 1].at };
    qsort(pair, pairs, sizeof *pair, by_curves);
    size_t kept = 0;
    for (size_t i = 0; i < pairs; i++)
        if (kept && pair[kept - 1].a == pair[i].a && pair[kept - 1].b == pair[i].b &&
            pair[kept - 1].at + pair[kept - 1].windows == pair[i].at)
            pair[kept - 1].windows++;
        else
            pair[kept++] = pair[i];
    return kept;
}

static void find_copied(struct audit_data *d)
{
    struct window *w = memory_zeros(d->n_seen + 1, sizeof *w);
    struct twins *pair = memory_zeros(d->n_seen + 1, sizeof *pair);
    const size_t n = find_windows(d, w);
    qsort(w, n, sizeof *w, by_digest);
    const size_t pairs = pair_up(w, n, pair);
    for (size_t i = 0; i < pairs; i++)
        add_copied(d, &pair[i]);
    memory_free(w, pair);
}

/* Logarithms of the ratios of b to a at the sizes that both have: least and most of them, and of
 * a's own times. */
struct spread {
    size_t n;
    double least, most, low, high;
};

static struct spread spread_of(const struct audit_curve *a, const struct audit_curve *b)
{
    struct spread s = { 0, INFINITY, -INFINITY, INFINITY, -INFINITY };
    for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
        const uint64_t x = a->seen[i].m->point.cell.bytes, y = b->seen[k].m->point.cell.bytes;
        if (x == y) {
            const double r = log(b->seen[k].time_s / a->seen[i].time_s);
            s.n++;
            s.least = fmin(s.least, r);
            s.most = fmax(s.most, r);
            s.low = fmin(s.low, a->seen[i].time_s);
            s.high = fmax(s.high, a->seen[i].time_s);
        }
        i += x <= y;
        k += y <= x;
        if (s.n > 1 && s.most - s.least > ratio_spread)
            break;
    }
    return s;
}

static void compare_curves(struct audit_data *d, size_t a, size_t b)
{
    char x[128], y[128], subject[256];
    const struct spread s = spread_of(&d->curve[a], &d->curve[b]);
    const double ratio = exp((s.least + s.most) / 2);
    if (s.n < LEAST_RATIO || s.most - s.least > ratio_spread || s.high < ratio_range * s.low ||
        fabs(ratio - 1) < equal_ratio)
        return;
    const int same = family_of(d, a) == family_of(d, b);
    snprintf(subject, sizeof subject, "%.110s / %.110s",
             series_family_name(family_of(d, a), x, sizeof x),
             series_family_name(family_of(d, b), y, sizeof y));
    audit_add(d, AUDIT_WRONG, subject, s.n, ratio,
              "at %zu sizes the times of P = %d%s are %.4g times those of P = %d%s, within %.2g %%",
              s.n, d->curve[b].procs, same ? "" : " (the second)", ratio, d->curve[a].procs,
              same ? "" : " (the first)", 100 * (s.most - s.least));
}

static void find_ratio(struct audit_data *d)
{
    for (size_t f = 0; f < d->n_families; f++) {
        const struct point *p = d->family[f].label;
        for (size_t g = f; g < d->n_families; g++) {
            const struct point *q = d->family[g].label;
            if (p->experiment != q->experiment ||
                strcmp(p->cell.collective, q->cell.collective) != 0)
                continue;
            for (size_t i = 0; i < d->family[f].n; i++)
                for (size_t k = f == g ? i + 1 : 0; k < d->family[g].n; k++)
                    compare_curves(d, (size_t)(&d->family[f].curve[i] - d->curve),
                                   (size_t)(&d->family[g].curve[k] - d->curve));
        }
    }
}

/* The same sequence of times, to all digits, under two labels or process counts. */
const struct audit_check check_copied = { .name = "copied", .run = find_copied, .of_measured = 1 };

/* Two sequences of times that differ by a constant factor alone. */
const struct audit_check check_ratio = {
    .name = "constant_ratio",
    .run = find_ratio,
    .of_measured = 1,
};
