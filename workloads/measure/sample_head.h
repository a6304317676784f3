/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_head.h - the "# key: value" lines that open a samples file. */
#pragma once

#include "workloads/measure/options.h"

/* The lines, to be freed. What cannot be found out is written `unknown`.
 * ring_bytes: where buffers rotate; 0: none do. */
char *provenance_text(const struct measure_options *o, int ranks, const char *clock_error,
                      size_t ring_bytes);
