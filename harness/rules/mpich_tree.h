/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_tree.h - between the files that read MPICH's trees: what a condition says of a call, what a
 * leaf names, and what is wrong with a tree. */
#ifndef HARNESS_RULES_MPICH_TREE_H
#define HARNESS_RULES_MPICH_TREE_H

#include <jansson.h>

#include "harness/base/json_file.h"
#include "harness/rules/mpich_levels.h"

struct native; /* harness/study/libraries/natives.h */

enum { PLACE = JSON_PLACE, KEY = 96 };

/* A file as it was read. */
struct mpich_tree {
    json_t *root;
    const struct mpich_level *level; /* of its first leaf; NULL: it has none */
    char *text;
    json_t *lines; /* of its values (json_lines) */
    int dies;      /* 1: the program ends when the file is read */
};

/* A key without its blanks, which do not count. */
void mpich_squeeze(const char *key, char out[KEY]);

/* 1 when a key begins with this text. */
int mpich_begins(const char *key, const char *with);

/* As atoi reads what follows a sign. */
long mpich_number_of(const char *key);

/* 1: it holds for all, and chains of numbers may end with it. */
int mpich_is_any(const struct rules *r, const char *key);

/* 1 when a key of a tree is a condition on the communicator. */
int mpich_is_comm_key(const char *key);
int mpich_is_leaf(const char *key); /* of any level */

/* Does a condition hold for a call? UNDEFINED: of this collective the program ends. pruned: only
 * conditions of the communicator stand above. */
enum mpich_holds { NO, YES, UNKNOWN, UNDEFINED };
enum mpich_holds mpich_holds(const struct rules *r, const char *key, const struct rules_call *c,
                             int pruned);

/* "algorithm=MPIR_Bcast_intra_binomial" of bcast: "binomial"; "": of another collective, between
 * communicators, or of the device. */
void mpich_name_of(const char *key, const char *collective, char name[NAME_SIZE]);

/* An algorithm that the release has; NULL: it has none of that name. */
const struct native *mpich_native_of(const struct rules *r, const char *collective,
                                     const char *name);

/* The radix and the bytes of a chunk that a leaf names, into *out; the rest of it stays. */
void mpich_take_parameters(json_t *said, const struct native *native, struct rules_answer *out);

/* The line of a place ("collective=bcast/comm_size=any"). */
int mpich_line_of(const struct rules *r, const char *at);

/* Finds what is wrong with a file that is JSON; sets what it is of (level), and dies. */
void mpich_lint(struct rules *r);

#endif
