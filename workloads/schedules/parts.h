/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - common to the generators: ranks counted from the root or around the ring, and messages
 * cut into parts and segments. */
#pragma once

#include "workloads/schedules/schedule.h"
#include "workloads/schedules/trees.h"

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

/* The rank n < procs places after or before one, around the ring. */
static inline int rank_after(const struct schedule *s, int rank, int n)
{
    return rank < s->procs - n ? rank + n : rank - (s->procs - n);
}

static inline int rank_before(const struct schedule *s, int rank, int n)
{
    return rank >= n ? rank - n : rank + (s->procs - n);
}

/* Steps of an algorithm that doubles something in each. */
static inline uint64_t doubling_steps(const struct schedule *s)
{
    return (uint64_t)ceil_log2(s->procs);
}

static inline int is_power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

/* For rows: so many rounds on every rank: one; one for each rank at the root, and one elsewhere;
 * one for each other rank; those of a doubling. */
static inline uint64_t one_round(const struct schedule *s, int rank)
{
    (void)s, (void)rank;
    return 1;
}

static inline uint64_t rounds_of_root(const struct schedule *s, int rank)
{
    return rank == s->root ? (uint64_t)s->procs : 1;
}

static inline uint64_t rounds_to_all(const struct schedule *s, int rank)
{
    (void)rank;
    return (uint64_t)s->procs - 1;
}

static inline uint64_t rounds_of_doubling(const struct schedule *s, int rank)
{
    (void)rank;
    return doubling_steps(s);
}

/* For rows: scratch as large as the message. */
static inline uint64_t temp_of_message(const struct schedule *s, int rank)
{
    (void)rank;
    return s->bytes;
}

/* The error of two_proc for other numbers of ranks; Open MPI ends with an error. */
static inline const char *unless_two(const struct schedule *s)
{
    return s->procs == 2 ? NULL : "wants two processes";
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

/* ---- the message cut into n blocks at elements, as the libraries do it: blocks first … end - 1 of
 * these, as a part of one segment ---- */

static inline struct part elements(const struct schedule *s, uint64_t from, uint64_t to)
{
    return part_of(from * s->element_bytes, (to - from) * s->element_bytes, 0);
}

/* The first count % n blocks have one element more than the others: Open MPI's
 * COLL_BASE_COMPUTE_BLOCKCOUNT, and MPICH where it shares out what is left over. */
static inline struct part cut_even(const struct schedule *s, uint64_t first, uint64_t end,
                                   uint64_t n)
{
    const uint64_t size = schedule_count(s) / n, longer = schedule_count(s) % n;
    return elements(s, first * size + min_u64(first, longer), end * size + min_u64(end, longer));
}

/* All have count / n elements; the last one has what is left over, too. */
static inline struct part cut_last(const struct schedule *s, uint64_t first, uint64_t end,
                                   uint64_t n)
{
    const uint64_t size = schedule_count(s) / n;
    return elements(s, first * size, end == n ? schedule_count(s) : end * size);
}

/* All have count / n elements, rounded up; the last ones are shorter, or empty. */
static inline struct part cut_up(uint64_t bytes, uint64_t element_bytes, uint64_t first,
                                 uint64_t end, uint64_t n)
{
    const uint64_t count = bytes / element_bytes, size = count / n + (count % n != 0);
    const uint64_t from = min_u64(first * size, count), to = min_u64(end * size, count);
    return part_of(from * element_bytes, (to - from) * element_bytes, 0);
}

/* ---- a block of its own to and from each rank; what a rank gives itself ---- */

static inline void recv_block(const struct schedule *s, int rank, int src, struct round *out)
{
    round_recv(out, BUF_RECV, schedule_got_at(s, src, rank), schedule_block_bytes(s, src, rank),
               src);
}

static inline void send_block(const struct schedule *s, int rank, int dst, struct round *out)
{
    round_send(out, BUF_SEND, schedule_given_at(s, rank, dst), schedule_block_bytes(s, rank, dst),
               dst);
}

static inline void keep_block(const struct schedule *s, int rank, struct round *out)
{
    round_copy(out, BUF_RECV, schedule_got_at(s, rank, rank), BUF_SEND,
               schedule_given_at(s, rank, rank), schedule_block_bytes(s, rank, rank));
}

/* ---- MPICH's rings send blocks in pieces of at most 32 KiB of whole elements
 * (MPIR_CVAR_ALLGATHERV_PIPELINE_MSG_SIZE) ---- */

static inline uint64_t piece_bytes(const struct schedule *s)
{
    const uint64_t most = 32768, count = most / s->element_bytes;
    return count ? count * s->element_bytes : s->element_bytes;
}

/* Pieces of a block. An empty one has its turn, too. */
static inline uint64_t pieces_of(const struct schedule *s, uint64_t bytes)
{
    const uint64_t most = piece_bytes(s);
    return bytes <= most ? 1 : bytes / most + (bytes % most != 0);
}
