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

#define COMPOSES(collective_, word_, name_)                                                        \
    .collective = (collective_), .name = "composition_" name_,                                     \
    .key = "composition=MPIDI_" word_ "_intra_composition_" name_
#define INSIDE(collective_, name_)                                                                 \
    .collective = (collective_), .name = (name_),                                                  \
    .key = "algorithm=MPIDI_POSIX_mpi_" collective_ "_" name_

static const struct mpich_leaf leaves[] = {
    { COMPOSES("barrier", "Barrier", "alpha"), .parts = 1 },
    { COMPOSES("barrier", "Barrier", "beta") },
    { COMPOSES("bcast", "Bcast", "alpha"), .parts = 1 },
    { COMPOSES("bcast", "Bcast", "beta"), .parts = 1 },
    { COMPOSES("bcast", "Bcast", "gamma") },
    { COMPOSES("bcast", "Bcast", "delta"), .parts = 1, .from = "4.3" },
    { COMPOSES("reduce", "Reduce", "alpha"), .parts = 1, .commuting = 1 },
    { COMPOSES("reduce", "Reduce", "beta"), .parts = 1, .commuting = 1 },
    { COMPOSES("reduce", "Reduce", "gamma") },
    { COMPOSES("allreduce", "Allreduce", "alpha"), .parts = 1, .commuting = 1 },
    { COMPOSES("allreduce", "Allreduce", "beta") },
    { COMPOSES("allreduce", "Allreduce", "gamma"), .parts = 1 },
    { COMPOSES("allreduce", "Allreduce", "delta"), .parts = 1 },
    { COMPOSES("alltoall", "Alltoall", "alpha"), .parts = 1, .looks = "4.3" },
    { COMPOSES("alltoall", "Alltoall", "beta"), .from = "4.1" },
    { COMPOSES("allgather", "Allgather", "alpha"), .parts = 1, .looks = "4.3" },
    { COMPOSES("allgather", "Allgather", "beta"), .from = "4.1" },
    { COMPOSES("alltoallv", "Alltoallv", "alpha") },
    { COMPOSES("alltoallw", "Alltoallw", "alpha") },
    { COMPOSES("allgatherv", "Allgatherv", "alpha") },
    { COMPOSES("gather", "Gather", "alpha") },
    { COMPOSES("gatherv", "Gatherv", "alpha") },
    { COMPOSES("scatter", "Scatter", "alpha") },
    { COMPOSES("scatterv", "Scatterv", "alpha") },
    { COMPOSES("reduce_scatter", "Reduce_scatter", "alpha") },
    { COMPOSES("reduce_scatter_block", "Reduce_scatter_block", "alpha") },
    { COMPOSES("scan", "Scan", "alpha"), .parts = 1, .reach = REACH_PARTS },
    { COMPOSES("scan", "Scan", "beta") },
    { COMPOSES("exscan", "Exscan", "alpha") },
    { INSIDE("bcast", "release_gather") },
    { INSIDE("barrier", "release_gather") },
    { INSIDE("allreduce", "release_gather"), .commuting = 1 },
    { INSIDE("reduce", "release_gather"), .commuting = 1 },
    { INSIDE("bcast", "ipc_read"), .from = "4.3", .gpu = 1 },
};

const struct mpich_leaf *mpich_leaf_find(const char *version, const char *key)
{
    return find_below(leaves, i, sizeof leaves / sizeof *leaves,
                      strcmp(leaves[i].key, key) == 0 &&
                          version_within(version, leaves[i].from, leaves[i].below));
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
