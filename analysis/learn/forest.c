/* SPDX-License-Identifier: BSD-3-Clause */
/* forest.c - random forest (Breiman, Machine Learning 45, 2001): trees of our own, each grown on a
 * part of the rows, at each split by the best of some of the features. Rows are sorted by each
 * feature once; a split keeps the order on both sides, so that a level of a tree takes one pass
 * over the rows a feature. What is missing goes to the side where it fits better. A rival split has
 * to lessen the squares by 1e-6 at least, and a leaf weighs 1 or more; of classes a row weighs a
 * quarter of its weight, as in logistic regression at even odds, and the answer is one step of
 * Newton's from there (Friedman, Annals of Statistics 29, 2001). */
#include "analysis/learn/method.h"
#include "harness/base/rng.h"

enum { TREES = 100, QUICK_TREES = 25, DEPTH = 12 };

static const double part_of_rows = 0.632, least_gain = 1e-6, least_weight = 1;

/* Of the features, at a split; by setting. */
static const double part_of_features[] = { 0.7, 1 };

/* Above all that is known of a feature. A file of nine digits holds it; not so FLT_MAX, which is
 * rounded up. */
static const float above_all = 0x1p127F;

/* Sums over rows: weights, and weighted targets. */
struct sums {
    double weight, target;
};

/* What a forest grows from. */
struct rows {
    size_t n, k;
    int column[MOST_FEATURES]; /* of the examples */
    float *x;                  /* by feature, then row */
    struct sums *row;
    unsigned *order; /* by feature: the rows from the least on, missing ones last */
};

/* A tree that grows. */
struct growth {
    const struct rows *rows;
    struct rng *rng;
    struct trees *out;
    unsigned *order;   /* as of rows, those of this tree alone */
    size_t n;          /* how many */
    unsigned *aside;   /* room for these */
    unsigned char *no; /* by row: 1: not to the yes side */
    size_t drawn;      /* features that are drawn at a split */
    double share;      /* of a tree in the answer */
};

struct split {
    double gain;
    int feature;
    float threshold;
    int missing_no; /* 1: what is missing goes there */
};

static struct sums plus(struct sums a, struct sums b)
{
    return (struct sums){ a.weight + b.weight, a.target + b.target };
}

static struct sums minus(struct sums a, struct sums b)
{
    return (struct sums){ a.weight - b.weight, a.target - b.target };
}

/* By how much knowing the mean of these lessens their squares. */
static double explained(struct sums s)
{
    return s.target * s.target / s.weight;
}

/* *best becomes the split where it is better. */
static void compare(struct split *best, struct sums all, struct sums yes, struct split split)
{
    const struct sums no = minus(all, yes);
    if (yes.weight < least_weight || no.weight < least_weight)
        return;
    split.gain = explained(yes) + explained(no) - explained(all);
    if (split.gain > best->gain)
        *best = split;
}

/* Between two values, above the first. */
static float between(float low, float high)
{
    const float middle = low + (high - low) / 2;
    return middle > low ? middle : high;
}

/* Tries all places of a feature. */
static void try_feature(const struct growth *g, size_t from, size_t to, int feature,
                        struct sums all, struct split *best)
{
    const struct rows *r = g->rows;
    const float *x = r->x + (size_t)feature * r->n;
    const unsigned *order = g->order + (size_t)feature * g->n;
    struct sums missing = { 0, 0 }, low = { 0, 0 };
    size_t end = to;
    while (end > from && isnan(x[order[end - 1]]))
        missing = plus(missing, r->row[order[--end]]);
    for (size_t i = from; i + 1 < end; i++) {
        const float at = x[order[i]], next = x[order[i + 1]];
        low = plus(low, r->row[order[i]]);
        if (at == next)
            continue;
        const struct split s = { 0, feature, between(at, next), 0 };
        compare(best, all, plus(low, missing), s);
        if (end < to)
            compare(best, all, low, (struct split){ 0, feature, s.threshold, 1 });
    }
    if (from < end && end < to)
        compare(best, all, minus(all, missing), (struct split){ 0, feature, above_all, 1 });
}

/* The best split by some of the features; gain 0: none. */
static struct split find_split(const struct growth *g, size_t from, size_t to, struct sums all)
{
    struct split best = { .gain = least_gain, .feature = -1 };
    int feature[MOST_FEATURES];
    for (size_t k = 0; k < g->rows->k; k++)
        feature[k] = (int)k;
    for (size_t k = 0; k < g->drawn; k++) {
        const size_t other =
            g->drawn < g->rows->k ? k + (size_t)rng_below(g->rng, g->rows->k - k) : k;
        const int drawn = feature[other];
        feature[other] = feature[k];
        try_feature(g, from, to, drawn, all, &best);
    }
    return best;
}

/* Brings the rows of the yes side before the others, by every feature in order; where the others
 * begin. */
static size_t divide(const struct growth *g, size_t from, size_t to, const struct split *split)
{
    const float *x = g->rows->x + (size_t)split->feature * g->rows->n;
    size_t middle = from;
    for (size_t i = from; i < to; i++) {
        const unsigned row = g->order[i];
        g->no[row] = isnan(x[row]) ? split->missing_no != 0 : !(x[row] < split->threshold);
    }
    for (size_t k = 0; k < g->rows->k; k++) {
        unsigned *order = g->order + k * g->n;
        size_t n = 0;
        middle = from;
        for (size_t i = from; i < to; i++) {
            const unsigned row = order[i];
            const size_t no = g->no[row];
            order[middle] = row; /* one of both is overwritten by what comes next */
            g->aside[n] = row;
            middle += !no;
            n += no;
        }
        memcpy(order + middle, g->aside, n * sizeof *order);
    }
    return middle;
}

/* Grows a node and what is below it; its place. */
static int grow(const struct growth *g, size_t from, size_t to, int depth)
{
    struct trees *t = g->out;
    const int place = (int)t->n;
    struct sums all = { 0, 0 };
    for (size_t i = from; i < to; i++)
        all = plus(all, g->rows->row[g->order[i]]);
    const struct split split =
        depth < DEPTH ? find_split(g, from, to, all) : (struct split){ .feature = -1 };
    *array_add(&t->node, &t->n) =
        (struct tree_node){ .feature = -1, .value = g->share * all.target / all.weight };
    if (split.feature < 0)
        return place;
    const size_t middle = divide(g, from, to, &split);
    const int yes = grow(g, from, middle, depth + 1), no = grow(g, middle, to, depth + 1);
    t->node[place] = (struct tree_node){ .feature = g->rows->column[split.feature],
                                         .threshold = split.threshold,
                                         .yes = yes,
                                         .no = no,
                                         .missing = split.missing_no ? no : yes };
    return place;
}

/* Draws the rows of a tree; at least one. */
static void draw(struct growth *g)
{
    const struct rows *r = g->rows;
    unsigned char *in = memory_zeros(r->n, 1);
    g->n = 0;
    for (size_t i = 0; i < r->n; i++)
        g->n += in[i] = rng_unit(g->rng) < part_of_rows;
    if (!g->n)
        g->n = in[rng_below(g->rng, r->n)] = 1;
    for (size_t k = 0, n = 0; k < r->k; k++)
        for (size_t i = 0; i < r->n; i++)
            if (in[r->order[k * r->n + i]])
                g->order[n++] = r->order[k * r->n + i];
    free(in);
}

/* ---- what it grows from ---- */

/* 1 when not all examples have the same of a feature; all missing is the same. */
static int differs(const struct examples *e, size_t feature)
{
    const float first = e->x[feature];
    for (size_t i = 1; i < e->n; i++) {
        const float v = e->x[i * e->k + feature];
        if (v != first && !(isnan(v) && isnan(first)))
            return 1;
    }
    return 0;
}

struct placed {
    float value;
    unsigned row;
};

static int by_value(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (isnan(x->value) || isnan(y->value))
        return isnan(x->value) - isnan(y->value);
    return ascending(x->value, y->value);
}

static void sort_rows(struct rows *r)
{
    struct placed *placed = memory_zeros(r->n, sizeof *placed);
    for (size_t k = 0; k < r->k; k++) {
        for (size_t i = 0; i < r->n; i++)
            placed[i] = (struct placed){ r->x[k * r->n + i], (unsigned)i };
        qsort(placed, r->n, sizeof *placed, by_value);
        for (size_t i = 0; i < r->n; i++)
            r->order[k * r->n + i] = placed[i].row;
    }
    free(placed);
}

/* Takes the features that differ, and those that are drawn from in any case: others would only be
 * in the way of these. */
static void rows_make(const struct examples *e, double base, struct rows *r)
{
    *r = (struct rows){ .n = e->n };
    for (size_t k = 0; k < e->k; k++)
        if (k < e->always || differs(e, k))
            r->column[r->k++] = (int)k;
    r->x = memory_zeros(r->k * r->n + 1, sizeof *r->x);
    r->row = memory_zeros(r->n, sizeof *r->row);
    r->order = memory_zeros(r->k * r->n + 1, sizeof *r->order);
    for (size_t i = 0; i < e->n; i++) {
        const double weight = (e->weight ? e->weight[i] : 1) * (e->binary ? 0.25 : 1);
        const double target = e->binary ? 4 * (e->y[i] - 0.5) : e->y[i] - base;
        r->row[i] = (struct sums){ weight, weight * target };
        for (size_t k = 0; k < r->k; k++)
            r->x[k * r->n + i] = e->x[i * e->k + (size_t)r->column[k]];
    }
    sort_rows(r);
}

static int fit(const struct examples *e, size_t setting, uint64_t seed, struct fitted *out,
               struct err *err)
{
    const int n = e->quick ? QUICK_TREES : TREES;
    struct rows rows;
    struct rng rng;
    (void)err;
    out->trees.base = e->binary ? 0 : examples_mean(e);
    out->trees.logistic = e->binary;
    rows_make(e, out->trees.base, &rows);
    rng_init(&rng, seed);
    struct growth g = { .rows = &rows, .rng = &rng, .out = &out->trees, .share = 1.0 / n };
    g.order = memory_zeros(rows.k * rows.n + 1, sizeof *g.order);
    g.aside = memory_zeros(rows.n, sizeof *g.aside);
    g.no = memory_zeros(rows.n, 1);
    g.drawn = (size_t)fmax(1, floor(part_of_features[setting] * (double)rows.k));
    g.drawn = rows.k ? g.drawn : 0;
    for (int i = 0; i < n; i++) {
        draw(&g);
        *array_add(&out->trees.root, &out->trees.n_roots) = (int)out->trees.n;
        grow(&g, 0, g.n, 0);
    }
    memory_free(g.order, g.aside, g.no);
    memory_free(rows.x, rows.row, rows.order);
    return 0;
}

const struct method method_forest = {
    .name = "forest",
    .settings = { "100 trees, depth 12, 63.2 % of the rows, 70 % of the features at a split",
                  "100 trees, depth 12, 63.2 % of the rows, all features", NULL },
    .fit = fit,
    .predict = trees_predict,
    .save = trees_save,
    .load = trees_load,
};
