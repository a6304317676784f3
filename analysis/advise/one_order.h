/* SPDX-License-Identifier: BSD-3-Clause */
/* one_order.h - algorithms of a reduction that combine in the same order at all sizes: results are
 * then the same to the bit for all sizes (workloads/schedules/order.h). Pure functions. */
#pragma once

#include "analysis/advise/advice.h"

/* Chooses in n cells of one collective and one number of processes; each row lists
 * the candidates near its best. Takes the order with the least mean time ratio. Fills
 * chosen, one per cell. *alone becomes 1 when the choices differ in order for some of
 * the further processes, up to last. 0; -1: no order is possible in all cells. */
int one_order(const struct advice *row, size_t n, int last, struct advice_near *chosen, int *alone);
