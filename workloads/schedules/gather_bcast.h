/* SPDX-License-Identifier: BSD-3-Clause */
/* gather_bcast.h - allgathers that are a gather to rank 0 and a broadcast, each as Open MPI 4.1.4
 * chooses it by itself (sequence.h). */
#ifndef WORKLOADS_SCHEDULES_GATHER_BCAST_H
#define WORKLOADS_SCHEDULES_GATHER_BCAST_H

#include "workloads/schedules/collectives.h"

extern const struct algorithm allgather_linear, allgatherv_gatherv_bcast;

#endif
