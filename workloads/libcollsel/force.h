/* SPDX-License-Identifier: BSD-3-Clause */
/* force.h - how one MPI library is made to run an algorithm: force_openmpi.c, force_mpich.c, of
 * which the build for a library holds its own. */
#ifndef WORKLOADS_LIBCOLLSEL_FORCE_H
#define WORKLOADS_LIBCOLLSEL_FORCE_H

#include <mpi.h>

#include "harness/base/err.h"
#include "workloads/libcollsel/choice.h"

enum { FORCE_VARIABLES = 5 };

/* An algorithm in force on `comm`, between force_begin and force_end. */
struct force {
    MPI_Comm comm; /* one of our own */
    int owned;     /* it goes with this */
    int n;         /* variables that are written for each call */
    MPI_T_cvar_handle variable[FORCE_VARIABLES];
    int value[FORCE_VARIABLES], before[FORCE_VARIABLES];
};

/* Collective over work; name: by the library's own spelling. -1 with *err on some ranks: it cannot
 * be forced. The caller agrees, and frees in either case. */
int force_make(struct force *force, MPI_Comm work, const char *collective, const char *name,
               const struct choice *choice, struct err *err);

/* Around each call; local. */
void force_begin(struct force *force);
void force_end(struct force *force);

/* Collective where it owns its communicator. */
void force_free(struct force *force);

#endif
