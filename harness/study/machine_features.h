/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_features.h - hardware of a machine as numbers for learners: the
 * machine features of Han et al. (PML-MPI, 2023, section V.A), and some more.
 * Unknown values are 0 here and missing values for a learner, never zeros.
 *
 * They come from the section [features] of a cluster file, from its threads and memory_cores where
 * the file states them, and from what a manifest or a model has kept of them. */
#pragma once

#include "harness/study/cluster.h"

enum machine_feature {
    MACHINE_THREADS,          /* hardware threads of a core */
    MACHINE_MEMORIES,         /* NUMA domains of a node */
    MACHINE_BASE_CLOCK,       /* GHz */
    MACHINE_MAX_CLOCK,        /* GHz */
    MACHINE_LAST_CACHE,       /* MiB of a processor */
    MACHINE_MEMORY_BANDWIDTH, /* GB/s of a node */
    MACHINE_MEMORY_CHANNELS,  /* of a processor */
    MACHINE_ADAPTER,          /* 1 Ethernet, 2 Omni-Path, 3 InfiniBand: the more, the less it leaves
                                 to the processor */
    MACHINE_LINK_SPEED,       /* Gb/s */
    MACHINE_LINK_LANES,
    MACHINE_PCIE_VERSION,
    MACHINE_PCIE_LANES,
    N_MACHINE
};

/* "threads", "memories", ... in their order; NULL-terminated. */
extern const char *const machine_names[];

/* The features of a cluster file. */
void machine_of_cluster(const struct cluster *cluster, double machine[N_MACHINE]);
