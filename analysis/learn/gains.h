/* SPDX-License-Identifier: BSD-3-Clause */
/* gains.h - what candidates gained over the library's default in the measured cells about another.
 *
 * About a cell are the next smaller and the next larger measured size (its own, where it was
 * measured), and at each of them the processes next to the cell's that were measured with that
 * size. A gain is the logarithm of the default's time over the candidate's. */
#ifndef ANALYSIS_LEARN_GAINS_H
#define ANALYSIS_LEARN_GAINS_H

#include "analysis/learn/problem.h"

/* The measured values about one: from the next one downwards (or itself), and the next one upwards
 * (or itself). NaN: there is none. */
struct about {
    double low[3];
    double high;
};

/* The sizes, in bytes. inner: 1: without the lessons apart (problem.h), here and below. */
struct about gains_bytes(const struct subject *subject, double bytes, int inner);

/* The processes that were measured with a size. */
struct about gains_procs(const struct subject *subject, double procs, double bytes, int inner);

/* The gain of a kind where so many processes and bytes were measured, on the number of nodes that
 * is nearest to the cell's; NaN: not measured there. */
double gains_at(const struct subject *subject, size_t kind, const struct cell *cell, double procs,
                double bytes, int inner);

/* 1 when all lessons ran on one node and the cell is on several: nobody saw the network. */
int gains_cross_network(const struct subject *subject, const struct cell *cell);

/* What remains of a gain beyond the last P or size that was measured: it is divided by one and the
 * doublings from there, upwards or downwards, as it takes more to be convinced the further one
 * looks. A loss stays. */
double gains_far(double gain, double at, double last);

/* By how much the gain falls until P, where it goes on to fall with the logarithm of P as it did
 * between the last but one P and the last; 0 where it does not fall. */
double gains_fall(double last, double before, const struct about *procs, double at);

#endif
