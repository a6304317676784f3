/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_write.c - a table of rules as trees of conditions that MPICH reads. One of its algorithms,
 * for all collectives: the library's own decision wherever the table has none. One of its device:
 * the composition that a rule names; no leaf where the rule is an algorithm, so that MPICH's
 * algorithms are asked; else what the device decides by itself. Rules hold for communicators of
 * programs alone, not for the parts that MPICH itself makes of one (its nodes, and their first
 * ranks): from 5.0 on these are not told from one with a rank on each node.
 *
 * A leaf is not checked by the library, so what an algorithm wants stands above it: an operation
 * that commutes or is built in, as many elements as 2^n ranks, other buffers for what comes than
 * for what goes. Only `<=` is written, which means the same wherever it stands; every chain ends
 * with `=any`. */
#include <jansson.h>

#include "harness/rules/export.h"
#include "harness/rules/mpich_levels.h"
#include "harness/rules/rule_units.h"

enum { WORD = 96, PAGE = 4096 };

/* Words for conditions; those with a number stand in front of it. */
static const char *const conditions[][2] = {
    { "P<=", "comm_size<=" },
    { "P=2^k", "comm_size=pow2" },
    { "P", "comm_size=any" },
    { "m<=", "avg_msg_size<=" },
    { "m", "avg_msg_size=any" },
    { "M<=", "total_msg_size<=" },
    { "M", "total_msg_size=any" },
    { "n<p2", "count<pow2" },
    { "n", "count=any" },
    { "onenode", "comm_size=node_comm_size" },
    { "parent", "comm_hierarchy=parent" },
    { "between", "comm_type=inter" },
    { "level", "comm_hierarchy=any" },
    { "commutes", "is_commutative=yes" },
    { "ordered", "is_commutative=no" },
    { "builtin", "is_op_built_in=yes" },
    { "user", "is_op_built_in=no" },
    { "inplace", "is_sendbuf_inplace=yes" },
    { "copied", "is_sendbuf_inplace=no" },
    { "regular", "is_block_regular=yes" },
    { "irregular", "is_block_regular=no" },
    { "consecutive", "is_node_consecutive=yes" },
    { "apart", "is_node_consecutive=no" },
};

static const char *parameters_of(const char *version, const char *collective, const char *algorithm)
{
    for (size_t i = 0; mpich_leaf_values[i].collective; i++)
        if (strcmp(mpich_leaf_values[i].collective, collective) == 0 &&
            strcmp(mpich_leaf_values[i].algorithm, algorithm) == 0 &&
            version_within(version, mpich_leaf_values[i].release, NULL))
            return mpich_leaf_values[i].parameters;
    return NULL;
}

int rules_mpich_can_say(const char *version, const struct native *native)
{
    return !native->from || parameters_of(version, native->collective, native->name);
}

/* A collective, the algorithm for @ with its fan-out and segment, and the release; device: its own
 * tree, where @ is a composition, or (NULL) no leaf. */
struct making {
    const char *collective, *chosen, *version;
    long fanout, segment_bytes;
    int device;
    const struct mpich_leaf *composition;
};

static json_t *tree_of(const struct making *m, const char **text);

static const char *own_of(const char *collective, int inter)
{
    for (size_t i = 0; mpich_owns[i].collective; i++)
        if (strcmp(mpich_owns[i].collective, collective) == 0)
            return inter ? mpich_owns[i].inter : mpich_owns[i].intra;
    return NULL;
}

const char *rules_mpich_collective(const char *text)
{
    const char *longest = NULL;
    for (size_t i = 0; mpich_owns[i].collective; i++) {
        const size_t n = strlen(mpich_owns[i].collective);
        if (strncasecmp(text, mpich_owns[i].collective, n) == 0 && (!text[n] || text[n] == '_') &&
            (!longest || n > strlen(longest)))
            longest = mpich_owns[i].collective;
    }
    return longest;
}

static const char *device_of(const struct making *m)
{
    for (size_t i = 0; mpich_devices[i].collective; i++)
        if (strcmp(mpich_devices[i].collective, m->collective) == 0 &&
            version_within(m->version, mpich_devices[i].release, NULL))
            return mpich_devices[i].intra;
    return NULL;
}

static json_t *own_tree(const struct making *m)
{
    const char *text = m->device ? device_of(m) : own_of(m->collective, 0);
    return tree_of(m, &text);
}

/* No leaf, of ranks of one communicator: a condition that does not hold, with nothing behind it. */
static json_t *no_leaf(const struct making *m)
{
    const char *text = "between { own }";
    return tree_of(m, &text);
}

/* Nothing looks whether the operation commutes. */
static json_t *chosen_of_device(const struct making *m)
{
    if (!m->composition)
        return no_leaf(m);
    if (!m->composition->commuting)
        return json_pack("{s:{}}", m->composition->key);
    return json_pack("{s:{s:{}}, s:o}", "is_commutative=yes", m->composition->key,
                     "is_commutative=no", own_tree(m));
}

static json_t *composition_of(const struct making *m, const char *name)
{
    char key[3 * WORD];
    snprintf(key, sizeof key, "composition=MPIDI_%c%s_intra_composition_%s",
             toupper((unsigned char)*m->collective), m->collective + 1, name);
    return json_pack("{s:{}}", key);
}

/* What the leaf of an algorithm has behind it. */
static json_t *parameters_for(const struct making *m, const char *name)
{
    char said[2 * WORD], key[WORD], *word, *rest = said;
    json_t *all = json_object();
    const char *const parameters = parameters_of(m->version, m->collective, name);
    snprintf(said, sizeof said, "%s", parameters ? parameters : "");
    while ((word = strsep(&rest, " "))) {
        const char *const value = strstr(word, "%ld");
        const long number = *word != 'k' ? m->segment_bytes : m->fanout > 0 ? m->fanout : 2;
        if (value)
            snprintf(key, sizeof key, "%.*s%ld", (int)(value - word), word, number);
        else
            snprintf(key, sizeof key, "%s", word);
        if (*word)
            json_object_set_new(all, key, json_object());
    }
    return all;
}

/* "binomial" of a broadcast: "algorithm=MPIR_Bcast_intra_binomial"; with what it has to be told. */
static json_t *leaf_of(const struct making *m, const char *name)
{
    char key[3 * WORD];
    if (m->device)
        return composition_of(m, name);
    const int dissemination =
        strcmp(name, "dissemination") == 0 && version_within(m->version, "4.1", NULL);
    const int whole = strncmp(name, "inter_", 6) == 0 || strncmp(name, "allcomm_", 8) == 0 ||
                      strncmp(name, "intra_", 6) == 0;
    if (strcmp(name, "nb") == 0)
        name = "allcomm_nb";
    if (dissemination)
        name = "k_dissemination";
    snprintf(key, sizeof key, "algorithm=MPIR_%c%s_%s%s", toupper((unsigned char)*m->collective),
             m->collective + 1, whole || strcmp(name, "allcomm_nb") == 0 ? "" : "intra_", name);
    return json_pack("{s:o}", key, parameters_for(m, name));
}

/* The condition of a word; "": it is none. */
static void condition_of(const char *word, char out[WORD])
{
    out[0] = '\0';
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        const size_t n = strlen(conditions[i][0]);
        const int numbered = conditions[i][0][n - 1] == '=';
        if (numbered ? strncmp(word, conditions[i][0], n) == 0
                     : strcmp(word, conditions[i][0]) == 0)
            snprintf(out, WORD, "%s%s", conditions[i][1], numbered ? word + n : "");
        if (*out)
            return;
    }
}

static void take_word(const char **text, char out[WORD])
{
    *text += strspn(*text, " ");
    const size_t n = strcspn(*text, " ");
    snprintf(out, WORD, "%.*s", (int)n, *text);
    *text += n;
    *text += strspn(*text, " ");
}

/* The tree that begins here, up to the brace that ends it, or the end. */
static json_t *tree_of(const struct making *m, const char **text)
{
    char word[WORD], condition[WORD];
    json_t *tree = NULL;
    while (**text && **text != '}') {
        take_word(text, word);
        condition_of(word, condition);
        if (strcmp(word, "own") == 0)
            return own_tree(m);
        if (m->device && strcmp(word, "@") == 0)
            return chosen_of_device(m);
        if (!*condition)
            return leaf_of(m, strcmp(word, "@") == 0 ? m->chosen : word);
        if (!tree)
            tree = json_object();
        take_word(text, word); /* { */
        json_object_set_new(tree, condition, tree_of(m, text));
        take_word(text, word); /* } */
    }
    return tree;
}

static const char *guard_of(const char *collective, const char *algorithm)
{
    for (size_t i = 0; mpich_guards[i].collective; i++)
        if (strcmp(mpich_guards[i].collective, collective) == 0 &&
            (!mpich_guards[i].algorithm || strcmp(mpich_guards[i].algorithm, algorithm) == 0))
            return mpich_guards[i].tree;
    return "@";
}

/* What stands above a composition, by the communicators that it is for. */
static const char *guard_of_composition(const struct mpich_leaf *leaf)
{
    static const char *const guards_of[] = {
        [REACH_ALL] = "@",
        [REACH_NODES] = "onenode { own } P { parent { @ } level { own } }",
        [REACH_ONE_NODE] = "onenode { @ } P { own }",
        [REACH_PARTS] = "parent { @ } level { own }",
    };
    return guards_of[mpich_leaf_reach(leaf)];
}

static json_t *tree_of_row(const struct making *m, const struct rules_row *row)
{
    struct making own = *m;
    if (!row->id)
        return own_tree(m);
    own.chosen = natives_mpich[row->id - 1].name;
    own.composition = mpich_composition(m->version, m->collective, own.chosen);
    if (own.composition && m->device) {
        const char *above = guard_of_composition(own.composition);
        return tree_of(&own, &above);
    }
    if (own.composition || strcmp(own.chosen, RULES_NO_DEVICE) == 0)
        return m->device ? no_leaf(m) : own_tree(m);
    own.fanout = row->fanout;
    own.segment_bytes = row->segment_bytes;
    const char *guard = guard_of(m->collective, own.chosen);
    return tree_of(&own, &guard);
}

static json_t *tree_of_block(const struct making *m, const struct rules_block *b)
{
    const char *const kind = rules_unit(&rules_mpich40, b->collective) == UNIT_MESSAGE
                                 ? "avg_msg_size"
                                 : "total_msg_size";
    char key[WORD];
    if (b->n == 1)
        return tree_of_row(m, &b->row[0]);
    json_t *chain = json_object();
    for (size_t i = 0; i < b->n; i++) {
        if (i + 1 < b->n)
            snprintf(key, sizeof key, "%s<=%llu", kind, (unsigned long long)b->row[i].most);
        else
            snprintf(key, sizeof key, "%s=any", kind);
        json_object_set_new(chain, key, tree_of_row(m, &b->row[i]));
    }
    return chain;
}

/* The blocks of a collective for communicators whose ranks are placed so, or NULL: there are none.
 */
static json_t *tree_of_blocks(const struct making *m, const struct rules_table *t,
                              enum rules_where where)
{
    char key[WORD];
    json_t *chain = NULL;
    for (size_t i = 0; i < t->n; i++) {
        const struct rules_block *b = &t->block[i];
        if (strcmp(b->collective, m->collective) != 0)
            continue;
        const int last = i + 1 == t->n || strcmp(t->block[i + 1].collective, b->collective) != 0;
        if (!chain)
            chain = json_object();
        snprintf(key, sizeof key, "comm_size<=%lld", (long long)b->most);
        json_object_set_new(chain, last ? "comm_size=any" : key,
                            b->where == WHERE_ANY || b->where == where ? tree_of_block(m, b)
                                                                       : own_tree(m));
    }
    return chain;
}

/* All of them, or the collective's own tree. */
static json_t *tree_of_places(const struct making *m, const struct rules_table *t)
{
    json_t *several = tree_of_blocks(m, t, WHERE_SEVERAL_PER_NODE);
    if (!several)
        return own_tree(m);
    json_t *flat = tree_of_blocks(m, t, WHERE_ONE_PER_NODE);
    if (version_within(m->version, "5.0", NULL))
        return json_pack("{s:o, s:o}", "comm_hierarchy=parent", several, "comm_hierarchy=any",
                         flat);
    return json_pack("{s:o, s:o, s:o}", "comm_hierarchy=parent", several, "comm_hierarchy=flat",
                     flat, "comm_hierarchy=any", own_tree(m));
}

/* The file has no comments: what is to be said stands where parameters would, which this algorithm
 * does not look at. */
static json_t *tree_of_remarks(const char *const *remarks)
{
    json_t *said = json_object();
    for (; *remarks; remarks++)
        json_object_set_new(said, *remarks, json_object());
    return json_pack("{s:o}", "algorithm=MPIR_Neighbor_allgather_allcomm_nb", said);
}

static json_t *tree_of_collective(const char *collective, const struct rules_table *t,
                                  const char *version)
{
    const struct making m = { .collective = collective, .version = version };
    const char *inter = own_of(collective, 1);
    json_t *intra = tree_of_places(&m, t);
    if (!inter)
        return intra;
    return json_pack("{s:o, s:o}", "comm_type=intra", intra, "comm_type=inter",
                     tree_of(&m, &inter));
}

/* Of a size that is none of those that are read beyond their end. */
static void put_tree(json_t *root, FILE *out)
{
    char *text = json_dumps(root, JSON_INDENT(1));
    json_decref(root);
    if (text)
        fprintf(out, "%s\n%s", text, (strlen(text) + 1) % PAGE ? "" : "\n");
    free(text);
}

void rules_write_mpich(const struct rules_reader *reader, const struct rules_table *t,
                       const char *const *remarks, FILE *out)
{
    char key[WORD];
    json_t *root = json_pack("{s:o}", "collective=neighbor_allgather", tree_of_remarks(remarks));
    for (size_t i = 0; mpich_owns[i].collective; i++) {
        snprintf(key, sizeof key, "collective=%s", mpich_owns[i].collective);
        if (!json_object_get(root, key))
            json_object_set_new(root, key,
                                tree_of_collective(mpich_owns[i].collective, t, reader->version));
    }
    put_tree(root, out);
}

/* In the device's tree two collectives have none between communicators. */
static int tells_communicators(const char *collective)
{
    return strcmp(collective, "scan") != 0 && strcmp(collective, "exscan") != 0;
}

void rules_write_mpich_device(const struct rules_reader *reader, const struct rules_table *t,
                              const char *const *remarks, FILE *out)
{
    char key[WORD];
    json_t *root = json_object();
    (void)remarks;
    for (size_t i = 0; mpich_devices[i].collective; i++) {
        const struct making m = { .collective = mpich_devices[i].collective,
                                  .version = reader->version,
                                  .device = 1 };
        snprintf(key, sizeof key, "collective=%s", m.collective);
        if (json_object_get(root, key))
            continue;
        json_t *intra = tree_of_places(&m, t);
        json_object_set_new(root, key,
                            tells_communicators(m.collective)
                                ? json_pack("{s:o}", "comm_type=intra", intra)
                                : intra);
    }
    put_tree(root, out);
}
