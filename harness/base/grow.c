/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/grow.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

void *array_grow(void *array, size_t *cap, size_t size)
{
    const size_t more = *cap ? 2 * *cap : FIRST_ROOM;
    void *bigger = realloc(array, more * size);
    if (bigger)
        *cap = more;
    return bigger;
}
