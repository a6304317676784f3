/* SPDX-License-Identifier: BSD-3-Clause */
/* trained_model.h - what a trained model chooses on a communicator. The library reads no model: the
 * first rank of a communicator runs `collsel recommend --table` (COLLSEL_PROGRAM) for its ranks and
 * nodes, and all of its ranks get the table that this prints. It is asked once for each shape that
 * communicators have, not for each of them. */
#ifndef WORKLOADS_LIBCOLLSEL_TRAINED_MODEL_H
#define WORKLOADS_LIBCOLLSEL_TRAINED_MODEL_H

#include <mpi.h>
#include <stdint.h>

#include "workloads/libcollsel/settings.h"
#include "workloads/libcollsel/choice_table.h"

enum {
    MODEL_SHAPES = 256, /* whose tables are kept */
    MODEL_FAILURES = 8, /* so many, and nobody is asked again */
};

/* How many ranks, on how many nodes, and the most of them on one. */
struct model_shape_of {
    int procs, nodes, ppn; /* nodes 0: not known */
};

struct model_known {
    struct model_shape_of shape;
    char *text;
    struct choice_table *table;
};

/* Start from { 0 }. Owns what it holds. */
struct models {
    uint64_t *node; /* by rank in MPI_COMM_WORLD: a number for where it is */
    struct model_known *v;
    size_t n;
    int failures;      /* of this rank's questions; MODEL_FAILURES: also one that took long */
    struct err failed; /* the last of them */
};

/* The shape of ranks that are on these nodes. Pure; sorts them. */
struct model_shape_of model_shape(uint64_t *node, int procs);

/* Learns where all ranks are, and what the world gets, whose number of ranks may be 1. Collective
 * over comm, of all ranks. -1 with *err on rank 0, where nothing can be asked. */
int models_begin(struct models *models, const struct libcollsel_settings *settings, MPI_Comm comm,
                 struct err *err);

/* The table of an application's communicator. Collective over it. *own is set to what the caller
 * has to free when the communicator goes, where that is not kept here; else NULL. NULL with *err,
 * alike on all ranks: nobody knows where a rank is, or the model could not be asked. */
const struct choice_table *models_table(struct models *models,
                                        const struct libcollsel_settings *settings, MPI_Comm comm,
                                        struct choice_table **own, struct err *err);

/* Frees what it holds. */
void models_clear(struct models *models);

#endif
