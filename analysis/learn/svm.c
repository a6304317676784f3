/* SPDX-License-Identifier: BSD-3-Clause */
/* svm.c - support vector machines with a radial kernel, trained by libsvm: of numbers epsilon-SVR,
 * of two classes C-SVC. Large sets are thinned: training grows with the square of the rows. Without
 * that library (HAVE_SVM) nothing is trained; what others trained is asked as ever. */
#ifdef HAVE_SVM
#include <libsvm/svm.h>
#endif

#include "analysis/learn/method.h"
#include "harness/base/rng.h"

#ifdef HAVE_SVM

#ifdef SVM_SO
#define LATE(function) LATE_FROM(SVM_SO, function)
#else
#define SVM_SO         NULL
#define LATE(function) function
#endif

enum { MOST_ROWS = 3000 };

/* C, gamma per feature that counts; width of the tube over the standard deviation of y. */
static const struct {
    double c, gamma, tube;
} settings[] = { { 10, 0.5, 0.05 }, { 10, 2, 0.05 }, { 100, 0.2, 0.02 }, { 1, 0.5, 0.1 } };

static void quiet(const char *text)
{
    (void)text;
}

/* The examples as libsvm takes them. */
struct rows {
    struct svm_problem problem;
    struct svm_node *node; /* k + 1 per row */
    double middle, width;  /* y = middle + width times what the machine says */
};

/* Rows taken where there are more than MOST_ROWS: drawn by the seed. */
static size_t *draw(size_t n, uint64_t seed)
{
    size_t *at = memory_zeros(n, sizeof *at);
    struct rng rng;
    for (size_t i = 0; i < n; i++)
        at[i] = i;
    rng_init(&rng, seed);
    if (n > MOST_ROWS)
        rng_shuffle(&rng, at, n, sizeof *at);
    return at;
}

static void scale_y(const struct examples *e, struct rows *r)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < e->n; i++)
        sum += e->y[i];
    r->middle = sum / (double)e->n;
    for (size_t i = 0; i < e->n; i++)
        squares += pow(e->y[i] - r->middle, 2);
    r->width = sqrt(squares / (double)e->n);
}

static void rows_make(const struct examples *e, const struct scaling *scaling, uint64_t seed,
                      struct rows *r)
{
    const size_t n = e->n < MOST_ROWS ? e->n : MOST_ROWS, wide = e->k + 1;
    size_t *at = draw(e->n, seed);
    double x[MOST_FEATURES];
    scale_y(e, r);
    r->problem.l = (int)n;
    r->problem.y = memory_zeros(n, sizeof *r->problem.y);
    r->problem.x = memory_zeros(n, sizeof(*r->problem.x));
    r->node = memory_zeros(n * wide, sizeof *r->node);
    for (size_t i = 0; i < n; i++) {
        struct svm_node *node = &r->node[i * wide];
        scaling_apply(scaling, e->x + at[i] * e->k, e->k, x);
        for (size_t f = 0; f < e->k; f++)
            node[f] = (struct svm_node){ (int)f + 1, x[f] };
        node[e->k].index = -1;
        r->problem.x[i] = node;
        r->problem.y[i] =
            e->binary ? (e->y[at[i]] > 0.5 ? 1 : -1) : (e->y[at[i]] - r->middle) / r->width;
    }
    free(at);
}

/* The machine, of one support vector or more, as our own rows: the coefficients carry the scale of
 * y, rho its middle. */
static void take_machine(const struct svm_model *m, const struct rows *r, struct fitted *out)
{
    struct stored *s = &out->stored;
    const double sign = out->binary ? (m->label[0] == 1 ? 1 : -1) : r->width;
    s->n = (size_t)m->l;
    s->x = memory_zeros(s->n * out->k + 1, sizeof *s->x);
    s->y = memory_zeros(s->n + 1, sizeof *s->y);
    s->weight = memory_zeros(s->n + 1, sizeof *s->weight);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t f = 0; f < out->k; f++)
            s->x[i * out->k + f] = m->SV[i][f].value;
        s->y[i] = sign * m->sv_coef[0][i];
        s->weight[i] = 1;
    }
    s->gamma = m->param.gamma;
    s->rho = sign * m->rho[0] - (out->binary ? 0 : r->middle);
}

static size_t counting(const struct scaling *scaling, size_t k)
{
    size_t n = 0;
    for (size_t f = 0; f < k; f++)
        n += scaling->width[f] > 0;
    return n ? n : 1;
}

static int fit(const struct examples *e, size_t setting, uint64_t seed, struct fitted *out,
               struct err *err)
{
    struct rows rows = { .node = NULL };
    if (method_library(SVM_SO, "libsvm", err) < 0)
        return -1;
    scaling_make(e, &out->stored.scaling);
    rows_make(e, &out->stored.scaling, seed, &rows);
    const struct svm_parameter p = {
        .svm_type = e->binary ? C_SVC : EPSILON_SVR,
        .kernel_type = RBF,
        .gamma = settings[setting].gamma / (double)counting(&out->stored.scaling, e->k),
        .C = settings[setting].c,
        .p = settings[setting].tube,
        .cache_size = 50,
        .eps = 1e-3,
        .shrinking = 1,
    };
    const char *wrong = LATE(svm_check_parameter)(&rows.problem, &p);
    LATE(svm_set_print_string_function)(quiet);
    struct svm_model *m = wrong ? NULL : LATE(svm_train)(&rows.problem, &p);
    if (m) {
        if (m->l > 0)
            take_machine(m, &rows, out);
        else /* all within the tube, or those that were drawn of one class */
            trees_constant(out, rows.middle);
        LATE(svm_free_and_destroy_model)(&m);
    }
    memory_free(rows.problem.y, rows.problem.x, rows.node);
    return wrong ? err_set(err, "libsvm: %.300s", wrong) : 0;
}

#else

static int fit(const struct examples *e, size_t setting, uint64_t seed, struct fitted *out,
               struct err *err)
{
    (void)e, (void)setting, (void)seed, (void)out;
    return method_lacks("libsvm", "svm", "libsvm-dev", err);
}

#endif

static double predict(const struct fitted *fitted, const float *x)
{
    const struct stored *s = &fitted->stored;
    double at[MOST_FEATURES], sum = -s->rho;
    scaling_apply(&s->scaling, x, fitted->k, at);
    for (size_t i = 0; i < s->n; i++) {
        double squares = 0;
        for (size_t f = 0; f < fitted->k; f++)
            squares += (at[f] - s->x[i * fitted->k + f]) * (at[f] - s->x[i * fitted->k + f]);
        sum += s->y[i] * exp(-s->gamma * squares);
    }
    return fitted->binary ? 1 / (1 + exp(-sum)) : sum;
}

const struct method method_svm = {
    .name = "svm",
    .by_distance = 1,
    .settings = { "radial kernel, C 10, gamma 0.5 over the features, tube 0.05",
                  "radial kernel, C 10, gamma 2 over the features, tube 0.05",
                  "radial kernel, C 100, gamma 0.2 over the features, tube 0.02",
                  "radial kernel, C 1, gamma 0.5 over the features, tube 0.1", NULL },
    .fit = fit,
    .predict = predict,
    .save = stored_save,
    .load = stored_load,
};
