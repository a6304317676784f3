/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/walked.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/equivalent.h"
#include "analysis/walk/replay.h"
#include "harness/base/memory.h"

/* Where the ranks of a cell sit on the cluster. */
static struct seating seating_on(const struct cluster *cluster, const struct cell *cell)
{
    struct seating seats = cell_seating(cell);
    seats.sockets = cluster->sockets;
    seats.cores = cluster->cores;
    seats.cache_cores = cluster->cache_cores;
    return seats;
}

static int make_schedule(const struct cell *cell, const struct candidate *candidate,
                         const struct seating *seats, struct schedule *s)
{
    if (equivalent_schedule(NULL, cell, candidate, s, NULL) < 0)
        return -1;
    s->seats = *seats;
    return 0;
}

/* Replays a call as it is: seconds, or NaN. */
static double replayed(const struct cluster *cluster, const struct cell *cell,
                       const struct candidate *candidate)
{
    const struct seating seats = seating_on(cluster, cell);
    struct platform *platform = platform_new(cluster, &seats, NULL);
    struct replay *replay = platform ? replay_new(platform) : NULL;
    double *end_s = memory_zeros((size_t)cell->procs, sizeof *end_s), most = NAN;
    struct schedule s;
    const struct replay_part part = { &s, 0 };
    const struct replay_call call = { .part = &part, .parts = 1, .times = 1 };
    if (replay && make_schedule(cell, candidate, &seats, &s) == 0 &&
        replay_walk(replay, &call, end_s, NULL, NULL) == 0)
        for (int r = 0; r < cell->procs; r++)
            most = r ? fmax(most, end_s[r]) : end_s[r];
    free(end_s);
    if (replay)
        replay_free(replay);
    if (platform)
        platform_free(platform);
    return most;
}

/* With at most so many segments: the slope of the time beyond them is that of the last half. */
static double replayed_bytes(const struct cluster *cluster, const struct cell *cell,
                             const struct candidate *candidate)
{
    const struct seating seats = seating_on(cluster, cell);
    struct schedule s;
    if (make_schedule(cell, candidate, &seats, &s) < 0)
        return NAN;
    if (s.segments <= WALKED_SEGMENTS)
        return replayed(cluster, cell, candidate);
    struct cell less = *cell, least = *cell;
    less.bytes = cell->bytes / s.segments * WALKED_SEGMENTS;
    least.bytes = less.bytes / 2;
    const double t = replayed(cluster, &less, candidate),
                 slope = (t - replayed(cluster, &least, candidate)) /
                         (double)(less.bytes - least.bytes);
    return t + slope * (double)(cell->bytes - less.bytes);
}

/* The cell with so many of its nodes, or, of one node, ranks. */
static struct cell part_of(const struct cell *cell, int n)
{
    struct cell c = *cell;
    if (cell->nodes == 1) {
        c.procs = c.ppn = n;
    } else {
        c.nodes = n;
        c.procs = (int)((int64_t)cell->procs * n / cell->nodes);
        c.ppn = (c.procs + n - 1) / n;
    }
    return c;
}

static double walk(const struct cluster *cluster, const struct cell *cell,
                   const struct candidate *candidate)
{
    const int all = cell->nodes == 1 ? cell->procs : cell->nodes;
    int most = all;
    while ((int64_t)cell->procs * most / all > WALKED_PROCS && most > (cell->nodes == 1 ? 2 : 4))
        most = (most + 1) / 2;
    if (most == all)
        return log(replayed_bytes(cluster, cell, candidate));
    const int half = (most + 1) / 2;
    const struct cell some = part_of(cell, most), few = part_of(cell, half);
    const double t = log(replayed_bytes(cluster, &some, candidate)),
                 slope = (t - log(replayed_bytes(cluster, &few, candidate))) /
                         log((double)some.procs / few.procs);
    return t + slope * log((double)cell->procs / some.procs);
}

/* The walks of the last cells, which are asked about more than once. */
enum { KEPT_WALKS = 32 };

struct walk_kept {
    const struct cluster *cluster;
    struct cell cell;
    struct candidate candidate;
    double log_s;
};

double walked_log(const struct cluster *cluster, const struct cell *cell,
                  const struct candidate *candidate)
{
    static _Thread_local struct walk_kept kept[KEPT_WALKS];
    static _Thread_local size_t next;
    for (size_t i = 0; i < KEPT_WALKS; i++)
        if (kept[i].cluster == cluster && candidate_equal(&kept[i].candidate, candidate) &&
            cell_compare(&kept[i].cell, cell) == 0)
            return kept[i].log_s;
    struct walk_kept *k = &kept[next++ % KEPT_WALKS];
    *k = (struct walk_kept){ cluster, *cell, *candidate, walk(cluster, cell, candidate) };
    return k->log_s;
}
