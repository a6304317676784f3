/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h - for the tests of the walkers over links: a network in which rank r is on node r. */
#pragma once

#include "analysis/walk/link_walk.h"

/* procs nodes around a ring (TOPOLOGY_TORUS) or on one switch (TOPOLOGY_STAR), one rank each;
 * *top is that network. NULL where there is none. */
static inline struct links_net *ring_of(enum topology_kind kind, int procs, struct topology *top)
{
    const struct network net = { .kind = kind,
                                 .nodes = procs,
                                 .dims = kind == TOPOLOGY_TORUS,
                                 .extent = { procs },
                                 .link_rate = 1e6,
                                 .link_latency = 1 };
    const struct seating seating = { "core", procs, 1, procs, 1, 1, 0, { .group = { 0 } } };
    return topology_init(top, &net, NULL) < 0 ? NULL
                                              : links_net_new(top, "in_order", &seating, NULL);
}
