/* SPDX-License-Identifier: BSD-3-Clause */
/* nap_mpich.c - a library to preload (build/mpich/nap.so) where ranks outnumber cores and wait for
 * a network, as the nodes of a testbed do; as nap_openmpi.c for MPICH 4.0.2 with UCX over TCP.
 *
 * UCX looks at its sockets by epoll_wait with a timeout of 0 in ucp_worker_progress(). From the
 * third fruitless look on, the rank sleeps until one of its sets has something, a millisecond at
 * most. What another rank of its node writes to shared memory it then sees late. */
#include <dlfcn.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "workloads/preload/leave_mpich.h"

enum { MOST = 16, PATIENCE = 2 };

/* The sets that this thread looks at, and its fruitless looks in a row. */
static _Thread_local struct pollfd set[MOST];
static _Thread_local nfds_t n_sets;
static _Thread_local int fruitless;

struct ucp_worker;
typedef unsigned progress_function(struct ucp_worker *worker);

progress_function ucp_worker_progress;

static void watch(int fd)
{
    for (nfds_t i = 0; i < n_sets; i++)
        if (set[i].fd == fd)
            return;
    if (n_sets < MOST)
        set[n_sets++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout_ms)
{
    if (timeout_ms == 0)
        watch(fd);
    return (int)syscall(SYS_epoll_pwait, fd, events, most, timeout_ms, NULL, 0);
}

unsigned ucp_worker_progress(struct ucp_worker *worker)
{
    static progress_function *real;
    const struct timespec limit = { .tv_nsec = 1000000 };
    if (!real) {
        void *at = dlsym(RTLD_NEXT, "ucp_worker_progress");
        memcpy(&real, &at, sizeof real);
    }
    const unsigned n = real(worker);
    fruitless = n ? 0 : fruitless + 1;
    if (fruitless > PATIENCE)
        ppoll(set, n_sets, &limit, NULL);
    return n;
}
