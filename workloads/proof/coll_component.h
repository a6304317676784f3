/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_component.h - which component of Open MPI serves a collective on a communicator.
 *
 * The library has no word for it. A communicator holds a table of functions, each with the module
 * that it belongs to (ompi/mca/coll/coll.h, mca_coll_base_comm_coll_t, the same order since 2.0);
 * a module begins with its class, and that with its name, "mca_coll_han_module_t" (components may
 * be files of their own, or part of the library). Where in a communicator the table is differs by
 * release, so it is looked for: what holds, collective by collective, a function and a module of
 * some component is the table. Memory is read by the kernel, which
 * refuses what is not there. */
#ifndef WORKLOADS_PROOF_COLL_COMPONENT_H
#define WORKLOADS_PROOF_COLL_COMPONENT_H

#include <mpi.h>
#include <stddef.h>

/* "tuned", "han"; "" where it cannot be found out. Returns buf. Local. */
const char *coll_component_of(MPI_Comm comm, const char *collective, char *buf, size_t size);

/* A collective's row of the table. */
struct coll_component {
    int at; /* its place: functions of a module stand in the same order */
    void *function, *module;
};

/* 1, or 0 where it cannot be found out. Local. */
int coll_component_find(MPI_Comm comm, const char *collective, struct coll_component *out);

#endif
