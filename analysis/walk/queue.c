/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c - each link knows when what has joined its queue is through; messages that leave at one
 * time are gathered before they join. The ranks are timed.c's. */
#include "analysis/walk/queue.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/walk/timed.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"

/* Messages that are walked at most. */
static const double most_messages = 2e6;

/* A message that leaves now. */
struct leaving {
    int message;
    size_t wave, number; /* a rank's first round that leaves now is of wave 0, the next of 1 ... */
    struct links_trip trip;
    double begins; /* its bytes, on idle links */
};

/* A way that was looked up: of the messages of a pair nearly all are of one size. */
struct known {
    uint64_t bytes;
    int dst, is;
    struct links_trip trip;
};

/* Ways of a rank that are kept, each in the place that its end says. A power of two. */
enum { WAYS = 4 };

/* The latest message of a rank. */
struct latest {
    uint64_t batch, round;
    size_t wave;
};

struct walk {
    const struct links_net *net;
    const struct topology *topology;
    const struct links_costs *costs;
    double slope;    /* seconds per byte of a node's link */
    double *through; /* of each link: when all that has joined is */
    struct leaving *leaving;
    int *route; /* `hops` places for each that leaves, by number */
    size_t n, room, room_routes, hops, waves;
    struct known *known; /* WAYS of each rank; their routes, `hops` places for each */
    int *known_route;
    uint64_t batch;        /* of messages that leave at one time, from 1 */
    struct latest *latest; /* of each rank */
    struct timed timed;
};

static const int *route_of(const struct walk *w, const struct leaving *l)
{
    return w->route + l->number * w->hops;
}

static size_t wave_of(struct walk *w, const struct walk_message *m)
{
    struct latest *l = &w->latest[m->src];
    const size_t wave = l->batch == w->batch ? l->wave + (l->round != m->timed.round) : 0;
    *l = (struct latest){ w->batch, m->timed.round, wave };
    w->waves = wave >= w->waves ? wave + 1 : w->waves;
    return wave;
}

/* A message's way; its links in `route`. */
static struct links_trip trip_of(struct walk *w, const struct walk_message *m, int *route)
{
    const size_t at = (size_t)m->src * WAYS + (size_t)m->dst % WAYS;
    struct known *k = &w->known[at];
    int *links = w->known_route + at * w->hops;
    if (!k->is || k->bytes != m->bytes || k->dst != m->dst) {
        *k = (struct known){ .bytes = m->bytes, .dst = m->dst, .is = 1 };
        k->trip = links_trip(w->net, w->costs, w->slope, m, links);
    }
    for (int i = 0; i < k->trip.hops; i++)
        route[i] = links[i];
    return k->trip;
}

static void leave(void *state, int message)
{
    struct walk *w = state;
    const struct walk_message *m = post_message(&w->timed.engine.post, message);
    array_room(&w->leaving, &w->room, w->n + 1);
    array_room(&w->route, &w->room_routes, w->room * w->hops);
    struct leaving *l = &w->leaving[w->n];
    *l = (struct leaving){ .message = message, .number = w->n++, .wave = wave_of(w, m) };
    l->trip = trip_of(w, m, w->route + l->number * w->hops);
    l->begins = w->timed.now + l->trip.head;
}

static int by_wave(const void *a, const void *b)
{
    const struct leaving *x = a, *y = b;
    if (x->wave != y->wave)
        return (x->wave > y->wave) - (x->wave < y->wave);
    return (x->number > y->number) - (x->number < y->number);
}

/* Those of a wave: all join, and each is through when all of its links are. */
static void send_wave(struct walk *w, size_t first, size_t end)
{
    const double rate = w->topology->net.link_rate;
    for (size_t k = first; k < end; k++) {
        const struct leaving *l = &w->leaving[k];
        const int *route = route_of(w, l);
        for (int i = 0; i < l->trip.hops; i++) {
            double *through = &w->through[route[i]];
            *through = fmax(*through, l->begins) +
                       l->trip.body * rate / topology_rate(w->topology, route[i]);
        }
    }
    for (size_t k = first; k < end; k++) {
        const struct leaving *l = &w->leaving[k];
        const int *route = route_of(w, l);
        double there = l->begins + l->trip.body;
        for (int i = 0; i < l->trip.hops; i++)
            there = fmax(there, w->through[route[i]]);
        engine_at(&w->timed.engine, there, -1, l->message);
    }
}

/* Wave by wave. */
static void send_all(struct walk *w)
{
    if (w->waves > 1)
        qsort(w->leaving, w->n, sizeof *w->leaving, by_wave);
    for (size_t first = 0, end; first < w->n; first = end) {
        for (end = first; end < w->n && w->leaving[end].wave == w->leaving[first].wave;)
            end++;
        send_wave(w, first, end);
    }
    w->n = w->waves = 0;
    w->batch++;
}

static int run(struct walk *w, const struct schedule *s, struct err *err)
{
    const struct timed_model model = { w, leave };
    timed_begin(&w->timed, s, w->costs, &model);
    send_all(w);
    for (double next; isfinite(next = engine_next(&w->timed.engine));) {
        timed_pass(&w->timed, next);
        timed_go_on(&w->timed);
        send_all(w);
    }
    return engine_ended(&w->timed.engine, err);
}

int queue_walk(const struct links_net *net, const struct schedule *s,
               const struct links_costs *costs, double *seconds, struct err *err)
{
    const struct topology *topology = links_net_topology(net);
    struct walk w = { .net = net,
                      .topology = topology,
                      .costs = costs,
                      .slope = links_slope(costs->message),
                      .hops = links_net_room(net),
                      .batch = 1 };
    *seconds = NAN;
    if (links_net_fits(net, s, err) < 0)
        return -1;
    if (timed_messages(s, most_messages) >= most_messages)
        return 0;
    w.through = memory_zeros((size_t)topology->links + 1, sizeof *w.through);
    w.latest = memory_zeros((size_t)s->procs, sizeof *w.latest);
    w.known = memory_zeros((size_t)s->procs, WAYS * sizeof *w.known);
    w.known_route = memory_zeros((size_t)s->procs * WAYS, w.hops * sizeof *w.known_route);
    const int status = run(&w, s, err);
    if (status == 0)
        *seconds = w.timed.end;
    timed_clear(&w.timed);
    free(w.through);
    free(w.latest);
    free(w.known);
    free(w.known_route);
    free(w.leaving);
    free(w.route);
    return status;
}
