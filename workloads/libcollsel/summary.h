/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.h - at the end of the application: what its ranks have seen goes to rank 0, which prints
 * it on standard error, or writes it where COLLSEL_REPORT says. */
#ifndef WORKLOADS_LIBCOLLSEL_SUMMARY_H
#define WORKLOADS_LIBCOLLSEL_SUMMARY_H

#include "workloads/libcollsel/process_state.h"

/* Collective over MPI_COMM_WORLD. */
void summary_make(struct library *lib);

#endif
