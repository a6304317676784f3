/* SPDX-License-Identifier: BSD-3-Clause */
/* units.h - the number that Open MPI's `tuned` compares with the sizes of its rules
 * (ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c). */
#ifndef HARNESS_RULES_UNITS_H
#define HARNESS_RULES_UNITS_H

#include <stdint.h>

enum rules_unit {
    UNIT_MESSAGE, /* the bytes that the call names */
    UNIT_TOTAL,   /* these times the processes */
    UNIT_EACH,    /* the bytes of one element times the processes, however many elements */
    UNIT_NONE     /* always 0 */
};

/* Of a collective; version: of Open MPI. */
enum rules_unit rules_unit(const char *version, const char *collective);

/* For people: "bytes of the message", "bytes x processes", "bytes of an element x processes",
 * "nothing: always 0". */
const char *rules_unit_words(enum rules_unit unit);

/* The size that is compared, of elements of one byte. */
uint64_t rules_size(enum rules_unit unit, int procs, uint64_t bytes);

#endif
