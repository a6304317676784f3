/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbour_gains.h - gains of candidates over the library's default in the measured cells next to
 * a given cell.
 *
 * The neighbours of a cell lie at the next smaller and next larger measured size (its own, if
 * measured), and at each size at the next smaller and larger measured number of processes. Below
 * the next smaller number of processes come two more, each at most half of the one before: a
 * prediction for twice as many processes needs the effect of an earlier doubling, which two
 * adjacent numbers do not show. A gain is the logarithm of the default's time over the
 * candidate's. Where several machines were measured in one place, their least gain counts. */
#pragma once

#include "analysis/learn/training_set.h"

/* The measured values next below and above a value; both equal a measured value. NaN: none. */
struct sizes_about {
    double low, high;
};
struct procs_about {
    double low[3]; /* the next smaller, then at most half, then half again */
    double high;
};

/* The sizes, in bytes. */
struct sizes_about neighbour_gains_bytes(const struct subject *subject, double bytes);

/* The processes that were measured with a size. */
struct procs_about neighbour_gains_procs(const struct subject *subject, double procs, double bytes);

/* Candidate and cell of a query for gains. Borrowed. */
struct neighbour_gains_of {
    const struct subject *subject;
    size_t kind;
    const struct cell *cell;
    const struct candidate *default_runs; /* what the default takes in the cell; NULL, or algorithm
                                             "": not known */
};

/* The gain measured at this number of processes and bytes, on the number of nodes nearest to the
 * cell's; NaN: not known. Where the library's decision differs between there and the cell, the gain
 * is over the algorithm that the cell's default uses, if that was measured there. */
double neighbour_gains_at(const struct neighbour_gains_of *of, double procs, double bytes);

/* The least of these gains over the range of `low`. INFINITY: no gain is known. */
double neighbour_gains_least(const struct neighbour_gains_of *of, const struct procs_about *procs,
                             double bytes);

/* 1 when the library's default runs in the cell the same algorithm as at the
 * next fewer processes and the neighbouring sizes, or that is not known. */
int neighbour_gains_same_default(const struct subject *subject, const struct cell *cell,
                                 const struct candidate *default_runs);

/* 1 when all training cells ran on one node and the cell is on several: no network data. */
int neighbour_gains_cross_network(const struct subject *subject, const struct cell *cell);

/* Discounts a gain beyond the last measured P or size: divides it by 1 + the doublings from there,
 * since extrapolation is less certain with distance. A loss is not discounted. */
double neighbour_gains_far(double gain, double at, double last);

/* The expected fall of the gain until P, if it continues to fall with the
 * logarithm of P as between the last two of `low`; 0 where it did not fall. */
double neighbour_gains_fall(double last, double before, const struct procs_about *procs, double at);
