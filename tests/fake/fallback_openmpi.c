/* SPDX-License-Identifier: BSD-3-Clause */
/* fallback_openmpi.c - a library to preload: Open MPI's binomial broadcast runs the linear one
 * instead, and tells nobody. */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct module;

/* The library's own type of counts. */
#if OMPI_MAJOR_VERSION >= 6
typedef size_t count_type;
#else
typedef int count_type;
#endif

int ompi_coll_base_bcast_intra_basic_linear(void *buf, count_type count, MPI_Datatype type,
                                            int root, MPI_Comm comm, struct module *m);
int ompi_coll_base_bcast_intra_binomial(void *buf, count_type count, MPI_Datatype type, int root,
                                        MPI_Comm comm, struct module *m, uint32_t segsize);

int ompi_coll_base_bcast_intra_binomial(void *buf, count_type count, MPI_Datatype type, int root,
                                        MPI_Comm comm, struct module *m, uint32_t segsize)
{
    (void)segsize;
    return ompi_coll_base_bcast_intra_basic_linear(buf, count, type, root, comm, m);
}
