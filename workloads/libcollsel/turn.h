/* SPDX-License-Identifier: BSD-3-Clause */
/* turn.h - one call of the application on its way through the library. */
#ifndef WORKLOADS_LIBCOLLSEL_TURN_H
#define WORKLOADS_LIBCOLLSEL_TURN_H

#include "workloads/libcollsel/library.h"

struct turn {
    struct row *row; /* where it is recorded; NULL: nowhere */
    const void *site;
    int64_t began_ns;
};

/* Before the MPI library's own call. */
void turn_begin(struct turn *turn, const struct asked *asked);

/* After it; returns what it returned. */
int turn_end(const struct turn *turn, int rc);

#endif
