/* SPDX-License-Identifier: BSD-3-Clause */
/* built_for.h - the MPI that a program was compiled for, and the one it runs with.
 * A module or an upgrade may replace the library of a compiled program; then
 * constants of mpi.h, and our tables of its algorithms, may not apply to it. */
#ifndef WORKLOADS_PROOF_BUILT_FOR_H
#define WORKLOADS_PROOF_BUILT_FOR_H

#include <stdio.h>

#include "harness/base/err.h"

/* Prints lines "compiled: 4.1.4", "library: Open MPI v4.1.4, ...", "file: /usr/lib/libmpi.so.40".
 * May be called before MPI_Init. */
void built_for_print(FILE *out);

/* -1 with *err where the library is of another release than mpi.h was; a library whose release is
 * not known here passes. May be called before MPI_Init. */
int built_for_check(struct err *err);

#endif
