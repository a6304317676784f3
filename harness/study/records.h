/* SPDX-License-Identifier: BSD-3-Clause */
/* records.h - the rows that a launch writes below samples/ (docs/formats.md): a sample per timed
 * call, an outcome per point, where each rank was. The measuring program writes them, store.h reads
 * them. Times in seconds. */
#pragma once

#include "harness/study/point.h"

enum { HOST_SIZE = 256 }; /* a host name with its NUL */

/* One timed call. */
struct sample {
    double max_s, mean_s, min_s; /* over ranks */
    double root_s;               /* the root's clock */
    double span_s;               /* from the first begin to the last end; 0: not known */
    double at_s;                 /* since the launch's start */
    int warmup, valid;
    int disturbed; /* another process ran during the block of calls */
    int late;      /* not in the file: a rank missed its window's start, so not valid */
    uint64_t rep;  /* from 0, of its point in this launch */
};

struct sample_row {
    char point[ID_SIZE]; /* or "sentinel" */
    struct sample sample;
};

/* One timed call on one rank, where they are kept. */
struct rank_row {
    char point[ID_SIZE]; /* or "sentinel" */
    uint64_t rep;
    int rank;       /* of the point's team */
    double begin_s; /* since the ranks were together */
    double took_s;
};

/* How a point ended in a launch. */
struct outcome {
    char point[ID_SIZE];
    char status[16]; /* ok, substituted, skipped, failed, timeout, invalid */
    char reason[256];
    char verified[32];
    char ran_algorithm[NAME_SIZE]; /* "" where not known */
    uint64_t ran_segment_bytes;    /* 0 where not known */
    int ran_fanout;                /* 0 where not known */
    uint64_t n_rows, n;
    int converged; /* 1, 0; -1: not applicable */
    int checked;
    double elapsed_s, core_s;
    uint64_t late;          /* calls left out since a rank came late to their window */
    double clock_error_s;   /* between two ranks' global clocks; 0: there is none */
    char ran_component[16]; /* "" where not known */
    char same_as[ID_SIZE];  /* the point whose samples it shares; "": its own */

    /* not in the file: of the launch, and index of store->files (store.h) */
    int repeat;
    size_t file;
};

/* Actual and planned place of a rank; -1: not known. */
struct placement_row {
    int rank;
    char host[HOST_SIZE], cpus[256];
    int socket, core;
    int node, seat_socket, seat_core;
};

extern const struct schema sample_schema, rank_schema, outcome_schema, placement_schema;
