/* SPDX-License-Identifier: BSD-3-Clause */
/* array: what is appended stays, moves with the array, and the program ends when memory runs out.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/array.h"
#include "harness/base/memory.h"
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

static int *grown;
static size_t n_grown;

static void add_one(void)
{
    array_add(&grown, &n_grown);
}

static void add_too_many(void)
{
    array_more(&grown, &n_grown, SIZE_MAX);
}

static void add_uncountable(void)
{
    array_more(&grown, &n_grown, SIZE_MAX / 2);
}

static void add_too_many_bytes(void)
{
    array_more(&grown, &n_grown, SIZE_MAX / 4);
}

static void reserve_too_much(void)
{
    size_t room = 0;
    array_room(&grown, &room, SIZE_MAX / 2);
}

static void ask_for_all(void)
{
    free(memory_zeros(SIZE_MAX / 2, 4));
}

/* A program that does this ends there with status 1, and says why. */
static void ends(void (*what)(void), const char *claim)
{
    char said[200] = "";
    int status = -1, fd[2];
    if (pipe(fd) < 0)
        return;
    const pid_t child = fork();
    if (child == 0) {
        dup2(fd[1], STDERR_FILENO);
        what();
        _exit(0);
    }
    close(fd[1]);
    const ssize_t n = read(fd[0], said, sizeof said - 1);
    close(fd[0]);
    waitpid(child, &status, 0);
    ok(n > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 1 && strstr(said, "out of memory"),
       "%s", claim);
}

static void out_of_memory(void)
{
    for (int i = 0; i < 8; i++)
        *array_add(&grown, &n_grown) = i;
    refused = 1;
    ends(add_one, "no memory for a ninth: the program ends and says so");
    refused = 0;
    ends(add_too_many, "so it does for a count that overflows");
    ends(add_uncountable, "for a room that cannot be counted");
    ends(add_too_many_bytes, "for too many bytes");
    ends(reserve_too_much, "for too much room at once");
    ends(ask_for_all, "and for memory that is in no array");
    free(grown);
}

static void filled_again(void)
{
    double *v = NULL;
    size_t room = 0;
    array_room(&v, &room, 3);
    ok(room >= 3, "room for three");
    const size_t first = room;
    double *const old = v;
    array_room(&v, &room, first);
    ok(v == old && room == first, "enough: nothing moves");
    v[0] = 7;
    array_room(&v, &room, first + 1);
    is_int(2 * (long long)first, (long long)room, "one more doubles the room");
    array_room(&v, &room, 1000);
    ok(room == 1000 && v[0] == 7, "many more: what is wanted");
    free(v);
}

static void sets(void)
{
    uint64_t v[] = { 7, 3, 7, UINT64_MAX, 0, 3, 3 };
    is_int(4, (long long)array_set_u64(v, 7), "one of each");
    ok(v[0] == 0 && v[1] == 3 && v[2] == 7 && v[3] == UINT64_MAX, "ascending");
    is_int(0, (long long)array_set_u64(NULL, 0), "of nothing none");
}

int main(void)
{
    sets();
    one_by_one();
    many_at_once();
    out_of_memory();
    filled_again();
    return tap_done();
}
