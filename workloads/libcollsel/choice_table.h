/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_table.h - which algorithm for how many ranks and bytes, as somebody has written it down
 * (docs/formats.md, table of libcollsel). Pure. */
#ifndef WORKLOADS_LIBCOLLSEL_CHOICE_TABLE_H
#define WORKLOADS_LIBCOLLSEL_CHOICE_TABLE_H

#include "workloads/libcollsel/choice.h"

#define CHOICE_TABLE_HEADER                                                                        \
    "collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout"

enum { CHOICE_TABLE_MOST_BYTES = 64 << 20 }; /* a larger file is none */

struct choice_table;

/* Reads the text of a file, which ends with a NUL and has no other one. NULL with *err =
 * "NAME:LINE: ...": what is wrong. */
struct choice_table *choice_table_parse(const char *text, size_t length, const char *name,
                                        struct err *err);

/* The same with what is wrong alone in *err, and its line in *line. */
struct choice_table *choice_table_read(const char *text, size_t length, int *line, struct err *err);

/* The first row that a call is within; NULL: none is. bytes: of a rank. Owned by the table. */
const struct choice *choice_table_find(const struct choice_table *table, const char *collective,
                                       int procs, uint64_t bytes);

/* 1 when there is a row of the collective. */
int choice_table_has(const struct choice_table *table, const char *collective);

/* All rows that a call is within, the first one first, as many as there is room for. */
size_t choice_table_list(const struct choice_table *table, const char *collective, int procs,
                         uint64_t bytes, const struct choice **out, size_t room);

/* Frees; NULL is fine. */
void choice_table_free(struct choice_table *table);

#endif
