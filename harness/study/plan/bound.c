/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/bound.h"

#include <unistd.h>

#include "harness/study/rounds.h"
#include "harness/study/topology.h"
#include "workloads/schedules/schedule.h"

/* The start of a message on an ordinary machine. */
static const double message_start_s = 3e-6;

static double log2_up(int n)
{
    return n > 1 ? ceil(log2(n)) : 0;
}

int bound_schedule(const struct point *p, const struct cluster *cluster, struct schedule *s)
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

/* What a rank sends and gets in a call, and what of it crosses the trunk of its leaf switch. */
struct flow {
    double messages; /* sent */
    double sent, got, out, in;
};

/* ports: nodes on a leaf switch; 0: there is none, or one. */
static struct flow rank_flow(const struct schedule *s, int rank, int ports)
{
    struct round round = { 0 };
    struct flow f = { 0 };
    const int leaf = ports ? seat_node(&s->seats, rank) / ports : 0;
    for (uint64_t k = 0, n = schedule_rounds(s, rank); k < n; k++) {
        schedule_round(s, rank, k, &round);
        for (size_t i = 0; i < round.n; i++) {
            const struct op *op = &round.ops[i];
            const double bytes = (double)op->bytes;
            if (op->kind != OP_SEND && op->kind != OP_RECV)
                continue;
            const int crosses = ports && seat_node(&s->seats, op->peer) / ports != leaf;
            *(op->kind == OP_SEND ? &f.sent : &f.got) += bytes;
            *(op->kind == OP_SEND ? &f.out : &f.in) += crosses ? bytes : 0;
            f.messages += op->kind == OP_SEND;
        }
    }
    round_free(&round);
    return f;
}

enum { SOME = 16 };

/* Of all ranks without a root, by rank 0, which may do more than others, and some of these. */
static double sent_messages(const struct schedule *s)
{
    const int others = s->procs - 1, n = others < SOME ? others : SOME;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += rank_flow(s, 1 + (int)((int64_t)i * others / n), 0).messages;
    return rank_flow(s, 0, 0).messages + (n ? sum / n * others : 0);
}

/* Messages of the collective itself: at least one a round, and one to each other rank. Algorithms
 * without a schedule of ours count as a tree. */
static double collective_messages(const struct point *p, const struct cluster *cluster)
{
    struct schedule s;
    double rounds = 0;
    const int known = bound_schedule(p, cluster, &s) == 0;
    for (int r = 0; known && r < p->cell.procs; r++)
        rounds += (double)schedule_rounds(&s, r);
    if (known && !s.collective->rooted)
        rounds = fmax(rounds, sent_messages(&s));
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

/* Calls of the collective between two clock reads. */
double bound_calls_inside(enum experiment experiment, const struct study *s)
{
    return experiment == EXP_GAMMA || experiment == EXP_BARRIER ? s->inner : 1;
}

/* Bytes of a call that go one after another. */
struct load {
    double link;  /* over the link of the node that has the most */
    double trunk; /* over that of a leaf switch to the others */
    double all;   /* of all nodes together */
};

/* Nodes on a leaf switch whose trunk has a rate, where nodes are taken in their order; else 0. */
static int leaf_ports(const struct cluster *c)
{
    const int ordered = !*c->order || strcmp(c->order, "in_order") == 0;
    return c->trunk_rate > 0 && ordered ? c->switch_ports : 0;
}

/* Of the first leaf: those of the others have as much, or less. */
static double trunk_bytes(const struct schedule *s, int ports)
{
    double out = 0, in = 0;
    for (int r = 0; r < s->procs; r++) {
        if (seat_node(&s->seats, r) / ports != 0)
            continue;
        const struct flow f = rank_flow(s, r, ports);
        out += f.out;
        in += f.in;
    }
    return fmax(out, in);
}

/* Over the link of a node: of some ranks the one that has the most, and others like the next. */
static struct load scheduled_load(const struct schedule *s, int ppn, int ports)
{
    const int n = s->procs < SOME ? s->procs : SOME;
    double most = 0, next = 0, sent = 0;
    int folded = 1; /* the largest power of two: where ranks beyond it are folded in */
    while (folded <= (s->procs - 1) / 2)
        folded *= 2;
    for (int i = 0; i <= n; i++) {
        const int spread = n > 1 ? (int)((int64_t)i * (s->procs - 1) / (n - 1)) : 0;
        const struct flow f = rank_flow(s, i < n ? spread : folded < s->procs ? folded : 0, 0);
        const double bytes = fmax(f.sent, f.got);
        next = fmax(next, fmin(bytes, most));
        most = fmax(most, bytes);
        sent += f.sent;
    }
    return (struct load){ .link = most + (ppn - 1) * next,
                          .trunk = ports && s->seats.procs ? trunk_bytes(s, ports) : 0,
                          .all = sent / (n + 1) * s->procs };
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

/* The bytes of nodes that are all alike; of a leaf's as many leave it as there are nodes beyond. */
static struct load unknown_load(const struct collective *of, const struct cell *c, int ppn,
                                int ports)
{
    const double link = unknown_bytes(of, c, ppn), nodes = ceil(c->procs / (double)ppn);
    return (struct load){ .link = link,
                          .trunk = ports ? link * ports * fmax(0, 1 - ports / nodes) : 0,
                          .all = link * nodes };
}

/* With a root every rank gets its part once, one after the other; without one all ranks of a node
 * share its link, and all nodes of a leaf switch its trunk. */
static struct load call_load(const struct point *p, const struct cluster *cluster)
{
    const struct collective *of = collective_find(p->cell.collective);
    const double in_turn = (p->cell.procs - 1) * (double)p->cell.bytes;
    const int ppn = p->cell.ppn > 1 ? p->cell.ppn : 1, ports = leaf_ports(cluster);
    struct load load = { .link = in_turn, .all = in_turn };
    struct schedule s;
    if (!of || of->rooted || p->cell.bytes == 0)
        return load;
    load = bound_schedule(p, cluster, &s) == 0 ? scheduled_load(&s, ppn, ports)
                                               : unknown_load(of, &p->cell, ppn, ports);
    load.link = fmax(load.link, in_turn);
    return load;
}

/* What a byte between two nodes costs where both are this machine: of a core. Two carry 135 MB/s
 * (docs/testbed.md). */
static const double emulated_byte_s = 15e-9;

static double load_seconds(const struct load *load, const struct cluster *c)
{
    double seconds = load->link * 8 / c->link_rate;
    if (c->trunk_rate > 0)
        seconds += load->trunk * 8 / c->trunk_rate;
    if (c->emulated)
        seconds += load->all * emulated_byte_s / (double)sysconf(_SC_NPROCESSORS_ONLN);
    return seconds;
}

/* What one timed call takes at most, by the links alone, and where nodes are emulated by the cores
 * that they share. */
double bound_call(const struct point *p, const struct cluster *c, const struct study *s)
{
    const double peers = p->experiment == EXP_PINGPONG ? 2 : p->cell.procs - 1;
    const double calls = bound_calls_inside(p->experiment, s), m = (double)p->cell.bytes;
    const int whole = p->experiment == EXP_TIME || p->experiment == EXP_GATHER;
    struct load load = { .link = peers * m, .all = peers * m };
    if (whole)
        load = call_load(p, c);
    load.link = calls * load.link + peers * (double)p->gather_bytes;
    load.all = calls * load.all + peers * (double)p->gather_bytes;
    double message_s = 2 * c->link_latency + c->switch_latency + message_start_s;
    return load_seconds(&load, c) + bound_messages(p, c, s->inner) * message_s;
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
