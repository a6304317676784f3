/* SPDX-License-Identifier: BSD-3-Clause */
/* interpose_openmpi.h - sees which of Open MPI's algorithms a call really enters.
 *
 * The program exports functions of the names ompi_coll_base_<collective>_*, which coll/tuned
 * calls across shared objects; ours come first in the dynamic linker's order, note name, segment
 * and fan-out while watching, and forward. The cost when not watching is three
 * additions and a jump (a few nanoseconds).
 *
 * The library calls these functions without an argument of ours, so the records are in one
 * static struct: the only global state of this kind in the program. Not thread safe. */
#pragma once

#include "workloads/proof/proof.h"

/* One algorithm's function as it was entered. */
struct interposed {
    const char *collective;
    const char *name; /* in the spelling of coll_tuned_<collective>_algorithm */
    uint32_t segment_bytes;
    int fanout;
    int limit;           /* of requests, of one that has a fan-out beside it */
    const char *foreign; /* file of the function if not the library's; or NULL */
};

/* Looks up the library's functions; before MPI_Init. -1 with *err when one is not there. */
int interpose_open(struct err *err);

/* Clears the records and starts recording. */
void interpose_watch(void);

/* Stops recording. Returns the innermost function of the collective entered since
 * interpose_watch (an algorithm may call another one), or NULL if none was. */
const struct interposed *interpose_seen(const char *collective);

/* The outermost one of the same records; NULL: none. Call it after interpose_seen. */
const struct interposed *interpose_first(const char *collective);

/* 1 when this function of the collective was entered since
 * interpose_watch; it may have called another one. */
int interpose_entered(const char *collective, const char *name);

/* The file of a function outside the library that ran since
 * interpose_watch, with its symbol in name; NULL: none ran. */
const char *interpose_foreign(char *name, size_t size);

/* The component whose code entered the last function: "tuned"; "" where that is not known. */
void interpose_component(char *buf, size_t size);

/* Entries of each function, with sums of segments and fan-outs. */
const struct proof_source *interpose_counts(void);
