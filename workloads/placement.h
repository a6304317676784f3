/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.h - were the ranks placed as asked? Pure C, no MPI: judges what the ranks told.
 *
 * Mapping "node": rank r on node r mod nodes. "core" and "socket": nodes filled one after the
 * other, ppn ranks each. Each node must be one host and no host two nodes. */
#ifndef WORKLOADS_PLACEMENT_H
#define WORKLOADS_PLACEMENT_H

#include <stddef.h>

#include "harness/base/err.h"

/* The node that a rank was meant for. */
int placement_node(const char *mapping, int nodes, int ppn, int rank);

/* 0 when hosts[0 … ranks-1] agree with what was asked, else -1 with *err "placement: …". */
int placement_check(const char *mapping, int nodes, int ppn, int ranks, const char *const *hosts,
                    struct err *err);

/* Where a rank is bound within its node. */
struct socket_place {
    int socket;  /* physical package of its CPUs; -1: unknown, or not bound to one */
    int sockets; /* packages of the machine; 0: unknown */
};

/* Mapping "socket": consecutive ranks of a node alternate sockets. "core": they fill one after the
 * other. Judged only between ranks that are bound, on machines of several sockets. As above. */
int placement_check_sockets(const char *mapping, int nodes, int ppn, int ranks,
                            const struct socket_place *places, struct err *err);

/* This process's. */
struct socket_place placement_socket(void);

/* Writes the CPUs that this process may run on as a list, "0-3,8"; "" where the system does not
 * say. */
void placement_cpus(char *buf, size_t size);

#endif
