/* SPDX-License-Identifier: BSD-3-Clause */
/* contributions.h - the content of a byte of a reduction: the ranks whose
 * contributions are in it, and whether they were combined in rank order.
 *
 * Each such content is kept once and has a number; those of a schedule are few, since a rank holds
 * much the same for every position. Contents 0 … procs - 1 are the ranks' own contributions. */
#pragma once

#include "harness/base/base.h"

struct contributions {
    int procs;
    size_t words;   /* of a set of ranks */
    uint64_t *sets; /* n x words */
    unsigned char *in_order;
    size_t n, sets_room, in_order_room;
    uint32_t *slots; /* contents by what they hold (a hash), 1 + number; 0: free */
    size_t n_slots;  /* a power of two, at least twice n */
    struct {
        uint32_t in, inout, sum;
    } last; /* combined last: the same pair comes again for each byte of a segment */
};

/* The contents of the ranks themselves. */
void contributions_init(struct contributions *c, int procs);

/* in op inout: a new content *sum. Returns 0, or -1 where a rank is in both: *twice, the least. */
int contributions_combine(struct contributions *c, uint32_t in, uint32_t inout, uint32_t *sum,
                          int *twice);

/* The least rank from first to last that is not in a content, or -1. */
int contributions_missing(const struct contributions *c, uint32_t content, int first, int last);

/* The least rank after last that is in it, or -1. */
int contributions_beyond(const struct contributions *c, uint32_t content, int last);

void contributions_clear(struct contributions *c);
