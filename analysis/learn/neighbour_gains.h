/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbour_gains.h - what candidates gained over the library's default in the measured cells about
 * another.
 *
 * About a cell are the next smaller and the next larger measured size (its own, where it was
 * measured), and at each of them the processes next to the cell's that were measured with that
 * size. Below the next smaller number of processes stand two more, each half of the one before or
 * less: whoever carries a gain on to twice as many processes has to have seen what a doubling does,
 * and two numbers side by side do not tell that. A gain is the logarithm of the default's time over
 * the candidate's; where several machines were measured in a place, the least of theirs. */
#ifndef ANALYSIS_LEARN_NEIGHBOUR_GAINS_H
#define ANALYSIS_LEARN_NEIGHBOUR_GAINS_H

#include "analysis/learn/training_set.h"

/* The measured values next to one, downwards and upwards; its own is both. NaN: there is none. */
struct sizes_about {
    double low, high;
};
struct procs_about {
    double low[3]; /* from the next downwards, by halves */
    double high;
};

/* The sizes, in bytes. */
struct sizes_about neighbour_gains_bytes(const struct subject *subject, double bytes);

/* The processes that were measured with a size. */
struct procs_about neighbour_gains_procs(const struct subject *subject, double procs, double bytes);

/* Whose gains are asked for, and where. Borrowed. */
struct neighbour_gains_of {
    const struct subject *subject;
    size_t kind;
    const struct cell *cell;
    const struct candidate *default_runs; /* what the default takes in the cell; NULL, or algorithm
                                             "": not known */
};

/* The gain where so many processes and bytes were measured, on the number of nodes that is nearest
 * to the cell's; NaN: not known. A library whose decision changes between there and the cell has
 * two defaults: the gain is then the one over what the cell's default takes, where that was
 * measured there. */
double neighbour_gains_at(const struct neighbour_gains_of *of, double procs, double bytes);

/* The least of these gains from the fewest of `low` to the most of it. INFINITY: none is known. */
double neighbour_gains_least(const struct neighbour_gains_of *of, const struct procs_about *procs,
                             double bytes);

/* 1 when the library's default takes in a cell what it took at the next fewer processes with the
 * next sizes, or that is not known. */
int neighbour_gains_same_default(const struct subject *subject, const struct cell *cell,
                                 const struct candidate *default_runs);

/* 1 when all lessons ran on one node and the cell is on several: nobody saw the network. */
int neighbour_gains_cross_network(const struct subject *subject, const struct cell *cell);

/* What remains of a gain beyond the last P or size that was measured: it is divided by one and the
 * doublings from there, upwards or downwards, as it takes more to be convinced the further one
 * looks. A loss stays. */
double neighbour_gains_far(double gain, double at, double last);

/* By how much the gain falls until P, where it goes on to fall with the logarithm of P as it did
 * between the last two of `low`; 0 where it does not fall. */
double neighbour_gains_fall(double last, double before, const struct procs_about *procs, double at);

#endif
