/* SPDX-License-Identifier: BSD-3-Clause */
/* import.h - converts external measurements to our files: imported.csv, manifest.json
 * (docs/import.md).
 *
 * A format is one file here and one row of import_formats. It recognises a source by
 * its name and first bytes, and passes the values of each line to import_take, which
 * checks all formats alike. Every row of a source becomes one row of imported.csv:
 * taken, repeated, or set aside with a reason. Bad rows are no error. An error is only
 * a value that neither the sources nor the options give (status 2, with its name). */
#pragma once

#include "harness/study/cluster.h"
#include "harness/import/rows.h"
#include "harness/import/source_text.h"

struct import_format;

/* One file. Owned by the job. */
struct source {
    char *path; /* as named */
    const struct import_format *format;
    struct text text;
    struct source_row told; /* values from options and the file's name */
    char *words;            /* text that `told` borrows */
    size_t taken, repeated, set_aside;
};

/* A column of a source in --map or in a format's table. */
struct column {
    const char *name;
    enum role role;
    double scale; /* to seconds or bytes; 0: 1 */
};

enum { MAX_MAP = 48, MAX_WHERE = 16 };

/* Rows of tables that are taken: those whose column of this name matches (fnmatch). */
struct where {
    const char *column, *value;
};

/* What the options say. Borrowed throughout. */
struct import_options {
    const struct import_format *format; /* NULL: detected per file */
    struct source_row constants;        /* --set, --mpi */
    const char *version;                /* of the MPI library, NULL: not known */
    const char *pattern;                /* "{algorithm}-{procs}.txt", NULL: none */
    struct column map[MAX_MAP];         /* --map */
    size_t n_map;
    struct where where[MAX_WHERE]; /* --where; several of one column: any of them */
    size_t n_where;
    int whole;           /* a last line without its end counts */
    int oversubscribed;  /* a node may have more ranks than cores */
    const char *holdout; /* as a study says it (harness/study/holdout_spec.h); NULL: none */
};

/* Texts of its own. */
struct names {
    char **text;
    size_t n;
};

/* An import under way. */
struct import {
    const struct import_options *options;
    struct cluster *cluster; /* NULL until known */
    struct source *source;
    size_t n_sources;
    struct names unknown;    /* files of directories that no format knows */
    struct names unreadable; /* files of directories that cannot be read: why, with the path */
    struct names misnamed;   /* files of directories whose name does not fit --pattern */
    struct names kept;       /* texts that rows borrow */
    struct imported_rows rows;
    size_t spread;              /* rows mapped by node with unknown nodes */
    size_t left_out;            /* rows that --where does not take */
    int where_known[MAX_WHERE]; /* 1: the file that is read has this column */

    /* while reading */
    struct source *now;
    size_t batch; /* of the rows that come: import_batch */
    struct line line;
    char *lacks;      /* options for missing values: " --set procs=P"; NULL: none is missing */
    char word[5][72]; /* buffers for values that a format builds from a line */
    struct err err;
};

struct import_format {
    const char *name, *help;

    /* Origin of a format with a single data set; NULL: any. */
    const char *cluster, *mpi, *version;

    const char
        *suffix; /* of files to take from a directory with --format, besides those it knows */

    /* 1 when a file with this path and beginning is of this format; NULL: not detected. */
    int (*recognise)(const char *path, const char *head);

    /* Steps through job->now. 0, or -1 with job->err. */
    int (*read)(struct import *job);
};

extern const struct import_format *const import_formats[]; /* NULL-terminated */

/* By name, or NULL. */
const struct import_format *import_format_find(const char *name);

/* Opens the files named, and those of the directories named that a format knows, in the order of
 * their names. 0, or -1 with *err; the job is to be cleared in either case. */
int import_open(struct import *job, const struct import_options *options, char *const *paths,
                size_t n, struct err *err);

/* Reads the sources. 0, or -1 with *err; also when a row is found and
 * job->cluster is not set: *err then names it and all other missing values. */
int import_read(struct import *job, struct err *err);

/* The cluster of the sources' format, NULL: they tell none, or several. */
const char *import_cluster(const struct import *job);

/* Writes DIR/imported.csv and DIR/manifest.json. First removes files derived from
 * earlier rows (points.csv, fit, report ...) and lists them, comma-separated, in
 * removed. build: directory of the measuring programs; command: the command line. */
int import_write(const struct import *job, const char *dir, const char *dataset, const char *build,
                 const char *command, char *removed, size_t size, struct err *err);

/* Frees what it holds, but the cluster. */
void import_clear(struct import *job);

/* The next non-blank line: 1 with job->line, or 0. Lines that are no text and a last
 * line without its end are set aside on the way. */
int import_next(struct import *job);

/* Begins a new block: the next rows are of another run. Each file begins a block. */
void import_batch(struct import *job);

/* Checks the values of a line and its source, and adds them as a
 * row. 0, or -1 with job->err: a required value is missing. */
int import_take(struct import *job, const struct source_row *told);

/* Adds the line as a row that is not taken. Returns 0. */
int import_set_aside(struct import *job, enum aside why, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The role of a column whose name has so many letters, in a format's table of n; ROLE_NONE: it is
 * not in there. */
enum role column_role(const struct column *columns, size_t n, const char *name, size_t len);

/* 1 when the larger buffer of a collective has a block for each rank; its name may be unknown. */
int collective_is_divided(const char *collective);

/* A table of comma-, semicolon- or tab-separated columns under a header row. finish
 * completes the values of a row: 1 when it has set the row aside, else 0. */
struct table_form {
    const struct column *columns;
    size_t n;
    const enum role *needed; /* roles that a header row has, ROLE_NONE last; NULL: a time */
    int (*finish)(struct import *job, struct source_row *told);
    const char *const *conditions; /* columns with the conditions of a row's measurement,
                                      NULL-terminated; NULL: none. MAX_CONDITIONS at most */
};
int import_table(struct import *job, const struct table_form *form);

/* 1 when --where takes rows that have this value of a column, or says nothing of it. */
int import_wanted(struct import *job, const char *column, const char *value);

/* Notes under which conditions the row that was taken last was measured: names, NULL-terminated,
 * and a value of each, NULL: not told. */
void import_condition(struct import *job, const char *const *names, const char *const *values);

/* Refuses (status 2, with the choices) rows of one point measured under several
 * conditions, unless --where selects one. */
int import_conditions(const struct import *job, struct err *err);

/* The last part of a path. */
const char *base_name(const char *path);
