/* SPDX-License-Identifier: BSD-3-Clause */
/* interpose_openmpi.h - sees which of Open MPI's algorithms a call really enters.
 *
 * The program exports functions of the names ompi_coll_base_<collective>_*, which coll/tuned
 * calls across shared objects; ours come first in the dynamic linker's order, note name, segment
 * and fan-out while watching, and forward. The cost when not watching is three
 * additions and a jump (a few nanoseconds).
 *
 * The library calls these functions without an argument of ours, so what was seen is in one static
 * struct: the one place of the program where state cannot be passed down. Not thread safe. */
#ifndef WORKLOADS_PROOF_INTERPOSE_OPENMPI_H
#define WORKLOADS_PROOF_INTERPOSE_OPENMPI_H

#include <stdint.h>

#include "harness/base/err.h"
#include "workloads/proof/proof.h"

/* One algorithm's function as it was entered. */
struct interposed {
    const char *collective;
    const char *name; /* in the spelling of coll_tuned_<collective>_algorithm */
    uint32_t segment_bytes;
    int fanout;
    int limit; /* of requests, of one that has a fan-out beside it */
    const char
        *foreign; /* file that the function came from where it is not the library's; or NULL */
};

/* Looks up the library's functions; before MPI_Init. -1 with *err when one is not there. */
int interpose_open(struct err *err);

/* Forgets what was seen and starts to note. */
void interpose_watch(void);

/* Stops noting. The innermost function of the collective that was entered since interpose_watch (an
 * algorithm hands over to another when it does not apply), or NULL when none was. */
const struct interposed *interpose_seen(const char *collective);

/* The outermost one, of what interpose_seen looks at; NULL: none. After it. */
const struct interposed *interpose_first(const char *collective);

/* Was this function of the collective entered since interpose_watch? It may have handed over to
 * another. */
int interpose_entered(const char *collective, const char *name);

/* Did a function that is not the library's own run since interpose_watch? Its symbol goes to name.
 * The file that it came from, or NULL. */
const char *interpose_foreign(char *name, size_t size);

/* The component whose code entered the last function: "tuned"; "" where that is not known. */
void interpose_component(char *buf, size_t size);

/* Entries of each function, with sums of segments and fan-outs. */
const struct proof_source *interpose_counts(void);

#endif
