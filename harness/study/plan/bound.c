/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/bound.h"

#include <math.h>

#include "harness/study/libraries/natives.h"
#include "harness/study/rounds.h"
#include "harness/study/topology.h"
#include "workloads/schedules/schedule.h"

/* The start of a message on an ordinary machine. */
static const double message_start_s = 3e-6;

/* ---- messages ---- */

static double log2_up(int n)
{
    return n > 1 ? ceil(log2(n)) : 0;
}

/* The schedule of a point's algorithm: 0, or -1 where it has none, or cannot run. */
static int schedule_of(const struct point *p, const struct cluster *cluster, struct schedule *s)
{
    const struct cell *c = &p->cell;
    const struct algorithm *a = native_schedule(c->collective, p->candidate.algorithm);
    const struct schedule_arguments arguments = {
        .procs = c->procs,
        .root = c->root,
        .bytes = c->bytes,
        .segment_bytes = p->candidate.segment_bytes,
        .fanout = p->candidate.fanout,
        .levels = algorithm_levels(p->candidate.algorithm),
        .seats = topology_seating(cluster, c->mapping, c->nodes, c->ppn, c->procs)
    };
    return a ? schedule_make(s, a, &arguments, NULL) : -1;
}

/* Messages of the collective itself: at least one a round, and one to each other rank. Algorithms
 * without a schedule of ours count as a tree. */
static double collective_messages(const struct point *p, const struct cluster *cluster)
{
    struct schedule s;
    double rounds = 0;
    if (schedule_of(p, cluster, &s) == 0)
        for (int r = 0; r < p->cell.procs; r++)
            rounds += (double)schedule_rounds(&s, r);
    return fmax(rounds, p->cell.procs - 1);
}

double bound_messages(const struct point *p, const struct cluster *cluster, int inner)
{
    double barrier = p->cell.procs * log2_up(p->cell.procs);
    switch (p->experiment) {
    case EXP_BARRIER:
        return inner * barrier;
    case EXP_GAMMA:
        return inner * (barrier + p->cell.procs - 1);
    case EXP_PINGPONG:
        return 2;
    case EXP_COPY:
        return 1;
    case EXP_GATHER:
        return collective_messages(p, cluster) + p->cell.procs - 1 + barrier;
    default:
        return collective_messages(p, cluster) + barrier;
    }
}

/* ---- seconds ---- */

/* Calls of the collective between two clock reads. */
double bound_calls_inside(enum experiment experiment, const struct study *s)
{
    return experiment == EXP_GAMMA || experiment == EXP_BARRIER ? s->inner : 1;
}

/* The larger of what a rank sends and gets. */
static double rank_bytes(const struct schedule *s, int rank)
{
    struct round round = { 0 };
    double sent = 0, got = 0;
    for (uint64_t k = 0, n = schedule_rounds(s, rank); k < n; k++) {
        schedule_round(s, rank, k, &round);
        for (size_t i = 0; i < round.n; i++)
            if (round.ops[i].kind == OP_SEND)
                sent += (double)round.ops[i].bytes;
            else if (round.ops[i].kind == OP_RECV)
                got += (double)round.ops[i].bytes;
    }
    round_free(&round);
    return fmax(sent, got);
}

/* Over the link of a node: of some ranks the one that has the most, and others like the next. */
static double scheduled_bytes(const struct schedule *s, int ppn)
{
    enum { SOME = 16 };
    const int n = s->procs < SOME ? s->procs : SOME;
    double most = 0, next = 0;
    int folded = 1; /* the largest power of two: where ranks beyond it are folded in */
    while (folded <= (s->procs - 1) / 2)
        folded *= 2;
    for (int i = 0; i <= n; i++) {
        const int spread = n > 1 ? (int)((int64_t)i * (s->procs - 1) / (n - 1)) : 0;
        const double bytes = rank_bytes(s, i < n ? spread : folded < s->procs ? folded : 0);
        next = fmax(next, fmin(bytes, most));
        most = fmax(most, bytes);
    }
    return most + (ppn - 1) * next;
}

/* The same of an algorithm that has no schedule: in each step of an all-to-all a rank passes on
 * half of its blocks (Bruck), in each of a reduction all that it has (recursive doubling); an
 * allgather ends with all blocks, or is a gather and a broadcast. */
static double unknown_bytes(const struct collective *of, const struct cell *c, int ppn)
{
    const int in_blocks = of->send.amount == AMOUNT_EACH || of->recv.amount == AMOUNT_EACH;
    const double others = c->procs - 1, steps = log2_up(c->procs) + 1, m = (double)c->bytes;
    const double vector = in_blocks ? m * c->procs : m;
    if (of->combines)
        return fmax(2 * others * m, ppn * steps * vector);
    return of->personal ? ppn * fmax(others * m, steps * vector / 2)
                        : fmax(ppn * others * m, steps * vector);
}

/* Bytes of a call that go one after another, or over one link. With a root every rank gets its part
 * once; without one all ranks of a node share its link. */
static double call_bytes(const struct point *p, const struct cluster *cluster)
{
    const struct collective *of = collective_find(p->cell.collective);
    const double in_turn = (p->cell.procs - 1) * (double)p->cell.bytes;
    const int ppn = p->cell.ppn > 1 ? p->cell.ppn : 1;
    struct schedule s;
    if (!of || of->rooted || p->cell.bytes == 0)
        return in_turn;
    return fmax(in_turn, schedule_of(p, cluster, &s) == 0 ? scheduled_bytes(&s, ppn)
                                                          : unknown_bytes(of, &p->cell, ppn));
}

/* What one timed call takes at most, by the links alone. */
double bound_call(const struct point *p, const struct cluster *c, const struct study *s)
{
    const double peers = p->experiment == EXP_PINGPONG ? 2 : p->cell.procs - 1;
    const int whole = p->experiment == EXP_TIME || p->experiment == EXP_GATHER;
    const double once = whole ? call_bytes(p, c) : peers * (double)p->cell.bytes;
    const double bytes =
        bound_calls_inside(p->experiment, s) * once + peers * (double)p->gather_bytes;
    double message_s = 2 * c->link_latency + c->switch_latency + message_start_s;
    return bytes * 8 / c->link_rate + bound_messages(p, c, s->inner) * message_s;
}

double bound_share(const struct study *s)
{
    return s->budget / rounds_rule_of(s, 0).repeats;
}

/* A point whose calls take call_s: the probe, the warm-up, the calls that count, and one in which
 * the budget runs out. */
double bound_point_of_call(double call_s, const struct study *s)
{
    return (2 + s->warmup) * call_s + fmax(bound_share(s), s->min_reps * call_s);
}

double bound_point(const struct point *point, const struct cluster *cluster,
                   const struct study *study)
{
    return bound_point_of_call(bound_call(point, cluster, study), study);
}

int bound_known(const struct cluster *cluster)
{
    int i = keys_find(&cluster_keys, "link_rate");
    return cluster->settings.v && i >= 0 && cluster->settings.v[i].line > 0;
}

double bound_most_launch(const struct cluster *cluster, const struct study *study)
{
    double most = study->launch_limit;
    if (cluster->most_time > 0)
        most = fmin(most, fmax(cluster->most_time - BOUND_START_S, cluster->most_time / 4) /
                              BOUND_SAFETY);
    return most;
}
