/* SPDX-License-Identifier: BSD-3-Clause */
/* holdout_cells.h - which cells are kept from whatever learns, to judge it by; and the measurements
 * that are left to learn from.
 *
 * What a study's plan held out (other sizes, processes, roots) is held out always. Beyond that a
 * text (harness/study/holdout_spec.h) says what is:
 *
 *     planned           nothing more
 *     alternate-procs   every other of the even and every other of the odd process counts, each
 *                       from the second (as split_group, groups.h)
 *     alternate-sizes   every other message size, from the second
 *     beyond-procs=N    more than N processes
 *     nodes, nodes=N    the largest number of nodes that there is; more than N nodes
 *     cluster=NAME      all of this cluster
 *     random=N%         that share of the cells, drawn by the seed: of two data sets with the same
 *                       seed and the same cells the same ones, so that no other
 *                       set tells of a cell that is held out
 *
 * Counts, sizes, nodes and shares are those of the cells of one collective, library and mapping in
 * which there is something to choose: where two points have a time or more.
 * Experiments that time the collective itself (gather) are held out as the cell that they are of;
 * those of the machine (ping-pongs, gamma) where they use more processes or nodes than may be
 * seen.
 *
 * What learns gets a struct training_cells: copies of the other rows. Nothing in it leads to a row
 * that was held out. */
#ifndef ANALYSIS_MEASURE_HOLDOUT_CELLS_H
#define ANALYSIS_MEASURE_HOLDOUT_CELLS_H

#include "analysis/measure/study_facts.h"
#include "analysis/measure/points.h"
#include "harness/study/holdout_spec.h"

/* held[i] becomes 1 for the rows that are held out, else 0. Returns how many timed points are. */
size_t holdout_mark(const struct holdout *holdout, const struct points *points,
                    unsigned char *held);

/* What may be learnt from: of each study or data set its own copy of the rows that were not held
 * out. */
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

/* Frees what it holds. */
void training_clear(struct training_cells *training);

#endif
