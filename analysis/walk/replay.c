/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.c - ranks and the messages between them; links are flow_simulation.c's. */
#include "analysis/walk/replay.h"

#include "analysis/walk/flow_simulation.h"
#include "analysis/walk/symmetry.h"

enum {
    ENVELOPE = 16,  /* bytes that SMPI adds to a message */
    EMPTY = 1,      /* bytes of a message of none: workloads/simulated/simulated_cost.h */
    MOST_AHEAD = 16 /* sends that a rank starts before the time of the others is looked at */
};

/* As times that are this near are one for SimGrid (surf/precision). */
static const double same_time_s = 1e-9;

enum rank_state { RANK_BEGINS, RANK_SENDS, RANK_WAITS, RANK_ENDED };

/* A receive of a round. */
struct slot {
    double arrived; /* NaN: not known yet */
    uint64_t bytes;
    int turn; /* of the message, when it has arrived */
};

/* A round as its rank runs it. */
struct step {
    struct round ops;
    struct slot *slot; /* of each receive */
    size_t room;
    uint32_t receives, sends;
};

struct rank {
    double now;
    int turn; /* of ranks that do something at one time the one with the least is first */
    enum rank_state state;
    size_t part;    /* of all times: number of the part */
    uint64_t round; /* the next to be looked at */
    uint64_t rounds;
    struct step step[2];    /* the round under way and the next one */
    int at;                 /* which of them is under way */
    uint32_t posted, early; /* receives of it, of the next one, that are posted before it begins */
    uint32_t missing;       /* messages that it waits for and whose time is not known yet */
    size_t op;              /* the send that comes next */
    double sent;            /* the last of its sends that are waited for has arrived */
    int sent_turn;
};

/* A message. A receive is rank * 2 + step, and its slot. */
struct message {
    double arrived, bytes; /* bytes: 0 where it is nobody's */
    double start;          /* when it set out */
    int src, dst, turn;
    int to;         /* dst, or the rank that dst stands for */
    int step, slot; /* of its receive; slot -1: none posted yet */
    int next;       /* among those that are nobody's */
};

/* An event of a message, and which of several comes first. */
struct due {
    struct engine_event event;
    double start;
    int turn;
};

struct replay {
    const struct platform *platform;
    const struct cluster *c;
    struct engine engine; /* its line of events alone */
    struct flow_simulation *carry;
    struct post sent, wanted; /* sends and receives that wait for each other */
    struct message *message;  /* from 1 */
    size_t room;
    int used, vacant;
    struct platform_route route;
    const struct replay_call *call;
    struct symmetries *symmetries;
    const struct symmetry *symmetry; /* ranks are its classes; NULL: each is walked */
    struct rank *rank;
    int procs, ranks; /* of the call, and of the array */
    uint64_t messages;
    struct due *due; /* the events of a time */
    size_t room_due;
};

/* ---- memory ---- */

static void arrived(void *state, int message, double at);

struct replay *replay_new(const struct platform *platform)
{
    struct replay *w = memory_zeros(1, sizeof *w);
    w->platform = platform;
    w->c = platform_cluster(platform);
    w->carry = flow_simulation_new(platform, &w->engine, arrived, w);
    w->symmetries = symmetries_new(platform);
    w->route.link = memory_zeros((size_t)platform_most_links(platform), sizeof *w->route.link);
    return w;
}

void replay_free(struct replay *w)
{
    if (!w)
        return;
    for (int r = 0; r < w->ranks; r++)
        for (int i = 0; i < 2; i++) {
            round_free(&w->rank[r].step[i].ops);
            free(w->rank[r].step[i].slot);
        }
    flow_simulation_free(w->carry);
    symmetries_free(w->symmetries);
    post_clear(&w->sent);
    post_clear(&w->wanted);
    engine_free_events(&w->engine);
    memory_free(w->message, w->route.link, w->rank, w->due, w);
}

static int message_new(struct replay *w)
{
    int i = w->vacant;
    if (i) {
        w->vacant = w->message[i].next;
        return i;
    }
    array_room(&w->message, &w->room, (size_t)w->used + 2);
    return ++w->used;
}

static void message_drop(struct replay *w, int message)
{
    w->message[message].next = w->vacant;
    w->vacant = message;
}

static void keep(struct post *post, const struct walk_message *m)
{
    post_keep(post, post_new(post, m));
}

/* ---- whose turn it is ----
 * Where many ranks do the same at the same time, whose message is first decides what a link carries
 * first. SimGrid 3.32 keeps those that begin to sleep at one time in a list, new ones in front
 * (CpuCas01::sleep), and so it keeps links whose messages begin at one time
 * (System::update_modified_cnst_set): what began in one order ends in the other. */

static void spend(struct rank *r, double seconds)
{
    if (seconds <= 0)
        return;
    r->now += seconds;
    r->turn = -r->turn;
}

static void wait_until(struct rank *r, double at, int turn)
{
    if (at <= r->now)
        return;
    r->now = at;
    r->turn = turn;
}

/* ---- messages ---- */

static void run_rank(struct replay *w, int rank);

/* One of the messages that a rank waits for has its time. */
static void less_missing(struct replay *w, int rank)
{
    struct rank *r = &w->rank[rank];
    if (--r->missing == 0 && r->state == RANK_WAITS)
        run_rank(w, rank);
}

/* A receive has its message. */
static void fill(struct replay *w, const struct message *m)
{
    struct rank *r = &w->rank[m->dst];
    const int under_way = m->step == r->at;
    r->step[m->step].slot[m->slot].arrived = m->arrived;
    r->step[m->step].slot[m->slot].turn = -m->turn;
    if (under_way)
        less_missing(w, m->dst);
}

static int waits_for_delivery(const struct replay *w, uint64_t bytes)
{
    return bytes >= w->c->rendezvous_bytes;
}

/* flow_simulation.h: when the message arrives is known. */
static void arrived(void *state, int message, double at)
{
    struct replay *w = state;
    w->message[message].arrived = at;
    const struct message m = w->message[message];
    if (m.slot >= 0)
        message_drop(w, message);
    if (waits_for_delivery(w, (uint64_t)m.bytes)) {
        if (at > w->rank[m.src].sent) {
            w->rank[m.src].sent = at;
            w->rank[m.src].sent_turn = -m.turn;
        }
        less_missing(w, m.src);
    }
    if (m.slot >= 0)
        fill(w, &m);
}

static int of_launch(const struct replay *w, int rank)
{
    return w->call->member ? w->call->member[rank] : rank;
}

static void set_out(struct replay *w, int message, double at)
{
    struct message *m = &w->message[message];
    const uint64_t bytes = (uint64_t)m->bytes + ENVELOPE;
    m->start = at;
    platform_route(w->platform, of_launch(w, m->src), of_launch(w, m->to), &w->route);
    for (int i = 0; w->symmetry && i < w->route.n; i++)
        w->route.link[i] = w->symmetry->link[w->route.link[i]];
    flow_simulation_set_out(w->carry, message, &w->route,
                            (double)bytes / platform_factor(&w->c->bandwidth_factors, bytes), at,
                            w->route.latency * platform_factor(&w->c->latency_factors, bytes),
                            m->to - m->dst);
    w->messages++;
}

/* A send has started. */
static void send(struct replay *w, int src, const struct op *op, double at)
{
    const int eager = op->bytes < w->c->eager_bytes, message = message_new(w);
    const int dst = w->symmetry ? symmetry_class(w->symmetry, op->peer) : op->peer;
    const int seen = w->symmetry ? symmetry_seen(w->symmetry, src, op->peer) : src;
    struct message *m = &w->message[message];
    *m = (struct message){ .arrived = NAN,
                           .bytes = (double)op->bytes,
                           .src = src,
                           .dst = dst,
                           .to = op->peer,
                           .turn = w->rank[src].turn,
                           .slot = -1 };
    const int receive = post_take(&w->wanted, seen, dst);
    if (receive) {
        const struct walk_message *want = post_message(&w->wanted, receive);
        m->step = want->replayed.what % 2;
        m->slot = want->replayed.what / 2;
        set_out(w, message, eager ? at : fmax(at, want->replayed.at));
        post_drop(&w->wanted, receive);
        return;
    }
    keep(&w->sent, &(struct walk_message){ .bytes = op->bytes,
                                           .src = seen,
                                           .dst = dst,
                                           .replayed = { .at = at, .what = message } });
    if (eager)
        set_out(w, message, at);
}

/* A receive of a step is posted. */
static void post(struct replay *w, int rank, int step, int slot, int src, double at)
{
    const int sent = post_take(&w->sent, src, rank);
    if (!sent) {
        keep(&w->wanted,
             &(struct walk_message){
                 .src = src, .dst = rank, .replayed = { .at = at, .what = 2 * slot + step } });
        return;
    }
    const struct walk_message s = *post_message(&w->sent, sent);
    struct message *m = &w->message[s.replayed.what];
    post_drop(&w->sent, sent);
    m->step = step;
    m->slot = slot;
    if (s.bytes >= w->c->eager_bytes) {
        set_out(w, s.replayed.what, fmax(at, s.replayed.at));
    } else if (!isnan(m->arrived)) {
        w->rank[rank].step[step].slot[slot].arrived = m->arrived;
        w->rank[rank].step[step].slot[slot].turn = -m->turn;
        message_drop(w, s.replayed.what);
    }
}

/* ---- rounds ---- */

static const struct replay_part *part_of(const struct replay *w, const struct rank *r)
{
    return &w->call->part[r->part % w->call->parts];
}

static size_t all_parts(const struct replay *w)
{
    return w->call->parts * (size_t)w->call->times;
}

/* The next round of the part that has operations, into the step; empty: there is none. */
static void look(struct replay *w, int rank, struct step *step)
{
    struct rank *r = &w->rank[rank];
    step->ops.n = 0;
    step->receives = step->sends = 0;
    while (r->round < r->rounds && step->ops.n == 0)
        schedule_round(part_of(w, r)->schedule, rank, r->round++, &step->ops);
    for (size_t i = 0; i < step->ops.n; i++) {
        struct op *op = &step->ops.ops[i];
        step->receives += op->kind == OP_RECV;
        step->sends += op->kind == OP_SEND;
        if (op->bytes == 0 && (op->kind == OP_RECV || op->kind == OP_SEND))
            op->bytes = EMPTY;
    }
    array_room(&step->slot, &step->room, step->receives);
    for (size_t i = 0, slot = 0; slot < step->receives; i++)
        if (step->ops.ops[i].kind == OP_RECV)
            step->slot[slot++] = (struct slot){ NAN, step->ops.ops[i].bytes, 0 };
}

/* Goes to the first round of the first part, from r->part on, that has any; 0: all is done. */
static int look_for_part(struct replay *w, int rank)
{
    struct rank *r = &w->rank[rank];
    for (; r->part < all_parts(w); r->part++) {
        r->round = 0;
        r->rounds = schedule_rounds(part_of(w, r)->schedule, rank);
        r->early = 0;
        look(w, rank, &r->step[r->at]);
        if (r->step[r->at].ops.n)
            return 1;
    }
    return 0;
}

/* Posts receives first ... end-1 of a step. */
static void post_receives(struct replay *w, int rank, int step, uint32_t first, uint32_t end)
{
    struct rank *r = &w->rank[rank];
    const struct round *ops = &r->step[step].ops;
    uint32_t slot = 0;
    for (size_t i = 0; i < ops->n && slot < end; i++) {
        if (ops->ops[i].kind != OP_RECV)
            continue;
        if (slot >= first)
            post(w, rank, step, (int)slot, ops->ops[i].peer, r->now);
        slot++;
    }
}

/* Begins the round under way: its receives are posted. */
static void begin_step(struct replay *w, int rank)
{
    struct rank *r = &w->rank[rank];
    const int at = r->at;
    struct step *now = &r->step[at], *next = &r->step[!at];
    const uint32_t posted = r->early;
    look(w, rank, next);
    r->posted = posted;
    r->early = part_of(w, r)->plain ? 0 : (uint32_t)round_early(&now->ops, &next->ops);
    r->op = 0;
    r->sent = r->now;
    post_receives(w, rank, at, posted, now->receives);
    r->missing = 0;
    for (uint32_t i = 0; i < now->receives; i++)
        r->missing += isnan(now->slot[i].arrived) != 0;
    for (size_t i = 0; now->sends && i < now->ops.n; i++)
        r->missing +=
            now->ops.ops[i].kind == OP_SEND && waits_for_delivery(w, now->ops.ops[i].bytes);
    r->state = RANK_SENDS;
}

/* Is the round one blocking call? */
static int is_blocking(const struct rank *r)
{
    const struct step *now = &r->step[r->at];
    return !r->early && !r->posted && now->receives + now->sends == 1;
}

/* Starts sends, at most so many as one may ahead of the others; 0: not all of them. */
static int start_sends(struct replay *w, int rank)
{
    struct rank *r = &w->rank[rank];
    const struct round *ops = &r->step[r->at].ops;
    const int blocking = is_blocking(r);
    for (int ahead = 0; r->op < ops->n; r->op++) {
        const struct op *op = &ops->ops[r->op];
        if (op->kind != OP_SEND)
            continue;
        if (ahead++ == MOST_AHEAD) {
            engine_add_event(&w->engine, r->now, rank, 0);
            return 0;
        }
        if (!blocking)
            spend(r, platform_cost(&w->c->isend_cost, op->bytes));
        else if (!waits_for_delivery(w, op->bytes))
            spend(r, platform_cost(&w->c->send_cost, op->bytes));
        send(w, rank, op, r->now);
    }
    return 1;
}

static int by_time(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    return ascending(x->arrived, y->arrived);
}

/* All has arrived: a rank takes what is there, one after the other, as soon as it can. (In which
 * order makes no difference to when it has all of it.) */
static void take_all(const struct replay *w, struct rank *r)
{
    struct step *now = &r->step[r->at];
    if (now->receives > 1)
        qsort(now->slot, now->receives, sizeof *now->slot, by_time);
    for (uint32_t i = 0; i < now->receives; i++) {
        wait_until(r, now->slot[i].arrived, now->slot[i].turn);
        if (!waits_for_delivery(w, now->slot[i].bytes))
            spend(r, platform_cost(&w->c->recv_cost, now->slot[i].bytes));
    }
    wait_until(r, r->sent, r->sent_turn);
    for (size_t i = 0; i < now->ops.n; i++) {
        const struct op *op = &now->ops.ops[i];
        if (op->kind == OP_COPY)
            spend(r, platform_cost(&w->c->copy_cost, op->bytes));
        else if (op->kind == OP_REDUCE)
            spend(r, platform_cost(&w->c->reduce_cost, op->bytes));
    }
}

/* To the round after the one that is done; 0: there is none. */
static int next_step(struct replay *w, int rank)
{
    struct rank *r = &w->rank[rank];
    r->at = !r->at;
    if (r->step[r->at].ops.n)
        return 1;
    r->part++;
    return look_for_part(w, rank);
}

/* Goes on until something is waited for whose time is not known. */
static void run_rank(struct replay *w, int rank)
{
    struct rank *r = &w->rank[rank];
    if (r->state == RANK_BEGINS)
        begin_step(w, rank);
    for (;;) {
        if (r->state == RANK_SENDS) {
            if (!start_sends(w, rank))
                return;
            post_receives(w, rank, !r->at, 0, r->early);
            r->state = RANK_WAITS;
        }
        if (r->missing)
            return;
        take_all(w, r);
        if (!next_step(w, rank))
            break;
        begin_step(w, rank);
    }
    r->state = RANK_ENDED;
}

/* ---- the walk ---- */

static int by_turn(const void *a, const void *b)
{
    const struct due *x = a, *y = b;
    const int c = ascending(y->event.rank, x->event.rank);
    if (c || x->event.rank != FLOW_SIMULATION_READY)
        return c ? c : ascending(x->event.number, y->event.number);
    return by_keys(ascending(x->start, y->start), ascending(x->turn, y->turn));
}

/* All that happens at the earliest time: first what sets out, then what frees links. */
static void happen(struct replay *w)
{
    const double now = engine_next(&w->engine);
    size_t n = 0;
    do {
        const struct engine_event e = engine_take(&w->engine);
        if (!e.message) {
            run_rank(w, e.rank);
            continue;
        }
        array_room(&w->due, &w->room_due, n + 1);
        const struct message *m = e.rank == FLOW_SIMULATION_READY ? &w->message[e.message] : NULL;
        w->due[n++] = (struct due){ e, m ? m->start : 0, m ? m->turn : 0 };
    } while (engine_next(&w->engine) <= now + same_time_s);
    if (n > 1)
        qsort(w->due, n, sizeof *w->due, by_turn);
    for (size_t i = 0; i < n; i++)
        flow_simulation_event(w->carry, &w->due[i].event, now);
    flow_simulation_settle(w->carry, now);
}

/* NULL: each rank is walked, as the ranks are few, of a part of a launch, or not alike. */
static const struct symmetry *find_symmetry(struct replay *w, const struct replay_call *call)
{
    const int procs = call->part->schedule->procs;
    if (procs <= (call->whole ? call->whole : REPLAY_WHOLE))
        return NULL;
    for (int r = 0; call->member && r < procs; r++)
        if (call->member[r] != r)
            return NULL;
    const struct schedule **schedules = memory_zeros(call->parts, sizeof *schedules);
    for (size_t i = 0; i < call->parts; i++)
        schedules[i] = call->part[i].schedule;
    const struct symmetry *y = symmetries_find(w->symmetries, schedules, call->parts);
    free(schedules);
    for (int r = 0; y && call->begin_s && r < procs; r++)
        if (call->begin_s[r] != call->begin_s[symmetry_class(y, r)])
            return NULL;
    return y;
}

static void begin(struct replay *w, const struct replay_call *call, const struct symmetry *y)
{
    w->call = call;
    w->symmetry = y;
    w->procs = w->symmetry ? w->symmetry->classes : call->part->schedule->procs;
    if (w->procs > w->ranks) {
        w->rank = memory_resize(w->rank, (size_t)w->procs, sizeof *w->rank);
        for (; w->ranks < w->procs; w->ranks++)
            w->rank[w->ranks] = (struct rank){ .now = 0 };
    }
    w->messages = 0;
    for (int i = 0; i < call->part->schedule->procs; i++) {
        const int r = call->order ? call->order[i] : i;
        if (r >= w->procs)
            continue;
        struct rank *rank = &w->rank[r];
        rank->now = call->begin_s ? call->begin_s[r] : 0;
        rank->turn = i + 1;
        rank->part = 0;
        rank->at = 0;
        rank->state = look_for_part(w, r) ? RANK_BEGINS : RANK_ENDED;
        if (rank->state == RANK_BEGINS)
            engine_add_event(&w->engine, rank->now, r, 0);
    }
}

/* Empties what a walk that did not end has left. */
static void restart(struct replay *w)
{
    engine_drop_events(&w->engine);
    w->used = w->vacant = 0;
    post_clear(&w->sent);
    post_clear(&w->wanted);
    flow_simulation_restart(w->carry);
}

/* Does a rank go on after a round? What ties change then grows from round to round. */
static int goes_on(const struct replay_call *call)
{
    return call->parts > 1 || call->times > 1 || schedule_rounds(call->part->schedule, 0) > 1;
}

/* 0: classes do not do, as messages of several nodes met on a link. */
static int walk(struct replay *w, const struct replay_call *call, const struct symmetry *y)
{
    const int alone = y && goes_on(call);
    restart(w);
    begin(w, call, y);
    while (!isinf(engine_next(&w->engine))) {
        happen(w);
        if (alone && flow_simulation_mixed(w->carry))
            return 0;
    }
    return 1;
}

int replay_walk(struct replay *w, const struct replay_call *call, double *end_s, uint64_t *messages,
                struct err *err)
{
    if (!walk(w, call, find_symmetry(w, call)))
        walk(w, call, NULL);
    if (messages)
        *messages = w->messages * (uint64_t)(call->part->schedule->procs / w->procs);
    for (int r = 0; r < call->part->schedule->procs; r++) {
        const struct rank *walked = &w->rank[r % w->procs];
        if (walked->state != RANK_ENDED)
            return err_set(err, "%s never ends: rank %d waits for a message",
                           schedule_called(call->part->schedule).text, r);
        end_s[r] = walked->now;
    }
    return 0;
}
