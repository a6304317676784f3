/* SPDX-License-Identifier: BSD-3-Clause */
/* closed.h - formulas for the time of an algorithm, written by hand and independent of the
 * schedules and the walker: T = a * alpha + b * beta (+ c * delta in a reduction), with a
 * (messages), b (bytes) and c (bytes combined) functions of the arguments.
 *
 * Two kinds. STAGE: the formulas derived from the implementation (Nuriyev & Lastovetsky 2021, where
 * printed; for the others the same reasoning), in terms of gamma. TEXTBOOK: the formulas from
 * high-level definitions, in which a rank sends to its children one after the other
 * (Pjesivac-Grbovic et al., Cluster Computing 10 (2007), Hockney column; Thakur, Rabenseifner &
 * Gropp, IJHPCA 19 (2005); for the neighbor exchange Chen et al., HPC Asia 2005). They are a
 * reference for the walker and the baseline that it has to beat.
 *
 * P processes, m bytes (allgather: of one rank), n segments of m/n bytes, K fan-out or radix (cut
 * to P - 1), L = ceil(log2 P), H = floor(log2 P), r(k) = gamma_receives. All assume equal segments.
 * Nothing here allocates. */
#pragma once

#include "analysis/walk/closed_form.h"

/* The form of what runs (a substitute's, where the library substitutes); NULL when there is none.
 */
const struct closed_form *closed_find(enum closed_kind kind, const struct schedule *s);

/* T in seconds, alpha in s, beta in s/byte; NaN when there is no form. 0 when nothing is sent. */
double closed_time(enum closed_kind kind, const struct schedule *s, const struct gamma *gamma,
                   double alpha, double beta);

/* The bytes combined on the critical path of a reduction: c of the form.
 * Multiply by the combining time per byte and add to T. 0 without a form. */
double closed_combined(enum closed_kind kind, const struct schedule *s, const struct gamma *gamma);

/* All forms, in tables: each ends with a row without a line, the list with NULL. */
const struct closed_form *const *closed_tables(void);
