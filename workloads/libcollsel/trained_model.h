/* SPDX-License-Identifier: BSD-3-Clause */
/* trained_model.h - the choices of a trained model on a communicator. The library does
 * not evaluate models: the first rank of a communicator runs `collsel ask
 * --table` (COLLSEL_PROGRAM) for its ranks and nodes, and all its ranks get the printed
 * table. There is one query per shape of communicators, not per communicator. */
#pragma once

#include <mpi.h>

#include "workloads/libcollsel/settings.h"
#include "workloads/libcollsel/choice_table.h"

enum {
    MODEL_SHAPES = 256, /* whose tables are kept */
    MODEL_FAILURES = 8, /* limit of failed queries; then no more queries */
};

struct model_known {
    struct comm_shape shape;
    char *text;
    struct choice_table *table;
};

/* Start from { 0 }. Owns what it holds. */
struct models {
    struct model_known *v;
    size_t n;
    int failures;      /* failed queries of this rank; MODEL_FAILURES: also after a slow one */
    struct err failed; /* the last of them */
    int is_closed;     /* 1: several threads may call: after models_begin nobody is asked */
};

/* Finds the table of MPI_COMM_WORLD, which may have one rank. Collective over comm, which has all
 * ranks. -1 with *err on rank 0: no queries are possible. */
int models_begin(struct models *models, const struct libcollsel_settings *settings, MPI_Comm comm,
                 const struct comm_shape *shape, struct err *err);

/* The table of an application's communicator. Collective over it. *own: set to a table
 * that the caller frees with the communicator, if it is not stored here; else NULL. NULL
 * with *err, equal on all ranks: the node of a rank is unknown, or the query failed. */
const struct choice_table *models_table(struct models *models,
                                        const struct libcollsel_settings *settings, MPI_Comm comm,
                                        const struct comm_shape *shape, struct choice_table **own,
                                        struct err *err);

void models_clear(struct models *models);
