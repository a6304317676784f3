/* SPDX-License-Identifier: BSD-3-Clause */
/* knn.c - nearest neighbours on one scale: their mean, weighed by 1 / (0.01 + distance^2), or the
 * plane through them (local linear regression, weighed by Cleveland's tricube; ridge where they lie
 * on a line), which goes on beyond the last of them. */
#include "analysis/learn/method.h"

enum { MOST_NEIGHBOURS = 32 };

static const struct {
    int neighbours, linear;
} settings[] = { { 1, 0 }, { 4, 0 }, { 8, 0 }, { 8, 1 }, { 16, 1 }, { 32, 1 } };

static int fit(const struct examples *e, size_t setting, uint64_t seed, struct fitted *out,
               struct err *err)
{
    struct stored *s = &out->stored;
    (void)seed;
    (void)err;
    scaling_make(e, &s->scaling);
    s->n = e->n;
    s->x = memory_zeros(e->n * e->k, sizeof *s->x);
    s->y = memory_zeros(e->n, sizeof *s->y);
    s->weight = memory_zeros(e->n, sizeof *s->weight);
    for (size_t i = 0; i < e->n; i++) {
        scaling_apply(&s->scaling, e->x + i * e->k, e->k, s->x + i * e->k);
        s->y[i] = e->y[i];
        s->weight[i] = e->weight ? e->weight[i] : 1;
    }
    s->neighbours = settings[setting].neighbours;
    s->linear = settings[setting].linear && !e->binary;
    return 0;
}

struct neighbour {
    double squares; /* of the distance */
    size_t row;
};

/* The nearest rows, by distance, then by their order. Returns how many. */
static size_t find(const struct fitted *f, const double *at, struct neighbour *near)
{
    const struct stored *s = &f->stored;
    const size_t most = s->neighbours < 1                 ? 1
                        : s->neighbours > MOST_NEIGHBOURS ? MOST_NEIGHBOURS
                                                          : (size_t)s->neighbours;
    size_t n = 0, feature[MOST_FEATURES], features = 0; /* that are not the same in all rows */
    for (size_t k = 0; k < f->k; k++)
        if (s->scaling.width[k] > 0)
            feature[features++] = k;
    for (size_t i = 0; i < s->n; i++) {
        const double *x = s->x + i * f->k;
        double squares = 0;
        for (size_t k = 0; k < features; k++)
            squares += (at[feature[k]] - x[feature[k]]) * (at[feature[k]] - x[feature[k]]);
        if (n == most && squares >= near[n - 1].squares)
            continue;
        size_t place = n < most ? n++ : n - 1;
        for (; place > 0 && near[place - 1].squares > squares; place--)
            near[place] = near[place - 1];
        near[place] = (struct neighbour){ squares, i };
    }
    return n;
}

static double mean_of(const struct stored *s, const struct neighbour *near, size_t n)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < n; i++) {
        const double w = s->weight[near[i].row] / (0.01 + near[i].squares);
        sum += w * s->y[near[i].row];
        weights += w;
    }
    return sum / weights;
}

/* Solves the k equations a x = b by Gauss, a symmetric and positive definite. */
static void solve(double *a, double *b, size_t k)
{
    for (size_t i = 0; i < k; i++)
        for (size_t r = i + 1; r < k; r++) {
            const double f = a[r * k + i] / a[i * k + i];
            for (size_t c = i; c < k; c++)
                a[r * k + c] -= f * a[i * k + c];
            b[r] -= f * b[i];
        }
    for (size_t i = k; i-- > 0;) {
        for (size_t c = i + 1; c < k; c++)
            b[i] -= a[i * k + c] * b[c];
        b[i] /= a[i * k + i];
    }
}

/* The plane of weighed least squares through the neighbours, at `at`: with coordinates from there
 * its constant. The slopes are held back by a little ridge, the constant is not. */
static double plane_of(const struct fitted *f, const double *at, const struct neighbour *near,
                       size_t n)
{
    enum { WIDE = MOST_FEATURES + 1 };
    const struct stored *s = &f->stored;
    const size_t wide = f->k + 1;
    double a[WIDE * WIDE] = { 0 }, b[WIDE] = { 0 };
    const double far = sqrt(near[n - 1].squares) * 1.1 + 1e-9;
    for (size_t i = 0; i < n; i++) {
        const double *x = s->x + near[i].row * f->k;
        const double w =
            s->weight[near[i].row] * pow(1 - pow(sqrt(near[i].squares) / far, 3), 3) + 1e-6;
        double row[WIDE] = { 1 };
        for (size_t k = 0; k < f->k; k++)
            row[k + 1] = x[k] - at[k];
        for (size_t r = 0; r < wide; r++) {
            b[r] += w * row[r] * s->y[near[i].row];
            for (size_t c = 0; c < wide; c++)
                a[r * wide + c] += w * row[r] * row[c];
        }
    }
    for (size_t r = 1; r < wide; r++)
        a[r * wide + r] += 1e-3 * a[0] * far * far + 1e-12;
    solve(a, b, wide);
    return b[0];
}

static double predict(const struct fitted *fitted, const float *x)
{
    double at[MOST_FEATURES];
    struct neighbour near[MOST_NEIGHBOURS];
    scaling_apply(&fitted->stored.scaling, x, fitted->k, at);
    const size_t n = find(fitted, at, near);
    return fitted->stored.linear && n > 2 ? plane_of(fitted, at, near, n)
                                          : mean_of(&fitted->stored, near, n);
}

const struct method method_knn = {
    .name = "knn",
    .by_distance = 1,
    .settings = { "the nearest", "4 neighbours", "8 neighbours", "plane through 8 neighbours",
                  "plane through 16 neighbours", "plane through 32 neighbours", NULL },
    .fit = fit,
    .predict = predict,
    .save = stored_save,
    .load = stored_load,
};
