/* SPDX-License-Identifier: BSD-3-Clause */
/* method.h - ways to learn a number, or which of two classes, from rows of features: random forest
 * (ours), gradient boosting (trained by XGBoost), support vector machines (trained by libsvm),
 * nearest neighbours (ours). A table of constant rows: one more is one file and one line in
 * methods.c.
 *
 * Training yields plain data of our own (struct fitted), which our own code evaluates and
 * writes as JSON: a model file can be used without the training library, with our parser
 * only. Training is deterministic: one thread, one seed. Unknown features are NaN. */
#pragma once

#include <jansson.h>
#include "harness/base/base.h"

enum { MOST_FEATURES = 48, MOST_SETTINGS = 8 };

/* Training data. Borrowed. */
struct examples {
    const float *x;       /* n rows of k features */
    size_t n, k;          /* n >= 1, 1 <= k <= MOST_FEATURES */
    const double *y;      /* the target number; for two classes 0 or 1 */
    const double *weight; /* above 0; NULL: all weigh alike (support vector machines: always) */
    int binary;           /* 1: two classes */
    size_t always;        /* the first features, which a forest always draws
                             from; others only if they vary. 0: all that vary */
    int quick;            /* 1: to compare settings only: a forest of 25 trees is enough */
};

/* A node of a tree: a row takes branch yes if its feature is below the threshold. */
struct tree_node {
    int feature; /* -1: a leaf */
    float threshold;
    int yes, no, missing; /* places in struct trees.node, all behind this node's own */
    double value;         /* of a leaf */
};

/* The same node for evaluation, in 8 bytes. The children are adjacent; a row
 * takes the second if its column is not below the threshold. A row has two
 * columns per feature, which differ for missing values: one leads them to the
 * first child, the other to the second. A leaf is its own first child. */
struct tree_step {
    float threshold; /* of a leaf NaN */
    unsigned column : 7, child : 25;
};

enum { MOST_TREE_NODES = 1 << 25 }; /* the range of tree_step.child */

/* A tree for evaluation: index of its first step, and its depth. */
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

    /* For evaluation (trees_finish). */
    struct tree_step *step; /* tree by tree, level by level */
    double *leaf;           /* by step: its value; 0 where it is no leaf */
    struct tree_root *start;
};

/* Scaling of features: (x - middle) / width; width 0: the feature does not
 * count, as it was constant or always missing. Missing values become the middle. */
struct scaling {
    double middle[MOST_FEATURES], width[MOST_FEATURES];
};

/* Stored rows, scaled: the support vectors, or, for nearest neighbours, all examples. */
struct stored {
    struct scaling scaling;
    double *x; /* n rows of k */
    double *y; /* coefficients; or values */
    double *weight;
    size_t n;
    double gamma, rho;      /* of a machine: sum of y exp(-gamma distance^2) - rho */
    int neighbours, linear; /* their number; 1: fit a plane through them, 0: their mean */
};

/* One trained predictor. Owns its arrays. */
struct fitted {
    const struct method *method;
    size_t k;
    int binary;
    struct trees trees;
    struct stored stored;
};

struct method {
    const char *name;
    int by_distance;                         /* 1: dependent features would count twice */
    const char *settings[MOST_SETTINGS + 1]; /* to choose from by cross-validation; NULL-terminated
                                                texts with all parameters */

    /* Learns with a setting. 0, or -1 with *err; *out is zero before. */
    int (*fit)(const struct examples *examples, size_t setting, uint64_t seed, struct fitted *out,
               struct err *err);

    /* The number for a row of features; for two classes the probability of class 1. */
    double (*predict)(const struct fitted *fitted, const float *x);

    /* The data as JSON, a new reference; and back from untrusted JSON: 0, or -1 with *err. */
    json_t *(*save)(const struct fitted *fitted);
    int (*load)(const json_t *json, struct fitted *out, struct err *err);
};

/* Rows of tables that want a library to be trained: empty where it was missing at the build. */
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

/* Trains; when all y are equal, every method predicts that value. 0, or -1 with *err
 * and nothing to clear. */
int fitted_make(const struct method *method, const struct examples *examples, size_t setting,
                uint64_t seed, struct fitted *out, struct err *err);

/* Predicts for one row of features. */
double fitted_predict(const struct fitted *fitted, const float *x);

/* As JSON, and back; load leaves nothing to clear where it fails. */
json_t *fitted_save(const struct fitted *fitted);
int fitted_load(const json_t *json, struct fitted *out, struct err *err);

void fitted_clear(struct fitted *fitted);

/* One leaf, no split: a constant prediction. */
void trees_constant(struct fitted *out, double value);

/* Prepares the evaluation after all nodes are added: MOST_TREE_NODES at most. */
void trees_finish(struct trees *trees);

/* The sum of base and leaves for a row, through the logistic function when `logistic` is set. */
double trees_predict(const struct fitted *fitted, const float *x);

/* Adds to less[k] the impurity decrease of the splits of feature k, by the weights of
 * the examples that reach them, over all trees. Impurity is n times the variance for
 * numbers, and half of n times the Gini impurity, 1 - sum p_i^2, for two classes.
 * trees_normalise turns the k features into shares of the sum, 0 without splits. For
 * classes this is the Gini importance of PML-MPI (eq. 1) and of Breiman. */
void trees_importance(const struct fitted *fitted, const struct examples *examples, double *less);
void trees_normalise(double *less, size_t k);
json_t *trees_save(const struct fitted *fitted);
int trees_load(const json_t *json, struct fitted *out, struct err *err);

/* Sets the error of a method built without its training library. Returns -1. */
int method_lacks(const char *library, const char *method, const char *package, struct err *err);

/* Calls a function of a library that is loaded at first use. Linked at start, XGBoost with
 * OpenMP and C++ would take longer to load than most commands run, and few commands train.
 * A library without a shared-object name (linked statically) is called directly. */
#define LATE_FROM(so, function) ((__typeof__(&function))method_function(so, #function))
/* Loads a library by its name (NULL: it was linked). 0, or -1 with *err. */
int method_library(const char *so, const char *title, struct err *err);
/* A function of a loaded library. If it is missing, the process ends with an error. */
void *method_function(const char *so, const char *name);

/* The mean of what is learnt. */
double examples_mean(const struct examples *examples);

/* Computes the scaling of the examples; scales a row. */
void scaling_make(const struct examples *examples, struct scaling *out);
void scaling_apply(const struct scaling *scaling, const float *x, size_t k, double *out);

/* Stored rows as JSON, and back. */
json_t *stored_save(const struct fitted *fitted);
int stored_load(const json_t *json, struct fitted *out, struct err *err);
