/* SPDX-License-Identifier: BSD-3-Clause */
/* yield_mpich.c - a library to preload (build/mpich/yield.so) where ranks outnumber cores.
 *
 * MPICH 4.0.2 with UCX polls without ever giving up its core, so that an oversubscribed rank waits
 * a whole time slice for a neighbour that cannot run. This wrapper of ucp_worker_progress calls
 * sched_yield() whenever there was no progress. The measuring program records that it was in use.
 *
 * And MPI_Finalize of MPICH 4.0.2 hangs over TCP now and then: a rank that has closed its endpoints
 * waits in the launcher's barrier and no longer answers those that still close theirs. All messages
 * have arrived by then, so the wrapper of ucp_disconnect_nb says "closed" and leaves the endpoints
 * to the end of the process. */
#include <dlfcn.h>
#include <sched.h>
#include <string.h>

struct ucp_worker;
typedef unsigned progress_function(struct ucp_worker *worker);

progress_function ucp_worker_progress;

unsigned ucp_worker_progress(struct ucp_worker *worker)
{
    static progress_function *real;
    if (!real) {
        void *at = dlsym(RTLD_NEXT, "ucp_worker_progress");
        memcpy(&real, &at, sizeof real);
    }
    const unsigned n = real(worker);
    if (n == 0)
        sched_yield();
    return n;
}

struct ucp_ep;
void *ucp_disconnect_nb(struct ucp_ep *ep);

void *ucp_disconnect_nb(struct ucp_ep *ep)
{
    (void)ep;
    return NULL; /* UCS_OK: there is nothing to wait for */
}
