/* SPDX-License-Identifier: BSD-3-Clause */
/* boosted.c - random forest and gradient boosting, trained by XGBoost's C API, kept as trees of our
 * own (trees.c). A forest is one round of many trees, each on a part of the rows and, at each
 * split, of the features (XGBoost's documentation, "Random Forests in XGBoost"). */
#include <limits.h>
#include <math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xgboost/c_api.h>

#include "analysis/learn/method.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"

/* Settings as XGBoost takes them. */
struct setting {
    int rounds;
    const char *pairs[16]; /* name, value, ...; NULL-terminated */
};

#define FOREST(depth, share)                                                                       \
    {                                                                                              \
        1,                                                                                         \
        {                                                                                          \
            "num_parallel_tree", "100", "max_depth", depth, "eta", "1", "subsample", "0.632",      \
                "colsample_bynode", share, "lambda", "0", "min_child_weight", "1", NULL            \
        }                                                                                          \
    }
#define BOOSTING(depth, rounds, eta)                                                               \
    {                                                                                              \
        rounds,                                                                                    \
        {                                                                                          \
            "max_depth", depth, "eta", eta, "subsample", "0.8", "lambda", "1", "min_child_weight", \
                "1", NULL                                                                          \
        }                                                                                          \
    }

static const struct setting forest_settings[] = { FOREST("12", "0.7"), FOREST("12", "1") };
static const struct setting boosting_settings[] = { BOOSTING("3", 100, "0.1"),
                                                    BOOSTING("6", 100, "0.1"),
                                                    BOOSTING("2", 300, "0.1") };

/* ---- from XGBoost's text to our nodes ---- */

/* A line of the text of a tree: "ID:leaf=VALUE" or "ID:[fN<THRESHOLD] yes=ID,no=ID,missing=ID". */
struct line {
    long id;
    struct tree_node node; /* children by id */
};

/* A number behind the text that must stand there; *at moves on. */
static int take_long(const char **at, const char *before, long *value)
{
    char *end;
    const size_t len = strlen(before);
    if (strncmp(*at, before, len) != 0)
        return -1;
    *value = strtol(*at + len, &end, 10);
    const int none = end == *at + len;
    *at = end;
    return none || *value < 0 || *value > INT_MAX ? -1 : 0;
}

static int take_real(const char **at, const char *before, double *value)
{
    char *end;
    const size_t len = strlen(before);
    if (strncmp(*at, before, len) != 0)
        return -1;
    *value = strtod(*at + len, &end);
    const int none = end == *at + len;
    *at = end;
    return none ? -1 : 0;
}

static int take_line(const char *at, struct line *out)
{
    long feature, yes, no, missing;
    double threshold;
    at += strspn(at, "\t ");
    *out = (struct line){ .node = { .feature = -1 } };
    if (take_long(&at, "", &out->id) < 0)
        return -1;
    if (take_real(&at, ":leaf=", &out->node.value) == 0)
        return 0;
    if (take_long(&at, ":[f", &feature) < 0 || take_real(&at, "<", &threshold) < 0 ||
        take_long(&at, "] yes=", &yes) < 0 || take_long(&at, ",no=", &no) < 0 ||
        take_long(&at, ",missing=", &missing) < 0 || feature >= MOST_FEATURES)
        return -1;
    out->node = (struct tree_node){ .feature = (int)feature,
                                    .threshold = (float)threshold,
                                    .yes = (int)yes,
                                    .no = (int)no,
                                    .missing = (int)missing };
    return 0;
}

/* Adds the nodes of a text; place has room for n ids. Lines are in the order of a walk from the
 * root, children behind their parent. */
static int take_lines(const char *text, struct trees *t, int *place, size_t n)
{
    const size_t first = t->n;
    while (*text) {
        struct line line;
        if (take_line(text, &line) < 0 || (size_t)line.id >= n)
            return -1;
        place[line.id] = (int)t->n;
        *array_add(&t->node, &t->n) = line.node;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    for (size_t i = first; i < t->n; i++) {
        struct tree_node *node = &t->node[i];
        if (node->feature < 0)
            continue;
        if ((size_t)node->yes >= n || (size_t)node->no >= n || (size_t)node->missing >= n)
            return -1;
        node->yes = place[node->yes];
        node->no = place[node->no];
        node->missing = place[node->missing];
    }
    return 0;
}

/* Ids are dense below twice the lines and more: no id is larger than the text is long. */
static int add_tree(const char *text, struct trees *t, struct err *err)
{
    const size_t n = strlen(text) + 1;
    int *place = memory_zeros(n, sizeof *place);
    *array_add(&t->root, &t->n_roots) = (int)t->n;
    const int status = take_lines(text, t, place, n);
    free(place);
    return status < 0 ? err_set(err, "XGBoost's tree is not as we know it: %.100s", text) : 0;
}

static int take_trees(BoosterHandle booster, struct trees *t, struct err *err)
{
    bst_ulong n;
    const char **text;
    if (XGBoosterDumpModelEx(booster, "", 0, "text", &n, &text) != 0)
        return err_set(err, "XGBoost: %.300s", XGBGetLastError());
    for (bst_ulong i = 0; i < n; i++)
        if (add_tree(text[i], t, err) < 0)
            return -1;
    return 0;
}

/* ---- training ---- */

static int set_floats(DMatrixHandle rows, const char *name, const double *value, double minus,
                      size_t n)
{
    float *f = memory_zeros(n, sizeof *f);
    for (size_t i = 0; i < n; i++)
        f[i] = (float)(value[i] - minus);
    const int status = XGDMatrixSetFloatInfo(rows, name, f, n);
    free(f);
    return status;
}

static int set_parameters(BoosterHandle b, const struct examples *e, const struct setting *s,
                          uint64_t seed)
{
    char text[32];
    int failed = 0;
    snprintf(text, sizeof text, "%u", (unsigned)(seed % 2147483647));
    failed |= XGBoosterSetParam(b, "seed", text);
    failed |= XGBoosterSetParam(b, "nthread", "1");
    failed |= XGBoosterSetParam(b, "verbosity", "0");
    failed |= XGBoosterSetParam(b, "tree_method", e->n > 20000 ? "hist" : "exact");
    failed |= XGBoosterSetParam(b, "base_score", e->binary ? "0.5" : "0");
    failed |= XGBoosterSetParam(b, "objective", e->binary ? "binary:logistic" : "reg:squarederror");
    for (const char *const *p = s->pairs; *p && !failed; p += 2)
        failed |= XGBoosterSetParam(b, p[0], p[1]);
    if (e->quick && s->rounds == 1)
        failed |= XGBoosterSetParam(b, "num_parallel_tree", "25");
    return failed;
}

static double mean_of(const struct examples *e)
{
    double sum = 0;
    for (size_t i = 0; i < e->n; i++)
        sum += e->y[i];
    return sum / (double)e->n;
}

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

/* The features that are offered: where a forest draws among features, those that no split can use
 * would only be in the way. */
static float *offer(const struct examples *e, int *column, size_t *n)
{
    *n = 0;
    for (size_t k = 0; k < e->k; k++)
        if (k < e->always || differs(e, k))
            column[(*n)++] = (int)k;
    *n = *n ? *n : 1; /* none differs: one stands for all */
    float *x = memory_zeros(e->n * *n, sizeof *x);
    for (size_t i = 0; i < e->n; i++)
        for (size_t k = 0; k < *n; k++)
            x[i * *n + k] = e->x[i * e->k + (size_t)column[k]];
    return x;
}

static int train(const struct examples *e, const struct setting *s, uint64_t seed,
                 struct trees *out, struct err *err)
{
    DMatrixHandle rows = NULL;
    BoosterHandle booster = NULL;
    int column[MOST_FEATURES] = { 0 };
    size_t n;
    float *x = offer(e, column, &n);
    out->base = e->binary ? 0 : mean_of(e);
    out->logistic = e->binary;
    int failed = XGDMatrixCreateFromMat(x, e->n, n, NAN, &rows) != 0 ||
                 set_floats(rows, "label", e->y, out->base, e->n) != 0 ||
                 (e->weight && set_floats(rows, "weight", e->weight, 0, e->n) != 0) ||
                 XGBoosterCreate(&rows, 1, &booster) != 0 ||
                 set_parameters(booster, e, s, seed) != 0;
    for (int i = 0; i < s->rounds && !failed; i++)
        failed = XGBoosterUpdateOneIter(booster, i, rows) != 0;
    int status = failed ? err_set(err, "XGBoost: %.300s", XGBGetLastError()) : 0;
    free(x);
    if (status == 0)
        status = take_trees(booster, out, err);
    for (size_t i = 0; i < out->n; i++)
        if (out->node[i].feature >= 0)
            out->node[i].feature = column[out->node[i].feature];
    if (booster)
        XGBoosterFree(booster);
    if (rows)
        XGDMatrixFree(rows);
    return status;
}

static int fit_forest(const struct examples *e, size_t setting, uint64_t seed, struct fitted *out,
                      struct err *err)
{
    return train(e, &forest_settings[setting], seed, &out->trees, err);
}

static int fit_boosting(const struct examples *e, size_t setting, uint64_t seed, struct fitted *out,
                        struct err *err)
{
    return train(e, &boosting_settings[setting], seed, &out->trees, err);
}

const struct method method_forest = {
    .name = "forest",
    .settings = { "100 trees, depth 12, 63.2 % of the rows, 70 % of the features at a split",
                  "100 trees, depth 12, 63.2 % of the rows, all features", NULL },
    .fit = fit_forest,
    .predict = trees_predict,
    .save = trees_save,
    .load = trees_load,
};

const struct method method_boosting = {
    .name = "boosting",
    .settings = { "100 rounds of 0.1, depth 3, 80 % of the rows",
                  "100 rounds of 0.1, depth 6, 80 % of the rows",
                  "300 rounds of 0.1, depth 2, 80 % of the rows", NULL },
    .fit = fit_boosting,
    .predict = trees_predict,
    .save = trees_save,
    .load = trees_load,
};
