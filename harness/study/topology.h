/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.h - the network between the nodes of a cluster: its links and the route of messages.
 * Pure; nothing is owned.
 *
 * torus, mesh: up to six dimensions. Nodes are numbered with the first dimension fastest. A message
 * goes through the dimensions one after the other, first to last, in each the shorter way around (a
 * mesh has no way around). Where both are equally long, as between opposite nodes of a ring of even
 * extent n, it goes upwards, but downwards from n/2 to 0: so does SimGrid 3.32
 * (src/kernel/routing/TorusZone.cpp), and we let both agree. There is no link between a node and
 * the network: the messages of a node leave in all directions at once.
 * star: one switch; a message crosses its sender's link and its receiver's.
 * tree: leaf switches of `ports` nodes each, in the order of the nodes, and one trunk from each to
 * a switch above (clusters: switch_ports, trunk_rate). fat tree: `levels` levels of switches; a
 * switch of level i + 1 has down[i] children and a child up[i] parents, each joined by cables[i]
 * cables (Zahavi's PGFT; SimGrid's FatTreeZone.cpp has the same numbers). Routes are SimGrid 3.32's
 * d-mod-k: level by level the way up is the receiver's number modulo up[i] cables[i], and the
 * number is divided by up[i], not by up[i] cables[i]. Down from the top switch the cable is the
 * sender's number modulo cables[i]; in each switch below the first port to the child after the
 * number of the port just taken, and where there is none again that of the sender's number.
 *
 * Ranks of one node share its links. A message within a node crosses none.
 *
 * Every link has one direction; ids are 0 ... links-1. Some ids of a torus or mesh are of no link
 * (extent 1, the rim of a mesh): no route has them. */
#pragma once

#include "harness/base/seat.h"
#include "harness/study/cluster.h"

enum { TOPOLOGY_DIMS = 6, TOPOLOGY_NAME = 48 };

enum topology_kind {
    TOPOLOGY_STAR,
    TOPOLOGY_TREE,
    TOPOLOGY_FAT_TREE,
    TOPOLOGY_TORUS,
    TOPOLOGY_MESH,
    N_TOPOLOGIES
};

/* The network of a cluster file. Bytes per second, seconds. */
struct network {
    enum topology_kind kind;
    int nodes;                       /* torus, mesh, fat tree: 0, or as many as they have */
    int dims, extent[TOPOLOGY_DIMS]; /* torus, mesh */
    int ports;                       /* tree: nodes on a leaf switch; 0: all */
    int levels, down[TOPOLOGY_DIMS], up[TOPOLOGY_DIMS], cables[TOPOLOGY_DIMS]; /* fat tree */
    double link_rate;
    double trunk_rate; /* tree: 0: all nodes of the leaf at full rate */
    double link_latency, switch_latency, trunk_latency;
};

struct topology {
    struct network net;
    int links;                          /* ids there are */
    int diameter;                       /* links of the longest route */
    int vertices;                       /* nodes first, then switches */
    int level_first[TOPOLOGY_DIMS + 2]; /* fat tree: number of the first vertex of each level */
    int cable_first[TOPOLOGY_DIMS + 1]; /* fat tree: id of the first link above each level */
};

/* "star", "tree", "fat_tree", "torus", "mesh". */
const char *topology_kind_name(enum topology_kind kind);

/* Checks the numbers. Returns 0, or -1 with *err (extents that do not make the nodes, more than six
 * dimensions or levels). */
int topology_init(struct topology *t, const struct network *net, struct err *err);

/* The network of a cluster file. */
int topology_of_cluster(struct topology *t, const struct cluster *cluster, struct err *err);

/* The same of a cluster that was loaded from a file; an error begins with file and line. */
int topology_load(struct topology *t, const struct cluster *cluster, struct err *err);

/* The switch tree above the nodes of an allocation (harness/base/seat.h),
 * for a tree and a fat tree. Switches of a fat tree's level with the same
 * nodes below count as one. All 0 for other networks. */
struct seat_network topology_switches(const struct network *net, const char *order);

/* Placement of ranks on a cluster (harness/base/seat.h); empty where they do not fit.
 * Borrows the mapping. */
struct seating topology_seating(const struct cluster *cluster, const char *mapping, int nodes,
                                int ppn, int procs);

/* The links from node src to node dst, in order, into links[] (room for t->diameter; NULL: only
 * count). Returns how many; 0 where src = dst. */
int topology_route(const struct topology *t, int src, int dst, int *links);

/* Where a link begins and ends: nodes are 0 ... nodes-1, switches follow. 0, or -1 where the id is
 * of no link. */
int topology_ends(const struct topology *t, int link, int *from, int *to);

/* Bytes per second and seconds of a link. A switch's latency counts once per switch crossed: half
 * with either link of a star, with each trunk of a tree, with each link elsewhere. */
double topology_rate(const struct topology *t, int link);
double topology_latency(const struct topology *t, int link);

/* "1.2.0+x" (from node 1,2,0 upwards in the first dimension; x y z u v w), "n3.up", "leaf2.down",
 * "switch1.4.up0" (cable 0 above the fourth switch of level 1). Returns buf. */
const char *topology_link_name(const struct topology *t, int link, char *buf, size_t size);

/* torus, mesh: coordinates of a node and back. */
void topology_coordinates(const struct topology *t, int node, int *coordinates);
int topology_node(const struct topology *t, const int *coordinates);

/* Which node of the network is the k-th of an allocation, for all nodes, into position[]:
 * "in_order" or "": node k; "random:SEED": shuffled (base/rng.h); "dims:2,1,0": torus, mesh: the
 * named dimensions are walked, the first of them fastest. 0, or -1 with *err. */
int topology_order(const struct topology *t, const char *order, int *position, struct err *err);
