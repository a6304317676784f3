/* SPDX-License-Identifier: BSD-3-Clause */
/* learners.c - the rows of learner.h. */
#include "analysis/learn/learner.h"

static const struct learner nearest = {
    .name = "nearest",
    .label = "nearest measured cell",
    .help = "what is fastest in the nearest cell that was measured",
    .method = &method_knn,
    .fixed = 1,
    .copies = 1,
};

#define LEARNER(row, method_row, name_, label_, help_, ...)                                        \
    static const struct learner row = {                                                            \
        .name = name_, .label = label_, .help = help_, .method = &method_row, __VA_ARGS__          \
    }

LEARNER(forest, method_forest, "forest", "random forest",
        "a random forest per algorithm learns its time", .hybrid = 0);
LEARNER(boosting, method_boosting, "boosting", "gradient boosting",
        "gradient boosting per algorithm learns its time", .hybrid = 0);
LEARNER(svm, method_svm, "svm", "support vectors",
        "a support vector machine per algorithm learns its time", .hybrid = 0);
LEARNER(knn, method_knn, "knn", "nearest neighbours",
        "the times of the nearest cells, per algorithm", .hybrid = 0);
LEARNER(hybrid, method_boosting, "hybrid", "boosting over models",
        "gradient boosting with the models' predictions as features", .hybrid = 1);
LEARNER(forest_class, method_forest, "forest_class", "random forest, classes",
        "a random forest learns which algorithm is right", .classifies = 1);
LEARNER(boosting_class, method_boosting, "boosting_class", "gradient boosting, classes",
        "gradient boosting learns which algorithm is right", .classifies = 1);
LEARNER(svm_class, method_svm, "svm_class", "support vectors, classes",
        "a support vector machine learns which algorithm is right", .classifies = 1);
LEARNER(knn_class, method_knn, "knn_class", "nearest neighbours, classes",
        "what is right in the nearest cells", .classifies = 1);

/* No method: nothing is fitted. */
static const struct method no_method = { .name = "none",
                                         .settings = { "walked on the machine's cluster file" } };

static const struct learner walked = {
    .name = "walked",
    .label = "walk of the machine",
    .help = "the time of the schedule on the machine's cluster file, as far as it held on other "
            "machines",
    .method = &no_method,
    .fixed = 1,
    .walks = 1,
};

const struct learner *const learners[] = {
    /* clang-format off */
    &nearest,
    &forest,
    WITH_XGBOOST(&boosting)
    WITH_SVM(&svm)
    &knn,
    WITH_XGBOOST(&hybrid)
    &forest_class,
    WITH_XGBOOST(&boosting_class)
    WITH_SVM(&svm_class)
    &knn_class,
    NULL,
    /* clang-format on */
};

/* Who cannot be taught here is known by name: a file of a model that others taught names it. */
static const struct learner *const known[] = {
    &nearest,      &forest,         &boosting,  &svm,       &knn,    &hybrid,
    &forest_class, &boosting_class, &svm_class, &knn_class, &walked, NULL
};

int learner_walks(const char *name)
{
    const struct learner *l = learner_find(name);
    return l && l->walks;
}

const struct learner *learner_find(const char *name)
{
    return named_row(known, name);
}
