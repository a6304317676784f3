/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_tree.h - shared by readers of MPICH's trees: conditions of a call, names of
 * leaves, and errors in a tree. */
#pragma once

#include "harness/base/json_print.h"
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

/* A key, or more of them, without blanks, which do not count. */
void mpich_squeeze(const char *text, char *out, size_t size);

/* 1 when a place ("comm_size = any/avg_msg_size<=8") has this condition. */
int mpich_is_below(const char *at, const char *condition);

/* 1 when a key begins with this text. */
int mpich_begins(const char *key, const char *with);

/* The number after the sign in a key, read as by atoi. */
long mpich_number_of(const char *key);

/* 1 when a key matches everything; it may end a list of number conditions. */
int mpich_is_any(const struct rules *r, const char *key);

/* 1 when a key of a tree is a condition on the communicator. */
int mpich_is_comm_key(const char *key);
int mpich_is_leaf(const char *key); /* of any level */

/* Whether a condition holds for a call. UNDEFINED: the program ends for this
 * collective. pruned 1: only conditions on the communicator are above it. */
enum mpich_holds { NO, YES, UNKNOWN, UNDEFINED };
enum mpich_holds mpich_holds(const struct rules *r, const char *key, const struct rules_call *c,
                             int pruned);

/* "algorithm=MPIR_Bcast_intra_binomial" of a broadcast: "binomial"; "": of another collective,
 * between communicators, or of the device. */
void mpich_name_of(const char *key, const char *collective, char name[NAME_SIZE]);

/* An algorithm that the release has; NULL: it has none of that name. */
const struct native *mpich_native_of(const struct rules *r, const char *collective,
                                     const char *name);

/* Copies the radix and chunk bytes of a leaf to *out; leaves its other fields unchanged. */
void mpich_take_parameters(json_t *said, const struct native *native, struct rules_answer *out);

/* The line of a place ("comm_size=any/avg_msg_size<=8"). */
int mpich_line_of(const struct rules *r, const char *at);

/* Finds errors in a JSON file; sets level and dies. */
void mpich_lint(struct rules *r);
