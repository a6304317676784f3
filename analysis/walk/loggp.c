/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.c - clocks of all ranks on their way (ranks.h). The receives of a round wait in a list
 * until they are all there, since they come in another order than that of time. */
#include "analysis/walk/loggp.h"

#include <stdlib.h>

#include "harness/base/array.h"
#include "harness/base/memory.h"

/* ---- curves ---- */

void curve_add(struct curve *curve, double bytes, double seconds)
{
    size_t at = 0;
    while (at < curve->n && curve->bytes[at] < bytes)
        at++;
    if (at < curve->n && curve->bytes[at] == bytes) {
        curve->seconds[at] = seconds;
        return;
    }
    size_t n_bytes = curve->n;
    array_add(&curve->bytes, &n_bytes);
    array_add(&curve->seconds, &curve->n);
    for (size_t i = curve->n - 1; i > at; i--) {
        curve->bytes[i] = curve->bytes[i - 1];
        curve->seconds[i] = curve->seconds[i - 1];
    }
    curve->bytes[at] = bytes;
    curve->seconds[at] = seconds;
}

double curve_value(const struct curve *curve, double bytes)
{
    if (curve->n < 2)
        return curve->n ? curve->seconds[0] : 0;
    size_t above = 1;
    while (above < curve->n - 1 && curve->bytes[above] < bytes)
        above++;
    const double *x = curve->bytes + above, *y = curve->seconds + above;
    double value = y[-1] + (y[0] - y[-1]) * (bytes - x[-1]) / (x[0] - x[-1]);
    return value > 0 ? value : 0;
}

void curve_clear(struct curve *curve)
{
    memory_free(curve->bytes, curve->seconds);
    *curve = (struct curve){ 0 };
}

void loggp_costs_clear(struct loggp_costs *costs)
{
    curve_clear(&costs->latency);
    curve_clear(&costs->send);
    curve_clear(&costs->receive);
}

/* ---- clocks ---- */

struct arrival {
    struct walk_clock clock;
    double receive; /* seconds, before the scale */
};

struct rank_clock {
    struct walk_clock now;   /* the processor is free, and the round's sends are out */
    struct walk_clock start; /* when the round began */
    struct walk_clock sends; /* in the midst of its sends, the first time or again */
    int again;               /* they are sent again */
    struct arrival *waiting; /* receives of a round that has several */
    uint32_t n_waiting, several;
};

/* Bytes through a node's port. */
struct port {
    uint64_t in, out;
};

/* The three costs of one size. */
struct prices {
    uint64_t bytes;
    double latency, send, receive;
};

enum { N_PRICES = 64 }; /* few sizes alternate; a power of two */

struct walk {
    const struct schedule *s;
    const struct loggp_costs *costs;
    struct loggp_scale scale;
    struct rank_clock *ranks;
    struct loggp_place place;
    struct port *ports; /* by node; NULL: nobody shares one */
    struct prices known[N_PRICES];
};

static void look_up(const struct loggp_costs *costs, uint64_t bytes, struct prices *p)
{
    p->bytes = bytes;
    p->latency = curve_value(&costs->latency, (double)bytes);
    p->send = curve_value(&costs->send, (double)bytes);
    p->receive = curve_value(&costs->receive, (double)bytes);
}

static const struct prices *prices_of(struct walk *w, uint64_t bytes)
{
    struct prices *p = &w->known[bytes * UINT64_C(0x9e3779b97f4a7c15) >> 58 & (N_PRICES - 1)];
    if (p->bytes != bytes)
        look_up(w->costs, bytes, p);
    return p;
}

static void pass_gap(const struct walk *w, struct walk_clock *clock, double seconds)
{
    clock->time += w->scale.gap * seconds;
    clock->gap += seconds;
}

static int node_of(const struct loggp_place *place, int rank)
{
    return place->round_robin ? rank % place->nodes : rank / place->ppn;
}

static void pass_ports(struct walk *w, const struct walk_message *m)
{
    int from = node_of(&w->place, m->src), to = node_of(&w->place, m->dst);
    if (from == to)
        return;
    w->ports[from].out += m->bytes;
    w->ports[to].in += m->bytes;
}

static int send(void *state, struct walk_message *m)
{
    struct walk *w = state;
    struct rank_clock *r = &w->ranks[m->src];
    const struct prices *p = prices_of(w, m->bytes);
    m->arrives = r->sends;
    m->arrives.time += w->scale.latency * p->latency;
    m->arrives.latency += p->latency;
    pass_gap(w, &r->sends, p->send);
    if (r->again)
        return 0;
    r->now = r->sends;
    if (w->ports)
        pass_ports(w, m);
    return 0;
}

static void again(void *state, int rank)
{
    const struct walk *w = state;
    struct rank_clock *r = &w->ranks[rank];
    r->again = 1;
    r->sends = r->start;
}

/* The processor was free, or waited for the message. */
static void take(const struct walk *w, struct rank_clock *r, const struct arrival *a)
{
    pass_gap(w, &r->now, a->receive);
    if (a->clock.time >= r->now.time)
        r->now = a->clock;
}

static int begin(void *state, int rank, const struct round *round)
{
    struct walk *w = state;
    struct rank_clock *r = &w->ranks[rank];
    uint32_t receives = 0;
    for (size_t i = 0; i < round->n; i++)
        receives += round->ops[i].kind == OP_RECV;
    r->several = receives > 1 ? receives : 0;
    r->n_waiting = 0;
    r->start = r->sends = r->now;
    r->again = 0;
    return 0;
}

static int receive(void *state, const struct walk_message *m)
{
    struct walk *w = state;
    struct rank_clock *r = &w->ranks[m->dst];
    const struct arrival a = { m->arrives, prices_of(w, m->bytes)->receive };
    if (!r->several) {
        take(w, r, &a);
        return 0;
    }
    if (!r->waiting)
        r->waiting = memory_zeros(r->several, sizeof *r->waiting);
    r->waiting[r->n_waiting++] = a;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const struct arrival *x = a, *y = b;
    return (x->clock.time > y->clock.time) - (x->clock.time < y->clock.time);
}

static int end(void *state, int rank)
{
    const struct walk *w = state;
    struct rank_clock *r = &w->ranks[rank];
    if (!r->several)
        return 0;
    qsort(r->waiting, r->n_waiting, sizeof *r->waiting, by_time);
    for (uint32_t i = 0; i < r->n_waiting; i++)
        take(w, r, &r->waiting[i]);
    free(r->waiting);
    r->waiting = NULL;
    r->several = 0;
    return 0;
}

/* The slowest rank's clock. */
static struct walk_clock latest(const struct walk *w)
{
    struct walk_clock last = { 0 };
    for (int i = 0; i < w->s->procs; i++)
        if (w->ranks[i].now.time > last.time)
            last = w->ranks[i].now;
    return last;
}

/* The busiest port decides where it needs longer than the path's gaps. */
static void apply_ports(const struct walk *w, struct loggp_result *r)
{
    uint64_t most = 0;
    for (int i = 0; w->ports && i < w->s->procs; i++) {
        most = w->ports[i].in > most ? w->ports[i].in : most;
        most = w->ports[i].out > most ? w->ports[i].out : most;
    }
    double port_s = w->costs->port * (double)most;
    if (port_s <= w->scale.gap * r->clock.gap)
        return;
    r->port_s = port_s;
    r->clock.gap = 0;
    r->clock.time = w->scale.latency * r->clock.latency + port_s;
}

static void walk_begin(struct walk *w)
{
    size_t procs = (size_t)w->s->procs;
    w->ranks = memory_zeros(procs, sizeof *w->ranks);
    if (w->place.ppn > 1 && w->place.nodes > 0)
        w->ports = memory_zeros(procs, sizeof *w->ports);
    for (size_t i = 0; i < N_PRICES; i++)
        w->known[i].bytes = UINT64_MAX; /* no size */
}

int loggp_walk(const struct schedule *s, const struct loggp_costs *costs, struct loggp_place place,
               struct loggp_scale scale, struct loggp_result *result, struct err *err)
{
    struct walk w = { .s = s, .costs = costs, .scale = scale, .place = place };
    const struct walk_model model = { &w, begin, send, receive, end, again };
    *result = (struct loggp_result){ .operations = 0 };
    walk_begin(&w);
    const int status = ranks_walk(s, &model, &result->operations, err);
    if (status == 0) {
        result->clock = latest(&w);
        apply_ports(&w, result);
    }
    for (int i = 0; i < s->procs; i++)
        free(w.ranks[i].waiting);
    memory_free(w.ports, w.ranks);
    return status;
}
