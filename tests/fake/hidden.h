/* SPDX-License-Identifier: BSD-3-Clause */
/* hidden.h - a library to preload that hides its tracks: no variable tells of it once it is loaded.
 * It has a clock of its own, and with WITH_CALL a broadcast. The body of hidden_*.c,
 * hiddencall_*.c. */
#pragma once

#include <mpi.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((constructor)) static void hide(void)
{
    unsetenv("LD_PRELOAD");
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    return (int)syscall(SYS_clock_gettime, clock, t);
}

#ifdef WITH_CALL
int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return PMPI_Bcast(buf, count, type, root, comm);
}
#endif
