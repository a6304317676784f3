/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_lint.c - what is wrong with a tree of MPICH's. */
#include "harness/rules/export.h"
#include "harness/rules/mpich_tree.h"
#include "workloads/schedules/collectives.h"

/* ---- one key after the other ---- */

struct lint {
    struct rules *r;
    char collective[KEY], at[PLACE];
};

static void find_end(struct lint *l, const char *kind, const char *fmt, const char *what)
{
    char text[RULES_TEXT];
    snprintf(text, sizeof text, fmt, what);
    rules_find(&l->r->found, RULES_ERROR, kind, mpich_line_of(l->r, l->at), "%s", text);
    if (strcmp(kind, "dies") == 0)
        ((struct mpich_tree *)l->r->read)->dies = 1;
}

/* Each level reads its own leaves, and ends the program at others. */
static void lint_level(struct lint *l, const char *key)
{
    struct mpich_tree *t = l->r->read;
    const struct mpich_level *level = mpich_level_of(key);
    if (!t->level)
        t->level = level;
    if (!level)
        find_end(l, "dies", "'%s' is no leaf of any level: the program ends when it starts", key);
    else if (level != t->level)
        find_end(l, "dies",
                 "'%s' is of another level than the leaves before it: the program ends when it "
                 "starts",
                 key);
}

/* Nothing looks whether the operation commutes. */
static void lint_order_of(struct lint *l, const struct mpich_leaf *leaf)
{
    if (leaf->commuting && !mpich_is_below(l->at, "is_commutative=yes"))
        rules_find(&l->r->found, RULES_WARNING, "order", mpich_line_of(l->r, l->at),
                   "%s computes wrongly, silently, where the operation does not commute: "
                   "is_commutative=yes is wanted above it",
                   leaf->name);
}

/* Among P = k + 1, which is no power of k. */
static void lint_radix(struct lint *l, const struct native *native, json_t *said)
{
    struct rules_answer a = { 0 };
    const char *why = NULL;
    mpich_take_parameters(said, native, &a);
    if (a.fanout > 1 && a.fanout < INT_MAX)
        why = native_refusal(native, (int)a.fanout + 1, 1, a.fanout);
    if (why)
        rules_find(&l->r->found, RULES_WARNING, "dies", mpich_line_of(l->r, l->at), "k = %ld: %s",
                   a.fanout, why);
}

/* Of calls between communicators the names are not known here, and of those that do not block how
 * they begin. */
static int is_algorithm(const struct rules *r, const char *collective, const char *name,
                        const char *rest)
{
    if (!*name)
        return mpich_begins(rest, "_inter_");
    if (*collective == 'i')
        return mpich_begins(name, "sched_") || mpich_begins(name, "tsp_");
    return !native_find("mpich", collective, "nb") || mpich_native_of(r, collective, name);
}

static void lint_algorithm(struct lint *l, const char *key, json_t *said)
{
    char name[NAME_SIZE];
    const char *at = key + strlen("algorithm=MPIR_"), *own = rules_mpich_collective(at);
    if (own)
        mpich_name_of(key, own, name);
    if (!own || !is_algorithm(l->r, own, name, at + strlen(own))) {
        find_end(l, "dies",
                 "'%s' is no algorithm of a collective in this release: the program ends when it "
                 "starts",
                 at);
        return;
    }
    const struct native *native = mpich_native_of(l->r, own, name);
    if (native && native->fanout)
        lint_radix(l, native, said);
}

static void lint_leaf(struct lint *l, const char *key, json_t *said)
{
    const struct mpich_tree *t = l->r->read;
    const struct mpich_leaf *leaf = mpich_leaf_find(l->r->reader->version, key);
    lint_level(l, key);
    if (leaf) {
        lint_order_of(l, leaf);
        return;
    }
    if (t->level && !t->level->whole) {
        find_end(l, "dies", "'%s' is none that this release has: the program ends when it starts",
                 key);
        return;
    }
    lint_algorithm(l, key, said);
}

/* Numbers of a chain must grow, or the later one never decides. */
static void lint_order(struct lint *l, const char *key, char last[KEY], long *highest)
{
    char kind[KEY];
    if (!strchr(key, '<') || strcmp(key, "count<pow2") == 0)
        return;
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(key, "<"), key);
    if (strcmp(kind, last) == 0 && mpich_number_of(key) <= *highest)
        rules_find(&l->r->found, RULES_WARNING, "dead", mpich_line_of(l->r, l->at),
                   "never decides: a condition before it holds for all that this one does");
    snprintf(last, KEY, "%s", kind);
    *highest = mpich_number_of(key);
}

static void lint_tree(struct lint *l, json_t *o, int pruned);

/* One condition; returns whether the chain may end with it. */
static int lint_key(struct lint *l, const char *key, json_t *value, int pruned)
{
    static const struct rules_call two = { "", 2, 1, 2, 1, RULES_GLOBAL };
    struct rules_call call = two;
    call.collective = l->collective;
    const enum mpich_holds h = mpich_holds(l->r, key, &call, pruned);
    const int known = collective_find(l->collective) != NULL;
    if (h == UNKNOWN)
        find_end(l, "dies", "'%s' is no condition of this release: the program ends when it starts",
                 key);
    else if (h == UNDEFINED && known)
        find_end(l, "undefined", "'%s' is not defined for this collective: calls end the program",
                 key);
    if (!pruned && mpich_begins(key, "comm_size<") && !mpich_begins(key, "comm_size<="))
        rules_find(&l->r->found, RULES_WARNING, "less", mpich_line_of(l->r, l->at),
                   "below a condition on messages comm_size<N counts as comm_size<=N");
    if (json_is_object(value))
        lint_tree(l, value, pruned && mpich_is_comm_key(key));
    else
        find_end(l, "dies", "the value of '%s' is no object: the program ends when it starts", key);
    return mpich_is_any(l->r, key) || mpich_begins(key, "is_") || mpich_begins(key, "comm_type=") ||
           mpich_begins(key, "comm_hierarchy=");
}

static void lint_tree(struct lint *l, json_t *o, int pruned)
{
    const char *raw;
    json_t *value;
    char key[KEY], last[KEY] = "";
    long highest = 0;
    int ends = 0, any = 0;
    const size_t used = strlen(l->at);
    json_object_foreach(o, raw, value)
    {
        mpich_squeeze(raw, key, sizeof key);
        snprintf(l->at + used, PLACE - used, "/%.80s", raw);
        if (mpich_is_leaf(key)) {
            lint_leaf(l, key, value);
            l->at[used] = '\0';
            return;
        }
        if (any)
            find_end(l, "dies",
                     "'%s' stands behind one that takes all: the program ends when it starts", key);
        lint_order(l, key, last, &highest);
        ends = lint_key(l, key, value, pruned);
        any = mpich_is_any(l->r, key);
    }
    l->at[used] = '\0';
    if (!ends)
        find_end(l, "dies", "%s: the program ends when it starts",
                 json_object_size(o) ? "a chain of numbers without its '=any' at the end"
                                     : "a condition without anything behind it");
}

static void lint_missing(struct rules *r, json_t *root)
{
    char key[KEY];
    for (const struct collective *c = collectives; c->name; c++) {
        snprintf(key, sizeof key, "collective=%.60s", c->name);
        if (native_find("mpich", c->name, "nb") && !json_object_get(root, key))
            rules_find(&r->found, RULES_ERROR, "missing", 0,
                       "there is no tree for %s: the library wants one of each collective, and a "
                       "call ends the program",
                       c->name);
    }
}

/* ---- leaves that cannot serve a communicator ---- */

/* Numbers of ranks that are tried: small ones, and those on both sides of the tree's own. */
struct tried {
    int *procs;
    size_t n;
};

static void try_procs(struct tried *t, long procs)
{
    enum { MOST_TRIED = 1 << 20 };
    if (procs < 2 || procs > MOST_TRIED)
        return;
    for (size_t i = 0; i < t->n; i++)
        if (t->procs[i] == procs)
            return;
    *array_add(&t->procs, &t->n) = (int)procs;
}

static void collect_procs(json_t *o, struct tried *t)
{
    const char *raw;
    json_t *value;
    char key[KEY];
    json_object_foreach(o, raw, value)
    {
        mpich_squeeze(raw, key, sizeof key);
        if (mpich_begins(key, "comm_size<"))
            for (long d = -1; d <= 1; d++)
                try_procs(t, mpich_number_of(key) + d);
        if (json_is_object(value))
            collect_procs(value, t);
    }
}

/* 1 when a call of some size ends the program; it is told, once for a line. */
static void try_shape(struct rules *r, const char *collective, int procs, int nodes, int *line)
{
    for (uint64_t bytes = 1; bytes <= 1 << 30; bytes *= 4) {
        struct rules_answer a;
        const struct rules_call call = { collective, procs,
                                         nodes,      (procs + nodes - 1) / nodes,
                                         bytes,      RULES_GLOBAL };
        rules_ask(r, &call, &a);
        if (a.outcome != RULES_DIES || a.line == *line)
            continue;
        *line = a.line;
        rules_find(&r->found, RULES_ERROR, "serves", a.line,
                   "%s among %d ranks on %d node%s: %s; a condition above it has to leave such "
                   "communicators out",
                   a.algorithm, procs, nodes, plural(nodes), strchr(a.why, ':') + 2);
    }
}

/* Each collective, on one node, on two, on as many as there are ranks, and between. What MPICH does
 * not look at ends jobs when they call it. */
static void lint_shapes(struct rules *r, json_t *root)
{
    struct tried t = { .n = 0 };
    for (int procs = 2; procs <= 17; procs++)
        try_procs(&t, procs);
    try_procs(&t, 64);
    collect_procs(root, &t);
    for (const struct collective *c = collectives; c->name; c++) {
        int line = 0;
        for (size_t i = 0; i < t.n; i++) {
            const int procs = t.procs[i], nodes[] = { 1, 2, (procs + 1) / 2, procs };
            for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++)
                try_shape(r, c->name, procs, nodes[k], &line);
        }
    }
    free(t.procs);
}

/* ---- all ---- */

static void lint_root(struct rules *r, json_t *root)
{
    const char *raw;
    json_t *value;
    json_object_foreach(root, raw, value)
    {
        struct lint l = { .r = r };
        char key[KEY];
        const char *own;
        mpich_squeeze(raw, key, sizeof key);
        snprintf(l.at, sizeof l.at, "%.80s", raw);
        if (!mpich_begins(key, "collective=") ||
            !(own = rules_mpich_collective(key + strlen("collective="))) ||
            strcmp(own, key + strlen("collective=")) != 0) {
            find_end(
                &l, "dies",
                "'%s' is no collective=... of MPICH's: the program ends when it starts, or later",
                key);
            continue;
        }
        snprintf(l.collective, KEY, "%s", key + strlen("collective="));
        if (json_is_object(value))
            lint_tree(&l, value, 1);
        else
            find_end(&l, "dies", "the value of '%s' is no object: the program ends when it starts",
                     key);
    }
}

void mpich_lint(struct rules *r)
{
    const struct mpich_tree *t = r->read;
    char second[RULES_TEXT] = "";
    lint_root(r, t->root);
    if (!t->level || t->level->whole)
        lint_missing(r, t->root);
    if (t->level && !t->dies)
        lint_shapes(r, t->root);
    if (t->level && strcmp(t->level->name, "POSIX") == 0 &&
        version_within(r->reader->version, NULL, "4.1"))
        rules_find(&r->found, RULES_WARNING, "dead", 0,
                   "MPICH 4.0 opens the file that %s names instead of this one", MPICH_DEVICE_FILE);
    if (t->level && version_within(r->reader->version, "4.3", NULL))
        snprintf(second, sizeof second,
                 "; %s_GPU for broadcasts from an accelerator's memory where "
                 "MPIR_CVAR_COLL_HYBRID_MEMORY is 0",
                 t->level->variable);
    if (t->level)
        rules_find(&r->found, RULES_NOTE, "device", 0,
                   t->level->whole
                       ? "a tree of level %s (%s): the device's own trees come first; it decides "
                         "where they have no leaf"
                       : "a tree of the device's level %s (%s%s): where it has no leaf MPICH's "
                         "algorithms decide",
                   t->level->name, t->level->variable, second);
}
