/* SPDX-License-Identifier: BSD-3-Clause */
/* star_memory.h - what star has learnt in one run, for the next one of the same program on the same
 * machine with the same MPI library: a row for each candidate of a kind of call (docs/formats.md).
 * Pure. */
#pragma once

#include "workloads/libcollsel/choice.h"
#include "workloads/libcollsel/star_sure.h"

/* The kind of call: communicators with as many ranks on as many nodes share what was learnt. */
struct star_memory_row {
    char collective[32], op[16], algorithm[CHOICE_NAME];
    int procs, nodes;
    uint64_t bytes, segment_bytes;
    int fanout;
    struct star_learnt learnt;
};

/* Start from { 0 }. Owns its rows. */
struct star_memory {
    struct star_memory_row *v;
    size_t n;
};

enum { LEARNT_HEAD = 512, LEARNT_MOST_BYTES = 16 << 20, LEARNT_MOST_ROWS = 8192 };

/* The first line of a file: what it belongs to. A node's name counts without its digits. */
void star_memory_head(char head[LEARNT_HEAD], uint64_t program, const char *library,
                      const char *node);

/* 1: such a file, though perhaps of something else, or damaged. */
int star_memory_is_file(const char *text);

/* -1 with *err, and no rows: the text begins with another head, or a row is damaged. head NULL:
 * any. */
int star_memory_parse(struct star_memory *learnt, const char *text, const char *head,
                      struct err *err);

/* The text of a file, to be freed. */
char *star_memory_text(const struct star_memory *learnt, const char *head, const char *date);

/* The row of the same kind of call and algorithm; NULL: there is none. */
struct star_memory_row *star_memory_find(const struct star_memory *learnt,
                                         const struct star_memory_row *like);

/* Replaces that row, or appends it. */
void star_memory_put(struct star_memory *learnt, const struct star_memory_row *row);

void star_memory_clear(struct star_memory *learnt);
