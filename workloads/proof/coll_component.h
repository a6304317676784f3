/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_component.h - which component of Open MPI serves a collective on a communicator.
 *
 * The library has no interface for it. A communicator has a table of functions, each with its
 * module (ompi/mca/coll/coll.h, mca_coll_base_comm_coll_t, the same order since 2.0). A module
 * begins with its class, and the class with its name, "mca_coll_han_module_t" (components may be
 * separate files or part of the library). The offset of the table differs by release, so it is
 * searched: the table is the place that holds, for every collective, a function and a module of
 * some component. Memory is read through the kernel, which refuses unmapped addresses. */
#pragma once

#include <mpi.h>
#include "harness/base/base.h"

/* "tuned", "han"; "" where it cannot be found out. Returns buf. Local. */
const char *coll_component_of(MPI_Comm comm, const char *collective, char *buf, size_t size);

/* A collective's row of the table. */
struct coll_component {
    int at; /* its place: functions of a module stand in the same order */
    void *function, *module;
};

/* 1, or 0 where it cannot be found out. Local. */
int coll_component_find(MPI_Comm comm, const char *collective, struct coll_component *out);
