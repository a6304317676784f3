/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.h - facts about one machine: clusters/<name>.ini (reference: docs/cluster-file.md).
 *
 * A cluster file describes a machine; the study defines the measurements. Values that
 * were assumed, not read from a specification or measured, carry a remark in [sources]. */
#pragma once

#include "harness/base/keys.h"
#include "harness/study/mpi.h"

struct cluster {
    char name[KEY_WORD];
    char title[KEY_TEXT_MAX];
    int nodes;        /* there are */
    int sockets;      /* per node */
    int cores;        /* per socket */
    int cache_cores;  /* of a socket that share their last cache, 0: all */
    int memory_cores; /* of a socket that share a memory, 0: all */
    int threads;      /* per core */
    int cores_here;   /* 1: they are those of this machine ("auto") */
    int emulated;     /* 1: namespaces on one machine (collsel testbed); says so in every result */
    char cpu[KEY_TEXT_MAX];

    /* network */
    char network[KEY_TEXT_MAX];
    char topology[KEY_WORD]; /* star, tree, fat_tree, torus, mesh */
    double link_rate;        /* bits/s */
    double link_latency;     /* s, one link; a message crosses two and the switch */
    double switch_latency;   /* s */
    double backplane_rate;   /* bits/s; 0: never the bottleneck */
    int switch_ports;        /* tree: nodes per leaf switch */
    double trunk_rate;       /* tree: bits/s between switches; 0: never the bottleneck */
    double trunk_latency;    /* s, tree: one trunk; a message between leaves crosses two more */
    struct int_list torus;   /* torus, mesh: nodes in each dimension, the first fastest */
    struct int_list fat_tree_down, fat_tree_up, fat_tree_cables; /* fat_tree: level by level */
    char order[KEY_TEXT_MAX]; /* which node of the network the k-th of an allocation is: topology.h
                               */
    char interface[KEY_WORD]; /* network interface for MPI, "": the library's choice */

    /* messages */
    struct cost_list send_cost;  /* CPU time of a blocking send */
    struct cost_list isend_cost; /* CPU time of starting a non-blocking send */
    struct cost_list recv_cost;  /* CPU time of a receive */
    uint64_t eager_bytes;        /* shorter messages go at once, into the receiver's memory */
    uint64_t rendezvous_bytes;   /* from here on a send waits for its receive */
    struct factor_list bandwidth_factors; /* share of the links' rate that payload gets */
    struct factor_list latency_factors;   /* times the links' latency */

    /* node */
    double loopback_rate;    /* bits/s between ranks of one node */
    double loopback_latency; /* s */
    int inside;              /* 1: simulated with a host per core, by what follows */
    double cache_rate, core_rate, socket_rate;          /* bits/s of one message on a channel */
    double cache_latency, core_latency, socket_latency; /* s */
    double memory_rate; /* bits/s that all messages of a memory share; 0: never the bottleneck */
    double bridge_rate; /* bits/s that a memory's messages to other sockets share; 0: the same */
    struct cost_list copy_cost;   /* CPU time of a copy in memory */
    struct cost_list reduce_cost; /* CPU time of combining two buffers in a reduction */

    /* features: what learners know of a machine beside its layout (machine_features.h); 0: not
     * known */
    double base_clock, max_clock; /* GHz */
    uint64_t last_cache;          /* bytes of a processor */
    double memory_bandwidth;      /* GB/s of a node */
    int memory_channels;          /* of a processor */
    char adapter[KEY_WORD];       /* unknown, ethernet, omni-path, infiniband */
    double link_speed;            /* Gb/s */
    int link_lanes, rails, pcie_version, pcie_lanes;

    /* slurm */
    char partition[KEY_WORD];                                     /* "": no Slurm */
    char account[KEY_WORD], qos[KEY_WORD], reservation[KEY_WORD]; /* "": none */
    char constraint[KEY_TEXT_MAX], exclude[KEY_TEXT_MAX]; /* as sbatch takes them, "": none */
    char launcher[KEY_WORD];                              /* auto, srun, mpirun */
    double time_limit; /* s; of a job whose time cannot be estimated */
    double most_time;  /* s; most a job may ask for; 0: the partition's own limit */
    int throttle;      /* tasks of one array at a time; 0: no limit */
    int exclusive;     /* 1: nodes are not shared with others */
    char modules[KEY_TEXT_MAX];
    char extra[KEY_TEXT_MAX]; /* more options of sbatch, blanks between them */
    char setup[KEY_TEXT_MAX]; /* a shell line before the work */

    /* testbed */
    uint64_t burst_bytes; /* that a shaped link lets through at once */
    uint64_t queue_bytes; /* that wait at each end of a link before frames are dropped */

    struct mpi_entries mpis; /* the MPI libraries that it names; none: those of PATH */

    char path[1024]; /* the file it was read from */
    struct settings settings;
};

extern const struct key_table cluster_keys;

/* Reads a cluster by name (DIR/<name>.ini) or by path (anything with a '/' or ending in ".ini").
 * Values "auto" are filled from this machine (hardware.h). Unknown names list the known ones.
 * Returns 0, or -1 with *err and nothing to free. */
int cluster_load(const char *dir, const char *name, struct cluster *cluster, struct err *err);

/* As cluster_load: 1. 0: there is no such file, or no name ("" where results name no machine); -1
 * with *err: it cannot be read. */
int cluster_find(const char *dir, const char *name, struct cluster *cluster, struct err *err);

/* 1 when a cluster is this machine: its name is "local", or it is one node whose sockets or cores
 * are "auto", without a partition. */
int cluster_is_here(const struct cluster *cluster);

/* Writes the default cluster to name: the only file of DIR; among several the one that is
 * this machine, local before others; without files the program's own local. 0, or -1 with *err:
 * not one of several is this machine (they are listed), or DIR cannot be read. */
int cluster_default(const char *dir, char *name, size_t size, struct err *err);

/* Puts "file:line: " of a key before an error, or "file: " if
 * the key is not in the file. Returns -1. */
int cluster_fail(const struct cluster *cluster, const char *key, struct err *err);

void cluster_free(struct cluster *cluster);

/* Physical cores of a node, and of the whole machine. */
int cluster_node_cores(const struct cluster *cluster);
int cluster_cores(const struct cluster *cluster);

/* Checks that a cluster of this name has this many processes and nodes (0: not checked).
 * nodes, node_cores: of the cluster; 0: not known. 0, or -1 with *err of wrong usage. */
int cluster_holds(const char *name, int nodes, int node_cores, int procs, int asked_nodes,
                  struct err *err);

/* A file found by name must contain the same name: `said` is its key `name`. A
 * file given as a path may contain another; results use it. 0, or -1 with *err. */
int find_ini_named(const char *name, const char *said, struct err *err);

/* The path of NAME.ini: in the directory, else among the files
 * of the program (harness/base/install_paths.h). 1, or 0. */
int find_ini_file(const char *dir, const char *name, char *path, size_t size);

/* "DIR/<name>.ini", or the name itself where it is a path; an error that lists the files of DIR
 * where there is none. For cluster and study files (what: "cluster", "study"). */
int find_ini(const char *what, const char *dir, const char *name, char *path, size_t size,
             struct err *err);
