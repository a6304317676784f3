/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/mpich_levels.h"

static const struct mpich_level levels[] = {
    { "MPIR", "algorithm=MPIR_", MPICH_FILE, 1 },
    { "CH4", "composition=MPIDI_", MPICH_DEVICE_FILE, 0 },
    { "POSIX", "algorithm=MPIDI_POSIX_", "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE", 0 },
};

const struct mpich_level *mpich_level_of(const char *key)
{
    return find_below(levels, i, sizeof levels / sizeof *levels,
                      strncmp(key, levels[i].leaf, strlen(levels[i].leaf)) == 0);
}

const struct mpich_leaf *mpich_leaf_find(const char *version, const char *key)
{
    for (const struct mpich_leaf *leaf = mpich_leaves; leaf->collective; leaf++)
        if (strcmp(leaf->key, key) == 0 && version_within(version, leaf->from, leaf->below))
            return leaf;
    return NULL;
}

const struct mpich_leaf *mpich_composition(const char *version, const char *collective,
                                           const char *name)
{
    char key[3 * NAME_SIZE];
    snprintf(key, sizeof key, "composition=MPIDI_%c%s_intra_%s",
             toupper((unsigned char)*collective), collective + 1, name);
    return mpich_leaf_find(version, key);
}

/* What can be forced is a candidate, too, and stands there. */
enum native_reach mpich_leaf_reach(const struct mpich_leaf *leaf)
{
    const struct native *candidate = native_find("mpich", leaf->collective, leaf->name);
    return candidate ? candidate->reach : leaf->reach;
}

int mpich_leaf_parts(const char *version, const char *collective, const char *name)
{
    const struct mpich_leaf *leaf = mpich_composition(version, collective, name);
    return !leaf || (leaf->parts && !(leaf->looks && version_within(version, NULL, "4.1")));
}

/* In 4.0 what has this name lets all ranks take part, and has no such memory. */
int mpich_leaf_looks(const struct mpich_leaf *leaf, const char *version)
{
    return !leaf->looks || !version_within(version, "4.1", leaf->looks);
}

/* Where several ranks of each node would lead, and cannot, the library takes another by itself. */
const char *mpich_leaf_refusal(const struct mpich_leaf *leaf, const char *version,
                               const struct rules_call *call)
{
    const enum native_reach reach = mpich_leaf_reach(leaf);
    const int procs = call->procs, nodes = call->nodes < 1 ? 1 : call->nodes;
    const struct native *candidate = native_find("mpich", leaf->collective, leaf->name);
    if (!mpich_leaf_looks(leaf, version) && nodes > 1 && nodes < procs &&
        native_refusal(candidate, procs, call->bytes, 0))
        return "it has memory for blocks of 4096 bytes unless more is set, this release does not "
               "look, and writes behind it";
    if (reach == REACH_PARTS && nodes >= procs)
        return "it wants several ranks on a node, and here each has one: the program ends, or what "
               "comes out is wrong";
    if (reach == REACH_ONE_NODE && nodes > 1)
        return "it goes through the memory of one node, and here are several";
    return NULL;
}
