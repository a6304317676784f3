/* SPDX-License-Identifier: BSD-3-Clause */
/* force.h - forces an algorithm in one MPI library: force_openmpi.c or force_mpich.c,
 * depending on the library of the build. */
#pragma once

#include <mpi.h>

#include "workloads/libcollsel/choice.h"

enum { FORCE_VARIABLES = 5 };

/* An algorithm in force on `comm`, between force_begin and force_end. */
struct force {
    MPI_Comm comm; /* one of our own */
    int owned;     /* 1: freed with this */
    int n;         /* variables that are written for each call */
    MPI_T_cvar_handle variable[FORCE_VARIABLES];
    int value[FORCE_VARIABLES], before[FORCE_VARIABLES];
};

/* Collective over work; name: in the library's spelling. -1 with *err on some ranks: it cannot
 * be forced. The caller combines the results of all ranks, and frees in either case. */
int force_make(struct force *force, MPI_Comm work, const char *collective, const char *name,
               const struct choice *choice, struct err *err);

/* Around each call; local. */
void force_begin(struct force *force);
void force_end(struct force *force);

/* Collective where it owns its communicator. */
void force_free(struct force *force);
