/* SPDX-License-Identifier: BSD-3-Clause */
/* bare_cluster.h - a cluster without a file, for an import, which needs only the numbers of nodes,
 * sockets and cores. */
#ifndef HARNESS_IMPORT_BARE_CLUSTER_H
#define HARNESS_IMPORT_BARE_CLUSTER_H

#include "harness/study/cluster.h"

/* A cluster of this name and shape "13x2x21": nodes, sockets per node, cores per socket; or
 * "13x42": one socket per node. Its path is no file. 0; the caller calls cluster_free; or -1 with
 * *err (status 2) and nothing to free. */
int import_machine(const char *name, const char *text, struct cluster *cluster, struct err *err);

#endif
