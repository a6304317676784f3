/* SPDX-License-Identifier: BSD-3-Clause */
/* own_algorithm.h - which algorithm the library's own call is: by who serves the communicator (Open
 * MPI's component, MPICH's device), the published decision function of the release (decision.h),
 * and what the user's own variables force. What is alike; one file for each MPI has the rest
 * (own_algorithm_openmpi.c, own_algorithm_mpich.c). */
#ifndef WORKLOADS_LIBCOLLSEL_OWN_ALGORITHM_H
#define WORKLOADS_LIBCOLLSEL_OWN_ALGORITHM_H

#include <mpi.h>
#include <stdint.h>

#include "workloads/libcollsel/call_args.h"

enum { DECIDED_NAME = 112, DECIDED_WORD = 48, DECIDED_RELEASE = 8 };

/* What holds for all of a run, as it was when MPI began. Start from { 0 }. */
struct decided {
    const char *rule; /* the decision function of the library that runs ("openmpi41"); NULL: it is
                         of a release whose function is not known here */
    const char
        *file; /* the variable that names a file of rules, which decides before; NULL: none */
    int forced_first;                   /* what a variable forces comes before that file */
    char forced[N_ASKED][DECIDED_WORD]; /* that the user's variable of a collective asks for; "":
                                           nothing */
    int device[N_ASKED];                /* of MPICH: its device decides before */
    uint64_t *node; /* of MPICH, by rank in MPI_COMM_WORLD: a number for each node, as it sees
                       nodes; owned */
    char release[DECIDED_RELEASE]; /* of MPICH, where it is known: "4.2" of 4.2.1 */
    int is_open;                   /* the tool interface, until decided_close */
};

/* A call, as far as that matters. */
struct decided_call {
    const struct call_args *asked;
    int procs;
    uint64_t bytes;     /* of a rank; where blocks differ the mean */
    int uneven;         /* 1: that mean is no whole number */
    int users, ordered; /* its operation is one of the user's; it does not commute */
};

/* Learns that. Collective over comm, of all ranks. */
void decided_open(struct decided *d, MPI_Comm comm);

/* What a call is: "openmpi:binomial"; with a variable of the user's, "mpich:ring by
 * MPIR_CVAR_BCAST_INTRA_ALGORITHM"; "device": MPICH's device splits it by node; "component basic":
 * another component of Open MPI's than `tuned` serves the communicator, or nobody knows how this
 * one decides; "": not known. Local. */
void decided_name(const struct decided *d, const struct decided_call *call,
                  char name[DECIDED_NAME]);

/* Frees what it holds. */
void decided_close(struct decided *d);

#endif
