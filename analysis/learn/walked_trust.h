/* SPDX-License-Identifier: BSD-3-Clause */
/* walked_trust.h - how far the walk of a machine that nobody measured is trusted to override the
 * library's default, learnt from machines that were measured.
 *
 * In each measured cell the candidates with a time, and what the library's published decision
 * takes, are walked on the cluster file of the machine (walked_trust.c). The candidate with the
 * least walk promises a gain over the default's walk; its time against the default's is what was
 * gained. Per collective, whatever the mapping, two thresholds of promises are chosen from a fixed
 * list:
 *
 *   bold: the least that gains in the mean over machines (of a machine: over its collectives and
 *         mappings): by the collective's own promises if they are of several machines, else by
 *         those of all collectives whose calls name the size of each block, or do not, as its own
 *         does; never where none gains
 *   safe: by where the ranks sit, the least from which on no machine and mapping lost more than
 *         half a percent in the mean; never where no machine was measured there
 *   pair: the same, of all collectives whose blocks differ in size, or do not, as its own do, by
 *         the families of what the default runs and of what overrides it; or, if less, the most
 * that any promise of the latter family fell short by, where two machines or more made some (of one
 * more machine a bound by the worst of n holds with n of n + 1)
 *
 * `safe` overrides the default from the lesser of the last two on. Families: linear, trees,
 * doubling (and Bruck's), rings and chains, two collectives one after the other.
 *
 * Sets without a cluster file that can be walked, or whose default is not published, teach
 * nothing; nor do fewer than eight cells, but for what a family fell short by. This number, the
 * list of thresholds, and how far beyond what was learnt a walk is trusted (model_choice.h) were
 * chosen with the machines of first.json (ci/first) in sight. */
#pragma once

#include "analysis/learn/learner.h"

/* What was chosen with data in sight, as a sentence of the file. */
#define WALKED_IN_SIGHT                                                                            \
    "the least number of cells (8), the list of thresholds, the doublings beyond what was learnt " \
    "(4), the rules for the bold, for pairs of families and for walks that measured cells "        \
    "correct, "                                                                                    \
    "and the presets edr, hdr and ndr were chosen with peak, orfeo-epyc, marenostrum5 and "        \
    "wisc-c220g5 in sight"

/* What a walk has to promise at least for `safe`. */
double walked_least(const struct walked_trust *trust, const struct cell *cell,
                    const struct candidate *default_runs, const struct candidate *takes);

/* 1 when a machine can be walked: its cluster file states all costs. What it does not state would
 * be walked as if it took no time. */
int walked_can(const struct facts *machine);

/* The walk of a candidate on a machine, as the logarithm of seconds; NaN: it cannot be walked, or
 * walked_log does not know. */
double walked_on(const struct facts *machine, const struct cell *cell,
                 const struct candidate *candidate);

/* Learns: *evidence becomes a subject per collective, with the cells that count and all algorithms
 * of Open MPI 4.1 that have a schedule, though nothing was promised there, and *member (its learner
 * is set) a skill for each. */
void walked_trust_learn(const struct training_cells *training, struct problem *evidence,
                        struct learnt *member);
