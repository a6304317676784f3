/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c - each link knows when what has joined its queue is through; messages that leave at one
 * time are gathered before they join. Ranks that an event touches are looked at when all events of
 * that time have happened. */
#include "analysis/walk/queue.h"

#include "analysis/walk/engine.h"

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

struct queue_rank {
    size_t early;  /* so many receives of the next round are posted */
    uint32_t held; /* sends that are waited for */
    double copy_s; /* of the round under way; 0: made, or being made */
    unsigned char copying, touched;
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

    struct engine engine; /* of its messages the part `timed` counts */
    struct queue_rank *ranks;
    int32_t *posted; /* of each pair of ranks: receives posted, less sends that have left */
    int *touched;    /* ranks that may go on */
    size_t n_touched;
    double now, end; /* seconds; end: of the last round so far */
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

static void join(struct walk *w, int message)
{
    const struct walk_message *m = post_message(&w->engine.post, message);
    array_room(&w->leaving, &w->room, w->n + 1);
    array_room(&w->route, &w->room_routes, w->room * w->hops);
    struct leaving *l = &w->leaving[w->n];
    *l = (struct leaving){ .message = message, .number = w->n++, .wave = wave_of(w, m) };
    l->trip = trip_of(w, m, w->route + l->number * w->hops);
    l->begins = w->now + l->trip.head;
}

static int by_wave(const void *a, const void *b)
{
    const struct leaving *x = a, *y = b;
    if (x->wave != y->wave)
        return ascending(x->wave, y->wave);
    return ascending(x->number, y->number);
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
        engine_add_event(&w->engine, there, -1, l->message);
    }
}

static void send_waves(struct walk *w)
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

static void touch(struct walk *w, int rank)
{
    if (w->ranks[rank].touched)
        return;
    w->ranks[rank].touched = 1;
    w->touched[w->n_touched++] = rank;
}

/* A receive of the round under way takes a message, if one waits for it. */
static int take(struct walk *w, int rank, int src)
{
    struct op *op = engine_find_receive(&w->engine, rank, src);
    if (!op)
        return 0;
    engine_strike(&w->engine, rank, op);
    touch(w, rank);
    return 1;
}

/* A message is there; what follows of it waits for go_on. */
static void deliver(struct walk *w, int message)
{
    const struct walk_message *m = post_message(&w->engine.post, message);
    if (m->timed.held) {
        w->ranks[m->src].held--;
        touch(w, m->src);
    }
    if (take(w, m->dst, m->src))
        post_drop(&w->engine.post, message);
    else
        post_keep(&w->engine.post, message);
}

/* The clock goes to `now`; what is expected then happens. */
static void pass(struct walk *w, double now)
{
    struct engine_event e;
    w->now = now;
    while (engine_take_by(&w->engine, now, &e)) {
        if (e.message)
            deliver(w, e.message);
        else
            touch(w, e.rank);
    }
}

static int32_t *posted_of(const struct walk *w, int src, int dst)
{
    return &w->posted[(size_t)src * (size_t)w->engine.s->procs + (size_t)dst];
}

static void leave(struct walk *w, int src, struct op *send)
{
    struct walk_message m = { .bytes = send->bytes, .src = src, .dst = send->peer };
    m.timed.held = m.bytes >= w->costs->rendezvous_bytes;
    m.timed.round = w->engine.ranks[src].round;
    --*posted_of(w, src, m.dst);
    engine_strike_send(send);
    join(w, post_new(&w->engine.post, &m));
}

/* The first message of the sender's round that waits for this receive leaves. */
static void let_leave(struct walk *w, int src, int dst)
{
    const struct round *ops = &w->engine.ranks[src].ops;
    for (size_t i = 0; w->ranks[src].held > 0 && i < ops->n; i++)
        if (ops->ops[i].kind == OP_SEND && ops->ops[i].peer == dst) {
            leave(w, src, &ops->ops[i]);
            return;
        }
}

static void post(struct walk *w, int src, int dst)
{
    if (++*posted_of(w, src, dst) > 0)
        let_leave(w, src, dst);
}

/* Those of the round under way: `early` are posted already. Takes what is there for them. */
static void post_receives(struct walk *w, int rank, size_t early)
{
    const struct round *ops = &w->engine.ranks[rank].ops;
    for (size_t i = 0, nth = 0; i < ops->n; i++) {
        const struct op *op = &ops->ops[i];
        const int src = op->peer;
        if (op->kind != OP_RECV)
            continue;
        if (nth++ >= early)
            post(w, src, rank);
        const int message = post_take(&w->engine.post, src, rank);
        if (message) {
            post_drop(&w->engine.post, message);
            take(w, rank, src);
        }
    }
}

/* Those of the next round that need not wait for the end of this one. */
static void post_early(struct walk *w, int rank)
{
    const size_t early = w->ranks[rank].early;
    const struct op *next = w->engine.ranks[rank].next.ops;
    for (size_t i = 0, nth = 0; nth < early; i++)
        if (next[i].kind == OP_RECV && nth++ < early)
            post(w, next[i].peer, rank);
}

static void send_all(struct walk *w, int rank)
{
    const struct round *ops = &w->engine.ranks[rank].ops;
    for (size_t i = 0; i < ops->n; i++) {
        struct op *op = &ops->ops[i];
        if (op->kind == OP_SEND && !engine_is_struck(op) &&
            (op->bytes < w->costs->rendezvous_bytes || *posted_of(w, rank, op->peer) > 0))
            leave(w, rank, op);
    }
}

static void begin_round(struct walk *w, int rank)
{
    struct queue_rank *r = &w->ranks[rank];
    const struct round *ops = &w->engine.ranks[rank].ops;
    const size_t posted = r->early;
    touch(w, rank);
    engine_round(&w->engine, rank);
    r->early = engine_look_ahead(&w->engine, rank);
    r->held = 0;
    r->copy_s = 0;
    r->copying = 0;
    for (size_t i = 0; i < ops->n; i++) {
        const struct op *op = &ops->ops[i];
        r->held += op->kind == OP_SEND && op->bytes >= w->costs->rendezvous_bytes;
        if (op->kind == OP_COPY)
            r->copy_s += curve_value(w->costs->copy, (double)op->bytes);
    }
    post_receives(w, rank, posted);
    send_all(w, rank);
    post_early(w, rank);
}

/* A rank whose messages are done makes its copies; when they are made its round has ended. */
static void advance(struct walk *w, int rank)
{
    struct queue_rank *r = &w->ranks[rank];
    struct engine_rank *at = &w->engine.ranks[rank];
    if (at->round == at->rounds || r->held || at->receives || (r->copying && w->now < r->copy_s))
        return;
    if (!r->copying && r->copy_s > 0) {
        r->copying = 1;
        r->copy_s += w->now;
        engine_add_event(&w->engine, r->copy_s, rank, 0);
        return;
    }
    w->end = w->now;
    if (++at->round < at->rounds)
        begin_round(w, rank);
}

/* Ranks whose round has ended begin the next. */
static void go_on(struct walk *w)
{
    while (w->n_touched > 0) {
        const int rank = w->touched[--w->n_touched];
        w->ranks[rank].touched = 0;
        advance(w, rank);
    }
}

/* The messages of a schedule; as many as are walked, or more, where there are so many. */
static double messages_of(const struct schedule *s)
{
    struct round round = { 0 };
    double n = 0;
    if (s->kept)
        return (double)s->kept->sends;
    for (int r = 0; r < s->procs && n < most_messages; r++)
        for (uint64_t k = 0, rounds = schedule_rounds(s, r); k < rounds && n < most_messages; k++) {
            schedule_round(s, r, k, &round);
            for (size_t i = 0; i < round.n; i++)
                n += round.ops[i].kind == OP_SEND;
        }
    round_free(&round);
    return n;
}

static void begin(struct walk *w, const struct schedule *s)
{
    const size_t procs = (size_t)s->procs;
    engine_begin(&w->engine, s);
    w->ranks = memory_zeros(procs, sizeof *w->ranks);
    w->touched = memory_zeros(procs, sizeof *w->touched);
    w->posted = memory_zeros(procs * procs, sizeof *w->posted);
    w->through = memory_zeros((size_t)w->topology->links + 1, sizeof *w->through);
    w->latest = memory_zeros(procs, sizeof *w->latest);
    w->known = memory_zeros(procs, WAYS * sizeof *w->known);
    w->known_route = memory_zeros(procs * WAYS, w->hops * sizeof *w->known_route);
    for (int r = 0; r < s->procs; r++)
        if (w->engine.ranks[r].rounds > 0)
            begin_round(w, r);
    go_on(w);
    send_waves(w);
}

int queue_walk(const struct links_net *net, const struct schedule *s,
               const struct links_costs *costs, double *seconds, struct err *err)
{
    struct walk w = { .net = net,
                      .topology = links_net_topology(net),
                      .costs = costs,
                      .slope = links_slope(costs->message),
                      .hops = links_net_room(net),
                      .batch = 1 };
    *seconds = NAN;
    if (links_net_fits(net, s, err) < 0)
        return -1;
    if (messages_of(s) >= most_messages)
        return 0;
    begin(&w, s);
    for (double next; isfinite(next = engine_next(&w.engine));) {
        pass(&w, next);
        go_on(&w);
        send_waves(&w);
    }
    const int status = engine_ended(&w.engine, err);
    if (status == 0)
        *seconds = w.end;
    engine_clear(&w.engine);
    memory_free(w.ranks, w.touched, w.posted, w.through, w.latest, w.known, w.known_route,
                w.leaving, w.route);
    return status;
}
