/* SPDX-License-Identifier: BSD-3-Clause */
/* experiments.h - experiments that only provide parameters of the cost models (docs/design.md,
 * Equations). */
#pragma once

#include "harness/study/plan/wanted.h"

/* Adds the experiments of one collective, library and mapping: alpha and beta per algorithm
 * (Nuriyev & Lastovetsky 2021, section 4.2), gamma (section 4.1), ping-pongs and copies in memory.
 * The other fields of *like are common to all of their points. 0, or -1 with *err. */
int experiments_want_fits(struct wanted *w, const struct point *like);

/* Adds ping-pong, fan-out and fan-in of every channel that the study names (Nuriyev,
 * Rico-Gallego & Lastovetsky 2022), once for all mappings and collectives. 0, or -1 with *err. */
int experiments_want_channels(struct wanted *w, const char *mpi);
