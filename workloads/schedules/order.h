/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - whether the order in which a reduction combines depends on the number of elements.
 *
 * Floating-point sums are equal to the bit if operands are combined in the same tree;
 * exchanging left and right does not matter. A schedule is run on trees instead of numbers. */
#pragma once

#include "workloads/schedules/schedule.h"

/* Property of the order in which an algorithm combines. */
enum order_kept {
    ORDER_ONE,     /* each rank's result, in each of its elements, is combined in one tree, whatever
                      the number of elements and segments */
    ORDER_RANKS,   /* ranks that get the same result combine it in different trees */
    ORDER_CHANGES, /* a rank's result is combined in more than one tree: by element, or by number of
                      elements and segments */
    ORDER_CALLS,   /* it calls other collectives, which the library chooses by the size, at borders
                      of many KiB: it counts as one that changes, also between two borders */
    ORDER_UNKNOWN, /* it has no schedule, or is a combination, whose order depends on where the
                      ranks are */
};

/* Which of these it is: tried with fewer elements than ranks, as many, one more, and twice as many
 * and more, among procs ranks; of more than 32, among 32, 24 or 31, as procs is a power of two,
 * even or odd. An algorithm that calls no other collectives has no border at larger sizes
 * (.substitute of the rows). alg: NULL where an algorithm has no schedule. What combines nothing is
 * ORDER_ONE. *tree (may be NULL) is a digest of the trees of ORDER_ONE: two algorithms with one
 * digest give the same bits; 0 in every other case, and where nothing is combined. */
enum order_kept order_find(const struct algorithm *alg, int procs, int fanout, uint64_t *tree);
