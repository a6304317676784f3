/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_levels.h - MPICH chooses at several levels, each with a tree and a variable of its own:
 * the device's compositions (CH4: which part of a call goes between nodes, which inside one), its
 * algorithms in shared memory (POSIX), and MPICH's algorithms (MPIR), which decide where the
 * device has no leaf, and for the parts. The same conditions hold in all. From 4.3 on the device's
 * levels have a second tree, which broadcasts from an accelerator's memory ask, and no other call
 * (src/mpid/ch4/src/ch4_init.c, ch4_coll.h, ch4_coll_impl.h;
 * src/mpid/ch4/shm/posix/posix_init.c, posix_coll.h). */
#pragma once

#include "harness/rules/mpich_tables.h"
#include "harness/rules/rules.h"

#define MPICH_FILE        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"
#define MPICH_DEVICE_FILE "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"

struct mpich_level {
    const char *name;     /* "MPIR", "CH4", "POSIX" */
    const char *leaf;     /* how the key of a leaf begins */
    const char *variable; /* variable with the path of its file; of the second tree ..._GPU */
    int whole;            /* 1: a call without a leaf in the file ends
                             the program; 0: the next level decides */
};

/* The level of a leaf's key; NULL: none. */
const struct mpich_level *mpich_level_of(const char *key);

/* The device's leaf of that key in a release; NULL: the release has none. */
const struct mpich_leaf *mpich_leaf_find(const char *version, const char *key);

/* The device's composition of that name ("composition_alpha"); NULL: the release has none. */
const struct mpich_leaf *mpich_composition(const char *version, const char *collective,
                                           const char *name);

/* Which communicators a leaf is for. */
enum native_reach mpich_leaf_reach(const struct mpich_leaf *leaf);

/* 1 when this composition of the device ("composition_alpha") leaves no call whole to MPICH's
 * algorithms. */
int mpich_leaf_parts(const char *version, const char *collective, const char *name);

/* 1 when the release checks, where needed, that the leaf can serve a call. */
int mpich_leaf_looks(const struct mpich_leaf *leaf, const char *version);

/* Why a leaf cannot serve a call; NULL: it can, or the library uses another one there. */
const char *mpich_leaf_refusal(const struct mpich_leaf *leaf, const char *version,
                               const struct rules_call *call);
