/* SPDX-License-Identifier: BSD-3-Clause */
/* holdout_cells.h - the cells held out of training for judging, and the measurements
 * that remain for training.
 *
 * Cells that the study's plan holds out (other sizes, processes, roots) are
 * always held out. A text (harness/study/holdout_spec.h) selects further cells:
 *
 *     planned           nothing more
 *     alternate-procs   every other of the even and every other of the odd process counts, each
 *                       from the second (as split_group, groups.h)
 *     alternate-sizes   every other message size, from the second
 *     beyond-procs=N    more than N processes
 *     nodes, nodes=N    the largest number of nodes that there is; more than N nodes
 *     cluster=NAME      all of this cluster
 *     random=N%         this share of the cells, drawn with the seed. Data
 *                       sets with the same seed and cells hold out the same
 *                       cells, so no set shows a cell held out in another
 *
 * Counts, sizes, nodes and shares refer to the cells of one collective,
 * library and mapping that have two or more points with a time.
 * Experiments that time the collective itself (gather) are held out as the cell that they are of;
 * those of the machine (ping-pongs, gamma) where they use more processes or nodes than may be
 * seen.
 *
 * Learners get a struct training_cells: copies of the other rows. It has no reference to a row
 * that was held out. */
#pragma once

#include "analysis/measure/points.h"

/* held[i] becomes 1 for the rows that are held out, else 0. Returns how many timed points are. */
size_t holdout_mark(const struct holdout *holdout, const struct points *points,
                    unsigned char *held);

/* Training data: per study or data set a copy of the rows that were not held out. */
struct training_set {
    struct points points;
    struct facts facts;
};

struct training_cells {
    struct training_set *set;
    size_t n;
};

/* Adds the rows that are not held out (held NULL: all). */
void training_add(struct training_cells *training, const struct points *points,
                  const unsigned char *held, const struct facts *facts);

/* The timed points that are not there for training: held out; `all`: every one of them. Copies, to
 * be cleared. */
void holdout_rest(const struct points *points, const unsigned char *held, int all,
                  struct points *out);

void training_clear(struct training_cells *training);
