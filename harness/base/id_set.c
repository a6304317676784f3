/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/id_set.h"

enum { FIRST_ROOM = 64 };

/* Where the number is, or the empty slot where it belongs. */
static uint64_t *find(const struct id_set *set, uint64_t id)
{
    size_t at = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (set->room - 1);
    while (set->slot[at] && set->slot[at] != id)
        at = (at + 1) & (set->room - 1);
    return &set->slot[at];
}

static void grow(struct id_set *set)
{
    struct id_set larger = { .room = set->room ? 2 * set->room : FIRST_ROOM };
    larger.slot = memory_zeros(larger.room, sizeof *larger.slot);
    for (size_t i = 0; i < set->room; i++)
        if (set->slot[i])
            *find(&larger, set->slot[i]) = set->slot[i];
    free(set->slot);
    set->slot = larger.slot;
    set->room = larger.room;
}

int id_set_add(struct id_set *set, uint64_t id)
{
    if (!id) {
        const int first = !set->has_zero;
        set->has_zero = 1;
        return first;
    }
    if (2 * (set->n + 1) > set->room)
        grow(set);
    uint64_t *slot = find(set, id);
    if (*slot == id)
        return 0;
    *slot = id;
    set->n++;
    return 1;
}

CLEARS(id_set_clear, id_set, it->slot)
