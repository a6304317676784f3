/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - events in a binary heap by time; one that was put in first comes first among equals. */
#include "analysis/walk/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

/* Memories of a socket; 1 where nothing is known. */
static int memories_of_socket(const struct seating *s, int memory_cores)
{
    return memory_cores > 0 && s->cores > memory_cores
               ? (s->cores + memory_cores - 1) / memory_cores
               : 1;
}

/* A rank that is bound to no core: by socket it stays on its socket, by node it may be anywhere,
 * and a socket of its own says that nobody is near. */
static void float_away(const struct seating *s, int rank, int each, struct place *p)
{
    const int local = seat_local(s, rank), by_node = strcmp(s->mapping, "node") == 0;
    const int all = each * s->sockets;
    p->cache = -1;
    p->memory = p->node * all +
                (by_node ? local % all : local % s->sockets * each + local / s->sockets % each);
    if (by_node)
        p->socket = rank;
}

static struct place place_of(const struct seating *s, int rank, int memory_cores, int floating)
{
    const struct seat seat = seat_of(s, rank);
    const int sockets = s->sockets > 0 ? s->sockets : 1;
    const int each = memories_of_socket(s, memory_cores);
    struct place p = { .node = seat.node, .socket = -1, .cache = -1 };
    p.memory = seat.node * sockets * each;
    if (seat.core < 0)
        return p;
    p.socket = seat.node * sockets + seat.socket;
    p.memory = p.socket * each + (memory_cores > 0 ? seat.core / memory_cores : 0);
    if (s->cache_cores > 0)
        p.cache = p.socket * s->cores + seat.core / s->cache_cores;
    if (floating)
        float_away(s, rank, each, &p);
    return p;
}

int places_init(struct places *places, const struct seating *seating, int memory_cores,
                int floating)
{
    *places = (struct places){ .procs = seating->procs, .floating = floating };
    places->rank = calloc((size_t)seating->procs, sizeof *places->rank);
    if (!places->rank)
        return -1;
    for (int i = 0; i < seating->procs; i++) {
        const struct place p = place_of(seating, i, memory_cores, floating);
        places->rank[i] = p;
        places->nodes = p.node >= places->nodes ? p.node + 1 : places->nodes;
        places->memories = p.memory >= places->memories ? p.memory + 1 : places->memories;
    }
    return 0;
}

void places_clear(struct places *places)
{
    free(places->rank);
    *places = (struct places){ .procs = 0 };
}

enum channel places_channel(const struct places *places, int a, int b)
{
    const struct place *x = &places->rank[a], *y = &places->rank[b];
    if (x->node != y->node)
        return CHANNEL_NODE;
    if (x->socket != y->socket)
        return CHANNEL_SOCKET;
    return x->cache >= 0 && x->cache == y->cache ? CHANNEL_CACHE : CHANNEL_CORE;
}

/* ---- prices of one size ---- */

struct price {
    double latency, relay, send, share, receive;
    int rendezvous;
};

struct prices {
    uint64_t bytes;
    double memory, port;
    struct price of[N_CHANNELS];
};

enum { N_PRICES = 16 }; /* few sizes alternate; a power of two */

static void look_up(const struct place_costs *costs, uint64_t bytes, struct prices *p)
{
    const double m = (double)bytes;
    p->bytes = bytes;
    p->memory = curve_value(&costs->memory, m);
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
    }
}

/* ---- the walk ---- */

/* A message that was sent and is not received yet. */
struct message {
    uint64_t bytes;
    int src, dst;
    enum channel channel;
    int arrived; /* its event came, or it is a request that waits for its receiver */
    int next;    /* among those kept, or among the free ones; NONE at the end */
};

enum { NONE = -1 };

/* A rank takes its next step (message NONE), or a message arrives. */
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
    int running, sending;   /* in a round; its sends are not all out */
    int relays;             /* what comes to it costs as to a rank that passes it on */
    int kept;               /* messages for it that it has not taken */
    enum channel sent, got; /* channel of its last send (receive); CHANNEL_NONE: none yet */
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
    double *memory, *out, *in; /* when each is free */
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

static void occupy(double *until, double start, double seconds)
{
    *until = later(*until, start) + seconds;
}

/* From when on it can be under way, with all that it passes kept busy. */
static double pass(struct walk *w, const struct message *m, double time)
{
    const struct prices *p = prices_of(w, m->bytes);
    const struct place *src = &w->places->rank[m->src], *dst = &w->places->rank[m->dst];
    const int between = m->channel == CHANNEL_NODE;
    double *own = &w->ranks[m->src].share[between];
    double *give = &w->memory[src->memory], *take = &w->memory[dst->memory];
    double start = later(time, *own);
    if (between)
        start = later(start, later(w->out[src->node], w->in[dst->node]));
    else
        start = later(start, later(*give, *take));
    *own = start + p->of[m->channel].share;
    occupy(give, start, p->memory);
    if (take != give)
        occupy(take, start, p->memory);
    if (between)
        w->out[src->node] = w->in[dst->node] = start + p->port;
    return start;
}

static void travel(struct walk *w, int message, double time)
{
    const struct message m = w->pool[message];
    const double start = pass(w, &m, time);
    const struct price *p = &prices_of(w, m.bytes)->of[m.channel];
    push(w, start + (w->ranks[m.dst].relays ? p->relay : p->latency), m.dst, message);
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
}

static void note_receive(struct walk *w, const struct message *m)
{
    struct rank_state *r = &w->ranks[m->dst];
    if (r->got != CHANNEL_NONE)
        w->use[m->channel].receives_again = w->use[r->got].receives_again = 1;
    r->got = m->channel;
}

/* ---- messages and rounds ---- */

/* The rank has what a receive of its round waits for. */
static void receive(struct walk *w, int rank, int message, struct op *op, double time)
{
    struct rank_state *r = &w->ranks[rank];
    const struct message m = w->pool[message];
    const struct price *p = &prices_of(w, m.bytes)->of[m.channel];
    note_receive(w, &m);
    r->received = later(time, r->received + p->receive);
    r->ready = later(r->ready, r->received);
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
    const int rank = w->pool[message].dst;
    struct op *op = wanted(&w->ranks[rank], w->pool[message].src);
    w->pool[message].arrived = 1;
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

static int walk_begin(struct walk *w, const double *begin)
{
    const size_t procs = (size_t)w->s->procs;
    w->vacant = NONE;
    w->ranks = calloc(procs, sizeof *w->ranks);
    w->memory = calloc((size_t)w->places->memories + 1, sizeof *w->memory);
    w->out = calloc(2 * (size_t)w->places->nodes + 1, sizeof *w->out);
    if (!w->ranks || !w->memory || !w->out || kept_init(w) < 0)
        return -1;
    w->in = w->out + w->places->nodes;
    for (size_t i = 0; i < N_PRICES; i++)
        w->known[i].bytes = UINT64_MAX; /* no size */
    for (int i = 0; i < w->s->procs; i++) {
        struct rank_state *r = &w->ranks[i];
        r->rounds = schedule_rounds(w->s, i);
        r->relays = w->places->floating || sends_last(w, r, i);
        r->ready = begin ? begin[i] : 0;
        r->received = -INFINITY;
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

/* use: N_CHANNELS, or NULL. */
static int walk_all(const struct schedule *s, const struct places *places,
                    const struct place_costs *costs, const double *begin, double *end,
                    struct place_use *use, struct err *err)
{
    struct walk w = { .s = s, .places = places, .costs = costs };
    int status = walk_begin(&w, begin);
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
    for (int i = 0; status == 0 && i < s->procs; i++)
        end[i] = w.ranks[i].ready;
    if (use)
        memcpy(use, w.use, sizeof w.use);
    walk_end(&w);
    return status;
}

int place_walk(const struct schedule *s, const struct places *places,
               const struct place_costs *costs, const double *begin, double *end, struct err *err)
{
    return walk_all(s, places, costs, begin, end, NULL, err);
}

/* ---- as a benchmark times it ---- */

/* A message of the barrier that leaves its node. */
struct crossing {
    double time; /* when it sets out */
    int from, to;
};

struct barrier {
    const struct places *places;
    struct prices price;
    double *now, *leave; /* of each rank: before and after the round at hand */
    double *port;        /* of each node: when it is free again */
    struct crossing *crossing;
    size_t n_crossings;
    int unknown; /* a message is on a channel without a latency */
};

static int by_time(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;
    return x->time < y->time ? -1 : x->time > y->time ? 1 : x->from - y->from;
}

/* The messages between nodes, in the order of time: a port takes those that go out and those that
 * come in one after the other. */
static void cross_nodes(struct barrier *b)
{
    qsort(b->crossing, b->n_crossings, sizeof *b->crossing, by_time);
    for (size_t i = 0; i < b->n_crossings; i++) {
        const struct crossing *c = &b->crossing[i];
        double *out = &b->port[b->places->rank[c->from].node];
        double *in = &b->port[b->places->rank[c->to].node];
        const double start = later(c->time, later(*out, *in));
        *out = *in = start + b->price.port;
        b->leave[c->to] = later(b->leave[c->to], start + b->price.of[CHANNEL_NODE].latency);
    }
}

static void barrier_round(struct barrier *b, const struct place_costs *costs, int distance)
{
    const int procs = b->places->procs;
    b->n_crossings = 0;
    for (int i = 0; i < procs; i++) {
        const int to = i + distance < procs ? i + distance : i + distance - procs;
        b->leave[i] = b->now[i] + b->price.of[places_channel(b->places, i, to)].send;
    }
    for (int i = 0; i < procs; i++) {
        const int from = i >= distance ? i - distance : i - distance + procs;
        const enum channel in = places_channel(b->places, from, i);
        b->unknown = b->unknown || !costs->of[in].latency.n;
        if (in == CHANNEL_NODE)
            b->crossing[b->n_crossings++] = (struct crossing){ b->now[from], from, i };
        else
            b->leave[i] = later(b->leave[i], b->now[from] + b->price.of[in].latency);
    }
    cross_nodes(b);
    memcpy(b->now, b->leave, (size_t)procs * sizeof *b->now);
}

int place_barrier(const struct places *places, const struct place_costs *costs, const double *enter,
                  double *leave)
{
    const size_t procs = (size_t)places->procs;
    struct barrier b = { .places = places, .leave = leave };
    b.now = malloc(procs * sizeof *b.now);
    b.port = calloc((size_t)places->nodes + 1, sizeof *b.port);
    b.crossing = malloc(procs * sizeof *b.crossing);
    const int has_memory = b.now && b.port && b.crossing;
    if (has_memory) {
        look_up(costs, 1, &b.price);
        memcpy(b.now, enter, procs * sizeof *b.now);
        memcpy(leave, enter, procs * sizeof *leave);
        for (int distance = 1; distance < places->procs; distance *= 2)
            barrier_round(&b, costs, distance);
    }
    free(b.now);
    free(b.port);
    free(b.crossing);
    return has_memory && !b.unknown ? 0 : -1;
}

int place_time(const struct schedule *s, const struct places *places,
               const struct place_costs *costs, struct place_time *time, struct err *err)
{
    const size_t procs = (size_t)s->procs;
    double *end = malloc(2 * procs * sizeof *end), *begin = end ? end + procs : NULL, sum = 0;
    if (!end)
        return err_set(err, "out of memory");
    *time = (struct place_time){ .slowest = 0 };
    int status = walk_all(s, places, costs, NULL, end, time->use, err);
    if (status == 0 && place_barrier(places, costs, end, begin) < 0)
        status =
            err_set(err, "the barrier needs a channel on which nothing was measured, or memory");
    if (status == 0)
        status = walk_all(s, places, costs, begin, end, NULL, err);
    for (size_t i = 0; status == 0 && i < procs; i++) {
        sum += end[i] - begin[i];
        time->slowest = later(time->slowest, end[i] - begin[i]);
    }
    time->mean = sum / (double)procs;
    free(end);
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
