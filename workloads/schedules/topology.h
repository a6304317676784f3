/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.h - schedules that know which ranks share a node: an all-to-all without contention on
 * the nodes' links, and a ring that enters and leaves each node once (topology.c). */
#ifndef WORKLOADS_SCHEDULES_TOPOLOGY_H
#define WORKLOADS_SCHEDULES_TOPOLOGY_H

#include "workloads/schedules/spread.h"

/* Phases of the all-to-all, and what a rank does in one: whom it sends its block and who sends it
 * one, by the nodes' links and within its node; -1: nobody. */
struct topology_phase {
    int dst, src, local_dst, local_src;
};

/* How many phases there are: as many as the busiest node's link has messages (after Faraj & Yuan,
 * contention-free phases on a tree of switches); among seats that are not known P - 1. */
uint64_t topology_phases(const struct schedule *s);
struct topology_phase topology_phase(const struct schedule *s, int rank, uint64_t phase);

/* The ring (pattern_ring) in the order of nodes: at any time no link has two messages (the
 * topology-specific logical ring of STAR-MPI; Faraj, Patarasuk & Yuan, Cluster 2005). */
extern const struct pattern pattern_topology_ring;

#endif
