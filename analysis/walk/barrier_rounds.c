/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/walk/barrier_rounds.h"

enum { NOBODY = -1 };

static const struct barrier_step idle = { NOBODY, NOBODY };

/* One of the methods. */
struct method {
    int (*rounds)(int procs);
    struct barrier_step (*step)(int procs, int rank, int round);
};

/* Rounds of doubling until n is reached. */
static int doublings(int n)
{
    int rounds = 0;
    while (1 << rounds < n)
        rounds++;
    return rounds;
}

/* ---- dissemination ---- */

static struct barrier_step disseminate(int procs, int rank, int round)
{
    const int distance = 1 << round;
    return (struct barrier_step){ (rank + distance) % procs, (rank - distance + procs) % procs };
}

/* ---- linear: each tells rank 0, then rank 0 each; one per round ---- */

static int linear_rounds(int procs)
{
    return 2 * (procs - 1);
}

static struct barrier_step linear_step(int procs, int rank, int round)
{
    const int out = round >= procs - 1, other = 1 + round % (procs - 1);
    if (rank == 0)
        return out ? (struct barrier_step){ other, NOBODY }
                   : (struct barrier_step){ NOBODY, other };
    if (rank != other)
        return idle;
    return out ? (struct barrier_step){ NOBODY, 0 } : (struct barrier_step){ 0, NOBODY };
}

/* ---- recursive doubling ---- */

static int whole_of(int procs)
{
    const int up = 1 << doublings(procs);
    return up > procs ? up / 2 : up;
}

/* One round before the doublings, and behind them the send and its acknowledgement. */
static int doubling_rounds(int procs)
{
    const int whole = whole_of(procs);
    return doublings(whole) + (whole < procs ? 3 : 0);
}

/* The steps between a rank beyond the power of two and its lower one. */
static struct barrier_step pair_step(int rank, int whole, int up)
{
    const int is_above = rank >= whole, other = is_above ? rank - whole : rank + whole;
    return is_above == up ? (struct barrier_step){ NOBODY, other }
                          : (struct barrier_step){ other, NOBODY };
}

static struct barrier_step doubling_step(int procs, int rank, int round)
{
    const int whole = whole_of(procs), extra = procs - whole, among = doublings(whole);
    const int k = round - (extra > 0);
    if (k >= 0 && k < among)
        return rank < whole ? (struct barrier_step){ rank ^ 1 << k, rank ^ 1 << k } : idle;
    if (rank >= extra && rank < whole)
        return idle;
    return pair_step(rank, whole, k == among);
}

/* ---- tree ---- */

static int tree_rounds(int procs)
{
    return 2 * doublings(procs);
}

static struct barrier_step tree_step(int procs, int rank, int round)
{
    const int depth = doublings(procs), down = round >= depth;
    const int jump = 1 << (down ? 2 * depth - 1 - round : round), partner = rank ^ jump;
    if ((partner & (jump - 1)) || partner >= procs)
        return idle;
    return (partner > rank) == down ? (struct barrier_step){ partner, NOBODY }
                                    : (struct barrier_step){ NOBODY, partner };
}

/* ---- which ---- */

static const struct method dissemination = { doublings, disseminate };
static const struct method linear = { linear_rounds, linear_step };
static const struct method doubling = { doubling_rounds, doubling_step };
static const struct method tree = { tree_rounds, tree_step };

static const struct method *openmpi41(int procs)
{
    static const struct {
        int below;
        const struct method *method;
    } decided[] = { { 4, &doubling },        { 8, &linear },       { 64, &doubling },
                    { 256, &dissemination }, { 512, &tree },       { 1024, &dissemination },
                    { 4096, &tree },         { 0, &dissemination } };
    int i = 0;
    while (decided[i].below && procs >= decided[i].below)
        i++;
    return decided[i].method;
}

static const struct method *method_of(enum barrier barrier, int procs)
{
    return barrier == BARRIER_OPENMPI41 ? openmpi41(procs) : &dissemination;
}

int barrier_rounds(enum barrier barrier, int procs)
{
    return barrier == BARRIER_NONE || procs < 2 ? 0 : method_of(barrier, procs)->rounds(procs);
}

struct barrier_step barrier_step(enum barrier barrier, int procs, int rank, int round)
{
    return method_of(barrier, procs)->step(procs, rank, round);
}
