/* SPDX-License-Identifier: BSD-3-Clause */
/* life.h - from MPI_Init to MPI_Finalize. */
#ifndef WORKLOADS_LIBCOLLSEL_LIFE_H
#define WORKLOADS_LIBCOLLSEL_LIFE_H

/* Collective over MPI_COMM_WORLD, after MPI has begun, with the level of threads that it provides.
 * Ends the program where the environment is wrong, or not the same on all ranks. */
void life_begin(int provided);

/* Collective, before MPI ends: the summary, and nothing of the library is left. */
void life_end(void);

#endif
