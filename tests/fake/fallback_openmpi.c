/* SPDX-License-Identifier: BSD-3-Clause */
/* fallback_openmpi.c - a library to preload: Open MPI's binomial broadcast runs the linear one
 * instead, and tells nobody. */
#include <mpi.h>
#include <stdint.h>

struct module;

int ompi_coll_base_bcast_intra_basic_linear(void *buf, int count, MPI_Datatype type, int root,
                                            MPI_Comm comm, struct module *m);
int ompi_coll_base_bcast_intra_binomial(void *buf, int count, MPI_Datatype type, int root,
                                        MPI_Comm comm, struct module *m, uint32_t segsize);

int ompi_coll_base_bcast_intra_binomial(void *buf, int count, MPI_Datatype type, int root,
                                        MPI_Comm comm, struct module *m, uint32_t segsize)
{
    (void)segsize;
    return ompi_coll_base_bcast_intra_basic_linear(buf, count, type, root, comm, m);
}
