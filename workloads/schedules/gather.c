/* SPDX-License-Identifier: BSD-3-Clause */
/* gather.c - gather to the root. Buffers: SEND (bytes) on every rank; RECV (procs x bytes) at the
 * root, the block of rank r at r x bytes.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_gather.c) with MPI_BYTE
 * elements. MPI_Gather of zero bytes returns before any algorithm: no messages. */
#include "workloads/schedules/schedule.h"

static void keep_own_block(const struct schedule *s, struct round *out)
{
    round_copy(out, BUF_RECV, (uint64_t)s->root * s->bytes, BUF_SEND, 0, s->bytes);
}

/* ---- linear: everybody sends at once; the root receives by rank, one after the other ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    if (s->bytes == 0)
        return 0;
    return rank == s->root ? (uint64_t)s->procs : 1;
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank != s->root)
        round_send(out, BUF_SEND, 0, s->bytes, s->root);
    else if ((int)k == s->root)
        keep_own_block(s, out);
    else
        round_recv(out, BUF_RECV, k * s->bytes, s->bytes, (int)k);
}

/* ---- linear with synchronisation: the root asks each rank in turn by an empty message, for a
 * first segment, and waits for it before it asks the next; the rest of the block (a message even
 * when there is no rest) comes while the next rank is asked ---- */

static uint64_t first_segment(const struct schedule *s)
{
    return s->segments == 1 ? s->bytes : s->segment_bytes;
}

/* The i-th rank that is asked. */
static int asked(const struct schedule *s, int i)
{
    return i < s->root ? i : i + 1;
}

static uint64_t sync_rounds(const struct schedule *s, int rank)
{
    if (s->bytes == 0)
        return 0;
    return rank == s->root ? (uint64_t)s->procs : 3;
}

static void sync_root_round(const struct schedule *s, int k, struct round *out)
{
    uint64_t first = first_segment(s);
    if (k > 0) {
        int src = asked(s, k - 1);
        round_recv(out, BUF_RECV, (uint64_t)src * s->bytes + first, s->bytes - first, src);
    }
    if (k == s->procs - 1) {
        keep_own_block(s, out);
        return;
    }
    int src = asked(s, k);
    round_recv(out, BUF_RECV, (uint64_t)src * s->bytes, first, src);
    round_send(out, BUF_RECV, 0, 0, src);
}

static void sync_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    uint64_t first = first_segment(s);
    if (rank == s->root)
        sync_root_round(s, (int)k, out);
    else if (k == 0)
        round_recv(out, BUF_SEND, 0, 0, s->root);
    else if (k == 1)
        round_send(out, BUF_SEND, 0, first, s->root);
    else
        round_send(out, BUF_SEND, first, s->bytes - first, s->root);
}

/* ---- linear, when the root says so: it calls all ranks by empty messages, one after the other,
 * and then takes their blocks as above. Ours, for experiments that end at the root before the
 * others know (harness/study/point.h). ---- */

static uint64_t called_rounds(const struct schedule *s, int rank)
{
    return s->bytes ? linear_rounds(s, rank) + 1 : 0;
}

static void called_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k > 0) {
        linear_round(s, rank, k - 1, out);
    } else if (rank != s->root) {
        round_recv(out, BUF_SEND, 0, 0, s->root);
    } else {
        for (int dst = 0; dst < s->procs; dst++)
            if (dst != s->root)
                round_send(out, BUF_RECV, 0, 0, dst);
    }
}

static const struct algorithm basic_linear_row = {
    .name = "basic_linear",
    .collective = "gather",
    .help = "every rank sends its block to the root at once, without synchronisation",
    .rounds = linear_rounds,
    .round = linear_round,
};

static const struct algorithm linear_sync_row = {
    .name = "linear_sync",
    .collective = "gather",
    .help = "the root asks the ranks in turn; each sends a first segment, then the rest",
    .segmented = 1,
    .rounds = sync_rounds,
    .round = sync_round,
};

static const struct algorithm called_linear_row = {
    .name = "called_linear",
    .collective = "gather",
    .help = "the root calls all ranks; each then sends its block at once (ours, for experiments)",
    .rounds = called_rounds,
    .round = called_round,
};

const struct algorithm *const gather_algorithms[] = {
    &basic_linear_row,
    &linear_sync_row,
    &called_linear_row,
    NULL,
};
