/* SPDX-License-Identifier: BSD-3-Clause */
/* block_spread.h - patterns: the steps that spread the blocks of a group to all its members.
 *
 * A pattern gives, per member and step, the receivers and the blocks sent. Run
 * forwards it is an allgather; run backwards, combining received blocks, a
 * reduce-scatter; its peers alone, with a separate block for each, an all-to-all.
 * So a pattern is written once, and recipes (recipe.h) build algorithms from it.
 *
 * A team is the ranks among which a pattern runs. Its members are counted from 0; that is the rank
 * counted from the root, where there is one. Where a pattern wants 2^n members, or the like, the
 * ranks beyond are folded: of the first 2 x folded ranks the odd ones leave it to the even one
 * before them to act for both. */
#pragma once

#include "workloads/schedules/schedule.h"
#include "workloads/schedules/trees.h"

struct team {
    const struct schedule *s;
    int procs;  /* members */
    int folded; /* ranks that are folded into others */
    int root;   /* the rank that comes first */

    /* Where the block of the rank that comes i-th begins in the vector of all blocks, in bytes; i =
     * number of ranks: where the last one ends. */
    uint64_t (*border)(const struct schedule *s, int i);
};

/* All ranks; or so many members, at least half of the ranks, the others folded. */
struct team team_all(const struct schedule *s, int root,
                     uint64_t (*border)(const struct schedule *s, int i));
struct team team_folded(const struct schedule *s, int root, int members,
                        uint64_t (*border)(const struct schedule *s, int i));

/* The member number of a rank, or -1 if it is folded into another; and back. */
int team_member(const struct team *t, int rank);
int team_rank(const struct team *t, int member);

/* The rank that is folded into a rank, or into which it is folded. */
int team_other_rank(const struct team *t, int rank);

/* Offset of the block of a member (with that of the rank
 * folded into it), in bytes; member = procs: the end. */
uint64_t team_border(const struct team *t, int member);

/* Bytes of `count` consecutive blocks from one on, around the end. */
uint64_t team_span(const struct team *t, int first, int count);

/* The cuts of a vector: the message in as many blocks as there are ranks, at elements, the first
 * ones an element longer where they are not equal; the blocks that ranks give (allgather); those
 * that they get (reduce-scatter). */
uint64_t border_of_cut(const struct schedule *s, int i);
uint64_t border_of_givers(const struct schedule *s, int i);
uint64_t border_of_takers(const struct schedule *s, int i);

/* Blocks first, first + stride ... mod the number of members. */
struct run {
    int first, count, stride;
};

/* No peer in this step; no more peers in it. */
enum { PEER_NONE = -1, PEER_END = -2 };

struct pattern {
    int (*steps)(const struct team *t);

    /* Peer i of v in a step: whom it sends to (way 1), or who sends to it (way -1). v is peer i of
     * its peer i, the other way. */
    int (*peer)(const struct team *t, int v, int step, int i, int way);

    /* The blocks that v sends to peer i. In step 0 its own. NULL: its own in every step. */
    struct run (*sent)(const struct team *t, int v, int step, int i);

    /* The blocks stand in the order in which they come in: a rank's own first, those of the next
     * members after it. They are turned to where they belong at the end. */
    int turned;
};

/* Where a vector stands. */
struct vector {
    enum op_buffer buf;
    uint64_t at;
};

/* Bytes from the beginning of the vector that v keeps to a block. */
uint64_t spread_place(const struct team *t, const struct pattern *p, int v, int block);

/* A run of blocks of a vector in which they are in place, to or from a member. */
void spread_send(const struct team *t, struct vector from, struct run run, int dst,
                 struct round *out);
void spread_recv(const struct team *t, struct vector into, struct run run, int src,
                 struct round *out);

/* Step k of an allgather of the vectors. own: SEND holds v's own block, which is sent from there in
 * step 0, and copied. */
void spread_gather(const struct team *t, const struct pattern *p, struct vector where, int v, int k,
                   int own, struct round *out);

/* Step k of a reduce-scatter, which is step (steps - 1 - k) backwards: v ends with its own block of
 * the sum. What comes in goes to TEMP from inbox on, no more than a vector. own: SEND holds the
 * vector of v, which is sent from there in step 0, and copied (turned: in a step before that, -1).
 */
void spread_reduce(const struct team *t, const struct pattern *p, struct vector where,
                   uint64_t inbox, int v, int k, int own, struct round *out);

/* Ways to keep members from beginning a step while others are in the one before: none; an empty
 * message from whom one will send to; a barrier of all, ceil(log2 procs) rounds of empty messages
 * (dissemination: Hensgen, Finkel & Manber 1988). For patterns of one peer a step. */
enum pace { PACE_FREE, PACE_LIGHT, PACE_BARRIER };

/* Rounds of what stands between two steps, and round k of them before a step. */
int pace_rounds(const struct team *t, enum pace pace);
void pace_round(const struct team *t, const struct pattern *p, enum pace pace, int v, int step,
                int k, struct round *out);

/* Round k of a barrier among the members. */
void barrier_round(const struct team *t, int v, int k, struct round *out);

/* Members so far after one, around the end; distance from -procs to procs. */
int team_around(const struct team *t, int v, int distance);
