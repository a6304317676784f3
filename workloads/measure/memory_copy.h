/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_copy.h - the memory-copy experiment (Sugiyama, Morie & Nanri, section IV-A): memcpy whose
 * source and target are new each time, within memory far larger than the last cache, so that no
 * copy finds in a cache what the one before left there. */
#pragma once

#include "harness/base/keys.h"

/* Buffers and positions of the copies. */
struct copier {
    char *source, *target;
    size_t bytes, step, room, at; /* room: bytes of either */
    const struct cost_list *costs;
};

/* Bytes of memory that copies of up to so many bytes want. */
size_t copier_memory(uint64_t most);

/* Copies of so many bytes within memory (of at least copier_memory(bytes), every page of it
 * touched; borrowed). costs: NULL on a real machine; in a simulation a copy costs what they say
 * (borrowed), and there need be no memory. */
struct copier copier_of(uint64_t bytes, void *memory, size_t size, const struct cost_list *costs);

/* One copy; 0. The argument is the copier. */
int copier_run(void *copier);
