/* SPDX-License-Identifier: BSD-3-Clause */
/* own_algorithm.h - determines the algorithm of the library's own call: by the component that
 * serves the communicator (Open MPI's component, MPICH's device), the published decision
 * function of the release (decision.h), and the user's forcing variables. This is the common
 * part; one file per MPI has the rest (own_algorithm_openmpi.c, own_algorithm_mpich.c). */
#pragma once

#include <sys/stat.h>

#include "workloads/libcollsel/call_args.h"

enum { DECIDED_NAME = 112, DECIDED_WORD = 48, DECIDED_RELEASE = 8 };

struct choice_table;

/* A rules file that MPI has read. */
struct decided_file {
    char path[1024];  /* "": none, or not known */
    struct stat seen; /* at the start of MPI */
};

/* Facts for a whole run, from the start of MPI. Start from { 0 }. */
struct decided {
    const char *rule; /* the decision function of the running library
                         ("openmpi41"); NULL: not known for its release */
    const char *file; /* the variable with a rules file, which has priority; NULL: none */
    struct decided_file rules, device_rules; /* that file; of MPICH also the device's */
    char library[24];                   /* library and release, "openmpi-4.1.4"; "": not known */
    int forced_first;                   /* 1: a forcing variable has priority over that file */
    char forced[N_ASKED][DECIDED_WORD]; /* forced by the user's
                                           variable; "": nothing */
    int device[N_ASKED];                /* of MPICH: its device has priority */
    int is_composed[N_ASKED];           /* of MPICH: a variable names how the device splits calls */
    uint64_t *node; /* of MPICH, by rank in MPI_COMM_WORLD: a number for each node, as it sees
                       nodes; owned */
    char release[DECIDED_RELEASE]; /* of MPICH, where it is known: "4.2" of 4.2.1 */
    int is_open;                   /* the tool interface, until decided_close */
};

/* The relevant properties of a call. */
struct decided_call {
    const struct call_args *asked;
    int procs;
    uint64_t bytes;         /* of a rank; where blocks differ the mean */
    uint64_t element_bytes; /* of the data type; 0: not known */
    int uneven;             /* 1: that mean is no whole number */
    int users, ordered;     /* user-defined operation; it does not commute */
};

/* Collects these facts. Collective over comm, which has all ranks. */
void decided_open(struct decided *d, MPI_Comm comm);

/* The algorithm of a call: "openmpi:binomial"; with a user's variable
 * "mpich:ring by MPIR_CVAR_BCAST_INTRA_ALGORITHM"; "device": MPICH's device
 * splits it by node; "component basic": an Open MPI component other than `tuned`
 * serves the communicator, or its decision is unknown; "": not known. Local. */
void decided_name(const struct decided *d, const struct decided_call *call,
                  char name[DECIDED_NAME]);

/* The ranks of calls that a rules file decides. */
struct decided_place {
    int nodes;  /* of MPICH: their nodes; 0: the file does not go by nodes */
    int device; /* of MPICH, 1: the device's file decides before */
};

/* 1 where `name`, which decided_name gave, leaves the algorithm to the rules file, and the file
 * tells it: it can be found by decided_from_table. */
int decided_by_file(const struct decided *d, const char *name, struct decided_place *place);

/* Calls of one kind. */
struct decided_cell {
    const char *collective;
    int procs;
    uint64_t bytes;         /* of a rank */
    uint64_t element_bytes; /* of the data type; 0: not known */
};

/* Replaces such a name by the algorithm that the file, converted to a table, chooses
 * ("openmpi:ring by VARIABLE"); of Open MPI, where the file has no rule, by that of the fixed
 * decision. Without an algorithm where neither is known. table NULL: it is not known whether the
 * file decides anything. */
void decided_from_table(const struct decided *d, const struct choice_table *table,
                        const struct decided_cell *cell, char name[DECIDED_NAME]);

void decided_close(struct decided *d);
