/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_units.h - the number that a library compares with the sizes of its rules: Open MPI's `tuned`
 * (ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c), MPICH's trees (src/mpi/coll/src/csel.c). */
#pragma once

#include "harness/rules/rules.h"

enum rules_unit {
    UNIT_MESSAGE, /* the bytes that the call names */
    UNIT_TOTAL,   /* these times the processes */
    UNIT_EACH,    /* the bytes of one element times the processes, however many elements */
    UNIT_NONE     /* always 0 */
};

/* Of a collective, as a reader's library counts. MPICH counts elements of gather and scatter, and
 * of alltoallv the bytes the rank itself sends, which rules cannot use: none. */
enum rules_unit rules_unit(const struct rules_reader *reader, const char *collective);

/* For people: "bytes of the message", "bytes x processes", "bytes of an element x processes",
 * "nothing: always 0". */
const char *rules_unit_words(enum rules_unit unit);

/* The size that the library compares. */
uint64_t rules_size(enum rules_unit unit, int procs, uint64_t bytes, uint64_t element_bytes);
