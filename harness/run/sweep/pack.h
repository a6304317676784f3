/* SPDX-License-Identifier: BSD-3-Clause */
/* pack.h - the kit: an archive for measuring on systems without installation (docs/kit.md).
 *
 * Holds the sources of the measuring program and of libcollsel, the missing points
 * of the study, the command line of each launch, and job scripts. Plan and manifest
 * are written here as for a submission: returned results must match them. */
#pragma once

#include "harness/study/cluster.h"
#include "harness/study/study.h"

struct pack_request {
    const struct cluster *cluster;
    const struct study *study;
    const char *dir;     /* of the results */
    const char *archive; /* to write */
    const char *build;   /* of this program, for its commit */
    const char *command; /* our command line, for the manifest */
    const char *release; /* of the library there; "unknown" */
    int retries;
};

struct pack_result {
    size_t launches, points; /* in the kit */
    size_t planned;          /* launches */
    char digest[16];
};

/* Writes the archive. 0, or -1 with *err and no archive; nothing to measure is an error. */
int pack_write(const struct pack_request *request, struct pack_result *result, struct err *err);
