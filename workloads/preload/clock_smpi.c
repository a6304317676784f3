/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_smpi.c - a library to preload (build/smpi/clock.so) that makes a simulation faster.
 *
 * SMPI (SimGrid 3.32, smpi_bench_begin and smpi_bench_end) asks for the thread's CPU time around
 * every MPI call, to simulate what the ranks compute; with smpi/simulate-computation:no it throws
 * the answer away, after a system call that takes a quarter of the whole simulation. This wrapper
 * of clock_gettime answers that one clock with zero. Simulated time is not touched. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#undef clock_gettime /* SMPI's compiler wrapper defines it away */

int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (clock != CLOCK_THREAD_CPUTIME_ID)
        return (int)syscall(SYS_clock_gettime, clock, t);
    *t = (struct timespec){ 0 };
    return 0;
}
