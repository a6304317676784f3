/* SPDX-License-Identifier: BSD-3-Clause */
/* idle.h - ranks that are not in a point sleep, to avoid disturbing the others. */
#ifndef WORKLOADS_MEASURE_IDLE_H
#define WORKLOADS_MEASURE_IDLE_H

#include <mpi.h>

/* Sleeps until rank 0 releases this rank; returns the word it gave. */
int idle_wait(MPI_Comm world);

/* On rank 0: releases the ranks of world with member[r] == 0. */
void idle_release(MPI_Comm world, const char *member, int word);

#endif
