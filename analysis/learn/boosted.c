/* SPDX-License-Identifier: BSD-3-Clause */
/* boosted.c - gradient boosting, trained by XGBoost's C API, kept as trees of our own
 * (tree_file.c). Without that library (HAVE_XGBOOST) nothing is trained; what others trained is
 * asked as ever. */
#ifdef HAVE_XGBOOST
#include <xgboost/c_api.h>
#endif

#include "analysis/learn/method.h"

#ifdef HAVE_XGBOOST

#ifdef XGBOOST_SO
#define LATE(function) LATE_FROM(XGBOOST_SO, function)
#else
#define XGBOOST_SO     NULL
#define LATE(function) function
#endif

/* Settings as XGBoost takes them. */
struct setting {
    int rounds;
    const char *pairs[16]; /* name, value, ...; NULL-terminated */
};

#define BOOSTING(depth, rounds, eta)                                                               \
    {                                                                                              \
        rounds,                                                                                    \
        {                                                                                          \
            "max_depth", depth, "eta", eta, "subsample", "0.8", "lambda", "1", "min_child_weight", \
                "1", NULL                                                                          \
        }                                                                                          \
    }

static const struct setting boosting_settings[] = { BOOSTING("3", 100, "0.1"),
                                                    BOOSTING("6", 100, "0.1"),
                                                    BOOSTING("2", 300, "0.1") };

/* XGBoost writes a model as UBJSON: a letter for the type of a value, then the value, numbers with
 * the high byte first; lengths are 'L' and eight bytes; '[' '$' TYPE '#' LENGTH is an array of one
 * type without further letters. A tree is an object with an array per property, by node. (Its text
 * is as exact, and takes longer to write than the trees take to grow.) */
struct ubjson {
    const unsigned char *at, *end;
    int wrong; /* not as we know it: what is read then is 0 */
};

/* An array of one type. */
struct column {
    const unsigned char *at;
    size_t n;
    unsigned char type;
};

/* What is read of a tree: child or -1, feature, threshold or value of a leaf, where missing goes.
 */
enum { LEFT, RIGHT, FEATURE, NUMBER, MISSING, N_COLUMNS };
static const struct {
    const char *name;
    unsigned char type;
} columns[N_COLUMNS] = { [LEFT] = { "left_children", 'l' },
                         [RIGHT] = { "right_children", 'l' },
                         [FEATURE] = { "split_indices", 'l' },
                         [NUMBER] = { "split_conditions", 'd' },
                         [MISSING] = { "default_left", 'U' } };

/* How many bytes a number of a type has; 0: it is none. */
static size_t bytes_of(unsigned char type)
{
    static const char types[] = "iUIldLD";
    static const size_t bytes[] = { 1, 1, 2, 4, 4, 8, 8 };
    const char *at = type ? strchr(types, type) : NULL;
    return at ? bytes[at - types] : 0;
}

static uint64_t high_first(const unsigned char *at, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | at[i];
    return value;
}

/* So many bytes; at moves on. */
static const unsigned char *take_bytes(struct ubjson *u, uint64_t n)
{
    static const unsigned char none[8] = { 0 };
    const unsigned char *at = u->at;
    if (u->wrong || n > (uint64_t)(u->end - u->at)) {
        u->wrong = 1;
        return none;
    }
    u->at += n;
    return at;
}

static unsigned char take_letter(struct ubjson *u)
{
    return *take_bytes(u, 1);
}

static int take_if(struct ubjson *u, unsigned char letter)
{
    if (u->at == u->end || *u->at != letter)
        return 0;
    u->at++;
    return 1;
}

static uint64_t take_length(struct ubjson *u)
{
    u->wrong |= take_letter(u) != 'L';
    return high_first(take_bytes(u, 8), 8);
}

static struct column take_column(struct ubjson *u)
{
    struct column c = { .type = take_letter(u) };
    const size_t bytes = bytes_of(c.type);
    u->wrong |= !bytes || take_letter(u) != '#';
    const uint64_t n = take_length(u);
    u->wrong |= n > (uint64_t)(u->end - u->at);
    c.n = u->wrong ? 0 : (size_t)n;
    c.at = take_bytes(u, c.n * bytes);
    return c;
}

static int32_t int_at(const struct column *c, size_t i)
{
    const uint32_t bits = (uint32_t)high_first(c->at + 4 * i, 4);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_at(const struct column *c, size_t i)
{
    const uint32_t bits = (uint32_t)high_first(c->at + 4 * i, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Adds a node and those below it, in the order of a walk from the root, so that children stand
 * behind their parent; its place, or -1. left: how many nodes there may still be. */
static int add_node(const struct column *c, int32_t id, size_t *left, struct trees *t)
{
    const int place = (int)t->n;
    if (id < 0 || (size_t)id >= c[LEFT].n || !*left)
        return -1;
    --*left;
    const int32_t low = int_at(&c[LEFT], (size_t)id), feature = int_at(&c[FEATURE], (size_t)id);
    const float number = float_at(&c[NUMBER], (size_t)id);
    *array_add(&t->node, &t->n) = (struct tree_node){ .feature = -1, .value = (double)number };
    if (low < 0)
        return place;
    const int yes = add_node(c, low, left, t);
    const int no = yes < 0 ? -1 : add_node(c, int_at(&c[RIGHT], (size_t)id), left, t);
    if (no < 0 || feature < 0 || feature >= MOST_FEATURES)
        return -1;
    t->node[place] = (struct tree_node){ .feature = feature,
                                         .threshold = number,
                                         .yes = yes,
                                         .no = no,
                                         .missing = c[MISSING].at[id] ? yes : no };
    return place;
}

static void add_tree(struct ubjson *u, const struct column *c, struct trees *t)
{
    size_t left = c[LEFT].n;
    for (int k = 0; k < N_COLUMNS; k++)
        u->wrong |= c[k].type != columns[k].type || c[k].n != c[LEFT].n;
    *array_add(&t->root, &t->n_roots) = (int)t->n;
    u->wrong = u->wrong || add_node(c, 0, &left, t) < 0;
}

static void take_value(struct ubjson *u, struct trees *t);

/* An object up to its end; one that has children is a tree. */
static void take_object(struct ubjson *u, struct trees *t)
{
    struct column found[N_COLUMNS] = { { .n = 0 } };
    while (!u->wrong && !take_if(u, '}')) {
        const uint64_t n = take_length(u);
        const char *name = (const char *)take_bytes(u, n);
        if (u->end - u->at < 2 || memcmp(u->at, "[$", 2) != 0) {
            take_value(u, t);
            continue;
        }
        u->at += 2;
        const struct column c = take_column(u);
        for (int k = 0; k < N_COLUMNS; k++)
            if (n == strlen(columns[k].name) && memcmp(name, columns[k].name, n) == 0)
                found[k] = c;
    }
    if (!u->wrong && found[LEFT].type)
        add_tree(u, found, t);
}

/* Any value; what is no tree is passed over. */
static void take_value(struct ubjson *u, struct trees *t)
{
    const unsigned char type = take_letter(u);
    if (type == '{') {
        take_object(u, t);
    } else if (type == '[') {
        u->wrong |= take_letter(u) != '#';
        for (uint64_t n = take_length(u); n && !u->wrong; n--)
            take_value(u, t);
    } else if (type == 'S') {
        take_bytes(u, take_length(u));
    } else {
        u->wrong |= !bytes_of(type);
        take_bytes(u, bytes_of(type));
    }
}

static int take_trees(BoosterHandle booster, struct trees *t, struct err *err)
{
    bst_ulong n;
    const char *model;
    if (LATE(XGBoosterSaveModelToBuffer)(booster, "{\"format\": \"ubj\"}", &n, &model) != 0)
        return err_set(err, "XGBoost: %.300s", LATE(XGBGetLastError)());
    struct ubjson u = { .at = (const unsigned char *)model };
    u.end = u.at + n;
    take_value(&u, t);
    return u.wrong || u.at != u.end || !t->n_roots
               ? err_set(err, "XGBoost's model is not as we know it, at byte %zu of %zu",
                         (size_t)(u.at - (const unsigned char *)model), (size_t)n)
               : 0;
}

static int set_floats(DMatrixHandle rows, const char *name, const double *value, double minus,
                      size_t n)
{
    float *f = memory_zeros(n, sizeof *f);
    for (size_t i = 0; i < n; i++)
        f[i] = (float)(value[i] - minus);
    const int status = LATE(XGDMatrixSetFloatInfo)(rows, name, f, n);
    free(f);
    return status;
}

static int set_parameters(BoosterHandle b, const struct examples *e, const struct setting *s,
                          uint64_t seed)
{
    char text[32];
    int failed = 0;
    snprintf(text, sizeof text, "%u", (unsigned)(seed % 2147483647));
    failed |= LATE(XGBoosterSetParam)(b, "seed", text);
    failed |= LATE(XGBoosterSetParam)(b, "nthread", "1");
    failed |= LATE(XGBoosterSetParam)(b, "verbosity", "0");
    failed |= LATE(XGBoosterSetParam)(b, "tree_method", e->n > 20000 ? "hist" : "exact");
    failed |= LATE(XGBoosterSetParam)(b, "base_score", e->binary ? "0.5" : "0");
    failed |=
        LATE(XGBoosterSetParam)(b, "objective", e->binary ? "binary:logistic" : "reg:squarederror");
    for (const char *const *p = s->pairs; *p && !failed; p += 2)
        failed |= LATE(XGBoosterSetParam)(b, p[0], p[1]);
    return failed;
}

static int train(const struct examples *e, const struct setting *s, uint64_t seed,
                 struct trees *out, struct err *err)
{
    DMatrixHandle rows = NULL;
    BoosterHandle booster = NULL;
    if (method_library(XGBOOST_SO, "XGBoost", err) < 0)
        return -1;
    out->base = e->binary ? 0 : examples_mean(e);
    out->logistic = e->binary;
    int failed = LATE(XGDMatrixCreateFromMat)(e->x, e->n, e->k, NAN, &rows) != 0 ||
                 set_floats(rows, "label", e->y, out->base, e->n) != 0 ||
                 (e->weight && set_floats(rows, "weight", e->weight, 0, e->n) != 0) ||
                 LATE(XGBoosterCreate)(&rows, 1, &booster) != 0 ||
                 set_parameters(booster, e, s, seed) != 0;
    for (int i = 0; i < s->rounds && !failed; i++)
        failed = LATE(XGBoosterUpdateOneIter)(booster, i, rows) != 0;
    int status = failed ? err_set(err, "XGBoost: %.300s", LATE(XGBGetLastError)()) : 0;
    if (status == 0)
        status = take_trees(booster, out, err);
    if (booster)
        LATE(XGBoosterFree)(booster);
    if (rows)
        LATE(XGDMatrixFree)(rows);
    return status;
}

static int fit_boosting(const struct examples *e, size_t setting, uint64_t seed, struct fitted *out,
                        struct err *err)
{
    return train(e, &boosting_settings[setting], seed, &out->trees, err);
}

#else

static int fit_boosting(const struct examples *e, size_t setting, uint64_t seed, struct fitted *out,
                        struct err *err)
{
    (void)e, (void)setting, (void)seed, (void)out;
    return method_lacks("XGBoost", "boosting", "libxgboost-dev", err);
}

#endif

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
