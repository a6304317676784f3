/* SPDX-License-Identifier: BSD-3-Clause */
/* decided.h - which algorithm the library's own call is: by the component that serves the
 * communicator, and the published decision function of its release (decision.h). */
#ifndef WORKLOADS_LIBCOLLSEL_DECIDED_H
#define WORKLOADS_LIBCOLLSEL_DECIDED_H

#include <mpi.h>
#include <stdint.h>

enum { DECIDED_NAME = 64 };

/* The decision function of the library that runs ("openmpi41"); NULL: it is of a release whose
 * function is not known here, decides with its device too (MPICH), or goes by rules of the user's.
 * Local. */
const char *decided_rule(void);

/* What a call of `bytes` of a rank is: "openmpi:binomial"; where another component than `tuned`
 * serves the communicator, or nobody knows how that decides, "component basic"; "": not known.
 * ordered: the operation does not commute. Local. */
void decided_name(const char *rule, MPI_Comm comm, const char *collective, uint64_t bytes,
                  int ordered, char name[DECIDED_NAME]);

#endif
