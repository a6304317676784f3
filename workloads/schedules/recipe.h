/* SPDX-License-Identifier: BSD-3-Clause */
/* recipe.h - algorithms built from patterns (block_spread.h): the sequence of
 * their parts. A row of a table names its recipe and these three functions. */
#pragma once

#include "workloads/schedules/patterns.h"

enum recipe_kind {
    RECIPE_END,

    RECIPE_GATHER, /* spreads the blocks of the vector */
    RECIPE_REDUCE, /* the same backwards: each member has the sum of its block */
    RECIPE_DOUBLE, /* exchanges the whole vector with the peers of each step, and adds theirs, in
                      the same order on all members that exchange with each other */
    RECIPE_TURN,   /* copies a turned vector to RECV, as it belongs */

    RECIPE_EXCHANGE,     /* a block of its own for each peer: an all-to-all */
    RECIPE_EXCHANGE_SUM, /* the same; each combines what it got, in the order of ranks */
    RECIPE_COMBINE, /* combines messages that the pattern has gathered, in the order of ranks */

    RECIPE_DOWN, /* the first member's vector goes down a tree, each member's block to it */
    RECIPE_UP,   /* the blocks go up the tree to the first member */

    RECIPE_FOLD_BLOCK,   /* ranks that are folded into others give them their block */
    RECIPE_FOLD_SUM,     /* … or their vector, which is added */
    RECIPE_UNFOLD_ALL,   /* they get the vector */
    RECIPE_UNFOLD_BLOCK, /* each rank gets its block of the vector into RECV */
};

struct recipe_part {
    enum recipe_kind kind;
    const struct pattern *pattern;
    enum pace pace;                 /* between the steps of GATHER, EXCHANGE and EXCHANGE_SUM */
    const struct recipe_tree *tree; /* of DOWN and UP */
};

/* A tree of members in which those below one are consecutive, around the end. */
struct recipe_tree {
    const struct tree *tree;
    int (*below)(int procs, int k, int v, int *first); /* with itself, from *first on */
};

enum { MOST_RECIPE_PARTS = 4 };

struct recipe {
    enum op_buffer
        vector; /* where it is made: DATA, RECV (TEMP at ranks that have none), or TEMP from 0 */
    uint64_t (*border)(const struct schedule *s, int i); /* of its blocks (block_spread.h) */
    int (*members)(const struct schedule *s); /* the others are folded; NULL: all are members */
    struct recipe_part parts[MOST_RECIPE_PARTS + 1]; /* ends with RECIPE_END */
};

/* clang-format off */
/* The member `recipe` of an algorithm: its vector, border and members, then its parts. */
#define RECIPE(vector_, border_, members_, ...)                                                    \
    .recipe = &(const struct recipe){ vector_, border_, members_, { __VA_ARGS__ } }

/* A row of struct algorithm that is made by a recipe. */
#define RECIPE_ROW(text, ...)                                                                  \
    { .name = text, .rounds = recipe_rounds, .round = recipe_round,             \
      .temp_bytes = recipe_temp, __VA_ARGS__ }
/* clang-format on */

/* For struct algorithm, whose recipe is a struct recipe. A call that moves no bytes has no
 * rounds. */
uint64_t recipe_rounds(const struct schedule *s, int rank);
void recipe_round(const struct schedule *s, int rank, uint64_t k, struct round *out);
uint64_t recipe_temp(const struct schedule *s, int rank);

/* Members: the largest 2^n of the ranks. */
int members_two_to_n(const struct schedule *s);

/* A vector of a whole message from each rank. */
uint64_t border_of_messages(const struct schedule *s, int i);
