/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/idle.h"

#include <time.h>

enum { TAG = 19, NAP_NS = 500 * 1000 };

/* A blocking receive would spin on most MPI libraries; the simulator's does not. */
static void sleep_until_told(MPI_Comm world)
{
#ifdef MPI_IS_smpi
    (void)world;
#else
    const struct timespec nap = { 0, NAP_NS };
    int there = 0;
    while (MPI_Iprobe(0, TAG, world, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !there)
        nanosleep(&nap, NULL);
#endif
}

int idle_wait(MPI_Comm world)
{
    int word = 0;
    sleep_until_told(world);
    MPI_Recv(&word, 1, MPI_INT, 0, TAG, world, MPI_STATUS_IGNORE);
    return word;
}

void idle_release(MPI_Comm world, const char *member, int word)
{
    int ranks;
    MPI_Comm_size(world, &ranks);
    for (int r = 0; r < ranks; r++)
        if (!member[r])
            MPI_Send(&word, 1, MPI_INT, r, TAG, world);
}
