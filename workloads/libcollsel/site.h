/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - a call site of the application, with a name and a number
 * that are equal in all ranks of one program, wherever it is loaded. */
#pragma once

#include "harness/base/base.h"

enum { SITE_NAME = 64 };

/* The name: "setup+0x1d (lmp)", the distance into the function, where its name is known; else
 * "lmp+0x82d1", the distance into the file, as `addr2line -e lmp` takes it; "?" where no file is
 * known. It is the address to which the call returns. */
void site_name(const void *site, char text[SITE_NAME]);

/* The number: a digest of the file's name and the distance into it. */
uint64_t site_number(const void *site);

/* The MPI that this library is built for, as a text: "openmpi", "mpich". */

#define MPI_NAME_QUOTED(mpi) #mpi
#define MPI_NAME_OF(mpi)     MPI_NAME_QUOTED(mpi)
#define MPI_NAME             MPI_NAME_OF(LIBCOLLSEL_MPI)
