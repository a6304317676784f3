/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.c - a clock, the messages under way, and the ranks that wait for them. */
#include "analysis/walk/flow.h"

#include <math.h>
#include <stdlib.h>

/* ---- messages ---- */

/* messages x ranks that are walked at most. */
static const double most_work = 6e5;

struct flow {
    int src, dst;
    size_t slot; /* in walk.route */
    int *link;   /* there */
    int links;
    int held;      /* the sender waits for it */
    double starts; /* its bytes begin to flow; until then it is not on its links */
    double left;   /* seconds at the rate of a node's link */
    double rate;   /* share of that rate */
    double weight;
    int fixed; /* while rates are found */
};

struct rank_flow {
    uint64_t round, rounds;
    struct round ops;   /* of the round under way */
    unsigned char *got; /* of its receives, by place in ops */
    size_t cap;
    uint32_t open; /* sends and receives that are waited for */
    double ready;  /* copies are made; INFINITY: none under way */
    double copy_s; /* of the round under way */
};

struct walk {
    const struct contention_net *net;
    const struct topology *topology;
    const struct schedule *s;
    const struct contention_costs *costs;
    enum flow_sharing sharing;
    double slope; /* seconds per byte of a link */
    struct rank_flow *ranks;
    struct flow *flow;
    size_t n, cap;
    int *route;             /* diameter of the topology for each flow */
    uint32_t *arrived;      /* of each pair of ranks: messages there that no receive has taken */
    double *spare, *weight; /* of each link, while rates are found */
    double now, end;
    struct err *err;
};

static int out_of_memory(const struct walk *w)
{
    return err_set(w->err, "out of memory while walking %s", w->s->alg->name);
}

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
        return out_of_memory(w);
    for (size_t i = 0; i < cap; i++) {
        flow[i].slot = i < w->cap ? flow[i].slot : i;
        flow[i].link = route + flow[i].slot * hops;
    }
    w->cap = cap;
    return 0;
}

/* A message leaves. */
static int start_flow(struct walk *w, int src, int dst, uint64_t bytes)
{
    const struct contention_costs *c = w->costs;
    double latency = 0;
    if (reserve(w) < 0)
        return -1;
    struct flow *f = &w->flow[w->n++];
    f->src = src;
    f->dst = dst;
    f->held = bytes >= c->rendezvous_bytes;
    f->links = topology_route(w->topology, contention_net_node(w->net, src),
                              contention_net_node(w->net, dst), f->link);
    for (int i = 0; i < f->links; i++)
        latency += topology_latency(w->topology, f->link[i]);
    f->left = (double)bytes * w->slope;
    const double alone = curve_value(c->message, (double)bytes);
    double head = alone - f->left;
    if (f->links > 0)
        head += (latency - c->latency) * c->latency_scale *
                contention_latency_factor(c->latency_factors, bytes);
    f->starts = w->now + (head > 0 ? head : 0);
    f->weight = w->sharing == FLOW_BY_LATENCY && latency > 0 ? 1 / latency : 1;
    f->rate = 0;
    return 0;
}

/* ---- rates ---- */

static int is_flowing(const struct walk *w, const struct flow *f)
{
    return f->starts <= w->now;
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

/* ---- ranks ---- */

static uint32_t *arrived_at(struct walk *w, int src, int dst)
{
    return &w->arrived[(size_t)src * (size_t)w->s->procs + (size_t)dst];
}

/* Takes what has arrived for the round under way. */
static void take_receives(struct walk *w, int rank)
{
    struct rank_flow *r = &w->ranks[rank];
    for (size_t i = 0; i < r->ops.n; i++) {
        const struct op *op = &r->ops.ops[i];
        if (op->kind != OP_RECV || r->got[i])
            continue;
        uint32_t *there = arrived_at(w, op->peer, rank);
        if (*there == 0)
            continue;
        (*there)--;
        r->got[i] = 1;
        r->open--;
    }
}

static int begin_round(struct walk *w, int rank)
{
    struct rank_flow *r = &w->ranks[rank];
    if (schedule_round(w->s, rank, r->round, &r->ops) < 0)
        return out_of_memory(w);
    if (r->ops.n > r->cap) {
        unsigned char *got = realloc(r->got, r->ops.n);
        if (!got)
            return out_of_memory(w);
        r->got = got;
        r->cap = r->ops.n;
    }
    r->open = 0;
    r->copy_s = 0;
    for (size_t i = 0; i < r->ops.n; i++) {
        const struct op *op = &r->ops.ops[i];
        r->got[i] = 0;
        r->open +=
            op->kind == OP_RECV || (op->kind == OP_SEND && op->bytes >= w->costs->rendezvous_bytes);
        if (op->kind == OP_COPY)
            r->copy_s += curve_value(w->costs->copy, (double)op->bytes);
        if (op->kind == OP_SEND && start_flow(w, rank, op->peer, op->bytes) < 0)
            return -1;
    }
    take_receives(w, rank);
    return 0;
}

/* A rank whose messages are done makes its copies, and goes on to the rounds that can begin. */
static int advance(struct walk *w, int rank)
{
    struct rank_flow *r = &w->ranks[rank];
    while (r->round < r->rounds && r->open == 0) {
        if (isinf(r->ready))
            r->ready = w->now + r->copy_s;
        if (r->ready > w->now)
            return 0;
        r->ready = INFINITY;
        r->round++;
        w->end = w->now;
        if (r->round < r->rounds && begin_round(w, rank) < 0)
            return -1;
    }
    return 0;
}

/* ---- events ---- */

static double next_event(const struct walk *w)
{
    double next = INFINITY;
    for (size_t i = 0; i < w->n; i++) {
        const struct flow *f = &w->flow[i];
        next = fmin(next, is_flowing(w, f) ? w->now + f->left / f->rate : f->starts);
    }
    for (int r = 0; r < w->s->procs; r++)
        next = fmin(next, w->ranks[r].ready);
    return next;
}

/* The bytes that flow until then; what is then through is delivered. */
static void deliver_until(struct walk *w, double next)
{
    const double step = next - w->now, close = 1e-9 * next;
    for (size_t i = 0; i < w->n; i++)
        if (is_flowing(w, &w->flow[i]))
            w->flow[i].left -= step * w->flow[i].rate;
    w->now = next;
    for (size_t i = w->n; i-- > 0;) {
        const struct flow done = w->flow[i];
        if (!is_flowing(w, &done) || done.left > close)
            continue;
        ++*arrived_at(w, done.src, done.dst);
        w->ranks[done.src].open -= done.held != 0;
        w->flow[i] = w->flow[--w->n];
        w->flow[w->n] = done; /* its slot is free */
        take_receives(w, done.dst);
    }
}

static int begin_all(struct walk *w)
{
    for (int r = 0; r < w->s->procs; r++) {
        w->ranks[r].rounds = schedule_rounds(w->s, r);
        w->ranks[r].ready = INFINITY;
        if (w->ranks[r].rounds > 0 && begin_round(w, r) < 0)
            return -1;
    }
    return 0;
}

static int run(struct walk *w)
{
    if (begin_all(w) < 0)
        return -1;
    for (;;) {
        for (int r = 0; r < w->s->procs; r++)
            if (advance(w, r) < 0)
                return -1;
        find_rates(w);
        const double next = next_event(w);
        if (isinf(next))
            break;
        deliver_until(w, next);
    }
    for (int r = 0; r < w->s->procs; r++)
        if (w->ranks[r].round < w->ranks[r].rounds)
            return err_set(w->err, "%s never ends: rank %d waits in round %llu", w->s->alg->name, r,
                           (unsigned long long)w->ranks[r].round);
    return 0;
}

/* ---- the walk ---- */

static double count_messages(const struct schedule *s, struct round *round)
{
    double n = 0;
    for (int r = 0; r < s->procs && n * s->procs <= most_work; r++)
        for (uint64_t k = 0, rounds = schedule_rounds(s, r); k < rounds; k++) {
            if (schedule_round(s, r, k, round) < 0)
                return INFINITY;
            for (size_t i = 0; i < round->n; i++)
                n += round->ops[i].kind == OP_SEND;
        }
    return n;
}

/* Of the two largest sizes. */
static double slope_of(const struct curve *t)
{
    if (t->n < 2)
        return 0;
    return fmax(0, (t->seconds[t->n - 1] - t->seconds[t->n - 2]) /
                       (t->bytes[t->n - 1] - t->bytes[t->n - 2]));
}

static int allocate(struct walk *w)
{
    const size_t procs = (size_t)w->s->procs, links = (size_t)w->topology->links + 1;
    w->ranks = calloc(procs, sizeof *w->ranks);
    w->arrived = calloc(procs * procs, sizeof *w->arrived);
    w->spare = calloc(links, sizeof *w->spare);
    w->weight = calloc(links, sizeof *w->weight);
    return w->ranks && w->arrived && w->spare && w->weight ? 0 : out_of_memory(w);
}

static void release(struct walk *w)
{
    for (int r = 0; w->ranks && r < w->s->procs; r++) {
        round_free(&w->ranks[r].ops);
        free(w->ranks[r].got);
    }
    free(w->ranks);
    free(w->arrived);
    free(w->spare);
    free(w->weight);
    free(w->flow);
    free(w->route);
}

int flow_walk(const struct contention_net *net, const struct schedule *s,
              const struct contention_costs *costs, enum flow_sharing sharing, double *seconds,
              struct err *err)
{
    struct round round = { 0 };
    struct walk w = { .net = net,
                      .topology = contention_net_topology(net),
                      .s = s,
                      .costs = costs,
                      .sharing = sharing,
                      .slope = slope_of(costs->message),
                      .err = err };
    *seconds = NAN;
    if (s->procs != contention_net_procs(net))
        return err_set(err, "a schedule of %d ranks in a network with %d", s->procs,
                       contention_net_procs(net));
    const double messages = count_messages(s, &round);
    round_free(&round);
    if (messages * s->procs > most_work)
        return 0;
    int status = allocate(&w) < 0 ? -1 : run(&w);
    if (status == 0)
        *seconds = w.end;
    release(&w);
    return status;
}
