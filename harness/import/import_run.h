/* SPDX-License-Identifier: BSD-3-Clause */
/* import_run.h - an import from the files named to RESULTS/<cluster>/<dataset>/. */
#pragma once

#include <jansson.h>

#include "harness/import/import.h"

/* Borrowed. */
struct import_request {
    const struct import_options *options;
    char *const *paths;
    size_t n_paths;
    const char *cluster;  /* name or path; NULL: the format's */
    const char *machine;  /* shape instead of a file (import_run.c); NULL: from a file */
    const char *clusters; /* directory of cluster files */
    const char *results;  /* directory of results */
    const char *dataset;  /* NULL: after the first path */
    const char *build;    /* directory of the measuring programs */
    const char *command;  /* the command line */
    int dry_run;          /* read and judge, write nothing */
    int find_only;        /* read nothing: only result->dir, where an import would write */

    /* Takes the lock of the output directory into *lock; close it
     * when done. 0, or -1. NULL: no other process writes there. */
    int (*lock)(const char *dir, FILE *out, int *lock, struct err *err);
};

struct import_result {
    struct import job; /* sources and rows */
    struct cluster cluster;
    char dataset[KEY_WORD];
    char dir[PATH_SIZE];
    size_t taken, repeated, set_aside, points; /* rows; points: distinct */
    int written;                               /* imported.csv was */
    char removed[160]; /* removed files derived from earlier rows, comma-separated */
};

/* Reads, judges and (unless dry_run) writes, where anything could be taken. 0, or -1 with *err and
 * nothing to clear: a file that cannot be read, no cluster, nothing that tells what is needed. */
int import_run(const struct import_request *request, struct import_result *result, struct err *err);

void import_result_clear(struct import_result *result);

/* Prints a summary of the rows: per source, and per reason
 * of rows set aside, with the first few of each kind. */
void import_print(FILE *out, const struct import_result *result);

/* The same for programs: results, dataset, counts, sources, and of each reason how many rows were
 * set aside, with the first of them. */
json_t *import_json(const struct import_result *result);
