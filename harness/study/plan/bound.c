/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/bound.h"

#include <math.h>

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

/* Messages of the collective itself: at least one a round, and one to each other rank. Algorithms
 * without a schedule of ours count as a tree. */
static double collective_messages(const struct point *p, const struct cluster *cluster)
{
    const struct cell *c = &p->cell;
    const struct algorithm *a =
        algorithm_find(c->collective, algorithm_base_name(p->candidate.algorithm));
    struct schedule s;
    double rounds = 0;
    const struct schedule_arguments arguments = {
        .procs = c->procs,
        .root = c->root,
        .bytes = c->bytes,
        .segment_bytes = p->candidate.segment_bytes,
        .fanout = p->candidate.fanout,
        .levels = algorithm_levels(p->candidate.algorithm),
        .seats = topology_seating(cluster, c->mapping, c->nodes, c->ppn, c->procs)
    };
    if (a && schedule_make(&s, a, &arguments, NULL) == 0)
        for (int r = 0; r < c->procs; r++)
            rounds += (double)schedule_rounds(&s, r);
    return fmax(rounds, c->procs - 1);
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

/* What one timed call takes at most, by the links alone. */
double bound_call(const struct point *p, const struct cluster *c, const struct study *s)
{
    double peers = p->experiment == EXP_PINGPONG ? 2 : p->cell.procs - 1;
    double bytes = bound_calls_inside(p->experiment, s) * peers * (double)p->cell.bytes +
                   peers * (double)p->gather_bytes;
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
