/* SPDX-License-Identifier: BSD-3-Clause */
/* model_file.h - what a learner has learnt as a file (JSON), to be asked elsewhere.
 *
 * It says which schema and features it has, what it was learnt from (clusters, cells, a digest of
 * the points), under which licence that may be used, what is known of the machine, and per subject
 * the measured cells with their times: the evidence by which `safe` (safe.h) stays with the
 * library's default where nothing better is known. A file with another schema or other features is
 * refused: its numbers would mean something else. Nothing in a file is trusted. The same
 * measurements and the same seed make the same file, byte by byte.
 *
 * A pretrained file is for machines that nobody measured: its settings, and the intervals of the
 * gains that it expects, are chosen on a cluster that was left out; of the measured cells it keeps
 * where they are, not their times, so that it is small; `safe` has no evidence in it. What was
 * tried in less than half of the cells is no answer of it. */
#ifndef ANALYSIS_LEARN_MODEL_FILE_H
#define ANALYSIS_LEARN_MODEL_FILE_H

#include "analysis/learn/safe.h"

/* Changes with whatever would change what a file says. */
#define MODEL_SCHEMA "collsel-model-4"

/* The largest file that is read: as JSON in memory it takes some fifteen times as much. */
enum { MODEL_MOST_MIB = 256 };

enum { LICENCE_SIZE = 128, MOST_MEMBERS = 16 };

/* A set that was learnt from. */
struct model_source {
    char cluster[NAME_SIZE], backend[NAME_SIZE];
    int procs;     /* the most that were timed; 0: the file does not say */
    size_t points; /* that were timed */
};

/* Is not to be copied: `safe` points into it. */
struct model_file {
    int pretrained;
    struct model_source *source;
    size_t n_sources;        /* 0: the file does not say */
    char learner[NAME_SIZE]; /* the one that was asked for, or "safe" */
    struct learnt *member;   /* it, and those who tell `safe` what is faster */
    size_t n_members;
    struct problem evidence;    /* the measured cells, without features; a subject for each of a
                                   member's skills */
    struct safe safe;           /* of these */
    char digest[17];            /* of ids and times of what was learnt from */
    char licence[LICENCE_SIZE]; /* "unknown" where nobody said */
    struct facts machine; /* cluster, sockets, cores, cache_cores, and what the default is in a
                             simulation; the rest is not known */
};

/* Learns from all cells of a training set, by these learners (NULL-terminated, MOST_MEMBERS at
 * most): all but what is said of a file. pretrained: as below. Of nothing nothing is learnt. 0, or
 * -1 with *err and nothing to clear. */
int model_file_teach(const struct training_cells *training, const struct learner *const *who,
                     int pretrained, struct model_file *out, struct err *err);

/* Who learns: of "safe" all who have a voice; else the one that is named, and where it has none the
 * neighbours beside it, which learn fast. NULL-terminated, MOST_MEMBERS at most; returns how
 * many. */
size_t model_file_voices(const char *learner, const struct learner **who);

/* The same, to be written. learner: a learner's name, or "safe" for all those that
 * tell `safe` what is faster. pretrained: wants sets of two clusters or more. 0, or -1 with *err
 * and nothing to clear. */
int model_file_train(const struct training_cells *training, const char *learner,
                     const char *licence, int pretrained, struct model_file *out, struct err *err);

/* 1 when a file can be of this learner: "safe", or one that needs no model's predictions. */
int model_file_takes(const char *learner);

/* Writes PATH whole, and nothing that cannot be read back; reads it. 0, or -1 with *err (and
 * nothing to clear). */
int model_file_write(const struct model_file *file, const char *path, struct err *err);
int model_file_read(const char *path, struct model_file *out, struct err *err);

/* Frees what it holds. */
void model_file_clear(struct model_file *file);

#endif
