/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_tables.h - what MPICH decides and takes, by collective. Each table ends with a row of no
 * collective. */
#pragma once

#include "harness/study/libraries/natives.h"

/* What the releases 4.0 to 5.0 decide without a file, their device apart. A tree is conditions,
 * each with a tree in braces, or an algorithm; words for conditions are in the table behind. */
struct mpich_own {
    const char *collective, *intra, *inter; /* inter NULL: communicators are not told apart */
};
extern const struct mpich_own mpich_owns[];

/* What the device decides without a file, between ranks of one communicator: parts of its
 * compositions (alpha, beta, ...). Two collectives have another one in 4.0 than later. */
struct mpich_device {
    const char *collective, *release, *intra; /* release: from which on */
};
extern const struct mpich_device mpich_devices[];

/* What stands above a chosen algorithm (@): the library's own decision takes the other calls. */
struct mpich_guard {
    const char *collective, *algorithm, *tree; /* algorithm NULL: any other of the collective */
};
extern const struct mpich_guard mpich_guards[];

/* What a leaf has to say of an algorithm: the values of its control variables, which count where it
 * is forced. k: the rule's fan-out, 2 unless it has one; chunk_size: its segment. tree_type: a
 * number in 4.1 and 4.2, and a word from 4.3 on. */
struct mpich_leaf_value {
    const char *collective, *algorithm, *release, *parameters;
};
extern const struct mpich_leaf_value mpich_leaf_values[];

/* A leaf of the device. */
struct mpich_leaf {
    const char *collective, *name, *key; /* "composition_alpha", "composition=MPIDI_..." */
    const char *from, *below;            /* releases; NULL: open */
    enum native_reach
        reach;         /* of one that is no candidate (libraries/mpich_natives.c has the others') */
    int commuting;     /* 1: requires a commutative operation */
    int parts;         /* 1: ranks take part by node, or in a node's memory */
    int gpu;           /* 1: for an accelerator's memory; of other memory the next level decides */
    const char *looks; /* from this release on the library checks whether a
                          call fits; NULL: always, or no check is needed */
};
extern const struct mpich_leaf mpich_leaves[];
