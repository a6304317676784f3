/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_head.h - the "# key: value" lines that open a samples file. */
#ifndef WORKLOADS_MEASURE_SAMPLE_HEAD_H
#define WORKLOADS_MEASURE_SAMPLE_HEAD_H

#include "workloads/measure/options.h"

/* The lines, to be freed. What cannot be found out is written `unknown`.
 * ring_bytes: where buffers rotate; 0: none do. */
char *provenance_text(const struct measure_options *o, int ranks, const char *clock_error,
                      size_t ring_bytes);

#endif
