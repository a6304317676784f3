/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.c - the messages under way and their rates; the ranks are timed.c's. */
#include "analysis/walk/flow.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/walk/timed.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"

/* ---- messages ---- */

/* messages x ranks that are walked at most. */
static const double most_work = 6e5;

struct flow {
    int message, src, dst;
    uint64_t number; /* flows of a pair of ranks are in the order of their numbers */
    size_t slot;     /* its links are w->route[slot * links_net_room] ... */
    int links;
    int behind;    /* another flow of the same pair is before it: not on its links yet */
    double starts; /* its bytes begin to flow; until then it is not on its links */
    double left;   /* seconds at the rate of a node's link */
    double rate;   /* share of that rate */
    double weight;
    int fixed; /* while rates are found */
};

struct walk {
    const struct links_net *net;
    const struct topology *topology;
    const struct links_costs *costs;
    enum flow_sharing sharing;
    double slope; /* seconds per byte of a link */
    struct flow *flow;
    size_t n, room;
    uint64_t numbers;
    int *route; /* links_net_room links for each flow */
    size_t room_routes, hops;
    double *spare, *weight; /* of each link, while rates are found */
    struct timed timed;
};

static const int *links_of(const struct walk *w, const struct flow *f)
{
    return w->route + f->slot * w->hops;
}

/* Room for one more flow. */
static void reserve(struct walk *w)
{
    const size_t had = w->room;
    array_room(&w->flow, &w->room, w->n + 1);
    array_room(&w->route, &w->room_routes, w->room * w->hops);
    for (size_t i = had; i < w->room; i++)
        w->flow[i].slot = i;
}

static int is_behind(const struct walk *w, const struct walk_message *m)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->flow[i].src == m->src && w->flow[i].dst == m->dst)
            return 1;
    return 0;
}

static void leave(void *state, int message)
{
    struct walk *w = state;
    const struct walk_message *m = post_message(&w->timed.engine.post, message);
    reserve(w);
    const int behind = is_behind(w, m);
    struct flow *f = &w->flow[w->n++];
    const struct links_trip trip =
        links_trip(w->net, w->costs, w->slope, m, w->route + f->slot * w->hops);
    *f = (struct flow){ .message = message,
                        .src = m->src,
                        .dst = m->dst,
                        .number = w->numbers++,
                        .slot = f->slot,
                        .links = trip.hops,
                        .behind = behind,
                        .starts = w->timed.now + trip.head,
                        .left = trip.body,
                        .weight = w->sharing == FLOW_BY_LATENCY && trip.latency > 0
                                      ? 1 / trip.latency
                                      : 1 };
}

/* ---- rates ---- */

static int is_flowing(const struct walk *w, const struct flow *f)
{
    return !f->behind && f->starts <= w->timed.now;
}

/* Those that flow and have no rate yet, on their links; returns how many. */
static size_t weigh(struct walk *w)
{
    size_t open = 0;
    for (size_t i = 0; i < w->n; i++) {
        const int *link = links_of(w, &w->flow[i]);
        for (int h = 0; h < w->flow[i].links; h++)
            w->weight[link[h]] = 0;
    }
    for (size_t i = 0; i < w->n; i++) {
        const struct flow *f = &w->flow[i];
        const int *link = links_of(w, f);
        if (f->fixed)
            continue;
        open++;
        for (int h = 0; h < f->links; h++)
            w->weight[link[h]] += f->weight;
    }
    return open;
}

/* The link with the least rate per weight. */
static int tightest(const struct walk *w, double *per_weight)
{
    int tight = -1;
    *per_weight = INFINITY;
    for (size_t i = 0; i < w->n; i++) {
        const int *link = links_of(w, &w->flow[i]);
        for (int h = 0; !w->flow[i].fixed && h < w->flow[i].links; h++)
            if (w->spare[link[h]] / w->weight[link[h]] < *per_weight) {
                *per_weight = w->spare[link[h]] / w->weight[link[h]];
                tight = link[h];
            }
    }
    return tight;
}

static int crosses(const struct walk *w, const struct flow *f, int link)
{
    for (int h = 0; h < f->links; h++)
        if (links_of(w, f)[h] == link)
            return 1;
    return 0;
}

/* Max-min shares: the flows of the tightest link get theirs, then those of the next. */
static void find_rates(struct walk *w)
{
    double per_weight;
    for (size_t i = 0; i < w->n; i++) {
        struct flow *f = &w->flow[i];
        const int *link = links_of(w, f);
        f->rate = is_flowing(w, f) ? 1 : 0;
        f->fixed = !is_flowing(w, f) || f->links == 0;
        for (int h = 0; h < f->links; h++)
            w->spare[link[h]] = topology_rate(w->topology, link[h]) / w->topology->net.link_rate;
    }
    while (weigh(w) > 0) {
        const int tight = tightest(w, &per_weight);
        for (size_t i = 0; i < w->n; i++) {
            struct flow *f = &w->flow[i];
            const int *link = links_of(w, f);
            if (f->fixed || !crosses(w, f, tight))
                continue;
            f->fixed = 1;
            f->rate = f->weight * per_weight;
            for (int h = 0; h < f->links; h++)
                w->spare[link[h]] = fmax(0, w->spare[link[h]] - f->rate);
        }
    }
}

/* ---- the walk ---- */

static double next_event(const struct walk *w)
{
    double next = engine_next(&w->timed.engine);
    for (size_t i = 0; i < w->n; i++) {
        const struct flow *f = &w->flow[i];
        if (!f->behind)
            next = fmin(next, is_flowing(w, f) ? w->timed.now + f->left / f->rate : f->starts);
    }
    return next;
}

/* The flow of the pair that has waited longest may begin. */
static void let_follow(struct walk *w, const struct flow *done)
{
    struct flow *first = NULL;
    for (size_t i = 0; i < w->n; i++) {
        struct flow *f = &w->flow[i];
        if (f->src == done->src && f->dst == done->dst && (!first || f->number < first->number))
            first = f;
    }
    if (!first)
        return;
    first->behind = 0;
    first->starts = fmax(first->starts, w->timed.now);
}

/* The bytes that flow until then; what is then through is delivered. */
static void deliver_until(struct walk *w, double next)
{
    const double step = next - w->timed.now, close = 1e-9 * next;
    for (size_t i = 0; i < w->n; i++)
        if (is_flowing(w, &w->flow[i]))
            w->flow[i].left -= step * w->flow[i].rate;
    timed_pass(&w->timed, next);
    for (size_t i = w->n; i-- > 0;) {
        const struct flow done = w->flow[i];
        if (done.rate == 0 || done.left > close)
            continue;
        w->flow[i] = w->flow[--w->n];
        w->flow[w->n] = done; /* its slot is free */
        let_follow(w, &done);
        timed_deliver(&w->timed, done.message);
    }
}

static int run(struct walk *w, const struct schedule *s, struct err *err)
{
    const struct timed_model model = { w, leave };
    timed_begin(&w->timed, s, w->costs, &model);
    for (;;) {
        find_rates(w);
        const double next = next_event(w);
        if (isinf(next))
            break;
        deliver_until(w, next);
        timed_go_on(&w->timed);
    }
    return engine_ended(&w->timed.engine, err);
}

int flow_walk(const struct links_net *net, const struct schedule *s,
              const struct links_costs *costs, enum flow_sharing sharing, double *seconds,
              struct err *err)
{
    const struct topology *topology = links_net_topology(net);
    const size_t links = (size_t)topology->links + 1;
    struct walk w = { .net = net,
                      .topology = topology,
                      .costs = costs,
                      .sharing = sharing,
                      .slope = links_slope(costs->message),
                      .hops = links_net_room(net) };
    *seconds = NAN;
    if (links_net_fits(net, s, err) < 0)
        return -1;
    if (timed_messages(s, most_work) * s->procs > most_work)
        return 0;
    w.spare = memory_zeros(links, sizeof *w.spare);
    w.weight = memory_zeros(links, sizeof *w.weight);
    const int status = run(&w, s, err);
    if (status == 0)
        *seconds = w.timed.end;
    timed_clear(&w.timed);
    free(w.spare);
    free(w.weight);
    free(w.flow);
    free(w.route);
    return status;
}
