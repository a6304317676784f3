/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.c - the messages under way and their rates; the ranks are timed.c's. */
#include "analysis/walk/flow.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/walk/timed.h"

/* ---- messages ---- */

/* messages x ranks that are walked at most. */
static const double most_work = 6e5;

struct flow {
    struct timed_message message;
    uint64_t number; /* flows of a pair of ranks are in the order of their numbers */
    size_t slot;     /* in walk.route */
    int *link;       /* there */
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
    size_t n, cap;
    uint64_t numbers;
    int *route;             /* diameter of the topology for each flow */
    double *spare, *weight; /* of each link, while rates are found */
    struct timed timed;
    struct err *err;
};

static int reserve(struct walk *w)
{
    const size_t hops = (size_t)w->topology->diameter + 1, cap = w->cap ? 2 * w->cap : 64;
    if (w->n < w->cap)
        return 0;
    struct flow *flow = realloc(w->flow, cap * sizeof *flow);
    w->flow = flow ? flow : w->flow;
    int *route = flow ? realloc(w->route, cap * hops * sizeof *route) : NULL;
    w->route = route ? route : w->route;
    if (!flow || !route)
        return err_set(w->err, "out of memory while flows are walked");
    for (size_t i = 0; i < cap; i++) {
        flow[i].slot = i < w->cap ? flow[i].slot : i;
        flow[i].link = route + flow[i].slot * hops;
    }
    w->cap = cap;
    return 0;
}

static int is_behind(const struct walk *w, const struct timed_message *m)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->flow[i].message.src == m->src && w->flow[i].message.dst == m->dst)
            return 1;
    return 0;
}

static int leave(void *state, const struct timed_message *m)
{
    struct walk *w = state;
    const struct links_costs *c = w->costs;
    double latency = 0;
    if (reserve(w) < 0)
        return -1;
    const int behind = is_behind(w, m);
    struct flow *f = &w->flow[w->n++];
    f->message = *m;
    f->number = w->numbers++;
    f->behind = behind;
    f->links = topology_route(w->topology, links_net_node(w->net, m->src),
                              links_net_node(w->net, m->dst), f->link);
    for (int i = 0; i < f->links; i++)
        latency += topology_latency(w->topology, f->link[i]);
    const double alone = links_alone(w->net, c, m->src, m->dst, m->bytes);
    f->left = fmin((double)m->bytes * w->slope, alone);
    double head = alone - f->left;
    if (f->links > 0)
        head += links_farther(c, latency, m->bytes);
    f->starts = w->timed.now + (head > 0 ? head : 0);
    f->weight = w->sharing == FLOW_BY_LATENCY && latency > 0 ? 1 / latency : 1;
    f->rate = 0;
    return 0;
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
    for (size_t i = 0; i < w->n; i++)
        for (int h = 0; h < w->flow[i].links; h++)
            w->weight[w->flow[i].link[h]] = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct flow *f = &w->flow[i];
        if (f->fixed)
            continue;
        open++;
        for (int h = 0; h < f->links; h++)
            w->weight[f->link[h]] += f->weight;
    }
    return open;
}

/* The link with the least rate per weight. */
static int tightest(const struct walk *w, double *per_weight)
{
    int link = -1;
    *per_weight = INFINITY;
    for (size_t i = 0; i < w->n; i++)
        for (int h = 0; !w->flow[i].fixed && h < w->flow[i].links; h++) {
            const int l = w->flow[i].link[h];
            if (w->spare[l] / w->weight[l] < *per_weight) {
                *per_weight = w->spare[l] / w->weight[l];
                link = l;
            }
        }
    return link;
}

static int crosses(const struct flow *f, int link)
{
    for (int h = 0; h < f->links; h++)
        if (f->link[h] == link)
            return 1;
    return 0;
}

/* Max-min shares: the flows of the tightest link get theirs, then those of the next. */
static void find_rates(struct walk *w)
{
    double per_weight;
    for (size_t i = 0; i < w->n; i++) {
        struct flow *f = &w->flow[i];
        f->rate = is_flowing(w, f) ? 1 : 0;
        f->fixed = !is_flowing(w, f) || f->links == 0;
        for (int h = 0; h < f->links; h++)
            w->spare[f->link[h]] =
                topology_rate(w->topology, f->link[h]) / w->topology->net.link_rate;
    }
    while (weigh(w) > 0) {
        const int link = tightest(w, &per_weight);
        for (size_t i = 0; i < w->n; i++) {
            struct flow *f = &w->flow[i];
            if (f->fixed || !crosses(f, link))
                continue;
            f->fixed = 1;
            f->rate = f->weight * per_weight;
            for (int h = 0; h < f->links; h++)
                w->spare[f->link[h]] = fmax(0, w->spare[f->link[h]] - f->rate);
        }
    }
}

/* ---- the walk ---- */

static double next_event(const struct walk *w)
{
    double next = timed_next(&w->timed);
    for (size_t i = 0; i < w->n; i++) {
        const struct flow *f = &w->flow[i];
        if (!f->behind)
            next = fmin(next, is_flowing(w, f) ? w->timed.now + f->left / f->rate : f->starts);
    }
    return next;
}

/* The flow of the pair that has waited longest may begin. */
static void let_follow(struct walk *w, const struct timed_message *done)
{
    struct flow *first = NULL;
    for (size_t i = 0; i < w->n; i++) {
        struct flow *f = &w->flow[i];
        if (f->message.src == done->src && f->message.dst == done->dst &&
            (!first || f->number < first->number))
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
        let_follow(w, &done.message);
        timed_deliver(&w->timed, &done.message);
    }
}

static int run(struct walk *w, const struct schedule *s)
{
    const struct timed_model model = { w, leave };
    if (timed_begin(&w->timed, s, w->costs, &model, w->err) < 0)
        return -1;
    for (;;) {
        find_rates(w);
        const double next = next_event(w);
        if (isinf(next))
            return timed_ended(&w->timed);
        deliver_until(w, next);
        if (timed_go_on(&w->timed) < 0)
            return -1;
    }
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
                      .err = err };
    *seconds = NAN;
    if (s->procs != links_net_procs(net))
        return err_set(err, "a schedule of %d ranks in a network with %d", s->procs,
                       links_net_procs(net));
    if (timed_messages(s, most_work) * s->procs > most_work)
        return 0;
    w.spare = calloc(links, sizeof *w.spare);
    w.weight = calloc(links, sizeof *w.weight);
    const int status = w.spare && w.weight
                           ? run(&w, s)
                           : err_set(err, "out of memory while %s is walked", s->alg->name);
    if (status == 0)
        *seconds = w.timed.end;
    timed_clear(&w.timed);
    free(w.spare);
    free(w.weight);
    free(w.flow);
    free(w.route);
    return status;
}
