/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c - each link knows when what has joined its queue is through; messages that leave at one
 * time are gathered before they join. The ranks are timed.c's. */
#include "analysis/walk/queue.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/walk/timed.h"

/* Messages that are walked at most. */
static const double most_messages = 2e6;

/* A message that leaves now. */
struct leaving {
    struct timed_message message;
    size_t wave, number; /* a rank's first round that leaves now is of wave 0, the next of 1 ... */
    double begins;       /* its bytes, on idle links */
    double body;         /* seconds on a node's link */
    size_t slot;         /* in walk.route */
    int *route;          /* there */
    int hops;
};

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
    size_t n, cap, waves;
    uint64_t batch;        /* of messages that leave at one time, from 1 */
    struct latest *latest; /* of each rank */
    int *route;            /* diameter of the topology for each that leaves */
    struct timed timed;
    struct err *err;
};

static int reserve(struct walk *w)
{
    const size_t hops = (size_t)w->topology->diameter + 1, cap = w->cap ? 2 * w->cap : 64;
    if (w->n < w->cap)
        return 0;
    struct leaving *leaving = realloc(w->leaving, cap * sizeof *leaving);
    w->leaving = leaving ? leaving : w->leaving;
    int *route = leaving ? realloc(w->route, cap * hops * sizeof *route) : NULL;
    w->route = route ? route : w->route;
    if (!leaving || !route)
        return err_set(w->err, "out of memory while links are walked");
    for (size_t i = 0; i < cap; i++) {
        leaving[i].slot = i < w->cap ? leaving[i].slot : i;
        leaving[i].route = route + leaving[i].slot * hops;
    }
    w->cap = cap;
    return 0;
}

static size_t wave_of(struct walk *w, const struct timed_message *m)
{
    struct latest *l = &w->latest[m->src];
    const size_t wave = l->batch == w->batch ? l->wave + (l->round != m->round) : 0;
    *l = (struct latest){ w->batch, m->round, wave };
    w->waves = wave >= w->waves ? wave + 1 : w->waves;
    return wave;
}

static int leave(void *state, const struct timed_message *m)
{
    struct walk *w = state;
    double latency = 0;
    if (reserve(w) < 0)
        return -1;
    struct leaving *l = &w->leaving[w->n];
    l->message = *m;
    l->number = w->n++;
    l->wave = wave_of(w, m);
    l->hops = topology_route(w->topology, links_net_node(w->net, m->src),
                             links_net_node(w->net, m->dst), l->route);
    for (int i = 0; i < l->hops; i++)
        latency += topology_latency(w->topology, l->route[i]);
    const double alone = links_alone(w->net, w->costs, m->src, m->dst, m->bytes);
    l->body = fmin((double)m->bytes * w->slope, alone);
    double head = alone - l->body;
    if (l->hops > 0)
        head += links_farther(w->costs, latency, m->bytes);
    l->begins = w->timed.now + fmax(0, head);
    return 0;
}

static int by_wave(const void *a, const void *b)
{
    const struct leaving *x = a, *y = b;
    if (x->wave != y->wave)
        return (x->wave > y->wave) - (x->wave < y->wave);
    return (x->number > y->number) - (x->number < y->number);
}

/* Those of a wave: all join, and each is through when all of its links are. */
static int send_wave(struct walk *w, size_t first, size_t end)
{
    const double rate = w->topology->net.link_rate;
    for (size_t k = first; k < end; k++) {
        const struct leaving *l = &w->leaving[k];
        for (int i = 0; i < l->hops; i++) {
            double *through = &w->through[l->route[i]];
            *through = fmax(*through, l->begins) +
                       l->body * rate / topology_rate(w->topology, l->route[i]);
        }
    }
    for (size_t k = first; k < end; k++) {
        const struct leaving *l = &w->leaving[k];
        double there = l->begins + l->body;
        for (int i = 0; i < l->hops; i++)
            there = fmax(there, w->through[l->route[i]]);
        if (timed_expect(&w->timed, there, &l->message) < 0)
            return -1;
    }
    return 0;
}

/* Wave by wave. */
static int send_all(struct walk *w)
{
    if (w->waves > 1)
        qsort(w->leaving, w->n, sizeof *w->leaving, by_wave);
    for (size_t first = 0, end; first < w->n; first = end) {
        for (end = first; end < w->n && w->leaving[end].wave == w->leaving[first].wave;)
            end++;
        if (send_wave(w, first, end) < 0)
            return -1;
    }
    w->n = w->waves = 0;
    w->batch++;
    return 0;
}

static int run(struct walk *w, const struct schedule *s)
{
    const struct timed_model model = { w, leave };
    if (timed_begin(&w->timed, s, w->costs, &model, w->err) < 0 || send_all(w) < 0)
        return -1;
    for (double next; isfinite(next = timed_next(&w->timed));) {
        timed_pass(&w->timed, next);
        if (timed_go_on(&w->timed) < 0 || send_all(w) < 0)
            return -1;
    }
    return timed_ended(&w->timed);
}

int queue_walk(const struct links_net *net, const struct schedule *s,
               const struct links_costs *costs, double *seconds, struct err *err)
{
    const struct topology *topology = links_net_topology(net);
    struct walk w = { .net = net,
                      .topology = topology,
                      .costs = costs,
                      .slope = links_slope(costs->message),
                      .batch = 1,
                      .err = err };
    *seconds = NAN;
    if (s->procs != links_net_procs(net))
        return err_set(err, "a schedule of %d ranks in a network with %d", s->procs,
                       links_net_procs(net));
    if (timed_messages(s, most_messages) >= most_messages)
        return 0;
    w.through = calloc((size_t)topology->links + 1, sizeof *w.through);
    w.latest = calloc((size_t)s->procs, sizeof *w.latest);
    const int status = w.through && w.latest
                           ? run(&w, s)
                           : err_set(err, "out of memory while %s is walked", s->alg->name);
    if (status == 0)
        *seconds = w.timed.end;
    timed_clear(&w.timed);
    free(w.through);
    free(w.latest);
    free(w.leaving);
    free(w.route);
    return status;
}
