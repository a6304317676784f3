/* SPDX-License-Identifier: BSD-3-Clause */
/* one_order.h - choices of a reduction that combine in one order, whatever the size: results are
 * then the same to the bit for all sizes (workloads/schedules/order.h). Pure functions. */
#ifndef ANALYSIS_ADVISE_ONE_ORDER_H
#define ANALYSIS_ADVISE_ONE_ORDER_H

#include "analysis/advise/advice.h"

/* Of n cells of one collective and so many processes, each with all that is near it, the choices of
 * one order that take the least time together, in the mean of ratios. Fills chosen, one for each
 * cell. *alone is set to 1 where they differ in their order among some of the processes behind, up
 * to last. 0; -1: nothing keeps one order in all cells. */
int one_order(const struct advice *row, size_t n, int last, struct advice_near *chosen, int *alone);

#endif
