/* SPDX-License-Identifier: BSD-3-Clause */
/* asked.h - one cell that somebody asks about, answered by all models that a set of measurements
 * has parameters for: those of DIR/points.csv, fitted anew. Nothing is written. */
#ifndef ANALYSIS_JUDGE_ASKED_H
#define ANALYSIS_JUDGE_ASKED_H

#include "analysis/models/predictions.h"

/* The question. Borrowed. */
struct asked {
    const char *collective, *algorithm; /* with a library's name and ':', or without */
    const char *mpi, *mapping;          /* NULL: the first that has times of the algorithm */
    uint64_t segment_bytes, bytes;
    int segment_given, fanout_given; /* else those of the first candidate of this name */
    int fanout, procs, root;
    int nodes; /* 0: as the set's own cells of so many processes, or as the mapping fills */
};

/* What every model that applies to the set says; a row's measured_s is the set's own time. Returns
 * 0, or -1 with *err: no points.csv, or no time of that algorithm in it. */
int asked_predict(const char *dir, const struct asked *asked, struct predictions *out,
                  struct err *err);

#endif
