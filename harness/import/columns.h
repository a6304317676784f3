/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.h - rows of columns between blanks, as OSU's and Intel's benchmarks print them, under a
 * header that gives each column a role. */
#pragma once

#include "harness/import/import.h"

/* The current header, and the values given above it. */
struct block {
    enum role role[MAX_FIELDS]; /* ROLE_NONE: ignored */
    double scale[MAX_FIELDS];
    size_t n;               /* 0: no header yet */
    size_t verdict;         /* column of the data check's result; 0: none */
    struct source_row told; /* common to all rows: collective, experiment, processes */
    char other[64];         /* why the rows are not usable times; "": they are */
    char unit[32];          /* a unit that is not known; "" none */
    char procs[24];         /* text that `told` borrows */
    char type[32];          /* of the elements, a condition; "": not said */
};

/* The collective of the next rows. For reduce_scatter OSU
 * (osu_reduce_scatter.c) and Intel (IMB_reduce_scatter.c) print the size
 * of the whole vector of floats, of which each rank gets a part. */
void block_collective(struct block *block, const char *collective);

/* Adds a column to the header: a role of time has its unit in brackets at *unit, NULL: none. */
void block_add(struct block *block, enum role role, const char *unit, size_t len);

/* Takes the line as a row of the block, or sets it aside. 0, or -1 with job->err. */
int block_row(struct import *job, const struct block *block);
