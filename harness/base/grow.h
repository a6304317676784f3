/* SPDX-License-Identifier: BSD-3-Clause */
/* grow.h - arrays that double when they are full. */
#ifndef HARNESS_BASE_GROW_H
#define HARNESS_BASE_GROW_H

#include <stddef.h>

/* Doubles the room of an array of *cap elements of size bytes (0: none yet). Returns it, moved
 * perhaps, with *cap set; or NULL when out of memory, with the old array and *cap as they were. */
void *array_grow(void *array, size_t *cap, size_t size);

#endif
