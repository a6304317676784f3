/* SPDX-License-Identifier: BSD-3-Clause */
/* nap_mpich.c - as nap_openmpi.c, for MPICH: in place of yield.so, whose wrapper of
 * ucp_worker_progress calls sched_yield(). */
#include <dlfcn.h>
#include <string.h>

#include "tests/fake/nap.h"
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
        nap();
    else
        naps = 0;
    return n;
}
