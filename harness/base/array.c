/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

static int move(void *array, size_t room, size_t size)
{
    void *v = reallocarray(start_of(array), room, size);
    if (v)
        memcpy(array, &v, sizeof v);
    /* cppcheck-suppress memleak ; the caller's pointer holds it */
    return v ? 0 : -1;
}

void *array_append(void *array, size_t *n, size_t more, size_t size)
{
    const size_t had = *n, room = more > SIZE_MAX - had ? 0 : room_of(had + more);
    if (!room)
        return NULL;
    if ((!start_of(array) || room != room_of(had)) && move(array, room, size) < 0)
        return NULL;
    *n += more;
    return memset(start_of(array) + had * size, 0, more * size);
}

int array_reserve(void *array, size_t *room, size_t want, size_t size)
{
    size_t more = want > 2 * *room ? want : 2 * *room;
    more = more > FIRST_RESERVED ? more : FIRST_RESERVED;
    if (move(array, more, size) < 0)
        return -1;
    *room = more;
    return 0;
}
