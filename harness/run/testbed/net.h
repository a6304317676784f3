/* SPDX-License-Identifier: BSD-3-Clause */
/* net.h - the network of a testbed as data: names, addresses, switches and shaped links, and the
 * texts (batches of ip and tc, slurm.conf, hosts) that follow from them. Pure: reads and makes
 * nothing on the machine.
 *
 * Testbed number k has the addresses 198.18.k.0/24, of the block that RFC 2544 sets aside for
 * benchmarks: node i is .i+1, the control node .254. In the root namespace its interfaces are
 *
 *   cs<k>s<j>  switch j, a bridge; the last one is the top, and the control node's address is on it
 *   cs<k>n<i>  the switch's end of node i's link; the other end is eth0 in the node's namespace
 *   cs<k>t<j>  leaf switch j's end of its trunk, cs<k>u<j> the top switch's end (topology tree) */
#pragma once

#include "harness/study/cluster.h"

enum {
    TESTBED_NODES = 250,   /* most nodes of a testbed */
    TESTBED_CPUS = 1024,   /* most hardware threads that a node claims */
    TESTBED_COUNT = 256,   /* most testbeds at a time */
    TESTBED_NAME = 32,     /* longest name */
    TESTBED_PORT = 16817,  /* slurmctld's of testbed 0; each has its own */
    TESTBED_IFNAME = 16,   /* with the NUL; the kernel's IFNAMSIZ */
    TESTBED_NETNS = 64,    /* with the NUL */
    TESTBED_OVERHEAD = 24, /* bytes of a frame on the wire that Linux does not count: preamble 8,
                              check sequence 4, gap 12 (IEEE 802.3) */
};

struct net {
    char name[KEY_WORD];
    int index; /* k */
    int nodes;
    int leaves;            /* switches that nodes are on */
    int ports;             /* nodes per leaf; the last may have fewer */
    double link_rate;      /* bits/s */
    double trunk_rate;     /* bits/s; 0: not shaped */
    uint64_t burst, queue; /* bytes */
    int ipv6;              /* 1: kernel has IPv6: disable its traffic on interfaces */

    /* for slurm.conf */
    char partition[KEY_WORD];
    int sockets, cores, threads;
};

/* The network of an emulated cluster. Refuses what cannot be emulated: not `emulated = yes`,
 * another topology than star or tree, too many nodes, a name that is no host name, no partition. */
int net_make(const struct cluster *cluster, struct net *net, struct err *err);

/* The number of switches: the leaves, and a top one where there are several. */
int net_switches(const struct net *net);

/* The leaf that a node is on. */
int net_leaf(const struct net *net, int node);

/* "mini-3"; "collsel-mini-3"; "198.18.0.4". */
void net_host(const struct net *net, int node, char buf[TESTBED_NETNS]);
void net_netns(const struct net *net, int node, char buf[TESTBED_NETNS]);
void net_address(const struct net *net, int node, char buf[TESTBED_IFNAME]);
void net_control(const struct net *net, char buf[TESTBED_IFNAME]);

/* Name of an interface in the root namespace; kind: 's', 'n', 't' or 'u' as above. */
void net_ifname(const struct net *net, char kind, int i, char buf[TESTBED_IFNAME]);

/* Calls f with the name of every interface in the root namespace that has to be made (of a pair,
 * one), switches first, until it gives something else than 0; gives that. */
int net_each(const struct net *net, int (*f)(const char *ifname, void *arg), void *arg);

/* For `ip -batch`: namespaces, switches, links, in the root namespace. */
void net_ip_batch(FILE *out, const struct net *net);

/* For `ip -n NAMESPACE -batch` and `tc -n NAMESPACE -batch`: one node's own. */
void net_ip_node(FILE *out, const struct net *net, int node);
void net_tc_node(FILE *out, const struct net *net);

/* For `tc -batch`: the switches' ports. */
void net_tc_batch(FILE *out, const struct net *net);

/* For Slurm's topology/tree: the leaf switches, and the one above them. */
void net_slurm_topology(FILE *out, const struct net *net);

/* slurm.conf of a testbed with its files in dir; control: host name of this machine; memory_mb: of
 * a node. hosts: for /etc/hosts in the nodes. */
void net_slurm_conf(FILE *out, const struct net *net, const char *dir, const char *control,
                    unsigned long memory_mb);
void net_hosts(FILE *out, const struct net *net);

/* Writes a net as "key value" lines, and reads it back; what was cut short is an error. */
void net_write(FILE *out, const struct net *net);
int net_read(const char *path, struct net *net, struct err *err);
