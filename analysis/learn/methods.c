/* SPDX-License-Identifier: BSD-3-Clause */
/* methods.c - the rows of method.h, and what goes the same way for all of them. */
#include "analysis/learn/method.h"

#include <dlfcn.h>
#include <string.h>

#include "harness/base/memory.h"

const struct method *const methods[] = { &method_forest, &method_boosting, &method_svm, &method_knn,
                                         NULL };

static const struct method *method_find(const char *name)
{
    for (const struct method *const *m = methods; *m; m++)
        if (strcmp((*m)->name, name) == 0)
            return *m;
    return NULL;
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

void fitted_clear(struct fitted *fitted)
{
    memory_free(fitted->trees.node, fitted->trees.root, fitted->trees.step, fitted->trees.leaf,
                fitted->trees.start, fitted->stored.x, fitted->stored.y, fitted->stored.weight);
    *fitted = (struct fitted){ .k = 0 };
}
