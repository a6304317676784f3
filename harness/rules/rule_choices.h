/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_choices.h - converts a library's rules file to choices for any other file: the
 * reader's answers for every number of processes and every size. `collsel run` uses
 * it to run such a file, also under the other library. Nothing here runs MPI. */
#pragma once

#include "harness/rules/export.h"
#include "workloads/libcollsel/choice_table.h"

/* Numbers of ranks that a conversion is for; none: 2 to CHOICE_TABLE_RULES_PROCS. Borrowed. */
struct rules_procs {
    const uint64_t *v;
    size_t n;
};

/* A file of rules as a table of libcollsel. Start from { NULL }. */
struct rules_conversion {
    char *text; /* NULL: none */
    struct rules_procs wanted;
    int nodes;              /* of MPICH's files, which go by nodes; 0: one */
    uint64_t element_bytes; /* of the calls; 0: any, see rules_to_choices */
    const char *device;     /* and a file of the device's, which decides before; NULL: none */
    struct rules_made made;
    int limited;                 /* 1: limits of concurrent requests are dropped */
    char by_element[RULES_TEXT]; /* collectives of which the element's size decides some calls */
};

/* Converts rules read from the text of a file to choices, for the wanted numbers of processes;
 * beyond CHOICE_TABLE_RULES_PROCS the library decides. Assumes commutative operations. A choice
 * is the algorithm that really runs, also if a rule names another one; there is none where the
 * device runs a call in parts, nor where elements of any size are meant and those of 1 to 16 bytes
 * get different rules (of->by_element). Where another algorithm runs for larger elements alone, the
 * choice is the rule's, as the library replaces it itself. Limits of concurrent requests are
 * dropped; of->limited becomes 1 if a rule has one. Returns 0, and the caller clears *choices
 * (rules_choices_clear); or -1 with *err: the file is not loaded (with the faulty line), a call
 * fails, hangs or ends the program, the component needs the placement of ranks, or it is a table of
 * libcollsel. */
int rules_to_choices(const struct rules *rules, const char *text, size_t length,
                     struct rules_conversion *of, struct rules_choices *choices, struct err *err);

/* Reads the file `rules` as the reader does, and makes the table that says the same, which names
 * what made it. 0, and the caller clears *out; or -1 with *err: the file cannot be read, or
 * converted (rules_to_choices). */
int rules_convert(const char *rules, const struct rules_reader *reader, const char *made_by,
                  struct rules_conversion *out, struct err *err);

/* Frees the text and the findings. */
void rules_conversion_clear(struct rules_conversion *conversion);
