/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - the application's collective calls one by one, for viewers of Chrome's trace events
 * (https://ui.perfetto.dev): a bar for each call of each rank. */
#pragma once

#include "workloads/libcollsel/process_state.h"

/* Writes the file that COLLSEL_TIMELINE names: the first calls of each rank, 2^20 of all ranks
 * together; standard error says how many are missing, or why there is no file. Times in us since
 * MPI_Init of rank 0, by a clock that all ranks share. Collective over lib->own, after
 * global_clock_mend. */
void timeline_write(const struct library *lib);
