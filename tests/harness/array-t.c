/* SPDX-License-Identifier: BSD-3-Clause */
/* array: what is appended stays, moves with the array, and is unharmed when memory runs out. */
#include <stdint.h>
#include <stdlib.h>

#include "harness/base/array.h"
#include "tests/tap.h"

static int moves, refused;

/* Stands in for libc's: counts the moves, and has no memory while `refused` is set. */
void *reallocarray(void *old, size_t n, size_t size)
{
    size_t bytes;
    moves++;
    return refused || __builtin_mul_overflow(n, size, &bytes) ? NULL : realloc(old, bytes);
}

struct pair {
    int a;
    double b;
};

static void one_by_one(void)
{
    struct pair *v = NULL;
    size_t n = 0, wrong = 0;
    moves = 0;
    for (int i = 0; i < 1000; i++) {
        struct pair *p = array_add(&v, &n);
        wrong += p->a != 0 || p->b != 0 || p != &v[i];
        *p = (struct pair){ i, -i };
    }
    for (int i = 0; i < 1000; i++)
        wrong += v[i].a != i || v[i].b != -i;
    is_int(1000, (long long)n, "a thousand are counted");
    is_int(0, (long long)wrong, "each is zeros, the last, and keeps what was written");
    is_int(10, moves, "the array moves when 2, 4, ... 512 are full");
    free(v);
}

static void many_at_once(void)
{
    int *v = NULL;
    size_t n = 0;
    ok(array_more(&v, &n, 0) == v && v && n == 0, "none appended: room, and no failure");
    ok(array_more(&v, &n, 5) == v && n == 5, "the first of five is the array's start");
    v[4] = 4;
    ok(array_more(&v, &n, 100) == v + 5 && n == 105, "a hundred follow");
    ok(v[4] == 4 && v[5] == 0 && v[104] == 0, "what was there stays, what is new is zero");
    n = 3;
    ok(array_more(&v, &n, 10) == v + 3 && v[12] == 0, "shortened, it grows again");
    free(v);
}

static void out_of_memory(void)
{
    int *v = NULL;
    size_t n = 0;
    refused = 1;
    ok(!array_add(&v, &n) && !v && n == 0, "no memory: still empty");
    refused = 0;
    for (int i = 0; i < 8; i++)
        *array_add(&v, &n) = i;
    int *const old = v;
    refused = 1;
    ok(!array_add(&v, &n), "no memory for a ninth");
    ok(v == old && n == 8 && v[7] == 7, "the array is as it was");
    refused = 0;
    moves = 0;
    ok(!array_more(&v, &n, SIZE_MAX) && n == 8 && !moves, "a count that overflows is refused");
    ok(!array_more(&v, &n, SIZE_MAX / 2) && n == 8, "so is a room that cannot be counted");
    ok(!array_more(&v, &n, SIZE_MAX / 4) && n == 8 && v[7] == 7, "and one of too many bytes");
    free(v);
}

static void filled_again(void)
{
    double *v = NULL;
    size_t room = 0;
    ok(array_room(&v, &room, 3) == 0 && room >= 3, "room for three");
    const size_t first = room;
    double *const old = v;
    ok(array_room(&v, &room, first) == 0 && v == old && room == first, "enough: nothing moves");
    v[0] = 7;
    ok(array_room(&v, &room, first + 1) == 0 && room == 2 * first, "one more doubles the room");
    ok(array_room(&v, &room, 1000) == 0 && room == 1000 && v[0] == 7, "many more: what is wanted");
    ok(array_room(&v, &room, SIZE_MAX / 2) < 0 && room == 1000 && v[0] == 7,
       "too many bytes: the array is as it was");
    refused = 1;
    ok(array_room(&v, &room, 1001) < 0 && room == 1000 && v[0] == 7, "no memory: likewise");
    refused = 0;
    free(v);
}

int main(void)
{
    one_by_one();
    many_at_once();
    out_of_memory();
    filled_again();
    return tap_done();
}
