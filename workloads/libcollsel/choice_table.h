/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_table.h - algorithms by number of ranks and bytes, from a file
 * (docs/formats.md, table of libcollsel). Pure. */
#pragma once

#include "workloads/libcollsel/choice.h"

#define CHOICE_TABLE_HEADER                                                                        \
    "collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout"

/* Where rows name the nodes and the most ranks on one, too. */
#define CHOICE_TABLE_PLACED CHOICE_TABLE_HEADER ",nodes,ppn"

enum {
    CHOICE_TABLE_MOST_BYTES = 64 << 20, /* limit of a file's size */
    CHOICE_TABLE_RULES_PROCS = 1024,    /* a library's own rules become a table for 2 to so many
                                           ranks */
};

/* Where the ranks of a communicator are: how many, on how many nodes, and the most on one. */
struct comm_shape {
    int procs, nodes, ppn; /* nodes 0: not known */
};

struct choice_table;

/* Reads the text of a file, which ends with its only
 * NUL. NULL with *err = "NAME:LINE: ...": the error. */
struct choice_table *choice_table_parse(const char *text, size_t length, const char *name,
                                        struct err *err);

/* The same with only the error in *err, and its line in *line. */
struct choice_table *choice_table_read(const char *text, size_t length, int *line, struct err *err);

/* The first row that matches a call; NULL: none. bytes: per rank. Owned by the table. */
const struct choice *choice_table_find(const struct choice_table *table, const char *collective,
                                       const struct comm_shape *shape, uint64_t bytes);

/* 1 when there is a row of the collective. */
int choice_table_has(const struct choice_table *table, const char *collective);

/* All rows that match a call, in file order, at most `room`. */
size_t choice_table_list(const struct choice_table *table, const char *collective,
                         const struct comm_shape *shape, uint64_t bytes, const struct choice **out,
                         size_t room);

/* Frees; NULL is fine. */
void choice_table_free(struct choice_table *table);
