/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - in which order a reduction combines: does it hang on the number of elements?
 *
 * Floating-point sums are the same to the bit where operands are combined in the same tree; which
 * of two is on the left does not matter. A schedule is run on trees instead of numbers. */
#ifndef WORKLOADS_SCHEDULES_ORDER_H
#define WORKLOADS_SCHEDULES_ORDER_H

#include "workloads/schedules/schedule.h"

/* What is known of the order in which an algorithm combines. */
enum order_kept {
    ORDER_ONE,     /* each rank's result, in each of its elements, is combined in one tree, whatever
                      the number of elements and segments */
    ORDER_RANKS,   /* ranks that get the same result combine it in different trees */
    ORDER_CHANGES, /* in more than one */
    ORDER_CALLS,   /* it calls other collectives, which the library chooses by the size, at borders
                      of many KiB: it counts as one that changes, also where none is crossed */
    ORDER_UNKNOWN, /* it has no schedule, or is a combination, whose order hangs on where the ranks
                      are */
};

/* Which of these it is: looked at for fewer elements than ranks, as many, some more and many more,
 * among so many ranks; beyond 32 among as many of the same kind (2^n, even, odd). What calls no
 * other collectives has no border of its own beyond (.substitute of the rows). alg: NULL where an
 * algorithm has no schedule; what combines nothing keeps one order. *tree (NULL: no matter) is a
 * digest of the trees of ORDER_ONE: two algorithms with one digest give the same bits; 0 of the
 * others, and where nothing is combined. */
enum order_kept order_find(const struct algorithm *alg, int procs, int fanout, uint64_t *tree);

#endif
