/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - events in a binary heap by time; one that was put in first comes first among equals. */
#include "analysis/walk/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void look_up(const struct place_costs *costs, uint64_t bytes, struct prices *p)
{
    const double m = (double)bytes;
    const double memory = curve_value(&costs->memory, m);
    p->bytes = bytes;
    p->port = curve_value(&costs->port, m);
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        const struct place_channel *of = &costs->of[c];
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

/* A message that was sent and is not received yet. */
struct message {
    uint64_t bytes;
    int src, dst;
    enum channel channel;
    enum stage stage;
    double taken; /* when the receiver has it, though nobody may have asked yet; 0: not yet */
    int arrived;  /* its event came, or it is a request that waits for its receiver */
    int next;     /* among those kept, or among the free ones; NONE at the end */
};

enum { NONE = -1 };

/* A rank takes its next step (message NONE), or a message its next stage. */
struct event {
    double time;
    uint64_t number; /* order of insertion */
    int rank, message;
};

struct rank_state {
    uint64_t round, rounds;
    struct round ops;
    size_t next_op;         /* the next that may be a send */
    size_t receives, under; /* receives not done; sends whose data were not fetched yet */
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

/* Messages that were not taken yet, in the order in which they came; NONE: none. */
struct kept {
    int first, last;
};

struct walk {
    const struct schedule *s;
    const struct places *places;
    const struct place_costs *costs;
    struct rank_state *ranks;
    double *memory, *out, *in, *port; /* when each is free */
    struct prices known[N_PRICES];
    struct event *heap;
    size_t n_heap, cap_heap;
    uint64_t inserted;
    struct message *pool;
    int n_pool, cap_pool, vacant;
    struct kept *kept; /* by a hash of receiver and source */
    size_t n_kept;     /* a power of two */
    struct place_use use[N_CHANNELS];
    int failed;           /* out of memory */
    enum channel unknown; /* used, and has no latency; CHANNEL_NONE: all have */
};

static int is_before(const struct event *a, const struct event *b)
{
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void push(struct walk *w, double time, int rank, int message)
{
    if (w->n_heap == w->cap_heap) {
        const size_t cap = w->cap_heap ? 2 * w->cap_heap : 256;
        struct event *more = realloc(w->heap, cap * sizeof *more);
        if (!more) {
            w->failed = 1;
            return;
        }
        w->heap = more;
        w->cap_heap = cap;
    }
    const struct event e = { time, w->inserted++, rank, message };
    size_t i = w->n_heap++;
    for (size_t up; i > 0 && is_before(&e, &w->heap[up = (i - 1) / 2]); i = up)
        w->heap[i] = w->heap[up];
    w->heap[i] = e;
}

static struct event pop(struct walk *w)
{
    const struct event top = w->heap[0], e = w->heap[--w->n_heap];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < w->n_heap; i = child) {
        if (child + 1 < w->n_heap && is_before(&w->heap[child + 1], &w->heap[child]))
            child++;
        if (!is_before(&w->heap[child], &e))
            break;
        w->heap[i] = w->heap[child];
    }
    w->heap[i] = e;
    return top;
}

static int message_new(struct walk *w, const struct message *m)
{
    int i = w->vacant;
    if (i != NONE) {
        w->vacant = w->pool[i].next;
    } else {
        if (w->n_pool == w->cap_pool) {
            const int cap = w->cap_pool ? 2 * w->cap_pool : 256;
            struct message *more = realloc(w->pool, (size_t)cap * sizeof *more);
            if (!more) {
                w->failed = 1;
                return NONE;
            }
            w->pool = more;
            w->cap_pool = cap;
        }
        i = w->n_pool++;
    }
    w->pool[i] = *m;
    return i;
}

static void message_free(struct walk *w, int i)
{
    w->pool[i].next = w->vacant;
    w->vacant = i;
}

static const struct prices *prices_of(struct walk *w, uint64_t bytes)
{
    struct prices *p = &w->known[bytes * UINT64_C(0x9e3779b97f4a7c15) >> 60 & (N_PRICES - 1)];
    if (p->bytes != bytes)
        look_up(w->costs, bytes, p);
    return p;
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

double place_line(const struct places *places, const struct place_costs *costs, int writer, int src)
{
    return writer == NONE || writer == src ? 0
                                           : costs->of[places_channel(places, writer, src)].line;
}

/* The ports from `start` on; from when they serve it. */
static double pass_ports(struct walk *w, const struct message *m, double start)
{
    const int from = w->places->rank[m->src].node, to = w->places->rank[m->dst].node;
    start = later(start, later(w->port[from], w->port[to]));
    w->port[from] = w->port[to] = start + w->costs->port_message;
    start = later(start, later(w->out[from], w->in[to]));
    w->out[from] = w->in[to] = start + prices_of(w, m->bytes)->port;
    return start;
}

/* Its turn at its sender and at the ports, which it keeps busy. */
static double pass_sender(struct walk *w, const struct message *m, double time)
{
    const int between = m->channel == CHANNEL_NODE;
    double *own = &w->ranks[m->src].share[between];
    double start = later(time, *own);
    if (between)
        start = pass_ports(w, m, start);
    *own = start + prices_of(w, m->bytes)->of[m->channel].share;
    return start;
}

/* The memories: keeps them busy and says `time`, or says when both are free. */
static double pass_memory(struct walk *w, const struct message *m, double time)
{
    double *give = &w->memory[w->places->rank[m->src].memory];
    double *take = &w->memory[w->places->rank[m->dst].memory];
    const double start = later(time, later(*give, *take));
    if (start <= time)
        *give = *take = start + prices_of(w, m->bytes)->of[m->channel].memory;
    return start;
}

/* How long it is under way, and into whose queue it comes. */
static double last_of(struct walk *w, const struct message *m)
{
    const struct price *p = &prices_of(w, m->bytes)->of[m->channel];
    struct rank_state *dst = &w->ranks[m->dst];
    double seconds = dst->relays ? p->relay : p->latency;
    if (m->channel == CHANNEL_NODE)
        return seconds;
    if (!p->rendezvous)
        seconds += place_line(w->places, w->costs, dst->writer, m->src);
    dst->writer = m->src;
    return seconds;
}

/* A message goes on as far as it can at this time. */
static void travel(struct walk *w, int message, double time)
{
    struct message *m = &w->pool[message];
    double next = time;
    if (m->stage == TO_SET_OUT) {
        m->stage = TO_MEMORY;
        next = pass_sender(w, m, time);
    }
    if (next <= time)
        next = pass_memory(w, m, time);
    if (next <= time) {
        m->stage = TO_ARRIVE;
        next = time + last_of(w, m);
    }
    push(w, next, m->dst, message);
}

/* ---- who waits for whom ---- */

static size_t hash_of(int a, int b)
{
    const uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The first receive of the rank's round from src that is not done, or NULL. Receives are struck out
 * by setting their peer to NONE. */
static struct op *wanted(struct rank_state *r, int src)
{
    for (size_t i = 0; r->running && r->receives && i < r->ops.n; i++)
        if (r->ops.ops[i].kind == OP_RECV && r->ops.ops[i].peer == src)
            return &r->ops.ops[i];
    return NULL;
}

static struct kept *kept_of(struct walk *w, int rank, int src)
{
    return &w->kept[hash_of(rank, src) & (w->n_kept - 1)];
}

static void keep(struct walk *w, int rank, int message)
{
    struct kept *k = kept_of(w, rank, w->pool[message].src);
    w->pool[message].next = NONE;
    if (k->first == NONE)
        k->first = message;
    else
        w->pool[k->last].next = message;
    k->last = message;
    w->ranks[rank].kept++;
}

static int take_kept(struct walk *w, int rank, int src)
{
    struct kept *k = kept_of(w, rank, src);
    if (!w->ranks[rank].kept)
        return NONE;
    for (int i = k->first, before = NONE; i != NONE; before = i, i = w->pool[i].next) {
        if (w->pool[i].src != src || w->pool[i].dst != rank)
            continue;
        if (before == NONE)
            k->first = w->pool[i].next;
        else
            w->pool[before].next = w->pool[i].next;
        if (k->last == i)
            k->last = before;
        w->ranks[rank].kept--;
        return i;
    }
    return NONE;
}

static int kept_init(struct walk *w)
{
    w->n_kept = 16;
    while (w->n_kept < 2 * (size_t)w->s->procs)
        w->n_kept *= 2;
    w->kept = malloc(w->n_kept * sizeof *w->kept);
    for (size_t i = 0; w->kept && i < w->n_kept; i++)
        w->kept[i] = (struct kept){ NONE, NONE };
    return w->kept ? 0 : -1;
}

/* The round is over when nothing of it is left: the rank goes on then. */
static void check_round(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    if (!r->running || r->sending || r->receives || r->under)
        return;
    r->running = 0;
    r->round++;
    push(w, r->ready, rank, NONE);
}

/* ---- what was asked for ---- */

static void note_send(struct walk *w, const struct message *m)
{
    struct place_use *use = &w->use[m->channel];
    struct rank_state *r = &w->ranks[m->src];
    const uint64_t bytes = m->bytes ? m->bytes : 1;
    if (!use->messages++)
        use->fewest_bytes = use->most_bytes = bytes;
    use->fewest_bytes = bytes < use->fewest_bytes ? bytes : use->fewest_bytes;
    use->most_bytes = bytes > use->most_bytes ? bytes : use->most_bytes;
    if (r->sent != CHANNEL_NONE)
        use->sends_again = w->use[r->sent].sends_again = 1;
    r->sent = m->channel;
    if (++r->sends[m->channel] > use->most_sends)
        use->most_sends = r->sends[m->channel];
}

static void note_receive(struct walk *w, const struct message *m)
{
    struct rank_state *r = &w->ranks[m->dst];
    if (r->got != CHANNEL_NONE)
        w->use[m->channel].receives_again = w->use[r->got].receives_again = 1;
    r->got = m->channel;
    if (++r->hears[m->channel] > w->use[m->channel].most_receives)
        w->use[m->channel].most_receives = r->hears[m->channel];
}

/* ---- messages and rounds ---- */

/* The rank's processor takes a message that is there. */
static double take(struct walk *w, struct rank_state *r, struct message *m, double time)
{
    if (m->taken <= 0) {
        r->received = later(time, r->received + prices_of(w, m->bytes)->of[m->channel].receive);
        m->taken = r->received;
    }
    return later(time, m->taken);
}

/* The rank has what a receive of its round waits for. */
static void receive(struct walk *w, int rank, int message, struct op *op, double time)
{
    struct rank_state *r = &w->ranks[rank];
    r->ready = later(r->ready, take(w, r, &w->pool[message], time));
    const struct message m = w->pool[message];
    const struct price *p = &prices_of(w, m.bytes)->of[m.channel];
    note_receive(w, &m);
    r->receives--;
    op->peer = NONE;
    message_free(w, message);
    if (p->rendezvous) {
        struct rank_state *src = &w->ranks[m.src];
        src->under--;
        src->ready = later(src->ready, time);
        check_round(w, m.src);
    }
    check_round(w, rank);
}

/* The receives of a new round: what is there is taken, what was asked for sets out. */
static void take_what_waits(struct walk *w, int rank, double time)
{
    struct rank_state *r = &w->ranks[rank];
    const size_t n = r->ops.n;
    for (size_t i = 0; i < n && r->running && r->kept; i++) {
        struct op *op = &r->ops.ops[i];
        if (op->kind != OP_RECV || op->peer == NONE)
            continue;
        const int message = take_kept(w, rank, op->peer);
        if (message == NONE)
            continue;
        if (w->pool[message].arrived)
            receive(w, rank, message, op, time);
        else
            travel(w, message, time);
    }
}

static void begin_round(struct walk *w, int rank, double time)
{
    struct rank_state *r = &w->ranks[rank];
    if (schedule_round(w->s, rank, r->round, &r->ops) < 0) {
        w->failed = 1;
        return;
    }
    r->running = r->sending = 1;
    r->next_op = 0;
    r->receives = r->under = 0;
    r->ready = time;
    for (size_t i = 0; i < r->ops.n; i++)
        r->receives += r->ops.ops[i].kind == OP_RECV;
    take_what_waits(w, rank, time);
}

static void send(struct walk *w, int rank, const struct op *op, double time)
{
    struct message m = { .bytes = op->bytes, .src = rank, .dst = op->peer };
    struct rank_state *r = &w->ranks[rank], *dst = &w->ranks[op->peer];
    m.channel = places_channel(w->places, rank, op->peer);
    const struct price *p = &prices_of(w, m.bytes)->of[m.channel];
    const int message = message_new(w, &m);
    if (!w->costs->of[m.channel].latency.n)
        w->unknown = m.channel;
    if (message == NONE)
        return;
    note_send(w, &m);
    r->under += (size_t)p->rendezvous;
    r->ready = later(r->ready, time + p->send);
    if (p->rendezvous && !wanted(dst, rank))
        keep(w, op->peer, message);
    else
        travel(w, message, time);
}

/* The rank's processor is free: it begins a round or sends the next message of this one. */
static void step(struct walk *w, int rank, double time)
{
    struct rank_state *r = &w->ranks[rank];
    if (!r->running) {
        if (r->round == r->rounds)
            return;
        begin_round(w, rank, time);
    }
    while (!w->failed && r->next_op < r->ops.n && r->ops.ops[r->next_op].kind != OP_SEND)
        r->next_op++;
    if (w->failed)
        return;
    if (r->next_op < r->ops.n) {
        const struct op op = r->ops.ops[r->next_op++];
        send(w, rank, &op, time);
        const enum channel c = places_channel(w->places, rank, op.peer);
        push(w, time + prices_of(w, op.bytes)->of[c].send, rank, NONE);
        return;
    }
    r->sending = 0;
    check_round(w, rank);
}

static void arrive(struct walk *w, int message, double time)
{
    if (w->pool[message].stage != TO_ARRIVE) {
        travel(w, message, time);
        return;
    }
    const int rank = w->pool[message].dst;
    struct rank_state *r = &w->ranks[rank];
    struct op *op = wanted(r, w->pool[message].src);
    w->pool[message].arrived = 1;
    if (r->running || r->round > 0)
        take(w, r, &w->pool[message], time);
    if (op)
        receive(w, rank, message, op, time);
    else
        keep(w, rank, message);
}

/* 1 when the rank sends in its last round: what it receives it passes on. */
static int sends_last(struct walk *w, struct rank_state *r, int rank)
{
    int sends = 0;
    if (r->rounds == 0)
        return 0;
    if (schedule_round(w->s, rank, r->rounds - 1, &r->ops) < 0)
        w->failed = 1;
    for (size_t i = 0; i < r->ops.n; i++)
        sends = sends || r->ops.ops[i].kind == OP_SEND;
    return sends;
}

static int walk_begin(struct walk *w, const struct place_walk_more *more)
{
    const size_t procs = (size_t)w->s->procs;
    w->vacant = NONE;
    w->ranks = calloc(procs, sizeof *w->ranks);
    w->memory = calloc((size_t)w->places->memories + 1, sizeof *w->memory);
    w->out = calloc(3 * (size_t)w->places->nodes + 1, sizeof *w->out);
    if (!w->ranks || !w->memory || !w->out || kept_init(w) < 0)
        return -1;
    w->in = w->out + w->places->nodes;
    w->port = w->in + w->places->nodes;
    for (size_t i = 0; i < N_PRICES; i++)
        w->known[i].bytes = UINT64_MAX; /* no size */
    for (int i = 0; i < w->s->procs; i++) {
        struct rank_state *r = &w->ranks[i];
        r->rounds = schedule_rounds(w->s, i);
        r->relays = w->places->floating || sends_last(w, r, i);
        r->ready = more->begin ? more->begin[i] : 0;
        r->received = -INFINITY;
        r->writer = more->writer ? more->writer[i] : NONE;
        push(w, r->ready, i, NONE);
    }
    return w->failed ? -1 : 0;
}

static int check_ended(const struct walk *w, struct err *err)
{
    if (w->unknown != CHANNEL_NONE)
        return err_set(err, "nothing was measured on channel %s", channel_name(w->unknown));
    for (int i = 0; i < w->s->procs; i++)
        if (w->ranks[i].round < w->ranks[i].rounds)
            return err_set(err, "%s never ends: rank %d waits in round %llu", w->s->alg->name, i,
                           (unsigned long long)w->ranks[i].round);
    return 0;
}

static void walk_end(struct walk *w)
{
    for (int i = 0; w->ranks && i < w->s->procs; i++) {
        round_free(&w->ranks[i].ops);
    }
    free(w->ranks);
    free(w->kept);
    free(w->memory);
    free(w->out);
    free(w->heap);
    free(w->pool);
}

static void report(const struct walk *w, const struct place_walk_more *more, double *end)
{
    for (int i = 0; i < w->s->procs; i++) {
        end[i] = w->ranks[i].ready;
        if (more->writer)
            more->writer[i] = w->ranks[i].writer;
    }
    if (more->use)
        memcpy(more->use, w->use, sizeof w->use);
}

int place_walk(const struct schedule *s, const struct places *places,
               const struct place_costs *costs, const struct place_walk_more *more, double *end,
               struct err *err)
{
    static const struct place_walk_more nothing = { 0 };
    struct walk w = { .s = s, .places = places, .costs = costs };
    more = more ? more : &nothing;
    int status = walk_begin(&w, more);
    while (status == 0 && w.n_heap > 0 && !w.failed) {
        const struct event e = pop(&w);
        if (e.message == NONE)
            step(&w, e.rank, e.time);
        else
            arrive(&w, e.message, e.time);
    }
    if (status < 0 || w.failed)
        status = err_set(err, "out of memory while walking %s among %d processes", s->alg->name,
                         s->procs);
    else
        status = check_ended(&w, err);
    if (status == 0)
        report(&w, more, end);
    walk_end(&w);
    return status;
}

void place_costs_clear(struct place_costs *costs)
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
