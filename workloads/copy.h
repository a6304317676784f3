/* SPDX-License-Identifier: BSD-3-Clause */
/* copy.h - the memory-copy experiment (Sugiyama, Morie & Nanri, section IV-A): memcpy whose source
 * and target are new each time, within memory far larger than the last cache, so that no copy finds
 * in a cache what the one before left there. */
#ifndef WORKLOADS_COPY_H
#define WORKLOADS_COPY_H

#include "harness/base/keys.h"

struct copier;

/* Makes memory ready and touches it. costs: NULL on a real machine; in a simulation no memory is
 * taken, and a copy costs what they say (borrowed). NULL with *err when out of memory. */
struct copier *copier_new(uint64_t bytes, const struct cost_list *costs, struct err *err);

/* One copy; 0. The argument is the copier. */
int copier_run(void *copier);

/* Frees; NULL is fine. */
void copier_free(struct copier *copier);

#endif
