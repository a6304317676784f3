/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_parameters.h - names of MPICH's control variables for the parameters of its
 * algorithms (src/mpi/coll/coll_algorithms.txt, cvar_params). Pure C. */
#pragma once

struct mpich_parameters {
    const char *collective, *algorithm; /* by MPICH's names */
    const char *fanout;                 /* the variable of its radix, or fan-out */
    const char *segment;                /* that of the bytes of a chunk; NULL: it cuts none */
};

/* NULL: the algorithm takes none. */
const struct mpich_parameters *mpich_parameters(const char *collective, const char *algorithm);
