/* SPDX-License-Identifier: BSD-3-Clause */
/* model_file.h - what a learner has learnt as a file (JSON), to be asked elsewhere.
 *
 * It says which schema and features it has, what it was learnt from (clusters, cells, a digest of
 * the points), under which licence that may be used, what is known of the machine, and per subject
 * the range of processes and bytes that was seen. A file with another schema or other features is
 * refused: its numbers would mean something else. Nothing in a file is trusted. */
#ifndef ANALYSIS_LEARN_MODEL_FILE_H
#define ANALYSIS_LEARN_MODEL_FILE_H

#include "analysis/learn/learner.h"

/* Changes with whatever would change what a file says. */
#define MODEL_SCHEMA "collsel-model-1"

enum { LICENCE_SIZE = 128 };

struct model_file {
    struct learnt learnt;
    struct model_range {
        int least_procs, most_procs;
        uint64_t least_bytes, most_bytes;
    } * range;                  /* by skill */
    char digest[17];            /* of ids and times of what was learnt from */
    char licence[LICENCE_SIZE]; /* "unknown" where nobody said */
    struct facts machine;       /* cluster, sockets, cores, cache_cores; the rest is not known */
};

/* Learns from all cells of a training set. 0, or -1 with *err and nothing to clear. */
int model_file_train(const struct training_cells *training, const struct learner *learner,
                     const char *licence, struct model_file *out, struct err *err);

/* Writes PATH whole; reads it. 0, or -1 with *err (and nothing to clear). */
int model_file_write(const struct model_file *file, const char *path, struct err *err);
int model_file_read(const char *path, struct model_file *out, struct err *err);

/* Frees what it holds. */
void model_file_clear(struct model_file *file);

#endif
