/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* How many pieces a thread takes at once, at most; how often it comes back for more, at least: the
 * last to end is waited for. Threads that there are at most. */
enum { MOST_PIECES = 16, TURNS = 16, MOST_THREADS = 64 };

struct job {
    size_t n, pieces;
    void (*work)(size_t i, void *user);
    void *user;
    atomic_size_t next;
};

static void *run(void *at)
{
    struct job *job = at;
    size_t first;
    while ((first = atomic_fetch_add(&job->next, job->pieces)) < job->n)
        for (size_t i = first; i < first + job->pieces && i < job->n; i++)
            job->work(i, job->user);
    return NULL;
}

static int processors(void)
{
    cpu_set_t set;
    const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n < MOST_THREADS ? n : MOST_THREADS;
}

void parallel_for(size_t n, void (*work)(size_t i, void *user), void *user)
{
    const size_t threads = (size_t)processors(), turn = n / (threads * TURNS) + 1;
    struct job job = {
        .n = n, .pieces = turn < MOST_PIECES ? turn : MOST_PIECES, .work = work, .user = user
    };
    pthread_t thread[MOST_THREADS];
    int others = 0;
    const int wanted = (int)(n < threads ? n : threads) - 1;
    while (others < wanted && pthread_create(&thread[others], NULL, run, &job) == 0)
        others++;
    run(&job);
    for (int i = 0; i < others; i++)
        pthread_join(thread[i], NULL);
}
