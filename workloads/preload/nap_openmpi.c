/* SPDX-License-Identifier: BSD-3-Clause */
/* nap_openmpi.c - a library to preload (build/openmpi/nap.so) where ranks outnumber cores and wait
 * for a slow network, as the nodes of a testbed do.
 *
 * With mpi_yield_when_idle Open MPI calls sched_yield() between two fruitless looks at its sockets;
 * the kernel hands the core to another rank that looks as fruitlessly, rather than to the one whose
 * message has come or to the work of the emulated network. Here such a rank sleeps for 50 us (100
 * with the kernel's usual slack). Sixteen nodes on two cores, ring allgather of 64 KiB: 29 ms with
 * sched_yield(), 17 ms so; no slack and 20 us make it worse. The command line of a launch says that
 * it was in use. */
#include <time.h>

int sched_yield(void);

int sched_yield(void)
{
    const struct timespec nap = { .tv_nsec = 50000 };
    return nanosleep(&nap, NULL);
}
