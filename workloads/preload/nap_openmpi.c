/* SPDX-License-Identifier: BSD-3-Clause */
/* nap_openmpi.c - a library to preload (build/openmpi/nap.so) where ranks outnumber cores and wait
 * for a network, as the nodes of a testbed do.
 *
 * With mpi_yield_when_idle Open MPI calls sched_yield() after every fruitless look at its sockets
 * (poll with a timeout of 0). The kernel then hands the core to another rank that
 * looks as fruitlessly, rather than to the one whose message has come or to the work of the
 * emulated network. Here such a rank sleeps until one of these sockets has something for it, as if
 * it had a core to itself; a millisecond at most, in case it waits for something else. One that has
 * just found something does not sleep. The command line of a launch says that it was in use. */
#include <poll.h>
#include <string.h>
#include <time.h>

enum { MOST = 512 };

/* What this thread looked at last, and whether it found something since it last slept. */
static _Thread_local struct pollfd watched[MOST];
static _Thread_local nfds_t n_watched;
static _Thread_local int found;

int sched_yield(void);

int poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    const struct timespec limit = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };
    const int ready = ppoll(fds, n, timeout_ms < 0 ? NULL : &limit, NULL);
    if (timeout_ms != 0)
        return ready;
    n_watched = n < MOST ? n : 0;
    memcpy(watched, fds, n_watched * sizeof *fds);
    found |= ready > 0;
    return ready;
}

int sched_yield(void)
{
    const struct timespec limit = { .tv_nsec = 1000000 };
    if (!found)
        ppoll(watched, n_watched, &limit, NULL);
    found = 0;
    return 0;
}
