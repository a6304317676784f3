/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned_file.h - files of rules as commands write them: with a head that says what they are made of
 * and how they are loaded. */
#ifndef HARNESS_CMD_TUNED_FILE_H
#define HARNESS_CMD_TUNED_FILE_H

#include <stdio.h>

#include "analysis/advise/tuning.h"
#include "harness/cmd/options.h"

/* Borrowed. */
struct tuned_file {
    const struct options *options;
    const struct cluster *cluster; /* whose MPI entries try the file; NULL: names none */
    const struct tuning_question *question;
    const char *from;        /* directory of results, or a model's file */
    int is_model;            /* 1: the latter */
    const char *trust;       /* how far to trust the times (reports/trust.h); NULL: not said */
    const char *output;      /* where it is written; NULL: printed */
    const char *install;     /* directory where it will lie; NULL: there */
    const char *const *more; /* lines more for the head, NULL-terminated; NULL: none */
    int untried;             /* 1: what is written is tried by whoever asked for it */
};

/* The text of the file, to be freed; NULL with *err: it would not be read back as meant. made is to
 * be cleared in either case. */
char *tuned_file_make(const struct tuned_file *file, const struct tuning *tuning,
                      struct rules_made *made, struct err *err);

/* Writes it, and what goes beside it, whole or not at all: where a library of its releases is
 * installed here, a small job has loaded it before. 0, or -1 with *err: what is there is as it was.
 */
int tuned_file_write(const struct tuned_file *file, const struct tuning *tuning, const char *text,
                     const struct rules_made *made, struct err *err);

/* Who is to load a text of such a file, by its head; NULL: it does not say. */
const struct rules_reader *tuned_file_reader(const char *text);

/* Where nothing is written, and output names a file of earlier: says that it stays. */
void tuned_file_tell_old(const char *output, FILE *out);

/* The path under which a library finds a file from wherever a job is started: in the directory
 * install, where there is one. output NULL: printed, FILE. */
void tuned_file_path(const char *output, const char *install, char path[PATH_SIZE]);

/* The lines that load the file, and the one that rolls back; where it will lie in another directory
 * (install) than it was written in, that it has to be copied there. */
void tuned_file_tell_use(const struct rules_reader *reader, const char *output, const char *install,
                         FILE *out);

#endif
