/* SPDX-License-Identifier: BSD-3-Clause */
/* nap_openmpi.c - a library to preload where many ranks share few cores and nobody looks at times:
 * a rank that waits sleeps, the longer the longer it waits.
 *
 * With mpi_yield_when_idle Open MPI calls sched_yield() whenever there was no progress. That passes
 * the core on to the next process, which mostly waits as well, and beside other work each pass
 * costs a time slice: a test of sixteen ranks took ten times as long. */
#include "tests/fake/nap.h"

/* Two calls that nothing but a look for messages lies between. */
enum { LOOK_NS = 3000 };

int sched_yield(void);

int sched_yield(void)
{
    static _Thread_local int64_t before;
    if (now_ns() - before > LOOK_NS)
        naps = 0;
    nap();
    before = now_ns();
    return 0;
}
