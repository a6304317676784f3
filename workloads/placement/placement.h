/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.h - checks the placement of the ranks (harness/base/seat.h). Pure
 * C, no MPI: checks the ranks' reports, and collects the report of one rank.
 *
 * Hosts are always judged: each node must be one host and no host two nodes, and where the nodes of
 * the allocation are known, node k must be the k-th of them. Cores are judged where ranks were to
 * be bound (and the system says what a core is): each to one core, no two of a node to the same,
 * sockets in the order of the mapping. Which socket of a node is the first does not matter. */
#pragma once

#include <sched.h>

#include "harness/base/seat.h"

enum { PLACE_HOST = 256, PLACE_CPUS = 256 };

/* Where a rank is. */
struct place {
    char host[PLACE_HOST];
    char cpus[PLACE_CPUS]; /* it may run on: "0-3,8"; "": the system does not say */
    int n_cores;           /* that these belong to; 0: not known */
    int socket;            /* that all of them are on, from 0; -1: on several, or not known */
    int core;              /* within its socket, from 0, where it is one; else -1 */
    int sockets;           /* of the machine; 0: not known */
};

/* The requested placement. */
struct placement {
    struct seating seating;
    const char *hosts; /* of the nodes, in order, commas between; NULL: not known */
    int bound;         /* each rank was to be bound to a core of its own */
};

/* 0 when the places of all ranks agree with what was asked, else -1 with *err "placement: …". */
int placement_check(const struct placement *asked, const struct place *places, struct err *err);

/* What placement_check can judge by, for the file: "hosts and cores", "hosts (…why not cores)". */
const char *placement_judged(const struct placement *asked, const struct place *places);

/* This process's cpus, n_cores, socket, core and sockets, from its affinity and /sys. */
void placement_here(struct place *place);

/* Binds this process, a rank, to the core that the mapping wants among those of `allowed`, the CPUs
 * that the ranks of its node may use together; for MPIs whose launcher binds in a way that is not
 * known. Where the system does not say what a core is, or these are fewer than the ranks of the
 * node, the affinity stays. */
void placement_bind(const struct seating *seating, int rank, const cpu_set_t *allowed);
