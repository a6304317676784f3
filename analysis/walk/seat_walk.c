/* SPDX-License-Identifier: BSD-3-Clause */
/* seat_walk.c - prices, and what messages share on their way. Events, rounds and messages are
 * engine.h's. */
#include "analysis/walk/seat_walk.h"

#include "analysis/walk/engine.h"

/* ---- prices of one size ---- */

struct price {
    double latency, relay, send, share, receive, memory;
    int rendezvous;
};

struct prices {
    uint64_t bytes;
    double port;
    struct price of[N_CHANNELS];
};

enum { N_PRICES = 16 }; /* few sizes alternate; a power of two */

static void look_up(const struct seat_costs *costs, uint64_t bytes, struct prices *p)
{
    const double m = (double)bytes;
    const double memory = curve_value(&costs->memory, m);
    p->bytes = bytes;
    p->port = curve_value(&costs->port, m);
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        const struct seat_channel_costs *of = &costs->of[c];
        p->of[c] = (struct price){
            .latency = curve_value(&of->latency, m),
            .relay = of->relay.n ? curve_value(&of->relay, m) : curve_value(&of->latency, m),
            .send = curve_value(&of->send, m),
            .share = curve_value(&of->share, m),
            .receive = curve_value(&of->receive, m),
            .rendezvous = m >= of->rendezvous_bytes,
        };
        p->of[c].memory = c == CHANNEL_NODE ? memory / 2 : fmax(memory, p->of[c].share);
    }
}

/* ---- the walk ---- */

/* What comes next for a message. */
enum stage { TO_SET_OUT, TO_MEMORY, TO_ARRIVE };

enum { NOBODY = -1 };

struct rank_state {
    size_t next_op;         /* the next that may be a send */
    size_t under;           /* sends whose data were not fetched yet */
    double ready;           /* so far the end of this round */
    double received;        /* when the last receive was done */
    double share[2];        /* when the rank's data can be read again: inside, between nodes */
    int writer;             /* who put the last message into its queue */
    int running, sending;   /* in a round; its sends are not all out */
    int relays;             /* what comes to it costs as to a rank that passes it on */
    int kept;               /* messages for it that it has not taken */
    enum channel sent, got; /* channel of its last send (receive); CHANNEL_NONE: none yet */
    int sends[N_CHANNELS], hears[N_CHANNELS];
};

struct walk {
    struct engine engine;
    const struct places *places;
    const struct seat_costs *costs;
    struct rank_state *ranks;
    double *memory, *out, *in, *port; /* when each is free */
    struct prices known[N_PRICES];
    struct seat_use use[N_CHANNELS];
    enum channel unknown; /* used, and has no latency; CHANNEL_NONE: all have */
};

static const struct prices *prices_of(struct walk *w, uint64_t bytes)
{
    struct prices *p = &w->known[bytes * UINT64_C(0x9e3779b97f4a7c15) >> 60 & (N_PRICES - 1)];
    if (p->bytes != bytes)
        look_up(w->costs, bytes, p);
    return p;
}

static const struct price *price_of(struct walk *w, const struct walk_message *m)
{
    return &prices_of(w, m->bytes)->of[m->placed.channel];
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

double seat_line(const struct places *places, const struct seat_costs *costs, int writer, int src)
{
    return writer == NOBODY || writer == src ? 0
                                             : costs->of[places_channel(places, writer, src)].line;
}

/* The ports from `start` on; from when they serve it. */
static double pass_ports(struct walk *w, const struct walk_message *m, double start)
{
    const int from = w->places->rank[m->src].node, to = w->places->rank[m->dst].node;
    start = later(start, later(w->port[from], w->port[to]));
    w->port[from] = w->port[to] = start + w->costs->port_message;
    start = later(start, later(w->out[from], w->in[to]));
    w->out[from] = w->in[to] = start + prices_of(w, m->bytes)->port;
    return start;
}

/* Its turn at its sender and at the ports, which it keeps busy. */
static double pass_sender(struct walk *w, const struct walk_message *m, double time)
{
    const int between = m->placed.channel == CHANNEL_NODE;
    double *own = &w->ranks[m->src].share[between];
    double start = later(time, *own);
    if (between)
        start = pass_ports(w, m, start);
    *own = start + price_of(w, m)->share;
    return start;
}

/* The memories: keeps them busy and says `time`, or says when both are free. */
static double pass_memory(struct walk *w, const struct walk_message *m, double time)
{
    double *give = &w->memory[w->places->rank[m->src].memory];
    double *take = &w->memory[w->places->rank[m->dst].memory];
    const double start = later(time, later(*give, *take));
    if (start <= time)
        *give = *take = start + price_of(w, m)->memory;
    return start;
}

/* How long it is under way, and into whose queue it comes. */
static double last_of(struct walk *w, const struct walk_message *m)
{
    const struct price *p = price_of(w, m);
    struct rank_state *dst = &w->ranks[m->dst];
    double seconds = dst->relays ? p->relay : p->latency;
    if (m->placed.channel == CHANNEL_NODE)
        return seconds;
    if (!p->rendezvous)
        seconds += seat_line(w->places, w->costs, dst->writer, m->src);
    dst->writer = m->src;
    return seconds;
}

/* A message goes on as far as it can at this time. */
static void travel(struct walk *w, int message, double time)
{
    struct walk_message *m = post_message(&w->engine.post, message);
    double next = time;
    if (m->placed.stage == TO_SET_OUT) {
        m->placed.stage = TO_MEMORY;
        next = pass_sender(w, m, time);
    }
    if (next <= time)
        next = pass_memory(w, m, time);
    if (next <= time) {
        m->placed.stage = TO_ARRIVE;
        next = time + last_of(w, m);
    }
    engine_add_event(&w->engine, next, m->dst, message);
}

/* ---- who waits for whom ---- */

static void keep(struct walk *w, int rank, int message)
{
    post_keep(&w->engine.post, message);
    w->ranks[rank].kept++;
}

static int take_kept(struct walk *w, int rank, int src)
{
    const int message = post_take(&w->engine.post, src, rank);
    w->ranks[rank].kept -= message != 0;
    return message;
}

/* The round is over when nothing of it is left: the rank goes on then. */
static void check_round(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    if (!r->running || r->sending || w->engine.ranks[rank].receives || r->under)
        return;
    r->running = 0;
    w->engine.ranks[rank].round++;
    engine_add_event(&w->engine, r->ready, rank, 0);
}

/* ---- what was asked for ---- */

static void note_send(struct walk *w, const struct walk_message *m)
{
    struct seat_use *use = &w->use[m->placed.channel];
    struct rank_state *r = &w->ranks[m->src];
    const uint64_t bytes = m->bytes ? m->bytes : 1;
    if (!use->messages++)
        use->fewest_bytes = use->most_bytes = bytes;
    use->fewest_bytes = bytes < use->fewest_bytes ? bytes : use->fewest_bytes;
    use->most_bytes = bytes > use->most_bytes ? bytes : use->most_bytes;
    if (r->sent != CHANNEL_NONE)
        use->sends_again = w->use[r->sent].sends_again = 1;
    r->sent = m->placed.channel;
    if (++r->sends[m->placed.channel] > use->most_sends)
        use->most_sends = r->sends[m->placed.channel];
}

static void note_receive(struct walk *w, const struct walk_message *m)
{
    struct rank_state *r = &w->ranks[m->dst];
    if (r->got != CHANNEL_NONE)
        w->use[m->placed.channel].receives_again = w->use[r->got].receives_again = 1;
    r->got = m->placed.channel;
    if (++r->hears[m->placed.channel] > w->use[m->placed.channel].most_receives)
        w->use[m->placed.channel].most_receives = r->hears[m->placed.channel];
}

/* ---- messages and rounds ---- */

/* The rank's processor takes a message that is there. */
static double take(struct walk *w, struct rank_state *r, struct walk_message *m, double time)
{
    if (m->placed.taken <= 0) {
        r->received = later(time, r->received + price_of(w, m)->receive);
        m->placed.taken = r->received;
    }
    return later(time, m->placed.taken);
}

/* The rank has what a receive of its round waits for. */
static void receive(struct walk *w, int rank, int message, struct op *op, double time)
{
    struct rank_state *r = &w->ranks[rank];
    struct walk_message *m = post_message(&w->engine.post, message);
    const int src = m->src, rendezvous = price_of(w, m)->rendezvous;
    r->ready = later(r->ready, take(w, r, m, time));
    note_receive(w, m);
    engine_strike(&w->engine, rank, op);
    post_drop(&w->engine.post, message);
    if (rendezvous) {
        w->ranks[src].under--;
        w->ranks[src].ready = later(w->ranks[src].ready, time);
        check_round(w, src);
    }
    check_round(w, rank);
}

/* The receives of a new round: what is there is taken, what was asked for sets out. */
static void take_what_waits(struct walk *w, int rank, double time)
{
    struct rank_state *r = &w->ranks[rank];
    const struct round *ops = &w->engine.ranks[rank].ops;
    for (size_t i = 0; i < ops->n && r->running && r->kept; i++) {
        struct op *op = &ops->ops[i];
        if (op->kind != OP_RECV || engine_is_struck(op))
            continue;
        const int message = take_kept(w, rank, op->peer);
        if (!message)
            continue;
        if (post_message(&w->engine.post, message)->placed.arrived)
            receive(w, rank, message, op, time);
        else
            travel(w, message, time);
    }
}

static void begin_round(struct walk *w, int rank, double time)
{
    struct rank_state *r = &w->ranks[rank];
    engine_round(&w->engine, rank);
    r->running = r->sending = 1;
    r->next_op = r->under = 0;
    r->ready = time;
    take_what_waits(w, rank, time);
}

/* Returns for how long it occupies the processor. */
static double send(struct walk *w, int rank, const struct op *op, double time)
{
    struct rank_state *r = &w->ranks[rank];
    const enum channel channel = places_channel(w->places, rank, op->peer);
    const struct walk_message m = {
        .bytes = op->bytes, .src = rank, .dst = op->peer, .placed.channel = (unsigned char)channel
    };
    const struct price *p = price_of(w, &m);
    const int message = post_new(&w->engine.post, &m);
    if (!w->costs->of[channel].latency.n)
        w->unknown = channel;
    note_send(w, &m);
    r->under += (size_t)p->rendezvous;
    r->ready = later(r->ready, time + p->send);
    const double seconds = p->send;
    if (p->rendezvous && !engine_find_receive(&w->engine, op->peer, rank))
        keep(w, op->peer, message);
    else
        travel(w, message, time);
    return seconds;
}

/* The rank's processor is free: it begins a round or sends the next message of this one. */
static void step(struct walk *w, int rank, double time)
{
    struct rank_state *r = &w->ranks[rank];
    const struct engine_rank *at = &w->engine.ranks[rank];
    if (!r->running) {
        if (at->round == at->rounds)
            return;
        begin_round(w, rank, time);
    }
    while (r->next_op < at->ops.n && at->ops.ops[r->next_op].kind != OP_SEND)
        r->next_op++;
    if (r->next_op < at->ops.n) {
        const double busy = send(w, rank, &at->ops.ops[r->next_op++], time);
        engine_add_event(&w->engine, time + busy, rank, 0);
        return;
    }
    r->sending = 0;
    check_round(w, rank);
}

static void arrive(struct walk *w, int message, double time)
{
    struct walk_message *m = post_message(&w->engine.post, message);
    if (m->placed.stage != TO_ARRIVE) {
        travel(w, message, time);
        return;
    }
    const int rank = m->dst;
    struct rank_state *r = &w->ranks[rank];
    struct op *op = engine_find_receive(&w->engine, rank, m->src);
    m->placed.arrived = 1;
    if (r->running || w->engine.ranks[rank].round > 0)
        take(w, r, m, time);
    if (op)
        receive(w, rank, message, op, time);
    else
        keep(w, rank, message);
}

/* 1 when the rank sends in its last round: what it receives it passes on. */
static int sends_last(struct walk *w, int rank, struct round *scratch)
{
    const struct schedule *s = w->engine.s;
    const uint64_t rounds = w->engine.ranks[rank].rounds;
    if (rounds == 0)
        return 0;
    schedule_round(s, rank, rounds - 1, scratch);
    return any_below(i, scratch->n, scratch->ops[i].kind == OP_SEND);
}

static void ranks_begin(struct walk *w, const struct seat_walk_run_more *more)
{
    struct round scratch = { 0 };
    for (int i = 0; i < w->places->procs; i++) {
        struct rank_state *r = &w->ranks[i];
        r->relays = w->places->floating || sends_last(w, i, &scratch);
        r->ready = more->begin ? more->begin[i] : 0;
        r->received = -INFINITY;
        r->writer = more->writer ? more->writer[i] : NOBODY;
        engine_add_event(&w->engine, r->ready, i, 0);
    }
    round_free(&scratch);
}

static void walk_begin(struct walk *w, const struct schedule *s,
                       const struct seat_walk_run_more *more)
{
    engine_begin(&w->engine, s);
    w->ranks = memory_zeros((size_t)s->procs, sizeof *w->ranks);
    w->memory = memory_zeros((size_t)w->places->memories + 1, sizeof *w->memory);
    w->out = memory_zeros(3 * (size_t)w->places->nodes + 1, sizeof *w->out);
    w->in = w->out + w->places->nodes;
    w->port = w->in + w->places->nodes;
    for (size_t i = 0; i < N_PRICES; i++)
        w->known[i].bytes = UINT64_MAX; /* no size */
    ranks_begin(w, more);
}

static void report(const struct walk *w, const struct seat_walk_run_more *more, double *end)
{
    for (int i = 0; i < w->engine.s->procs; i++) {
        end[i] = w->ranks[i].ready;
        if (more->writer)
            more->writer[i] = w->ranks[i].writer;
    }
    if (more->use)
        memcpy(more->use, w->use, sizeof w->use);
}

int seat_walk_run(const struct schedule *s, const struct places *places,
                  const struct seat_costs *costs, const struct seat_walk_run_more *more,
                  double *end, struct err *err)
{
    static const struct seat_walk_run_more nothing = { 0 };
    struct walk w = { .places = places, .costs = costs };
    more = more ? more : &nothing;
    walk_begin(&w, s, more);
    while (w.engine.n > 0) {
        const struct engine_event e = engine_take(&w.engine);
        if (e.message)
            arrive(&w, e.message, e.at);
        else
            step(&w, e.rank, e.at);
    }
    int status = w.unknown == CHANNEL_NONE
                     ? engine_ended(&w.engine, err)
                     : err_set(err, "nothing was measured on channel %s", channel_words[w.unknown]);
    if (status == 0)
        report(&w, more, end);
    engine_clear(&w.engine);
    memory_free(w.ranks, w.memory, w.out);
    return status;
}

void seat_costs_clear(struct seat_costs *costs)
{
    for (int c = 0; c < N_CHANNELS; c++) {
        curve_clear(&costs->of[c].latency);
        curve_clear(&costs->of[c].relay);
        curve_clear(&costs->of[c].send);
        curve_clear(&costs->of[c].share);
        curve_clear(&costs->of[c].receive);
    }
    curve_clear(&costs->memory);
    curve_clear(&costs->port);
}

/* Where a rank that may be on any socket of its node is taken to be: the digits of its local number
 * added up, modulo the sockets. */
static int anywhere(int local, int sockets)
{
    int sum = 0;
    for (; local; local /= sockets > 1 ? sockets : 2)
        sum += local % (sockets > 1 ? sockets : 2);
    return sum % sockets;
}

/* A rank that is bound to no core. */
static void float_away(const struct seating *s, int rank, int sockets, int each, struct place *p)
{
    const int local = seat_local(s, rank);
    const int socket = strcmp(s->mapping, "node") == 0 ? anywhere(local, sockets) : local % sockets;
    p->cache = -1;
    p->socket = p->node * sockets + socket;
    p->memory = p->socket * each + local / sockets % each;
}

static struct place place_of(const struct seating *s, int rank, int memory_cores, int floating)
{
    const struct seat seat = seat_of(s, rank);
    const int sockets = s->sockets > 0 ? s->sockets : 1;
    /* Memories of a socket; 1 where nothing is known. */
    const int each = memory_cores > 0 && s->cores > memory_cores
                         ? (s->cores + memory_cores - 1) / memory_cores
                         : 1;
    struct place p = { .node = seat.node, .socket = -1, .cache = -1 };
    p.memory = seat.node * sockets * each;
    if (seat.core < 0)
        return p;
    p.socket = seat.node * sockets + seat.socket;
    p.memory = p.socket * each + (memory_cores > 0 ? seat.core / memory_cores : 0);
    if (s->cache_cores > 0)
        p.cache = p.socket * s->cores + seat.core / s->cache_cores;
    if (floating)
        float_away(s, rank, sockets, each, &p);
    return p;
}

void places_init(struct places *places, const struct seating *seating, int memory_cores,
                 int floating)
{
    *places = (struct places){ .procs = seating->procs, .floating = floating };
    places->rank = memory_zeros((size_t)seating->procs, sizeof *places->rank);
    for (int i = 0; i < seating->procs; i++) {
        const struct place p = place_of(seating, i, memory_cores, floating);
        places->rank[i] = p;
        places->nodes = p.node >= places->nodes ? p.node + 1 : places->nodes;
        places->memories = p.memory >= places->memories ? p.memory + 1 : places->memories;
    }
}

CLEARS(places_clear, places, it->rank)

enum channel places_channel(const struct places *places, int a, int b)
{
    const struct place *x = &places->rank[a], *y = &places->rank[b];
    if (x->node != y->node)
        return CHANNEL_NODE;
    if (x->socket != y->socket)
        return CHANNEL_SOCKET;
    return x->cache >= 0 && x->cache == y->cache ? CHANNEL_CACHE : CHANNEL_CORE;
}
