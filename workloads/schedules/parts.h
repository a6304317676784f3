/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - what the generators of rooted collectives share: ranks counted from the root, and
 * messages cut into parts and segments. */
#ifndef WORKLOADS_SCHEDULES_PARTS_H
#define WORKLOADS_SCHEDULES_PARTS_H

#include "workloads/schedules/schedule.h"

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Shifted rank (the root is 0) and back. */
static inline int shifted(const struct schedule *s, int rank)
{
    return rank >= s->root ? rank - s->root : rank - s->root + s->procs;
}

static inline int unshifted(const struct schedule *s, int v)
{
    return v < s->procs - s->root ? v + s->root : v + s->root - s->procs;
}

/* A part of the message, in segments; all but the last of segment_bytes. */
struct part {
    uint64_t offset, bytes, segment_bytes, segments;
};

/* segment_bytes 0: one segment. */
static inline struct part part_of(uint64_t offset, uint64_t bytes, uint64_t segment_bytes)
{
    struct part p = { offset, bytes, bytes, 1 };
    if (segment_bytes && segment_bytes < bytes) {
        p.segment_bytes = segment_bytes;
        p.segments = bytes / segment_bytes + (bytes % segment_bytes != 0);
    }
    return p;
}

static inline struct part whole(const struct schedule *s)
{
    return (struct part){ 0, s->bytes, s->segments == 1 ? s->bytes : s->segment_bytes,
                          s->segments };
}

/* Segment k of a part, as a part of one segment. */
static inline struct part segment_of(const struct part *p, uint64_t k)
{
    uint64_t at = k * p->segment_bytes, bytes = min_u64(p->segment_bytes, p->bytes - at);
    return (struct part){ p->offset + at, bytes, bytes, 1 };
}

#endif
