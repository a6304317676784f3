/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_parameters.h - what MPICH's control variables can set, by collective: the parameters of its
 * algorithms (src/mpi/coll/coll_algorithms.txt, cvar_params), its compositions. Pure C. */
#pragma once

struct mpich_parameters {
    const char *collective, *algorithm; /* by MPICH's names */
    const char *fanout;                 /* the variable of its radix, or fan-out */
    const char *segment;                /* that of the bytes of a chunk; NULL: it cuts none */
};

/* NULL: the algorithm takes none. */
const struct mpich_parameters *mpich_parameters(const char *collective, const char *algorithm);

/* The algorithm that MPICH must refuse among so many ranks of one communicator; NULL: there is none
 * of the kind. */
const char *mpich_canary(const char *collective, int procs);

/* How many compositions (alpha, beta, ...) the collective's variable names in a release from 4.1
 * on; 0: it has no variable. */
int mpich_compositions(const char *collective, const char *release);
