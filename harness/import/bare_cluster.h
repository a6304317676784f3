/* SPDX-License-Identifier: BSD-3-Clause */
/* bare_cluster.h - a cluster without a file, for an import: all that it asks of one are nodes,
 * sockets and cores. */
#ifndef HARNESS_IMPORT_BARE_CLUSTER_H
#define HARNESS_IMPORT_BARE_CLUSTER_H

#include "harness/study/cluster.h"

/* The cluster of this name that "13x2x21" says: nodes, sockets of a node, cores of a socket; or
 * "13x42": of one socket. Its path is then no file's. 0 with what cluster_free frees, or -1 with
 * *err (status 2) and nothing to free. */
int import_machine(const char *name, const char *text, struct cluster *cluster, struct err *err);

#endif
