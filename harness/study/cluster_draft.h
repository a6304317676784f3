/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster_draft.h - a cluster file that is being put together: a value and its source for each key.
 *
 * It begins with all that a preset says (clusters/presets/NAME.ini, themselves cluster files of two
 * nodes); what is known better replaces it. A key that nobody gave is not written, and what bears
 * on simulated time is in every preset: no cost is zero because nobody thought of it. */
#ifndef HARNESS_STUDY_CLUSTER_DRAFT_H
#define HARNESS_STUDY_CLUSTER_DRAFT_H

#include <stdio.h>

#include "harness/study/cluster.h"

struct cluster_draft {
    char **text;   /* by index of cluster_keys; NULL: not said */
    char **source; /* where it is from; NULL: not said */
};

/* Begins with what the preset states, but for what says which machine it is: name, title, nodes,
 * sockets, cores. */
void cluster_draft_begin(struct cluster_draft *draft, const struct cluster *preset);

/* Says a key's value and where it is from (NULL: no remark). The key is one of cluster_keys. */
void cluster_draft_set(struct cluster_draft *draft, const char *key, const char *text,
                       const char *source);

/* Writes the file's sections in the order of cluster_keys, and [sources]. */
void cluster_draft_write(const struct cluster_draft *draft, FILE *out);

/* Frees what it holds. */
void cluster_draft_free(struct cluster_draft *draft);

#endif
