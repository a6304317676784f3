/* SPDX-License-Identifier: BSD-3-Clause */
/* model_table.h - what a trained model chooses on one communicator, as a table of libcollsel: of
 * every collective that the model knows, for all sizes. The preloaded library, of MPI and the C
 * library alone, asks no model: it runs `collsel recommend --table`, which prints this. */
#ifndef HARNESS_CMD_MODEL_TABLE_H
#define HARNESS_CMD_MODEL_TABLE_H

#include "analysis/advise/advice.h"

/* The communicator. Borrowed. */
struct model_shape {
    int procs, nodes, ppn; /* ranks; the nodes they are on; the most on one of them */
    const char *mpi;       /* whose default counts, where the model knows it; NULL: no matter */
    const char *mapping;   /* NULL: the first that the model knows */
    const struct facts *machine; /* NULL: the one that was learnt from */
    int likely;                  /* so many of the likeliest behind each choice; at most
                                    ADVICE_LIKELY */
    int quiet;                   /* 1: nothing is told on standard error */
};

/* The text of the table, to be freed; NULL with *err. A row says what `collsel recommend
 * --portable` takes in that cell, where a gain over the library's default is expected; elsewhere,
 * also where nobody knows that gain (the default was not learnt: how many cells these are is told,
 * and stands in the head), it says nothing, or `default` with likely ones behind it. Where two
 * neighbouring sizes of those that are looked at (two an octave, up to 1 GiB) have different
 * answers, the size from which the other holds is searched to the byte. What cannot be said is told
 * on standard error. */
char *model_table(const char *model, const struct model_shape *shape, struct err *err);

#endif
