/* SPDX-License-Identifier: BSD-3-Clause */
/* life.h - from MPI_Init to MPI_Finalize. */
#pragma once

/* Collective over MPI_COMM_WORLD, after MPI_Init. Ends the program if the environment is wrong or
 * differs between ranks. */
void life_begin(void);

/* Collective, before MPI_Finalize: writes the summary and frees the library's state. */
void life_end(void);

/* Before a session of MPI ends: after the last one of a program without MPI_Init, its first process
 * says what it has counted. */
void life_session_ends(void);
