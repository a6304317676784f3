/* SPDX-License-Identifier: BSD-3-Clause */
/* array.h - growing arrays.
 *
 * The array belongs to the caller, who frees it. Where memory runs out, or a size overflows, the
 * program ends (memory.h): no call fails. The types are checked: for `struct row *v; size_t n;`
 *
 *     struct row *r = array_add(&v, &n);
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Appends one element, all zeros, increments *n and returns it. Pointers into the
 * array are valid until the next call. The capacity follows from the count (a power
 * of two): begin with NULL and 0 and use no other allocation for this array. */
#define array_add(array, n) array_more(array, n, 1)

/* The same for several elements: returns the first of those appended. */
#define array_more(array, n, more)                                                                 \
    ((__typeof__(*(array)))array_append((array), (n), (more), sizeof **(array)))

/* For arrays that are emptied and filled again: makes room for `want` elements where *room is less,
 * and at least doubles it then. New elements are uninitialised. */
#define array_room(array, room, want) array_want((array), (room), (want), sizeof **(array))

/* What the macros call: `array` is the address of the pointer, `size` the bytes of an element. */
void *array_append(void *array, size_t *n, size_t more, size_t size)
    __attribute__((returns_nonnull));
void array_reserve(void *array, size_t *room, size_t want, size_t size);
static inline void array_want(void *array, size_t *room, size_t want, size_t size)
{
    if (want > *room)
        array_reserve(array, room, want, size);
}

/* An order for qsort by several keys, ten at most: the first comparison that is not 0. ascending:
 * that of two numbers. */
#define by_keys(...) by_keys_of(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define by_keys_of(a, b, c, d, e, f, g, h, i, j, ...)                                              \
    ((a) ?: (b) ?: (c) ?: (d) ?: (e) ?: (f) ?: (g) ?: (h) ?: (i) ?: (j))
#define ascending(a, b) (((a) > (b)) - ((a) < (b)))

/* Orders of uint64_t and of doubles that are numbers, ascending, for qsort and bsearch. */
int array_by_u64(const void *a, const void *b);
int array_by_double(const void *a, const void *b);

/* Sorts numbers ascending and keeps one of each: how many these are. v may be NULL where n is 0. */
size_t array_set_u64(uint64_t *v, size_t n);

/* The first i below n for which the condition, which names i, holds; n: there is none. */
#define first_below(i, n, condition)                                                               \
    ({                                                                                             \
        size_t i = 0;                                                                              \
        while (i < (n) && !(condition))                                                            \
            i++;                                                                                   \
        i;                                                                                         \
    })

/* The same where it holds from some i on, by halving. */
#define sorted_below(i, n, condition)                                                              \
    ({                                                                                             \
        size_t low_ = 0, high_ = (n);                                                              \
        while (low_ < high_) {                                                                     \
            const size_t i = low_ + (high_ - low_) / 2;                                            \
            if (condition)                                                                         \
                high_ = i;                                                                         \
            else                                                                                   \
                low_ = i + 1;                                                                      \
        }                                                                                          \
        low_;                                                                                      \
    })

/* 1 when it holds for any of them; the address of that element of v, or NULL. */
#define any_below(i, n, condition)     (first_below(i, n, condition) < (n))
#define find_below(v, i, n, condition) array_at((v), first_below(i, n, condition), (n))
#define array_at(v, i, n)                                                                          \
    ({                                                                                             \
        const size_t at_ = (i);                                                                    \
        at_ < (n) ? &(v)[at_] : NULL;                                                              \
    })

/* The row of this name among pointers to rows, the last of which is NULL; NULL: there is none. */
#define named_row(rows, text)                                                                      \
    ({                                                                                             \
        size_t at_ = 0;                                                                            \
        while ((rows)[at_] && strcmp((rows)[at_]->name, (text)) != 0)                              \
            at_++;                                                                                 \
        (rows)[at_];                                                                               \
    })
