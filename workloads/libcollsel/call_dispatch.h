/* SPDX-License-Identifier: BSD-3-Clause */
/* call_dispatch.h - one call of the application on its way through the library. */
#pragma once

#include "workloads/libcollsel/counted.h"
#include "workloads/libcollsel/process_state.h"

struct call_dispatch {
    struct library *lib;  /* NULL: the call passes through */
    enum counted_why why; /* ... as it is counted then */
    struct group *group;
    struct cell_of_group *cell; /* NULL: there is none */
    struct row *row;
    int is_tuned; /* its time counts for star */
    const struct call_args *asked;
    uint64_t bytes, element_bytes;
    int64_t entered_ns, began_ns;
    int64_t all_ns;    /* in all collectives so far */
    int64_t asking_ns; /* time of a model query, excluded from the call's time */
    int rc;            /* of a schedule that has run */
};

/* Before the MPI library's own call: 1 when a schedule has run in its place. asked stays there
 * until call_dispatch_end. */
int call_dispatch_begin(struct call_dispatch *turn, const struct call_args *asked);

/* After either, with what it returned: returns that. */
int call_dispatch_end(struct call_dispatch *turn, int rc);
