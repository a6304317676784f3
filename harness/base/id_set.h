/* SPDX-License-Identifier: BSD-3-Clause */
/* id_set.h - a set of 64-bit numbers: a hash table with open addressing, to find
 * duplicate rows in a file of any length. Start from { 0 }; id_set_clear frees. */
#pragma once

#include "harness/base/base.h"

struct id_set {
    uint64_t *slot; /* 0: empty */
    size_t room, n; /* slots, a power of two; of them taken */
    int has_zero;   /* the number 0 is in the set */
};

/* Adds a number. 1: it is new, 0: it was there. */
int id_set_add(struct id_set *set, uint64_t id);

/* Empties the set. */
void id_set_clear(struct id_set *set);
