/* SPDX-License-Identifier: BSD-3-Clause */
/* model_table.h - the choices of a trained model on one communicator as a table of libcollsel,
 * for every collective of the model and all sizes. The preloaded library, built on MPI and libc
 * only, cannot evaluate a model: it runs `collsel ask --table`, which prints this. */
#pragma once

#include "analysis/advise/advice.h"

/* The communicator. Borrowed. */
struct model_shape {
    int procs, nodes, ppn;       /* ranks; the nodes they are on; the most on one of them */
    const char *mpi;             /* whose default to use, if in the model; NULL: any */
    const char *mapping;         /* NULL: the first in the model */
    const struct facts *machine; /* NULL: the training machine */
    int likely;                  /* number of further likely candidates
                                    per choice; at most ADVICE_LIKELY */
    int quiet;                   /* 1: no output on standard error */
};

/* The text of the table, to be freed; NULL with *err. A row gives the choice of
 * `collsel ask --portable` in that cell if it expects a gain over the library's
 * default. Elsewhere, and where that gain is unknown (no training data for the default:
 * the head and standard error give the number of such cells), the row is empty, or
 * `default` followed by likely candidates. If two neighbouring evaluated sizes (two per
 * octave, up to 1 GiB) have different choices, the border between them is found to the
 * byte. Choices that the table cannot express are reported on standard error. */
char *model_table(const char *model, const struct model_shape *shape, struct err *err);
