/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/array.h"

#include <string.h>

#include "harness/base/memory.h"

enum { FIRST_ROOM = 2, FIRST_RESERVED = 8 };

/* The room of an array of n elements: a power of two, or 0 where there is none as large. */
static size_t room_of(size_t n)
{
    size_t room = FIRST_ROOM;
    while (room && room < n)
        room *= 2;
    return room;
}

/* The pointer is copied since its type is not known here. */
static char *start_of(const void *array)
{
    char *v;
    memcpy(&v, array, sizeof v);
    return v;
}

static void move(void *array, size_t room, size_t size)
{
    void *v = memory_resize(start_of(array), room, size);
    memcpy(array, &v, sizeof v);
}

void *array_append(void *array, size_t *n, size_t more, size_t size)
{
    const size_t had = *n, room = more > SIZE_MAX - had ? 0 : room_of(had + more);
    if (!room)
        memory_ends();
    if (!start_of(array) || room != room_of(had))
        move(array, room, size);
    *n += more;
    return memset(start_of(array) + had * size, 0, more * size);
}

void array_reserve(void *array, size_t *room, size_t want, size_t size)
{
    size_t more = want > 2 * *room ? want : 2 * *room;
    more = more > FIRST_RESERVED ? more : FIRST_RESERVED;
    move(array, more, size);
    *room = more;
}

int array_by_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return ascending(x, y);
}

int array_by_double(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return ascending(x, y);
}

size_t array_set_u64(uint64_t *v, size_t n)
{
    size_t kept = 0;
    if (n)
        qsort(v, n, sizeof *v, array_by_u64);
    for (size_t i = 0; i < n; i++)
        if (!kept || v[i] != v[kept - 1])
            v[kept++] = v[i];
    return kept;
}
