/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.h - at the end of the application: sends the records of all ranks to rank
 * 0, which prints them on standard error, or writes them to COLLSEL_REPORT. */
#ifndef WORKLOADS_LIBCOLLSEL_SUMMARY_H
#define WORKLOADS_LIBCOLLSEL_SUMMARY_H

#include "workloads/libcollsel/process_state.h"

/* Collective over MPI_COMM_WORLD. */
void summary_make(struct library *lib);

#endif
