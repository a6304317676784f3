/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_file.c - trees as data: asked, written, read. */
#include <float.h>

#include "analysis/learn/method.h"

void trees_constant(struct fitted *out, double value)
{
    out->trees = (struct trees){ .node = memory_zeros(1, sizeof(struct tree_node)),
                                 .n = 1,
                                 .root = memory_zeros(1, sizeof(int)),
                                 .n_roots = 1 };
    out->trees.node[0] = (struct tree_node){ .feature = -1, .value = value };
    trees_finish(&out->trees);
}

/* ---- asking ---- */

_Static_assert(2 * MOST_FEATURES <= 1 << 7, "a column fits into a tree_step");

/* Writes a node as a step, and notes what its children are: they stand at `child` and behind it. */
static void write_step(struct trees *t, unsigned at, unsigned child, int *of)
{
    const struct tree_node *n = &t->node[of[at]];
    if (n->feature < 0) {
        t->leaf[at] = n->value;
        t->step[at] = (struct tree_step){ .threshold = NAN, .child = at };
        return;
    }
    of[child] = n->yes;
    of[child + 1] = n->no;
    t->step[at] = (struct tree_step){ .threshold = n->threshold,
                                      .column = 2 * (unsigned)n->feature + (n->missing == n->no),
                                      .child = child };
}

void trees_finish(struct trees *trees)
{
    int *of = memory_zeros(trees->n + 1, sizeof *of); /* by step: its node */
    unsigned end = 0;
    free(trees->step); /* a constant may be finished */
    memory_free(trees->leaf, trees->start);
    trees->step = memory_zeros(trees->n + 1, sizeof *trees->step);
    trees->leaf = memory_zeros(trees->n + 1, sizeof *trees->leaf);
    trees->start = memory_zeros(trees->n_roots + 1, sizeof *trees->start);
    for (size_t i = 0; i < trees->n_roots; i++) {
        unsigned at = end, level = ++end; /* level: where the next one begins */
        trees->start[i] = (struct tree_root){ at, 0 };
        for (of[at] = trees->root[i]; at < end; at++) {
            if (at == level) {
                trees->start[i].depth++;
                level = end;
            }
            write_step(trees, at, end, of);
            end += trees->step[at].child == end ? 2 : 0;
        }
    }
    free(of);
}

/* The two columns of each feature. */
static void write_columns(const float *x, size_t k, float *columns)
{
    for (size_t i = 0; i < k; i++) {
        columns[2 * i] = x[i];
        columns[2 * i + 1] = isnan(x[i]) ? INFINITY : x[i];
    }
}

/* Where a row goes on from a step, without branches: a processor that guesses which is wrong half
 * of the time. */
static unsigned next_step(const struct tree_step *s, const float *columns)
{
    return s->child + (unsigned)isgreaterequal(columns[s->column], s->threshold);
}

enum { TOGETHER = 16 };

/* The sum and the leaves of so many trees, or fewer. All of them go down a level before any goes
 * on: while one waits for its step the processor is at work on the others. Who has come to a leaf
 * stays there. */
static double add_leaves(const struct trees *t, const struct tree_root *tree, size_t n,
                         const float *columns, double sum)
{
    unsigned at[TOGETHER], depth = 0;
    for (size_t i = 0; i < n; i++) {
        at[i] = tree[i].at;
        depth = tree[i].depth > depth ? tree[i].depth : depth;
    }
    for (unsigned level = 0; level < depth; level++)
        for (size_t i = 0; i < n; i++)
            at[i] = next_step(&t->step[at[i]], columns);
    for (size_t i = 0; i < n; i++)
        sum += t->leaf[at[i]];
    return sum;
}

double trees_predict(const struct fitted *fitted, const float *x)
{
    const struct trees *t = &fitted->trees;
    float columns[2 * MOST_FEATURES];
    double sum = t->base;
    write_columns(x, fitted->k, columns);
    for (size_t i = 0; i < t->n_roots; i += TOGETHER)
        sum = add_leaves(t, t->start + i, t->n_roots - i < TOGETHER ? t->n_roots - i : TOGETHER,
                         columns, sum);
    return t->logistic ? 1 / (1 + exp(-sum)) : sum;
}

/* ---- importance ---- */

/* Examples that came to a node, by weight: how many, the sum of their numbers and of the squares.
 */
struct arrived {
    double n, sum, squares;
};

/* n times the variance of the numbers. Of two classes that is half of n times Gini's impurity,
 * n (1 - p^2 - (1 - p)^2) = 2 n p (1 - p), at every node alike. */
static double impurity(const struct arrived *a)
{
    return a->n > 0 ? fmax(a->squares - a->sum * a->sum / a->n, 0) : 0;
}

/* Where a row goes on from a split. */
static int next_of(const struct tree_node *node, const float *x)
{
    const float value = x[node->feature];
    if (isnan(value))
        return node->missing;
    return value < node->threshold ? node->yes : node->no;
}

/* Sends all examples down one tree. */
static void arrive(const struct trees *t, int root, const struct examples *e, struct arrived *at)
{
    for (size_t i = 0; i < e->n; i++) {
        const double w = e->weight ? e->weight[i] : 1;
        for (int n = root;; n = next_of(&t->node[n], e->x + i * e->k)) {
            at[n].n += w;
            at[n].sum += w * e->y[i];
            at[n].squares += w * e->y[i] * e->y[i];
            if (t->node[n].feature < 0)
                break;
        }
    }
}

void trees_importance(const struct fitted *fitted, const struct examples *examples, double *less)
{
    const struct trees *t = &fitted->trees;
    struct arrived *at = memory_zeros(t->n + 1, sizeof *at);
    for (size_t r = 0; r < t->n_roots; r++)
        arrive(t, t->root[r], examples, at);
    for (size_t n = 0; n < t->n; n++) {
        const struct tree_node *node = &t->node[n];
        if (node->feature >= 0)
            less[node->feature] +=
                impurity(&at[n]) - impurity(&at[node->yes]) - impurity(&at[node->no]);
    }
    free(at);
}

void trees_normalise(double *less, size_t k)
{
    double all = 0;
    for (size_t i = 0; i < k; i++)
        all += less[i];
    for (size_t i = 0; i < k; i++)
        less[i] = all > 0 ? less[i] / all : 0;
}

/* ---- JSON: {base, logistic, roots: [place...], nodes: [[value] | [feature, threshold, yes, no,
 * missing]...]} ---- */

json_t *trees_save(const struct fitted *fitted)
{
    const struct trees *t = &fitted->trees;
    json_t *roots = json_array(), *nodes = json_array();
    for (size_t i = 0; i < t->n_roots; i++)
        json_array_append_new(roots, json_integer(t->root[i]));
    for (size_t i = 0; i < t->n; i++) {
        const struct tree_node *n = &t->node[i];
        json_array_append_new(nodes, n->feature < 0 ? json_pack("[f]", n->value)
                                                    : json_pack("[i, f, i, i, i]", n->feature,
                                                                (double)n->threshold, n->yes, n->no,
                                                                n->missing));
    }
    return json_pack("{s:f, s:b, s:o, s:o}", "base", t->base, "logistic", t->logistic, "roots",
                     roots, "nodes", nodes);
}

/* Children stand behind their parent, so that every walk ends. */
static int is_behind(json_int_t child, size_t parent, size_t n)
{
    return child > 0 && (size_t)child > parent && (size_t)child < n && child <= INT_MAX;
}

/* FLT_MAX in nine digits, which is a little more: files of forests have it. */
static const double most_threshold = 3.40282347e38;

static int load_node(json_t *json, size_t at, size_t n, size_t k, struct tree_node *out,
                     struct err *err)
{
    double threshold;
    json_int_t feature, yes, no, missing;
    *out = (struct tree_node){ .feature = -1 };
    if (json_array_size(json) == 1) {
        if (json_unpack(json, "[F]", &out->value) < 0 || !isfinite(out->value))
            return err_set(err, "node %zu: a leaf has one number", at);
        return 0;
    }
    if (json_unpack(json, "[I, F, I, I, I!]", &feature, &threshold, &yes, &no, &missing) < 0)
        return err_set(err, "node %zu is neither a leaf nor a split", at);
    if (feature < 0 || (size_t)feature >= k)
        return err_set(err, "node %zu splits feature %lld of %zu", at, (long long)feature, k);
    if (!is_behind(yes, at, n) || !is_behind(no, at, n) || !is_behind(missing, at, n))
        return err_set(err, "node %zu leads out of its tree", at);
    if (!(fabs(threshold) <= most_threshold))
        return err_set(err, "node %zu: a threshold of %g is out of range", at, threshold);
    *out = (struct tree_node){ .feature = (int)feature,
                               .threshold =
                                   (float)fmin(fmax(threshold, -(double)FLT_MAX), (double)FLT_MAX),
                               .yes = (int)yes,
                               .no = (int)no,
                               .missing = (int)missing };
    return 0;
}

static int load_roots(const json_t *roots, struct trees *t, struct err *err)
{
    t->n_roots = json_array_size(roots);
    t->root = memory_zeros(t->n_roots + 1, sizeof *t->root);
    for (size_t i = 0; i < t->n_roots; i++) {
        const json_t *root = json_array_get(roots, i);
        const json_int_t at = json_is_integer(root) ? json_integer_value(root) : -1;
        if (at < 0 || (size_t)at >= t->n)
            return err_set(err, "tree %zu begins at no node", i);
        t->root[i] = (int)at;
    }
    return t->n_roots ? 0 : err_set(err, "there is no tree");
}

/* Each node is the root of one tree or the child of one split, so that to ask all trees takes no
 * more steps than there are nodes, whatever the file says. */
static int take(const struct trees *t, unsigned char *taken, int at, struct err *err)
{
    if (taken[at])
        return err_set(err, "node %d of %zu stands in two places of the trees", at, t->n);
    taken[at] = 1;
    return 0;
}

static int check_places(const struct trees *t, struct err *err)
{
    unsigned char *taken = memory_zeros(t->n + 1, 1);
    int status = 0;
    for (size_t i = 0; i < t->n_roots && status == 0; i++)
        status = take(t, taken, t->root[i], err);
    for (size_t i = 0; i < t->n && status == 0; i++) {
        const struct tree_node *n = &t->node[i];
        if (n->feature < 0)
            continue;
        if (n->missing != n->yes && n->missing != n->no)
            status = err_set(err, "node %zu: what is missing goes neither to yes nor to no", i);
        else if (take(t, taken, n->yes, err) < 0 || take(t, taken, n->no, err) < 0)
            status = -1;
    }
    free(taken);
    return status;
}

int trees_load(const json_t *json, struct fitted *out, struct err *err)
{
    struct trees *t = &out->trees;
    const json_t *roots, *nodes;
    if (json_unpack((json_t *)json, "{s:F, s:b, s:o, s:o}", "base", &t->base, "logistic",
                    &t->logistic, "roots", &roots, "nodes", &nodes) < 0)
        return err_set(err, "trees lack one of base, logistic, roots, nodes");
    t->n = json_array_size(nodes);
    if (t->n > MOST_TREE_NODES)
        return err_set(err, "%zu nodes (want at most %d)", t->n, MOST_TREE_NODES);
    t->node = memory_zeros(t->n + 1, sizeof *t->node);
    for (size_t i = 0; i < t->n; i++)
        if (load_node(json_array_get(nodes, i), i, t->n, out->k, &t->node[i], err) < 0)
            return -1;
    if (load_roots(roots, t, err) < 0 || check_places(t, err) < 0)
        return -1;
    trees_finish(t);
    return 0;
}
