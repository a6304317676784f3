/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - in which order a reduction combines: does it hang on the number of elements?
 *
 * Floating-point sums are the same to the bit where operands are combined in the same tree; which
 * of two is on the left does not matter. A schedule is run on trees instead of numbers. */
#ifndef WORKLOADS_SCHEDULES_ORDER_H
#define WORKLOADS_SCHEDULES_ORDER_H

#include "workloads/schedules/schedule.h"

/* 1 when each rank's result, in each of its elements, is combined in one tree, whatever the number
 * of elements and segments: looked at for fewer elements than ranks, as many, some more and many
 * more, among so many ranks; beyond 32 among as many of the same kind (2^n, even, odd). Anything
 * that combines nothing keeps it. *tree (NULL: no matter) is a digest of the trees: two algorithms
 * with one digest give the same bits. */
int order_is_one(const struct algorithm *alg, int procs, int fanout, uint64_t *tree);

#endif
