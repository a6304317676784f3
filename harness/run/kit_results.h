/* SPDX-License-Identifier: BSD-3-Clause */
/* kit_results.h - takes in the archive of results that a kit made (harness/run/sweep/pack.h).
 *
 * Nothing of it is trusted: every file has the name of one of the plan's launches, every row is
 * read before it is taken, digest, cluster and study are those of the manifest that was written
 * when the kit was packed. What is there already, byte for byte, is left alone; another file of the
 * same name is refused. All or nothing is taken. */
#ifndef HARNESS_RUN_KIT_RESULTS_H
#define HARNESS_RUN_KIT_RESULTS_H

#include "harness/base/err.h"
#include "harness/base/fs.h"

/* What an archive says of itself. */
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

/* Takes it into DIR, results of a packed study. 0, or -1 with *err and DIR as it was. */
int kit_results_home(const char *archive, const char *dir, struct kit_results_result *result,
                     struct err *err);

#endif
