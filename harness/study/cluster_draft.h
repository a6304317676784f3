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

struct draft {
    char **text;   /* by index of cluster_keys; NULL: not said */
    char **source; /* where it is from; NULL: not said */
};

/* Begins with what the preset states, but for what says which machine it is: name, title, nodes,
 * sockets, cores. */
void draft_begin(struct draft *draft, const struct cluster *preset);

/* Says a key's value and where it is from (NULL: no remark). The key is one of cluster_keys. */
void draft_set(struct draft *draft, const char *key, const char *text, const char *source);

/* The value of a key, or NULL. */
const char *draft_text(const struct draft *draft, const char *key);

/* Writes the file's sections in the order of cluster_keys, and [sources]. */
void draft_write(const struct draft *draft, FILE *out);

/* Frees what it holds. */
void draft_free(struct draft *draft);

#endif
