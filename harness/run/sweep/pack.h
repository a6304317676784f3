/* SPDX-License-Identifier: BSD-3-Clause */
/* pack.h - the kit: an archive for measuring on systems without installation (docs/kit.md).
 *
 * Holds the sources of the measuring program and of libcollsel, the missing points
 * of the study, the command line of each launch, and job scripts. Plan and manifest
 * are written here as for a submission: returned results must match them. */
#pragma once

#include "harness/run/sweep_request.h"

struct pack_result {
    size_t launches, points; /* in the kit */
    size_t planned;          /* launches */
    char digest[16];
};

/* Writes the archive. request: without a backend; its release is of the library there, "unknown".
 * 0, or -1 with *err and no archive; nothing to measure is an error. */
int pack_write(const struct sweep_request *request, const char *archive, struct pack_result *result,
               struct err *err);
