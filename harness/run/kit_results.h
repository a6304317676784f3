/* SPDX-License-Identifier: BSD-3-Clause */
/* kit_results.h - imports the archive of results of a kit (harness/run/sweep/pack.h).
 *
 * The archive is untrusted. Every file must have the name of one of the plan's
 * launches, every row is parsed before it is accepted, and digest, cluster and study
 * must be those of the manifest of the packed kit. Existing identical files are kept;
 * a different file of the same name is refused. All files are accepted or none. */
#pragma once

#include "harness/base/base.h"

/* The description in an archive. */
struct kit_results_conf {
    char cluster[64], study[64], digest[16];
};

struct kit_results_result {
    size_t files, events; /* taken now */
    size_t finished;      /* points that the archive holds */
    char versions[200];   /* "openmpi 5.0.7" */
};

/* Reads the archive's kit.conf. 0, or -1 with *err: it has none, or is none of a kit. */
int kit_results_look(const char *archive, struct kit_results_conf *conf, struct err *err);

/* Imports it into DIR, results of a packed study. 0, or -1 with *err and DIR unchanged. */
int kit_results_import(const char *archive, const char *dir, struct kit_results_result *result,
                       struct err *err);
