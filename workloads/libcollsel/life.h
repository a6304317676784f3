/* SPDX-License-Identifier: BSD-3-Clause */
/* life.h - from MPI_Init to MPI_Finalize. */
#ifndef WORKLOADS_LIBCOLLSEL_LIFE_H
#define WORKLOADS_LIBCOLLSEL_LIFE_H

/* Collective over MPI_COMM_WORLD, after MPI has begun. Ends the program where the environment is
 * wrong, or not the same on all ranks; does nothing but say so where MPI serves many threads at a
 * time. */
void life_begin(void);

/* Collective, before MPI ends: the summary, and nothing of the library is left. */
void life_end(void);

#endif
