/* SPDX-License-Identifier: BSD-3-Clause */
/* study_facts.h - the facts of a study's manifest.json that the analysis uses. */
#pragma once

#include "harness/base/robust.h"
#include "harness/study/holdout_spec.h"
#include "harness/study/machine_features.h"
#include "harness/study/topology.h"

enum { MAX_MPIS = 8 };

/* The rates by which times are bounded (bounds.h), from the cluster file. Bytes per second,
 * seconds, bytes; 0: not given. */
struct rated {
    double node_rate;   /* of all links of a node together, each way */
    double trunk_rate;  /* of a leaf switch's trunk, each way */
    double latency;     /* of a message between nodes, the least */
    double memory_rate; /* of all memories of a node */
    double caches;      /* last-level, of a node */
    double burst;       /* emulated: what a shaped link lets through at once */
};

/* 1: times of this backend come from a simulation or a walk, so they are exactly repeatable. */
int backend_simulates(const char *backend);

struct facts {
    char cluster[NAME_SIZE];
    char backend[NAME_SIZE];  /* local, slurm, emulated, sim, null */
    char digest[9];           /* of the manifest, as in the names of samples files; "": any */
    int deterministic;        /* one sample is exact: the backend is sim */
    int simulated;            /* no library runs: its published decision is the default */
    int imported;             /* imported: no samples; the default counts for the best */
    int keeps_ranks;          /* the study keeps every rank's times: keep_ranks of the study file */
    struct holdouts holdouts; /* the study's, or those given at the import */
    double tie_pct;           /* simulated times this close are tied */
    double confidence, precision;
    enum statistic statistic;  /* of the samples of a launch */
    double combine_s_per_byte; /* of two buffers in a reduction, as the cluster file has it; 0: not
                                  said */
    char sim_default[NAME_SIZE]; /* decision function that stands for the default in simulation */
    uint64_t seed;
    const struct cluster *costs; /* the machine's cluster file, for whoever walks its messages
                                    (analysis/learn/walked_trust.c); borrowed; NULL: not known */
    double machine[N_MACHINE]; /* features of the machine (harness/study/machine_features.h); 0: not
                                  known */
    int nodes, sockets, cores, cache_cores; /* nodes; sockets per node; cores per
                                               socket; cores per cache; 0: not known */
    char spread[NAME_SIZE]; /* how the study's plan places ranks: even, packed; "": no study */
    int study_nodes;        /* that it may use */
    int study_room;         /* ranks per node without sharing; 0: not known */
    int study_share;        /* ranks that may share the place of one rank */
    int memory_cores;       /* of a socket that share a memory; 0: all */
    int shared_cores; /* of the machine that all emulated nodes share; 0: none, or not known */
    int has_topology; /* the network between nodes is known: the two that follow */
    struct topology topology;
    char order[KEY_TEXT_MAX]; /* topology_order */
    struct factor_list latency_factors;
    uint64_t rendezvous_bytes;
    struct rated rated;
    size_t n_mpis;
    char mpi[MAX_MPIS][NAME_SIZE], mpi_version[MAX_MPIS][NAME_SIZE]; /* as the study names them */
};

/* Reads DIR/manifest.json (written by harness/run/provenance_lookup.c).
 * Missing values become "unknown", or the study file's default. */
int facts_read(const char *dir, struct facts *facts, struct err *err);

/* The facts of a machine from its cluster file only; all others are 0, without libraries. */
void facts_of_cluster(const struct cluster *cluster, struct facts *facts);

/* Where the ranks of a cell sit on this cluster (harness/base/seat.h); facts NULL: of sockets and
 * switches nothing is known. Borrows from the cell. */
struct seating facts_seating(const struct facts *facts, const struct cell *cell);

/* The cores that the ranks of a node share, or of an emulated cluster all ranks; 0: not known. */
int facts_cores(const struct facts *facts);

/* 1 when a real library ran a cell with more ranks than these, as the sweep says of its launches
 * (harness/run/backends/backend.h). */
int facts_crowded(const struct facts *facts, const struct cell *cell);

/* Version of an MPI library, or "unknown". */
const char *facts_version(const struct facts *facts, const char *mpi);
