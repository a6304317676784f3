/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster_draft.h - a cluster file under construction: a value and its source for each key.
 *
 * It starts from a preset (clusters/presets/NAME.ini, cluster files of two nodes);
 * better values replace those of the preset. Keys without a value are not written.
 * Presets have all keys that affect simulated time, so no cost is zero by omission. */
#pragma once

#include <stdio.h>

#include "harness/study/cluster.h"

struct cluster_draft {
    char **text;   /* by index of cluster_keys; NULL: not said */
    char **source; /* where it is from; NULL: not said */
};

/* Starts from the preset, except the keys of the machine
 * itself: name, title, nodes, sockets, cores. */
void cluster_draft_begin(struct cluster_draft *draft, const struct cluster *preset);

/* Sets a key's value and its source (NULL: no remark). The key is one of cluster_keys. */
void cluster_draft_set(struct cluster_draft *draft, const char *key, const char *text,
                       const char *source);

/* Writes the file's sections in the order of cluster_keys, and [sources]. */
void cluster_draft_write(const struct cluster_draft *draft, FILE *out);

/* Frees what it holds. */
void cluster_draft_free(struct cluster_draft *draft);
