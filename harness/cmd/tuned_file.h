/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned_file.h - rules files as commands write them: with a head that states their sources
 * and how to load them. */
#pragma once

#include "analysis/advise/tuning.h"
#include "harness/cmd/options.h"

/* Borrowed. */
struct tuned_file {
    const struct options *options;
    const struct cluster *cluster; /* whose MPI entries test the file; NULL: none */
    const struct tuning_question *question;
    const char *from;        /* directory of results, or a model's file */
    int is_model;            /* 1: the latter */
    const char *trust;       /* how far to trust the times (reports/trust.h); NULL: omit */
    const char *output;      /* where it is written; NULL: printed */
    const char *install;     /* directory where it will lie; NULL: there */
    const char *verified;    /* what `collsel rules verify` found; NULL: it was not run */
    const char *const *more; /* lines more for the head, NULL-terminated; NULL: none */
    int untried;             /* 1: not tested here; the caller tests the file */
};

/* The text of the file, to be freed; NULL with *err: reading it back
 * would give other rules. The caller clears made in either case. */
char *tuned_file_make(const struct tuned_file *file, const struct tuning *tuning,
                      struct rules_made *made, struct err *err);

/* Writes it and its second file, completely or not at all. If a library of its releases is
 * installed, a small job has loaded it first. 0, or -1 with *err: existing files are unchanged. */
int tuned_file_write(const struct tuned_file *file, const struct tuning *tuning, const char *text,
                     const struct rules_made *made, struct err *err);

/* The reader named in the head of such a text; NULL: none. */
const struct rules_reader *tuned_file_reader(const char *text);

/* When nothing is written and output names an existing file: reports that it stays. */
void tuned_file_tell_old(const char *output, FILE *out);

/* The path that finds a file from any working directory: in the
 * directory install, if given. output NULL: printed, FILE. */
void tuned_file_path(const char *output, const char *install, char path[PATH_SIZE]);

/* Prints the lines that load the file and the line that rolls back; if install is
 * another directory than that of output, also that the file must be copied there. */
void tuned_file_tell_use(const struct rules_reader *reader, const char *output, const char *install,
                         FILE *out);
