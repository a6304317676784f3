/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that loses its launcher ends; one whose launcher merely ends a thread does not. */
#include "workloads/measure/die_with_parent.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/tap.h"

/* What a launcher and its rank have: the rank holds the writing end open for as long as it lives.
 */
struct family {
    int life[2], ready[2];
};

static void *start_rank(void *arg)
{
    const struct family *f = arg;
    const pid_t rank = fork();
    if (rank != 0)
        return NULL;
    close(f->life[0]);
    die_with_parent_follow();
    if (write(f->ready[1], "r", 1) != 1)
        _exit(2);
    for (;;)
        pause();
}

/* The launcher: starts the rank from a thread that ends, or not. */
static void launch(struct family *f, int from_thread)
{
    pthread_t thread;
    if (from_thread && pthread_create(&thread, NULL, start_rank, f) == 0)
        pthread_join(thread, NULL);
    else
        start_rank(f);
    close(f->life[1]);
    for (;;)
        pause();
}

/* 1 when the rank is dead within so many milliseconds. */
static int ends(const struct family *f, int ms)
{
    struct pollfd p = { .fd = f->life[0], .events = POLLIN };
    return poll(&p, 1, ms) > 0;
}

static void check(int from_thread)
{
    struct family f;
    char c;
    if (pipe(f.life) < 0 || pipe(f.ready) < 0)
        return;
    const pid_t launcher = fork();
    if (launcher == 0)
        launch(&f, from_thread);
    close(f.life[1]);
    const int up = read(f.ready[0], &c, 1) == 1;
    ok(up && !ends(&f, 200), "a rank lives while its launcher does%s",
       from_thread ? ", though the thread that started it has ended" : "");
    kill(launcher, SIGKILL);
    ok(ends(&f, 10000), "and dies with it");
    close(f.life[0]);
    close(f.ready[0]);
    close(f.ready[1]);
}

int main(void)
{
    check(0);
    check(1);
    return tap_done();
}
