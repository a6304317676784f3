/* SPDX-License-Identifier: BSD-3-Clause */
/* method.h - ways to learn a number, or which of two classes, from rows of features: random forest
 * (ours), gradient boosting (trained by XGBoost), support vector machines (trained by libsvm),
 * nearest neighbours (ours). A table of constant rows: one more is one file and one line in
 * methods.c.
 *
 * What comes out of training is plain data of our own (struct fitted), asked by our own code and
 * written as JSON: a file of a model needs no library to be asked, and no parser but ours. Training
 * is deterministic: one thread, one seed. Features that are not known are NaN. */
#ifndef ANALYSIS_LEARN_METHOD_H
#define ANALYSIS_LEARN_METHOD_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/err.h"

enum { MOST_FEATURES = 48, MOST_SETTINGS = 8 };

/* What is learnt from. Borrowed. */
struct examples {
    const float *x;       /* n rows of k features */
    size_t n, k;          /* n >= 1, 1 <= k <= MOST_FEATURES */
    const double *y;      /* the number; of two classes 0 or 1 */
    const double *weight; /* above 0; NULL: all weigh alike (support vector machines: always) */
    int binary;           /* 1: two classes */
    size_t always;        /* features, the first ones, that a forest draws from in any case; further
                             ones where they differ. 0: all of those that differ */
    int quick;            /* 1: to compare settings: a forest of 25 trees will do */
};

/* A node of a tree: the row goes to yes where its feature is below the threshold. */
struct tree_node {
    int feature; /* -1: a leaf */
    float threshold;
    int yes, no, missing; /* places in struct trees.node, all behind this node's own */
    double value;         /* of a leaf */
};

/* The same node as it is asked, in 8 bytes: the children stand side by side, a row goes to the
 * second where its column is not below the threshold. A row has two columns for each feature: what
 * is missing goes to the first child by the one, to the second by the other. A leaf is its own
 * first child. */
struct tree_step {
    float threshold; /* of a leaf NaN */
    unsigned column : 7, child : 25;
};

enum { MOST_TREE_NODES = 1 << 25 }; /* as many as a step can name */

/* A tree as it is asked: where it begins among the steps, and how many levels are below. */
struct tree_root {
    unsigned at, depth;
};

/* The sum of a base and of one leaf of each tree. */
struct trees {
    struct tree_node *node;
    size_t n;
    int *root;
    size_t n_roots;
    double base;
    int logistic; /* 1: the sum is the logarithm of the odds of class 1 */

    /* As it is asked (trees_finish). */
    struct tree_step *step; /* tree by tree, level by level */
    double *leaf;           /* by step: its value; 0 where it is no leaf */
    struct tree_root *start;
};

/* How features are brought to one scale: (x - middle) / width; width 0: the feature does not
 * count, as it was constant or always missing. What is missing stands in the middle. */
struct scaling {
    double middle[MOST_FEATURES], width[MOST_FEATURES];
};

/* Stored rows, scaled: of a machine its support vectors, of neighbours all examples. */
struct stored {
    struct scaling scaling;
    double *x; /* n rows of k */
    double *y; /* coefficients; or values */
    double *weight;
    size_t n;
    double gamma, rho;      /* of a machine: sum of y exp(-gamma distance^2) - rho */
    int neighbours, linear; /* how many; 1: a plane through them, else their mean */
};

/* One thing that was learnt. Owns its arrays. */
struct fitted {
    const struct method *method;
    size_t k;
    int binary;
    struct trees trees;
    struct stored stored;
};

struct method {
    const char *name;
    int by_distance; /* 1: a feature that follows from others would count twice */
    const char *settings[MOST_SETTINGS + 1]; /* to choose from by cross-validation; NULL-terminated
                                                texts that state all that matters */

    /* Learns with a setting. 0, or -1 with *err; *out is zero before. */
    int (*fit)(const struct examples *examples, size_t setting, uint64_t seed, struct fitted *out,
               struct err *err);

    /* The number for a row of features; of two classes how likely class 1 is, from 0 to 1. */
    double (*predict)(const struct fitted *fitted, const float *x);

    /* The data as JSON, a new reference; and back, from whatever a file says: 0, or -1 with *err.
     */
    json_t *(*save)(const struct fitted *fitted);
    int (*load)(const json_t *json, struct fitted *out, struct err *err);
};

/* Rows of tables that want a library to be trained: nothing where it was not there at the build. */
#ifdef HAVE_XGBOOST
#define WITH_XGBOOST(...) __VA_ARGS__,
#else
#define WITH_XGBOOST(...)
#endif
#ifdef HAVE_SVM
#define WITH_SVM(...) __VA_ARGS__,
#else
#define WITH_SVM(...)
#endif

extern const struct method method_forest, method_boosting, method_svm, method_knn;
extern const struct method *const methods[]; /* methods.c; NULL-terminated */

/* Learns; where all y are equal the answer is that value, whatever the method. 0, or -1 with *err
 * and nothing to clear. */
int fitted_make(const struct method *method, const struct examples *examples, size_t setting,
                uint64_t seed, struct fitted *out, struct err *err);

/* Asks. */
double fitted_predict(const struct fitted *fitted, const float *x);

/* As JSON, and back; load leaves nothing to clear where it fails. */
json_t *fitted_save(const struct fitted *fitted);
int fitted_load(const json_t *json, struct fitted *out, struct err *err);

/* Frees what it holds. */
void fitted_clear(struct fitted *fitted);

/* ---- for methods ---- */

/* One leaf, and no split: the answer is always the same. */
void trees_constant(struct fitted *out, double value);

/* Makes ready to be asked, when all nodes are there: MOST_TREE_NODES at most. */
void trees_finish(struct trees *trees);

/* The sum of base and leaves for a row; through the logistic function where that is asked for. */
double trees_predict(const struct fitted *fitted, const float *x);

/* Adds to less[k] by how much the splits of feature k lower the impurity of the examples that come
 * to them, by their weights, over all trees: of numbers n times their variance, of two classes half
 * of n times Gini's impurity, 1 - sum p_i^2. Then, of all k features: each one's share of the sum,
 * 0 where nothing splits, which for classes is the Gini importance of PML-MPI (eq. 1) and of
 * Breiman. */
void trees_lessen(const struct fitted *fitted, const struct examples *examples, double *less);
void trees_share(double *less, size_t k);
json_t *trees_save(const struct fitted *fitted);
int trees_load(const json_t *json, struct fitted *out, struct err *err);

/* The error of a method that was built without the library which trains it; -1. */
int method_lacks(const char *library, const char *method, const char *package, struct err *err);

/* What a trainer calls of a library, by LATE(function): every command would load XGBoost with
 * OpenMP and C++, which takes longer than most commands, for the few that train. A library without
 * a name at run time (linked statically) is called as it is. */
#define LATE_FROM(so, function) ((__typeof__(&function))method_function(so, #function))
/* Loads a library by its name (NULL: it was linked). 0, or -1 with *err. */
int method_library(const char *so, const char *title, struct err *err);
/* A function of one that was loaded; where it has none, the process ends with that. */
void *method_function(const char *so, const char *name);

/* Which scale the examples have; a row on that scale. */
void scaling_make(const struct examples *examples, struct scaling *out);
void scaling_apply(const struct scaling *scaling, const float *x, size_t k, double *out);

/* Stored rows as JSON, and back. */
json_t *stored_save(const struct fitted *fitted);
int stored_load(const json_t *json, struct fitted *out, struct err *err);

#endif
