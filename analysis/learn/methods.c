/* SPDX-License-Identifier: BSD-3-Clause */
/* methods.c - the rows of method.h, and what goes the same way for all of them. */
#include <dlfcn.h>

#include "analysis/learn/method.h"

const struct method *const methods[] = { &method_forest, &method_boosting, &method_svm, &method_knn,
                                         NULL };

static const struct method *method_find(const char *name)
{
    return named_row(methods, name);
}

int method_lacks(const char *library, const char *method, const char *package, struct err *err)
{
    return err_set(err,
                   "built without %s, which trains '%s': install it (Debian: %s) and make again; "
                   "forest and knn need no library",
                   library, method, package);
}

int method_library(const char *so, const char *title, struct err *err)
{
    if (!so || dlopen(so, RTLD_LAZY))
        return 0;
    return err_set(err,
                   "%s, which trains, cannot be loaded: %.200s (want it installed as when this "
                   "program was built, or make again)",
                   title, dlerror());
}

void *method_function(const char *so, const char *name)
{
    void *const library = dlopen(so, RTLD_LAZY | RTLD_NOLOAD), *const f = library
                                                                              ? dlsym(library, name)
                                                                              : NULL;
    char why[256];
    snprintf(why, sizeof why, "'%s' has no function '%s' (make again)", so, name);
    if (!f)
        memory_ends_as(why);
    dlclose(library);
    return f;
}

static int all_equal(const struct examples *e)
{
    for (size_t i = 1; i < e->n; i++)
        if (e->y[i] != e->y[0])
            return 0;
    return 1;
}

/* A constant is a tree of one leaf, whatever the method. */
static int is_trees(const struct fitted *f)
{
    return f->trees.n_roots > 0;
}

int fitted_make(const struct method *method, const struct examples *examples, size_t setting,
                uint64_t seed, struct fitted *out, struct err *err)
{
    *out = (struct fitted){ .method = method, .k = examples->k, .binary = examples->binary };
    if (!examples->n || !examples->k || examples->k > MOST_FEATURES)
        return err_set(err, "%zu examples of %zu features (want one or more, 1 to %d)", examples->n,
                       examples->k, MOST_FEATURES);
    if (all_equal(examples)) {
        trees_constant(out, examples->y[0]);
        return 0;
    }
    if (method->fit(examples, setting, seed, out, err) < 0) {
        fitted_clear(out);
        return -1;
    }
    if (is_trees(out))
        trees_finish(&out->trees);
    return 0;
}

double fitted_predict(const struct fitted *fitted, const float *x)
{
    return is_trees(fitted) ? trees_predict(fitted, x) : fitted->method->predict(fitted, x);
}

json_t *fitted_save(const struct fitted *fitted)
{
    json_t *data = is_trees(fitted) ? trees_save(fitted) : fitted->method->save(fitted);
    return json_pack("{s:s, s:i, s:b, s:s, s:o}", "method", fitted->method->name, "features",
                     (int)fitted->k, "binary", fitted->binary, "kind",
                     is_trees(fitted) ? "trees" : "rows", "data", data);
}

int fitted_load(const json_t *json, struct fitted *out, struct err *err)
{
    const char *name, *kind;
    const json_t *data;
    json_int_t k;
    int binary;
    *out = (struct fitted){ .k = 0 };
    if (json_unpack((json_t *)json, "{s:s, s:I, s:b, s:s, s:o}", "method", &name, "features", &k,
                    "binary", &binary, "kind", &kind, "data", &data) < 0)
        return err_set(err, "a fit lacks one of method, features, binary, kind, data");
    out->method = method_find(name);
    if (!out->method)
        return err_set(err, "'%.40s' is no method", name);
    if (k < 1 || k > MOST_FEATURES)
        return err_set(err, "a fit of %lld features (want 1 to %d)", (long long)k, MOST_FEATURES);
    out->k = (size_t)k;
    out->binary = binary;
    const int trees = strcmp(kind, "trees") == 0;
    if (!trees && strcmp(kind, "rows") != 0)
        return err_set(err, "a fit of kind '%.40s' (want trees or rows)", kind);
    if (!trees && out->method->load != stored_load)
        return err_set(err, "a fit of method %s is of trees, not of rows", name);
    if ((trees ? trees_load : out->method->load)(data, out, err) == 0)
        return 0;
    fitted_clear(out);
    return -1;
}

CLEARS(fitted_clear, fitted, it->trees.node, it->trees.root, it->trees.step, it->trees.leaf,
       it->trees.start, it->stored.x, it->stored.y, it->stored.weight)

/* ---- rows kept as they are, on one scale: what machines and neighbours share ---- */

/* The mean and standard deviation of a feature where it is known; width 0 where it tells nothing.
 */
static void scale_one(const struct examples *e, size_t feature, struct scaling *out)
{
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++) {
        const double v = (double)e->x[i * e->k + feature];
        n += !isnan(v);
        sum += isnan(v) ? 0 : v;
    }
    const double middle = n ? sum / (double)n : 0;
    for (size_t i = 0; i < e->n; i++) {
        const double v = (double)e->x[i * e->k + feature];
        squares += isnan(v) ? 0 : pow(v - middle, 2);
    }
    const double width = n ? sqrt(squares / (double)n) : 0;
    out->middle[feature] = middle;
    out->width[feature] = width > 1e-9 * (1 + fabs(middle)) ? width : 0;
}

double examples_mean(const struct examples *examples)
{
    double sum = 0;
    for (size_t i = 0; i < examples->n; i++)
        sum += examples->y[i];
    return sum / (double)examples->n;
}

void scaling_make(const struct examples *examples, struct scaling *out)
{
    *out = (struct scaling){ .middle = { 0 } };
    for (size_t i = 0; i < examples->k; i++)
        scale_one(examples, i, out);
}

void scaling_apply(const struct scaling *scaling, const float *x, size_t k, double *out)
{
    for (size_t i = 0; i < k; i++)
        out[i] = scaling->width[i] > 0 && !isnan(x[i])
                     ? ((double)x[i] - scaling->middle[i]) / scaling->width[i]
                     : 0;
}

/* ---- JSON ---- */

static json_t *numbers(const double *value, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, json_real(value[i]));
    return array;
}

json_t *stored_save(const struct fitted *fitted)
{
    const struct stored *s = &fitted->stored;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:i, s:i}", "middle",
                     numbers(s->scaling.middle, fitted->k), "width",
                     numbers(s->scaling.width, fitted->k), "x", numbers(s->x, s->n * fitted->k),
                     "y", numbers(s->y, s->n), "weight", numbers(s->weight, s->n), "gamma",
                     s->gamma, "rho", s->rho, "neighbours", s->neighbours, "linear", s->linear);
}

/* n finite numbers, into value. */
static int read_numbers(const json_t *array, const char *name, size_t n, double *value,
                        struct err *err)
{
    if (json_array_size(array) != n)
        return err_set(err, "%s: %zu numbers (want %zu)", name, json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        const json_t *v = json_array_get(array, i);
        if (!json_is_number(v) || !isfinite(json_number_value(v)))
            return err_set(err, "%s: number %zu is none", name, i);
        value[i] = json_number_value(v);
    }
    return 0;
}

int stored_load(const json_t *json, struct fitted *out, struct err *err)
{
    struct stored *s = &out->stored;
    const json_t *middle, *width, *x, *y, *weight;
    if (json_unpack((json_t *)json, "{s:o, s:o, s:o, s:o, s:o, s:F, s:F, s:i, s:i}", "middle",
                    &middle, "width", &width, "x", &x, "y", &y, "weight", &weight, "gamma",
                    &s->gamma, "rho", &s->rho, "neighbours", &s->neighbours, "linear",
                    &s->linear) < 0)
        return err_set(err, "rows lack one of middle, width, x, y, weight, gamma, rho, neighbours, "
                            "linear");
    s->n = json_array_size(y);
    if (!s->n || s->neighbours < 0)
        return err_set(err, "%zu row%s, %d neighbours", COUNTED(s->n), s->neighbours);
    s->x = memory_zeros(s->n * out->k, sizeof *s->x);
    s->y = memory_zeros(s->n, sizeof *s->y);
    s->weight = memory_zeros(s->n, sizeof *s->weight);
    return read_numbers(middle, "middle", out->k, s->scaling.middle, err) < 0 ||
                   read_numbers(width, "width", out->k, s->scaling.width, err) < 0 ||
                   read_numbers(x, "x", s->n * out->k, s->x, err) < 0 ||
                   read_numbers(y, "y", s->n, s->y, err) < 0 ||
                   read_numbers(weight, "weight", s->n, s->weight, err) < 0
               ? -1
               : 0;
}
