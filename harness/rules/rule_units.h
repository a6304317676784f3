/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_units.h - the number that a library compares with the sizes of its rules: Open MPI's `tuned`
 * (ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c), MPICH's trees (src/mpi/coll/src/csel.c). */
#pragma once

#include "harness/rules/rules.h"
#include "workloads/schedules/collectives.h"

/* Of a collective, as a reader's library counts. */
enum rules_unit rules_unit(const struct rules_reader *reader, const char *collective);

/* For people: "bytes of the message", "bytes x processes", "bytes of an element x processes",
 * "nothing: always 0". */
const char *rules_unit_words(enum rules_unit unit);

/* The size that the library compares. */
uint64_t rules_size(enum rules_unit unit, int procs, uint64_t bytes, uint64_t element_bytes);
