/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h - a collective algorithm as a communication schedule: the one idea of the program.
 *
 * An algorithm is a pure function from (arguments, rank, round number) to the operations of that
 * round. It is written once and then run (workloads/execute), proved (prove), walked by cost models
 * (analysis/walk) and drawn. Nothing is stored per message, so a schedule of 65,536 ranks and 512
 * segments costs nothing until somebody asks for its rounds. Pure C, no MPI.
 *
 * MEANING OF A ROUND. All operations of a round start together, in the order given, and the round
 * ends when all of them are complete; then the rank's next round starts. So
 *   - a SEND reads its bytes as they are at the start of the round; no RECV, COPY or REDUCE of the
 *     same round may write them;
 *   - COPY and REDUCE run after the round's RECVs are complete, in the order given; a COPY may move
 *     bytes to where they overlap their old place, as memmove does;
 *   - messages between a pair of ranks are matched first in, first out (one tag).
 * A pipelined relay is therefore: round k = { RECV segment k from the parent, SEND segment k-1 to
 * the children }. An executor may post the RECVs of the next round early where no bytes collide;
 * that changes nothing above.
 *
 * A REDUCE is inout := in op inout, as MPI has it: what is read (src) stands before what is
 * written.
 *
 * BUFFERS. DATA is given and got, as in a broadcast; else SEND is given and RECV got. The row of
 * the collective (collectives.h) says how large they are and what they hold. TEMP is scratch of
 * schedule_temp_bytes().
 *
 * Tree shapes and message orders are those of Open MPI 4.1.4 (ompi/mca/coll/base), so that a
 * schedule sends exactly the messages that the library's algorithm of the same name sends. */
#ifndef WORKLOADS_SCHEDULES_SCHEDULE_H
#define WORKLOADS_SCHEDULES_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/err.h"

enum op_kind { OP_SEND, OP_RECV, OP_COPY, OP_REDUCE };
enum op_buffer { BUF_DATA, BUF_SEND, BUF_RECV, BUF_TEMP, N_BUFFERS };

struct op {
    enum op_kind kind;
    enum op_buffer buf;     /* SEND: read from; RECV, COPY, REDUCE: written to */
    enum op_buffer src_buf; /* COPY, REDUCE: read from */
    int peer;               /* SEND: destination rank; RECV: source rank */
    uint64_t offset;        /* bytes into buf */
    uint64_t src_offset;    /* bytes into src_buf */
    uint64_t bytes;         /* may be 0: a message without data is still a message */
};

/* The operations of one round; grown by round_send and its like, reused between calls. Start from
 * { 0 }.
 *
 * phase: 0 unless the generator says otherwise. An algorithm that is a sequence of steps of the
 * whole group (scatter, then allgather; the tree, then the exchange of halves) numbers them.
 * Running and proving ignore it; the stage walker counts the stages of a phase from where the
 * longest run of the phase before it ended, as the published models add the times of such steps. A
 * rank's phases never decrease, and a message is received in the phase in which it was sent. */
struct round {
    struct op *ops;
    size_t n, cap;
    int phase;
    int failed; /* out of memory while it was filled */
};

struct schedule;

/* One row of the table of algorithms. Names are Open MPI's own spelling; the algorithms of
 * MPICH 4.0.2 that order their messages differently are "mpich_" and MPICH's spelling. */
struct algorithm {
    const char *name;       /* "binomial" */
    const char *collective; /* "bcast" */
    const char *help;       /* one line: the method and its source */
    int segmented;          /* takes a segment size */
    int default_fanout;     /* 0: takes no fan-out; else what the library uses unless told */
    int min_fanout;         /* smallest fan-out that makes sense; 0: any */
    int in_order; /* a reduction whose operands stay in the order of ranks: it need not commute */

    /* The algorithm that runs instead for these arguments (a silent substitution of the library,
     * e.g. split binary tree of one segment is a pipeline), or NULL when this one does. */
    const struct algorithm *(*substitute)(const struct schedule *s);

    /* Number of rounds of a rank; 0 when it does nothing. */
    uint64_t (*rounds)(const struct schedule *s, int rank);

    /* Appends the operations of round k < rounds(rank) of a rank. */
    void (*round)(const struct schedule *s, int rank, uint64_t k, struct round *out);

    /* Bytes of TEMP that a rank needs; NULL: none. */
    uint64_t (*temp_bytes)(const struct schedule *s, int rank);
};

/* An algorithm with its arguments: what is asked. Immutable after schedule_init. */
struct schedule {
    const struct algorithm *asked; /* as named by the caller */
    const struct algorithm *alg;   /* what runs: asked, or its substitute */
    int procs, root;
    uint64_t bytes; /* per-process message size as the MPI call sees it (DESIGN.md section 5) */
    uint64_t segment_bytes; /* 0: one segment */
    int fanout;             /* after defaults; 0 where the algorithm takes none */
    uint64_t segments; /* number of segments of the whole message: max(1, ceil(bytes/segment)) */
};

/* Finds an algorithm by collective and name; NULL when there is none. */
const struct algorithm *algorithm_find(const char *collective, const char *name);

/* The one after it in the table of all, by collective; of NULL the first; NULL after the last. */
const struct algorithm *algorithm_next(const struct algorithm *alg);

/* Checks the arguments (procs ≥ 1, 0 ≤ root < procs, fan-out ≥ 1 or 0 for the default; a segment
 * size or fan-out given to an algorithm that takes none is ignored, as the library does) and
 * resolves the substitute. Returns 0, or -1 with *err set. */
int schedule_init(struct schedule *s, const struct algorithm *alg, int procs, int root,
                  uint64_t bytes, uint64_t segment_bytes, int fanout, struct err *err);

/* Number of rounds of a rank. */
uint64_t schedule_rounds(const struct schedule *s, int rank);

/* Replaces the content of *out by round k of a rank. Returns 0, or -1 when out of memory. */
int schedule_round(const struct schedule *s, int rank, uint64_t k, struct round *out);

/* Bytes of scratch that a rank needs. */
uint64_t schedule_temp_bytes(const struct schedule *s, int rank);

/* Bytes of a buffer of a rank that the collective reads or writes (DATA, SEND, RECV). */
uint64_t schedule_buffer_bytes(const struct schedule *s, enum op_buffer buf, int rank);

/* Appends an operation (for generators): bytes at offset of a buffer to dst or from src, ranks; or
 * local work from src at src_offset into dst at offset. Memory failure is remembered and reported
 * by schedule_round. */
void round_send(struct round *out, enum op_buffer buf, uint64_t offset, uint64_t bytes, int dst);
void round_recv(struct round *out, enum op_buffer buf, uint64_t offset, uint64_t bytes, int src);
void round_copy(struct round *out, enum op_buffer dst, uint64_t offset, enum op_buffer src,
                uint64_t src_offset, uint64_t bytes);
void round_reduce(struct round *out, enum op_buffer dst, uint64_t offset, enum op_buffer src,
                  uint64_t src_offset, uint64_t bytes);

/* How many receives of the next round may be posted while this one runs: the first ones, so that
 * the order per source stays, up to one that touches bytes that this round works on. The executor
 * does so; the walkers that keep time count on it. */
size_t round_early(const struct round *now, const struct round *next);

/* Frees what a round holds; it can be used again. */
void round_free(struct round *round);

#endif
