/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_levels.h - MPICH chooses at several levels, each with a tree and a variable of its own:
 * the device's compositions (CH4: which part of a call goes between nodes, which inside one), its
 * algorithms in shared memory (POSIX), and MPICH's algorithms (MPIR), which are asked where the
 * device has no leaf, and for the parts. The same conditions hold in all
 * (src/mpid/ch4/src/ch4_init.c, ch4_coll.h, ch4_coll_impl.h; src/mpid/ch4/shm/posix/posix_init.c).
 */
#ifndef HARNESS_RULES_MPICH_LEVELS_H
#define HARNESS_RULES_MPICH_LEVELS_H

#include "harness/rules/rules.h"

struct mpich_level {
    const char *name;     /* "MPIR", "CH4", "POSIX" */
    const char *leaf;     /* how the key of a leaf begins */
    const char *variable; /* which names a file for it */
    int whole;            /* 1: a call for which the file has no leaf ends the program; else the
                             next level decides */
};

/* What a leaf of the device's wants of the communicator and the operation. */
enum mpich_wants { WANTS_PARTS = 1, WANTS_ONE_NODE = 2, WANTS_COMMUTING = 4 };

struct mpich_leaf {
    const char *collective, *name, *key; /* "bcast", "composition_alpha", "composition=MPIDI_..." */
    const char *from, *below;            /* releases; NULL: open */
    int wants;
};

/* The level whose leaf a key is; NULL: of none. */
const struct mpich_level *mpich_level_of(const char *key);

/* The device's leaf of that key in a release; NULL: the release has none. */
const struct mpich_leaf *mpich_leaf_find(const char *version, const char *key);

/* Why a leaf cannot serve so many ranks on so many nodes; NULL: it can. */
const char *mpich_leaf_refusal(const struct mpich_leaf *leaf, int procs, int nodes);

#endif
