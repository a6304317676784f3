/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_name.h - the MPI that this library is built for, as a text: "openmpi", "mpich". */
#pragma once

#define MPI_NAME_QUOTED(mpi) #mpi
#define MPI_NAME_OF(mpi)     MPI_NAME_QUOTED(mpi)
#define MPI_NAME             MPI_NAME_OF(LIBCOLLSEL_MPI)
