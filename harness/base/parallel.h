/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel.h - independent pieces of work on all processors. */
#pragma once

#include "harness/base/base.h"

/* Calls work(i, user) once for every i below n, in parallel and in any order; returns when all are
 * done. The calls may only read shared data, but each may write a place of its own. Uses one thread
 * per available processor; fewer if threads cannot be created, at least the caller's. */
void parallel_for(size_t n, void (*work)(size_t i, void *user), void *user);
