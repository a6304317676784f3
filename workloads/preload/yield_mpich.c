/* SPDX-License-Identifier: BSD-3-Clause */
/* yield_mpich.c - a library to preload (build/mpich/yield.so) where ranks outnumber cores.
 *
 * MPICH 4.0.2 with UCX polls without ever giving up its core, so that an oversubscribed rank waits
 * a whole time slice for a neighbour that cannot run. This wrapper of ucp_worker_progress calls
 * sched_yield() whenever there was no progress. The measuring program records that it was in use.
 */
#include <dlfcn.h>
#include <sched.h>
#include <string.h>

#include "workloads/preload/leave_mpich.h"

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
