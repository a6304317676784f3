/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h - a collective algorithm as a communication schedule: the one idea of the program.
 *
 * An algorithm is a pure function from (arguments, rank, round number) to the operations of that
 * round. It is written once and then run (workloads/execute), proved (prove), walked by cost models
 * (analysis/walk) and drawn. Nothing is stored per message, so a schedule of 65,536 ranks and 512
 * segments costs nothing until its rounds are generated. Pure C, no MPI.
 *
 * Tree shapes and message orders are those of Open MPI 4.1.4 (ompi/mca/coll/base), so that a
 * schedule sends exactly the messages that the library's algorithm of the same name sends. */
#pragma once

#include "workloads/schedules/collectives.h"
#include "workloads/schedules/kept.h"

/* Ranks as a logical mesh of two or three dimensions, whose sides are as equal as they can
 * be. Finding these divides: a schedule does it once (schedule.h). */

/* The sides, from the dimension of consecutive ranks on; of a number of ranks that is no such
 * product the last ones are 1. */
struct mesh {
    int flat[2], deep[3];
};

/* The meshes of this many ranks (1 or more). */
struct mesh mesh_of(int procs);

/* Beyond, distances that double would not fit an int. */
enum { SCHEDULE_MOST_PROCS = 1 << 30 };

/* The arguments of a call and the parameters of its algorithm; what is 0 is as said. */
struct schedule_arguments {
    int procs, root;
    uint64_t bytes;          /* per-process message size as the MPI call sees it */
    uint64_t segment_bytes;  /* 0: one segment */
    int fanout;              /* 0: the library's default */
    uint64_t element_bytes;  /* of the data type; 0: 1 */
    int ordered;             /* the operation does not commute: the order of ranks has to be kept */
    int users;               /* 1: a user-defined operation, not one of MPI's */
    int inexact;             /* 1: the bits of a result depend on the order of combining */
    enum block_sizes sizes;  /* of a collective whose blocks may differ */
    uint64_t seed;           /* of these */
    const uint64_t *borders; /* of SIZES_LISTED (blocks_list); they stay the caller's, and there */
    struct seating seats;    /* of the ranks; procs 0: not known */
    const char *levels;      /* what a combination combines, or a limit of requests
                                (algorithm_levels); NULL: not said. Borrowed */
};

/* Another collective that an algorithm calls, as the library chooses it (sequence.h). */
struct schedule_choice {
    const struct collective *collective;
    const struct algorithm *asked, *alg; /* alg: what runs */
    uint64_t bytes, element_bytes, segment_bytes, segments;
    int fanout;
};

enum { MOST_CHOICES = 2 };

/* An algorithm with its arguments. Immutable after schedule_init. */
struct schedule {
    const struct algorithm *asked; /* as named by the caller */
    const struct algorithm *alg;   /* what runs: asked, or its substitute */
    const struct collective *collective;
    int procs, root;
    uint64_t bytes; /* per-process message size as the MPI call sees it (DESIGN.md section 5);
                       where blocks differ, that of equal ones */
    uint64_t element_bytes; /* bytes is a multiple of it */
    uint64_t segment_bytes; /* 0: one segment; else of whole elements */
    int fanout;             /* after defaults; 0 where the algorithm takes none */
    int limit; /* requests under way at a time, where its name says so; 0: it does not. Where the
                  fan-out of what runs is such a limit, it is there */
    uint64_t segments; /* number of segments of the whole message: max(1, ceil(bytes/segment)) */
    int ordered;       /* the operation does not commute */
    int users;         /* it is one of the user's, none of MPI's */
    int inexact;       /* the bits of its result hang on the order */
    struct blocks blocks;
    struct seating seats;         /* procs 0: not known. For algorithms that know where ranks are */
    const struct seat_tree *tree; /* of the ranks, for algorithms that are made from it; NULL: one
                                     switch, or not known (tree_phases.h) */
    struct combination combination; /* of algorithms that are one */
    struct mesh mesh;               /* of the ranks, for algorithms that need a number of them */
    struct schedule_choice choice[MOST_CHOICES]; /* of algorithms that call other collectives */
    struct kept *kept; /* its rounds, made already (schedule_keep); NULL: made when asked for */
};

/* Checks the arguments (procs ≥ 1, 0 ≤ root < procs, fan-out ≥ 1 or 0 for the default, whole
 * elements; a segment size or fan-out given to an algorithm that takes none is ignored, as the
 * library does), resolves the substitute and asks it whether it can run. A segment is the nearest
 * number of whole elements, or none where an element is larger, as in Open MPI. Returns 0, or -1
 * with *err saying what is wrong, or why the algorithm cannot run. */
int schedule_make(struct schedule *s, const struct algorithm *alg,
                  const struct schedule_arguments *arguments, struct err *err);

/* The same for equal blocks of bytes and an operation that commutes. */
int schedule_init(struct schedule *s, const struct algorithm *alg, int procs, int root,
                  uint64_t bytes, uint64_t segment_bytes, int fanout, struct err *err);

/* Elements of the message: what the libraries compare with the number of ranks. */
static inline uint64_t schedule_count(const struct schedule *s)
{
    return s->bytes / s->element_bytes;
}

/* Bytes of the block that goes from a rank to a rank. */
static inline uint64_t schedule_block_bytes(const struct schedule *s, int from, int to)
{
    return s->blocks.sizes == SIZES_EQUAL ? s->bytes : blocks_bytes(&s->blocks, from, to);
}

/* Where it stands in SEND of the one, and in RECV of the other (blocks.h). */
static inline uint64_t schedule_given_at(const struct schedule *s, int from, int to)
{
    return blocks_given_at(&s->blocks, from, to);
}

static inline uint64_t schedule_got_at(const struct schedule *s, int from, int to)
{
    return blocks_got_at(&s->blocks, from, to);
}

/* The algorithm that runs, or the one it equals in effect (.in_effect). */
const struct algorithm *schedule_in_effect(const struct schedule *s);

/* 1 when every rank has the same rounds in both. (Where it is 0 they may be the same, too.) */
int schedule_same(const struct schedule *a, const struct schedule *b);

/* The name of what runs, with what it combines: "binomial", "two_level.chain.binomial". Returns
 * buf. */
const char *schedule_name(const struct schedule *s, char *buf, size_t size);

/* The same for a message: schedule_called(s).text, until the end of the statement. */
struct schedule_called {
    char text[MOST_NAME + 1];
};
struct schedule_called schedule_called(const struct schedule *s);

/* Number of rounds of a rank. A call that moves no bytes has none (but a barrier, and where the
 * algorithm sends empty messages); a rank alone copies what it gives in one. */
uint64_t schedule_rounds(const struct schedule *s, int rank);

/* Replaces the content of *out by round k of a rank; or appends it. */
void schedule_round(const struct schedule *s, int rank, uint64_t k, struct round *out);
void schedule_add_round(const struct schedule *s, int rank, uint64_t k, struct round *out);

/* Makes all rounds: the schedule, and its copies, take them from there until `kept` is filled again
 * or cleared. Where they are more than KEPT_MOST each is made when somebody asks for it, as before.
 */
void schedule_keep(struct schedule *s, struct kept *kept);

/* Bytes of scratch that a rank needs. */
uint64_t schedule_temp_bytes(const struct schedule *s, int rank);

/* Bytes of a buffer of a rank that the collective reads or writes (DATA, SEND, RECV). */
uint64_t schedule_buffer_bytes(const struct schedule *s, enum op_buffer buf, int rank);
