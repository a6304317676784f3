/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel.h - independent pieces of work on all processors. */
#ifndef HARNESS_BASE_PARALLEL_H
#define HARNESS_BASE_PARALLEL_H

#include <stddef.h>

/* Calls work(i, user) once for every i below n, several at a time and in no order; back when all
 * are done. What the calls share they may only read, but each may write a place of its own. As many
 * threads as processors that we may run on; fewer where no more can be had, down to the caller's
 * own. */
void parallel_for(size_t n, void (*work)(size_t i, void *user), void *user);

#endif
