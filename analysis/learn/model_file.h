/* SPDX-License-Identifier: BSD-3-Clause */
/* model_file.h - a trained model as a file (JSON), for use elsewhere.
 *
 * It states its schema and features, its training sets (clusters, cells, a digest of the
 * points), the licence of use, the known facts of the machine, and per subject the measured
 * cells with their times. `safe` (safe.h) uses these cells as evidence and keeps the default
 * without it. A file with another schema or other features is refused, since its numbers
 * would have another meaning. Files are untrusted input; all values are checked. The same
 * measurements and the same seed make the same file, byte by byte.
 *
 * A pretrained file is for machines without measurements. Its settings and the
 * intervals of expected gains are chosen on a cluster that was left out. Of the
 * measured cells it keeps positions without times, so it is small and gives `safe`
 * no evidence. Candidates tried in fewer than half of the cells are never chosen. */
#pragma once

#include "analysis/learn/safe.h"

/* Changes whenever the meaning of a file changes. */
#define MODEL_SCHEMA "collsel-model-4"

/* Size limit of a model file: parsed JSON takes about fifteen times the memory. */
enum { MODEL_MOST_MIB = 256 };

enum { LICENCE_SIZE = 128, MOST_MEMBERS = 16 };

/* A training set. */
struct model_source {
    char cluster[NAME_SIZE], backend[NAME_SIZE];
    int procs;     /* largest number timed; 0: not in the file */
    size_t points; /* that were timed */
};

/* Is not to be copied: `safe` points into it. */
struct model_file {
    int pretrained;
    int walks; /* 1: its one member walks the machine that is asked about (walked_trust.h) */
    struct model_source *source;
    size_t n_sources;        /* 0: the file does not say */
    char learner[NAME_SIZE]; /* the requested learner, or "safe" */
    struct learnt *member;   /* it, and the learners that vote in `safe` */
    size_t n_members;
    struct problem evidence;    /* the measured cells, without features; a subject for each of a
                                   member's skills */
    struct safe safe;           /* of these */
    char digest[17];            /* of ids and times of the training points */
    char licence[LICENCE_SIZE]; /* "unknown" where none was given */
    struct facts machine; /* cluster, sockets, cores, cache_cores, and what the default is in a
                             simulation; the rest is not known */
    const struct model_file *first; /* a file that walks: it is asked where the measured cells of
                                       this file keep the default (model_choice.h). Borrowed; not
                                       written; NULL: none */
};

/* Trains these learners (NULL-terminated, MOST_MEMBERS at most) on all cells of
 * a training set. Leaves the fields that only a file has. pretrained: as below.
 * Without cells nothing is trained. 0, or -1 with *err and nothing to clear. */
int model_file_teach(const struct training_cells *training, const struct learner *const *who,
                     int pretrained, struct model_file *out, struct err *err);

/* The learners to train: for "safe" all that vote; else the named one
 * and, if it has no vote, the nearest-neighbour learner too, which trains
 * fast. NULL-terminated, MOST_MEMBERS at most; returns their number. */
size_t model_file_voices(const char *learner, const struct learner **who);

/* The same, to be written. learner: a learner's name, or "safe" for all those that vote in `safe`.
 * pretrained: requires sets of two clusters or more. 0, or -1 with *err and nothing to clear. */
int model_file_train(const struct training_cells *training, const char *learner,
                     const char *licence, int pretrained, struct model_file *out, struct err *err);

/* "times of peak, orfeo-epyc": the machines that the answers of a file rest on. */
void model_file_machines(const struct model_file *file, char *buf, size_t size);

/* 1 when a file can be of this learner: "safe", or one that needs no model's predictions. */
int model_file_takes(const char *learner);

/* Writes PATH whole, and nothing that cannot be read back; reads it. 0, or -1 with *err (and
 * nothing to clear). */
int model_file_write(const struct model_file *file, const char *path, struct err *err);
int model_file_read(const char *path, struct model_file *out, struct err *err);

/* The subject of a cell: of a file that walks that of its collective and library, whatever the
 * mapping; NULL: there is none. */
const struct subject *model_file_subject(const struct model_file *file, const struct cell *cell);

void model_file_clear(struct model_file *file);
