/* SPDX-License-Identifier: BSD-3-Clause */
/* link_walk.c - the ranks go step by step (ranks.h); the messages of a step are gathered and
 * routed when it has ended. */
#include "analysis/walk/link_walk.h"

#include "analysis/walk/ranks.h"

struct ends {
    int src, dst;
};

/* The messages of a step, in the order in which they went out. */
struct messages {
    struct ends *ends;
    uint64_t *bytes;
    size_t n, room_ends, room_bytes;
    size_t of_step; /* n and those of the step that are routed already */
    uint64_t largest, digest;
    int uniform; /* all of the same size: the sizes do not count in the digest */
};

/* What routing them came to. */
struct routed {
    uint32_t collisions;
    double link_bytes; /* of uniform messages: messages, in place of bytes */
    int hops;
    double latency;
    double most[N_CHANNELS]; /* of uniform messages: 1, in place of bytes; below 0: none */
};

struct pattern {
    struct messages messages;
    struct routed routed;
};

/* Of a step at most so many messages are kept; one of more is not remembered. And of a schedule so
 * many steps. */
enum { MOST_PATTERNS = 64, MOST_KEPT = 1 << 18, MOST_STEPS = 1 << 16 };

/* The steps of the schedule that was walked last, whatever they cost. */
struct told {
    int any; /* there was one, of no more steps, and nothing was copied */
    struct schedule s;
    char mapping[16]; /* of its seats */
    struct links_step *step;
    size_t n, room;
    uint64_t operations;
};

struct links_net {
    struct topology topology;
    int procs;
    int *node;         /* of each rank, in the network */
    struct seat *seat; /* of each rank, in the launch */
    int cache_cores;
    struct links_load *load; /* of each link, 0 between steps; n_used of them are not */
    struct links_load *used; /* of the links that a step uses */
    int *route;
    struct pattern pattern[MOST_PATTERNS];
    size_t n_patterns, oldest, n_used;
    struct told told;
};

static int place_ranks(struct links_net *net, const char *order, const struct seating *seating,
                       struct err *err)
{
    int *position = memory_zeros((size_t)net->topology.net.nodes, sizeof *position);
    const int status = topology_order(&net->topology, order, position, err);
    for (int r = 0; status == 0 && r < net->procs; r++) {
        net->seat[r] = seat_of(seating, r);
        net->node[r] = position[net->seat[r].node];
    }
    free(position);
    return status;
}

struct links_net *links_net_new(const struct topology *topology, const char *order,
                                const struct seating *seating, struct err *err)
{
    const size_t links = (size_t)topology->links + 1;
    if (seat_check(seating, err) < 0)
        return NULL;
    if (seating->nodes > topology->net.nodes) {
        err_set(err, "%d nodes do not fit into a %s of %d", seating->nodes,
                topology_kind_name(topology->net.kind), topology->net.nodes);
        return NULL;
    }
    struct links_net *net = memory_zeros(1, sizeof *net);
    net->topology = *topology;
    net->procs = seating->procs;
    net->cache_cores = seating->cache_cores;
    net->node = memory_zeros((size_t)net->procs, sizeof *net->node);
    net->seat = memory_zeros((size_t)net->procs, sizeof *net->seat);
    net->load = memory_zeros(links, sizeof *net->load);
    net->used = memory_zeros(links, sizeof *net->used);
    net->route = memory_zeros((size_t)topology->diameter + 1, sizeof *net->route);
    if (place_ranks(net, order, seating, err) == 0)
        return net;
    links_net_free(net);
    return NULL;
}

static void messages_clear(struct messages *m)
{
    memory_free(m->ends, m->bytes);
    *m = (struct messages){ 0 };
}

void links_net_free(struct links_net *net)
{
    if (!net)
        return;
    for (size_t i = 0; i < net->n_patterns; i++)
        messages_clear(&net->pattern[i].messages);
    memory_free(net->node, net->seat, net->load, net->used, net->route, net->told.step, net);
}

int links_net_node(const struct links_net *net, int rank)
{
    return net->node[rank];
}

enum channel links_net_channel(const struct links_net *net, int a, int b)
{
    return seat_between(net->seat[a], net->seat[b], net->cache_cores);
}

const struct topology *links_net_topology(const struct links_net *net)
{
    return &net->topology;
}

static void messages_room(struct messages *m, size_t n)
{
    array_room(&m->ends, &m->room_ends, n);
    array_room(&m->bytes, &m->room_bytes, n);
}

static void messages_add(struct messages *m, int src, int dst, uint64_t bytes)
{
    messages_room(m, m->n + 1);
    m->uniform = m->of_step == 0 || (m->uniform && bytes == m->largest);
    m->of_step++;
    m->largest = bytes > m->largest ? bytes : m->largest;
    m->ends[m->n] = (struct ends){ src, dst };
    m->bytes[m->n++] = bytes;
    m->digest =
        (m->digest ^ (uint64_t)(uint32_t)src << 32 ^ (uint32_t)dst) * UINT64_C(0x9e3779b97f4a7c15);
    m->digest ^= m->digest >> 29;
}

static int messages_equal(const struct messages *a, const struct messages *b)
{
    return a->digest == b->digest && a->n == b->n && a->uniform == b->uniform &&
           memcmp(a->ends, b->ends, a->n * sizeof *a->ends) == 0 &&
           (a->uniform || memcmp(a->bytes, b->bytes, a->n * sizeof *a->bytes) == 0);
}

uint64_t links_add_bytes(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Puts the messages on their links, beside those of the step that are there: net->load, and the
 * links used in net->used[].link. */
static void put_on_links(struct links_net *net, const struct messages *m, struct routed *routed)
{
    for (size_t i = 0; i < m->n; i++) {
        double latency = 0;
        const struct ends ends = m->ends[i];
        const int hops =
            topology_route(&net->topology, net->node[ends.src], net->node[ends.dst], net->route);
        double *most = &routed->most[links_net_channel(net, ends.src, ends.dst)];
        *most = fmax(*most, (double)m->bytes[i]);
        for (int h = 0; h < hops; h++) {
            struct links_load *load = &net->load[net->route[h]];
            if (load->messages++ == 0)
                net->used[net->n_used++].link = net->route[h];
            load->bytes = links_add_bytes(load->bytes, m->bytes[i]);
            latency += topology_latency(&net->topology, net->route[h]);
        }
        routed->hops = hops > routed->hops ? hops : routed->hops;
        routed->latency = latency > routed->latency ? latency : routed->latency;
    }
}

static struct routed routed_nothing(void)
{
    struct routed r = { 0 };
    for (int i = 0; i < N_CHANNELS; i++)
        r.most[i] = -1;
    return r;
}

/* The step's loads are left in net->used[0 .. *used - 1], those of the links cleared. */
static void finish_route(struct links_net *net, int uniform, struct routed *r, size_t *used)
{
    *used = net->n_used;
    net->n_used = 0;
    for (size_t i = 0; i < *used; i++) {
        const int link = net->used[i].link;
        const double share = net->topology.net.link_rate / topology_rate(&net->topology, link);
        net->used[i].messages = net->load[link].messages;
        net->used[i].bytes = net->load[link].bytes;
        net->load[link].messages = 0;
        net->load[link].bytes = 0;
        const double load = share * (uniform ? net->used[i].messages : (double)net->used[i].bytes);
        r->collisions =
            net->used[i].messages > r->collisions ? net->used[i].messages : r->collisions;
        r->link_bytes = load > r->link_bytes ? load : r->link_bytes;
    }
    for (int i = 0; i < N_CHANNELS; i++)
        if (uniform && r->most[i] >= 0)
            r->most[i] = 1;
}

/* Routes the rest of a step of which `r` was routed before. */
static struct routed route(struct links_net *net, const struct messages *m, struct routed r,
                           size_t *used)
{
    put_on_links(net, m, &r);
    finish_route(net, m->uniform, &r, used);
    return r;
}

static void copy_messages(struct messages *to, const struct messages *from)
{
    messages_room(to, from->n);
    memcpy(to->ends, from->ends, from->n * sizeof *to->ends);
    memcpy(to->bytes, from->bytes, from->n * sizeof *to->bytes);
    to->n = from->n;
    to->largest = from->largest;
    to->digest = from->digest;
    to->uniform = from->uniform;
}

/* The same, looked up where such a step was seen lately. */
static struct routed route_or_recall(struct links_net *net, const struct messages *m)
{
    size_t used;
    for (size_t i = 0; i < net->n_patterns; i++)
        if (messages_equal(&net->pattern[i].messages, m))
            return net->pattern[i].routed;
    struct pattern *p = &net->pattern[net->oldest];
    net->oldest = (net->oldest + 1) % MOST_PATTERNS;
    net->n_patterns += net->n_patterns < MOST_PATTERNS;
    p->routed = route(net, m, routed_nothing(), &used);
    copy_messages(&p->messages, m);
    return p->routed;
}

struct rank_steps {
    uint64_t sent, received; /* the latest steps, in this phase */
    int phase;
    double round_copy_s; /* of the round under way */
    double copy_s;       /* in step copy_step */
    uint64_t copy_step;
};

struct walk {
    struct links_net *net;
    const struct schedule *s;
    const struct links_costs *costs;
    const struct links_watch *watch;
    struct links_result *result;
    struct rank_steps *ranks;
    struct messages messages; /* of the step under way */
    struct routed routed;     /* of those that are not kept */
    double copy_s;            /* of the step under way: the largest over ranks */
    uint64_t under_way;       /* steps that have begun, step 0 among them */
    int copies;               /* there are some */
};

/* Steps of all phases in one line. */
enum { PHASE_BITS = 40 };

static uint64_t stage_of(const struct rank_steps *r)
{
    return 1 + (r->sent > r->received ? r->sent : r->received);
}

static uint64_t step_of_round(void *state, int rank, const struct round *round)
{
    const struct walk *w = state;
    const struct rank_steps *r = &w->ranks[rank];
    return ((uint64_t)round->phase << PHASE_BITS) + (round->phase == r->phase ? stage_of(r) : 1);
}

static int begin(void *state, int rank, const struct round *round)
{
    struct walk *w = state;
    struct rank_steps *r = &w->ranks[rank];
    int sends = 0;
    if (round->phase != r->phase) {
        r->phase = round->phase;
        r->sent = r->received = 0;
    }
    r->round_copy_s = 0;
    for (size_t i = 0; i < round->n; i++) {
        sends |= round->ops[i].kind == OP_SEND;
        if (round->ops[i].kind != OP_COPY)
            continue;
        w->copies = 1;
        r->round_copy_s += curve_value(w->costs->copy, (double)round->ops[i].bytes);
    }
    if (sends)
        r->sent = stage_of(r);
    return 0;
}

static int send(void *state, struct walk_message *m)
{
    struct walk *w = state;
    m->stage.number = w->ranks[m->src].sent;
    m->stage.phase = w->ranks[m->src].phase;
    if (w->messages.n == MOST_KEPT) {
        put_on_links(w->net, &w->messages, &w->routed);
        w->messages.n = 0;
    }
    messages_add(&w->messages, m->src, m->dst, m->bytes);
    return 0;
}

static int receive(void *state, const struct walk_message *m)
{
    struct walk *w = state;
    struct rank_steps *r = &w->ranks[m->dst];
    if (m->stage.phase == r->phase && m->stage.number > r->received)
        r->received = m->stage.number;
    return 0;
}

/* The round's copies are done in the step under way. */
static int end(void *state, int rank)
{
    struct walk *w = state;
    struct rank_steps *r = &w->ranks[rank];
    if (!(r->round_copy_s > 0))
        return 0;
    if (r->copy_step != w->under_way)
        r->copy_s = 0;
    r->copy_step = w->under_way;
    r->copy_s += r->round_copy_s;
    w->copy_s = r->copy_s > w->copy_s ? r->copy_s : w->copy_s;
    return 0;
}

double links_latency_factor(const struct factor_list *factors, uint64_t bytes)
{
    double factor = 1;
    for (size_t i = 0; factors && i < factors->n && factors->v[i].from_bytes <= bytes; i++)
        factor = factors->v[i].factor;
    return factor;
}

double links_slope(const struct curve *t)
{
    if (t->n < 2)
        return 0;
    return fmax(0, (t->seconds[t->n - 1] - t->seconds[t->n - 2]) /
                       (t->bytes[t->n - 1] - t->bytes[t->n - 2]));
}

static const struct curve *curve_of(const struct links_costs *c, enum channel channel)
{
    return channel != CHANNEL_NODE && c->inside && c->inside[channel].n ? &c->inside[channel]
                                                                        : c->message;
}

/* What a route of this latency (by the cluster file) adds beyond the ping-pong's; below 0: takes
 * off. */
static double farther(const struct links_costs *costs, double latency, uint64_t bytes)
{
    return (latency - costs->latency) * costs->latency_scale *
           links_latency_factor(costs->latency_factors, bytes);
}

struct links_trip links_trip(const struct links_net *net, const struct links_costs *costs,
                             double slope, const struct walk_message *m, int *route)
{
    struct links_trip t = { 0 };
    t.hops = topology_route(&net->topology, net->node[m->src], net->node[m->dst], route);
    for (int i = 0; i < t.hops; i++)
        t.latency += topology_latency(&net->topology, route[i]);
    const double alone =
        curve_value(curve_of(costs, links_net_channel(net, m->src, m->dst)), (double)m->bytes);
    t.body = fmin((double)m->bytes * slope, alone);
    t.head = alone - t.body;
    if (t.hops > 0)
        t.head += farther(costs, t.latency, m->bytes);
    t.head = fmax(0, t.head);
    return t;
}

size_t links_net_room(const struct links_net *net)
{
    return (size_t)net->topology.diameter + 1;
}

int links_net_fits(const struct links_net *net, const struct schedule *s, struct err *err)
{
    return s->procs == net->procs
               ? 0
               : err_set(err, "a schedule of %d ranks in a network with %d", s->procs, net->procs);
}

/* t of each channel's largest message; between nodes of `between` bytes, where any are. */
static double longest(const struct links_costs *c, const struct links_step *step, double between)
{
    double most = 0;
    for (int i = 0; i < N_CHANNELS; i++)
        if (step->most[i] >= 0)
            most = fmax(most, curve_value(curve_of(c, (enum channel)i),
                                          i == CHANNEL_NODE ? between : step->most[i]));
    return most;
}

/* All within nodes, and not all with a ping-pong of their channel. */
static int is_unknown(const struct links_costs *c, const struct links_step *step)
{
    int unknown = 0;
    for (int i = 0; i < N_CHANNELS; i++)
        unknown |= step->most[i] >= 0 && curve_of(c, (enum channel)i) == c->message;
    return unknown && step->most[CHANNEL_NODE] < 0;
}

static void add_up(struct walk *w, const struct links_step *step)
{
    struct links_result *r = w->result;
    const struct links_costs *c = w->costs;
    r->copy_s += step->copy_s;
    if (step->messages == 0)
        return;
    r->steps++;
    r->local_steps += is_unknown(c, step);
    r->largest = step->largest > r->largest ? step->largest : r->largest;
    r->network_s += longest(c, step, fmax(step->link_bytes, step->most[CHANNEL_NODE]));
    r->alone_s += longest(c, step, step->most[CHANNEL_NODE]);
    if (step->hops > 0)
        r->latency_s += farther(c, step->latency, step->largest);
    r->collisions = step->collisions > r->collisions ? step->collisions : r->collisions;
    r->link_bytes = step->link_bytes > r->link_bytes ? step->link_bytes : r->link_bytes;
    r->hops = step->hops > r->hops ? step->hops : r->hops;
}

static void tell(struct told *told, const struct links_step *step)
{
    if (told->n == MOST_STEPS)
        return;
    array_room(&told->step, &told->room, told->n + 1);
    told->step[told->n++] = *step;
}

/* What was walked is that of the next walk, too, where the schedule is the same. */
static void remember(struct walk *w, int walked)
{
    struct told *told = &w->net->told;
    told->any = walked && !w->copies && told->n < MOST_STEPS && w->s->combination.n == 0 &&
                !w->s->blocks.borders; /* which are somebody else's */
    told->s = *w->s;
    told->s.kept = NULL;
    if (w->s->seats.procs) {
        snprintf(told->mapping, sizeof told->mapping, "%s", w->s->seats.mapping);
        told->s.seats.mapping = told->mapping;
    }
    told->operations = w->result->operations;
}

/* Adds up the steps of the walk before this one. */
static void add_up_told(struct walk *w)
{
    const struct told *told = &w->net->told;
    for (size_t i = 0; i < told->n; i++)
        add_up(w, &told->step[i]);
    w->result->operations = told->operations;
}

/* Routes what went out and adds the step up. */
static int end_step(void *state, uint64_t now)
{
    struct walk *w = state;
    struct routed r = { 0 };
    size_t used = 0;
    if (w->watch || w->messages.of_step > w->messages.n)
        r = route(w->net, &w->messages, w->routed, &used);
    else if (w->messages.n)
        r = route_or_recall(w->net, &w->messages);
    struct links_step step = {
        .phase = (int)(now >> PHASE_BITS),
        .number = now & ((UINT64_C(1) << PHASE_BITS) - 1),
        .messages = w->messages.of_step,
        .largest = w->messages.largest,
        .collisions = r.collisions,
        .link_bytes = r.link_bytes * (w->messages.uniform ? (double)w->messages.largest : 1),
        .hops = r.hops,
        .latency = r.latency,
        .copy_s = w->copy_s,
    };
    for (int i = 0; i < N_CHANNELS; i++)
        step.most[i] =
            r.most[i] > 0 && w->messages.uniform ? (double)w->messages.largest : r.most[i];
    add_up(w, &step);
    tell(&w->net->told, &step);
    w->messages.n = w->messages.of_step = 0;
    w->messages.largest = w->messages.digest = 0;
    w->routed = routed_nothing();
    w->copy_s = 0;
    w->under_way++;
    return w->watch ? w->watch->step(w->watch->arg, &step, w->net->used, used) : 0;
}

int links_walk(struct links_net *net, const struct schedule *s, const struct links_costs *costs,
               const struct links_watch *watch, struct links_result *result, struct err *err)
{
    struct walk w = { .net = net,
                      .s = s,
                      .costs = costs,
                      .watch = watch,
                      .result = result,
                      .under_way = 1,
                      .routed = routed_nothing() };
    static const struct walk_steps steps = { step_of_round, end_step };
    const struct walk_model model = { &w, begin, send, receive, end };
    *result = (struct links_result){ .queue_s = NAN };
    if (links_net_fits(net, s, err) < 0)
        return -1;
    if (!watch && net->told.any && schedule_same(&net->told.s, s)) {
        add_up_told(&w);
        return 0;
    }
    net->told.any = 0;
    net->told.n = 0;
    w.ranks = memory_zeros((size_t)s->procs, sizeof *w.ranks);
    const int status = ranks_walk_steps(s, &model, &steps, &result->operations, err);
    if (net->n_used) { /* it failed in the midst of a step */
        size_t used;
        finish_route(net, 0, &w.routed, &used);
    }
    remember(&w, status == 0);
    free(w.ranks);
    messages_clear(&w.messages);
    return status;
}
