/* SPDX-License-Identifier: BSD-3-Clause */
/* carry.c - lines are links that carry one message at a time. The end of a message that shares
 * nothing is known when it begins; it is an event only where somebody waits for its links. */
#include "analysis/walk/carry.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/walk/shares.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"

/* Of a route, links that carry one at a time: two of the network, a seat. */
enum { MOST_ONE = 4, NOBODY = -1 };

/* Times that are nearer are one, as for SimGrid (surf/precision). */
static const double same_time_s = 1e-9;

/* A link that carries one message at a time. Waiting messages are a list in the order in which they
 * set out, of numbers message * MOST_ONE + which of its links this is. */
struct line {
    double free_at;       /* INFINITY: when its message is done */
    int n, one[MOST_ONE]; /* the links of the message that has it */
    int first, last;      /* of those that wait; NOBODY */
    signed char busy;     /* an event will tell that it is free */
};

struct flow {
    double start, bytes, rate, penalty;
    int n_one, n_shared;
    int one[MOST_ONE], next[MOST_ONE], before[MOST_ONE];
};

struct carry {
    const struct platform *platform;
    struct engine *engine;
    carry_arrived *arrived;
    void *state;
    struct line *line; /* of each link */
    struct flow *flow; /* of each message */
    int *shared;       /* of each message, most links */
    size_t room, room_shared, most;
    struct shares *shares;
};

struct carry *carry_new(const struct platform *platform, struct engine *engine,
                        carry_arrived *arrived, void *state)
{
    struct carry *c = memory_zeros(1, sizeof *c);
    *c = (struct carry){ .platform = platform,
                         .engine = engine,
                         .arrived = arrived,
                         .state = state,
                         .most = (size_t)platform_most_links(platform),
                         .shares = shares_new(platform, engine) };
    c->line = memory_zeros((size_t)platform_links(platform), sizeof *c->line);
    carry_restart(c);
    return c;
}

void carry_free(struct carry *c)
{
    if (!c)
        return;
    shares_free(c->shares);
    free(c->line);
    free(c->flow);
    free(c->shared);
    free(c);
}

void carry_restart(struct carry *c)
{
    for (int i = 0; i < platform_links(c->platform); i++)
        c->line[i] = (struct line){ .first = NOBODY, .last = NOBODY };
}

/* ---- waiting ---- */

/* Behind those that set out before. */
static void wait_for(struct carry *c, int message, int which)
{
    struct flow *f = &c->flow[message];
    struct line *l = &c->line[f->one[which]];
    const int me = message * MOST_ONE + which;
    int before = l->last;
    while (before != NOBODY && c->flow[before / MOST_ONE].start > f->start)
        before = c->flow[before / MOST_ONE].before[before % MOST_ONE];
    int *const next =
        before == NOBODY ? &l->first : &c->flow[before / MOST_ONE].next[before % MOST_ONE];
    f->before[which] = before;
    f->next[which] = *next;
    if (*next == NOBODY)
        l->last = me;
    else
        c->flow[*next / MOST_ONE].before[*next % MOST_ONE] = me;
    *next = me;
}

static void wait_no_more(struct carry *c, int message, int which)
{
    const struct flow *f = &c->flow[message];
    struct line *l = &c->line[f->one[which]];
    const int next = f->next[which], before = f->before[which];
    if (before == NOBODY)
        l->first = next;
    else
        c->flow[before / MOST_ONE].next[before % MOST_ONE] = next;
    if (next == NOBODY)
        l->last = before;
    else
        c->flow[next / MOST_ONE].before[next % MOST_ONE] = before;
}

/* ---- beginning and ending ---- */

static int is_free(const struct line *l, double now)
{
    return !l->busy && l->free_at <= now + same_time_s;
}

static int can_begin(const struct carry *c, const struct flow *f, double now)
{
    for (int i = 0; i < f->n_one; i++)
        if (!is_free(&c->line[f->one[i]], now))
            return 0;
    return 1;
}

/* Somebody waits for this line: an event shall tell when it is free. */
static void tell(struct carry *c, int link)
{
    const struct line *l = &c->line[link];
    if (l->busy || isinf(l->free_at))
        return;
    const int n = l->n;
    engine_at(c->engine, l->free_at, CARRY_FREE, l->one[0] + 1);
    for (int i = 0; i < n; i++)
        c->line[l->one[i]].busy = 1;
}

/* The message has its lines until then. */
static void take_lines(struct carry *c, const struct flow *f, double until)
{
    int awaited = NOBODY;
    for (int i = 0; i < f->n_one; i++) {
        struct line *l = &c->line[f->one[i]];
        l->free_at = until;
        l->busy = isinf(until) != 0;
        l->n = f->n_one;
        for (int k = 0; k < f->n_one; k++)
            l->one[k] = f->one[k];
        if (l->first != NOBODY)
            awaited = f->one[i];
    }
    if (awaited != NOBODY)
        tell(c, awaited);
}

static void begin(struct carry *c, int message, double now)
{
    const struct flow *f = &c->flow[message];
    if (f->n_shared) {
        take_lines(c, f, INFINITY);
        shares_begin(c->shares, message, c->shared + (size_t)message * c->most, f->n_shared,
                     f->bytes, f->rate, f->penalty, now);
        return;
    }
    const double end = now + f->bytes / f->rate;
    take_lines(c, f, end);
    c->arrived(c->state, message, end);
}

static void ready(struct carry *c, int message, double now)
{
    const struct flow *f = &c->flow[message];
    if (can_begin(c, f, now)) {
        begin(c, message, now);
        return;
    }
    for (int i = 0; i < f->n_one; i++) {
        wait_for(c, message, i);
        if (!is_free(&c->line[f->one[i]], now))
            tell(c, f->one[i]);
    }
}

/* The first that waits for the line and can begin does. */
static void give_away(struct carry *c, int link, double now)
{
    for (int i = c->line[link].first; i != NOBODY;) {
        const int message = i / MOST_ONE;
        const struct flow *f = &c->flow[message];
        if (can_begin(c, f, now)) {
            for (int k = 0; k < f->n_one; k++)
                wait_no_more(c, message, k);
            begin(c, message, now);
            return;
        }
        i = f->next[i % MOST_ONE];
    }
}

/* Links are freed one after the other, and given away one after the other. */
static void free_lines(struct carry *c, const int *one, int n, double now)
{
    int links[MOST_ONE];
    for (int i = 0; i < n; i++)
        links[i] = one[i];
    for (int i = 0; i < n; i++) {
        c->line[links[i]].busy = 0;
        c->line[links[i]].free_at = now;
        give_away(c, links[i], now);
    }
}

/* ---- for the walk ---- */

void carry_set_out(struct carry *c, int message, const struct platform_route *route, double bytes,
                   double start, double latency)
{
    array_room(&c->flow, &c->room, (size_t)message + 1);
    array_room(&c->shared, &c->room_shared, c->room * c->most);
    struct flow *f = &c->flow[message];
    int *shared = c->shared + (size_t)message * c->most;
    f->start = start;
    f->bytes = bytes;
    f->rate = route->rate;
    f->penalty = route->penalty;
    f->n_one = f->n_shared = 0;
    for (int i = 0; i < route->n; i++) {
        const enum platform_kind kind = platform_link(c->platform, route->link[i])->kind;
        if (kind == PLATFORM_ONE)
            f->one[f->n_one++] = route->link[i];
        else if (kind == PLATFORM_SHARED)
            shared[f->n_shared++] = route->link[i];
    }
    engine_at(c->engine, start + latency, CARRY_READY, message);
}

void carry_event(struct carry *c, const struct engine_event *event, double now)
{
    if (event->rank == CARRY_READY) {
        ready(c, event->message, now);
    } else if (event->rank == CARRY_FREE) {
        const struct line *l = &c->line[event->message - 1];
        free_lines(c, l->one, l->n, now);
    } else if (shares_ends(c->shares, event->message, event->at)) {
        shares_end(c->shares, event->message);
        free_lines(c, c->flow[event->message].one, c->flow[event->message].n_one, now);
        c->arrived(c->state, event->message, now);
    }
}

void carry_settle(struct carry *c, double now)
{
    shares_settle(c->shares, now);
}
