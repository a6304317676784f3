/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_fit.c - all parameters of a platform. Below, the count of ranks from which on messages
 * between nodes cost something else, and those other costs (method: channel_fit.h, MANY RANKS).
 *
 * Every measured fan-out between nodes is walked with one set of costs for all counts. The
 * logarithms of measured / walked are added up over the sizes, one sum per process count, and drawn
 * over the process count: where two straight lines leave far less than one there is a break. The
 * costs are then fitted below it and from it on, and from it on a message takes so much longer that
 * the walks meet the measured times of the smallest size in the median. */
#include "analysis/models/channel/channel_fit.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/models/channel/channel_costs.h"
#include "analysis/models/channel/channel_lines.h"
#include "harness/base/memory.h"
#include "harness/study/mpi.h"
#include "workloads/schedules/collectives.h"

/* ---- many ranks ---- */

/* At least so many fan-outs on either side of a break, and two lines through what the walk leaves
 * must leave less than this share of the squares that one leaves. Among so few ranks the barrier
 * decides the time. */
enum { SIDE = 8 };
static const double BREAK = 0.5;

/* By how much the walks of the fan-outs among so many ranks are off. */
struct deviation {
    int procs;
    double log_ratio; /* of measured over walked; the sum over all eager sizes */
};

struct deviations {
    struct deviation *row;
    size_t n;
};

/* ---- walks ---- */

/* The root on the first core of a node, the others from the next node on, core by core. */
static void fan_places(const struct facts *facts, int procs, struct places *places)
{
    const int ppn = facts->sockets * facts->cores;
    const struct seating seating = { .mapping = "core",
                                     .nodes = 2 + procs / ppn,
                                     .ppn = ppn,
                                     .procs = ppn + procs - 1,
                                     .sockets = facts->sockets,
                                     .cores = facts->cores,
                                     .cache_cores = facts->cache_cores };
    places_init(places, &seating, facts->memory_cores, 0);
    for (int i = 1; i < procs; i++)
        places->rank[i] = places->rank[ppn + i - 1];
    places->procs = procs;
}

static int walk_fan(const struct channel_platform *p, const struct facts *facts,
                    const struct channel_sample *s, const struct seat_costs *costs, double *seconds,
                    struct err *err)
{
    struct schedule fan;
    struct places places;
    struct seat_time time;
    if (schedule_init(&fan, collective_linear(FAN_SEND), s->procs, 0, s->bytes, 0, 0, err) < 0)
        return -1;
    fan_places(facts, s->procs, &places);
    const int status = seat_time(&fan, &places, costs, p->barrier, &time, err);
    places_clear(&places);
    *seconds = time.slowest;
    return status;
}

static int is_fan(const struct channel_sample *s, int from)
{
    return s->experiment == EXP_FANOUT && s->channel == CHANNEL_NODE && s->procs >= from;
}

/* The entry of a process count; there is room. */
static double *log_ratio_of(struct deviations *all, int procs)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->row[i].procs == procs)
            return &all->row[i].log_ratio;
    all->row[all->n] = (struct deviation){ .procs = procs };
    return &all->row[all->n++].log_ratio;
}

static int by_procs(const void *a, const void *b)
{
    const struct deviation *x = a, *y = b;
    return x->procs - y->procs;
}

/* The logarithms of measured over walked, added up over all eager sizes; ascending. */
static int compare_ratios(const struct channel_platform *p, const struct facts *facts,
                          struct deviations *deviations, struct err *err)
{
    const struct seat_costs *costs = &p->costs[FOR_MOVING];
    deviations->n = 0;
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        double walked;
        if (!is_fan(s, SIDE + 1) || (double)s->bytes >= costs->of[CHANNEL_CORE].rendezvous_bytes)
            continue;
        if (walk_fan(p, facts, s, costs, &walked, err) < 0)
            return -1;
        *log_ratio_of(deviations, s->procs) += log(s->slowest / walked);
    }
    if (deviations->n)
        qsort(deviations->row, deviations->n, sizeof *deviations->row, by_procs);
    return 0;
}

/* The median of measured less walked of the smallest size, among as many ranks as `many` is for;
 * seconds. */
static int compare_smallest(const struct channel_platform *p, const struct facts *facts,
                            const struct seat_costs *costs, double *median, struct err *err)
{
    const double smallest = costs->of[CHANNEL_NODE].latency.bytes[0];
    double *left = memory_zeros(p->n_samples + 1, sizeof *left);
    size_t n = 0;
    int status = 0;
    for (size_t i = 0; i < p->n_samples && status == 0; i++) {
        const struct channel_sample *s = &p->sample[i];
        double walked;
        if (!is_fan(s, p->many_procs) || (double)s->bytes > smallest)
            continue;
        status = walk_fan(p, facts, s, costs, &walked, err);
        left[n++] = s->slowest - walked;
    }
    *median = n ? stats_median(left, n) : 0;
    free(left);
    return status;
}

/* ---- the break ---- */

/* Sums of a run of points, for its line. */
struct sums {
    double n, x, y, xx, xy, yy;
};

static struct sums sums_add(struct sums s, const struct deviation *r, double sign)
{
    const double x = r->procs, y = r->log_ratio;
    return (struct sums){ s.n + sign,          s.x + sign * x,      s.y + sign * y,
                          s.xx + sign * x * x, s.xy + sign * x * y, s.yy + sign * y * y };
}

/* The squares that a straight line leaves. */
static double squares(struct sums s)
{
    const double xx = s.xx - s.x * s.x / s.n, xy = s.xy - s.x * s.y / s.n;
    return s.yy - s.y * s.y / s.n - (xx > 0 ? xy * xy / xx : 0);
}

/* The process count from which on another line holds; 0: none. */
static int find_break(const struct deviations *deviations)
{
    struct sums below = { 0 }, above = { 0 };
    for (size_t i = 0; i < deviations->n; i++)
        above = sums_add(above, &deviations->row[i], 1);
    double best = deviations->n ? BREAK * squares(above) : 0;
    int from = 0;
    for (size_t i = 0; i + SIDE < deviations->n; i++) {
        below = sums_add(below, &deviations->row[i], 1);
        above = sums_add(above, &deviations->row[i], -1);
        if (i + 1 < SIDE || squares(below) + squares(above) >= best)
            continue;
        best = squares(below) + squares(above);
        from = deviations->row[i + 1].procs;
    }
    return from;
}

/* ---- from there on ---- */

static void add_latency(struct seat_channel_costs *of, double seconds)
{
    for (size_t i = 0; i < of->latency.n; i++)
        of->latency.seconds[i] += seconds;
    for (size_t i = 0; i < of->relay.n; i++)
        of->relay.seconds[i] += seconds;
}

/* So much longer takes a message that the walks of the fan-outs leave nothing in the median: one
 * step of the secant, since a walk is nearly straight in it. */
static int longer_by(const struct channel_platform *p, const struct facts *facts, double *seconds,
                     struct err *err)
{
    struct seat_costs costs = p->many[FOR_MOVING]; /* borrows */
    struct seat_channel_costs *node = &costs.of[CHANNEL_NODE];
    const double step = node->latency.seconds[0] / 4;
    double without, with;
    if (compare_smallest(p, facts, &costs, &without, err) < 0)
        return -1;
    add_latency(node, step);
    const int status = compare_smallest(p, facts, &costs, &with, err);
    add_latency(node, -step);
    *seconds = without > 0 && with < without ? step * without / (without - with) : 0;
    return status;
}

static int split(struct channel_platform *p, const struct facts *facts, struct err *err)
{
    double seconds;
    for (int k = 0; k < N_CHANNEL_USES; k++) {
        seat_costs_clear(&p->costs[k]);
        p->costs[k] = (struct seat_costs){ .port_message = 0 };
    }
    channel_costs_fit(p, (struct range){ SIDE + 1, p->many_procs }, p->costs);
    channel_costs_fit(p, (struct range){ p->many_procs, INT_MAX }, p->many);
    if (longer_by(p, facts, &seconds, err) < 0)
        return -1;
    for (int k = 0; k < N_CHANNEL_USES; k++)
        add_latency(&p->many[k].of[CHANNEL_NODE], seconds);
    return 0;
}

/* 1 where all is known that a walk of a fan-out between nodes needs. */
static int can_walk(const struct channel_platform *p, const struct facts *facts)
{
    const struct seat_channel_costs *of = p->costs[FOR_MOVING].of;
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        if (!of[c].latency.n)
            return 0;
    return facts->sockets > 0 && facts->cores > 0;
}

/* Fills p->costs, has_costs, many_procs and many. -1 with *err: a fan-out cannot be walked. */
static int fit_costs(struct channel_platform *p, const struct facts *facts, struct err *err)
{
    struct deviations deviations = { .row =
                                         memory_zeros(p->n_samples + 1, sizeof *deviations.row) };
    int status = 0;
    channel_costs_fit(p, (struct range){ 0, INT_MAX }, p->costs);
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        p->has_costs = p->has_costs || p->costs[FOR_MOVING].of[c].latency.n > 0;
    if (can_walk(p, facts)) {
        status = compare_ratios(p, facts, &deviations, err);
        p->many_procs = status == 0 ? find_break(&deviations) : 0;
    }
    if (p->many_procs)
        status = split(p, facts, err);
    free(deviations.row);
    return status;
}

/* ---- all ---- */

/* Who times the calls, and how. */
static enum barrier barrier_of(const struct facts *facts, const char *mpi)
{
    const char *version = facts_version(facts, mpi);
    if (facts->deterministic)
        return BARRIER_NONE;
    const int is_41 = strncmp(version, "4.1", 3) == 0 && (version[3] == '\0' || version[3] == '.');
    return facts->imported && mpi_is(mpi, "openmpi") && is_41 ? BARRIER_OPENMPI41
                                                              : BARRIER_DISSEMINATION;
}

int channel_fit(const struct points *points, const struct facts *facts, struct channel_fits *fits,
                struct err *err)
{
    *fits = (struct channel_fits){ .n = 0 };
    int status = 0;
    channel_collect(points, fits);
    for (size_t i = 0; i < fits->n && status == 0; i++) {
        fits->platform[i].barrier = barrier_of(facts, fits->platform[i].mpi);
        channel_lines_fit(&fits->platform[i], facts->confidence);
        status = fit_costs(&fits->platform[i], facts, err);
    }
    if (status < 0)
        channel_fits_clear(fits);
    return status;
}
