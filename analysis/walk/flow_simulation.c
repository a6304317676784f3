/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_simulation.c - lines are links that carry one message at a time. The end of a message that
 * shares nothing is known when it begins; it is an event only where somebody waits for its links.
 */
#include "analysis/walk/flow_simulation.h"

/* The rates of messages that share links: max-min fair by weight, recomputed for those affected by
 * a change. The part of flow_simulation.h for shared links. */

/* The kind of its events: what engine_event has for the rank. */
enum { SHARES_DONE = -3 };

struct shares;

/* A message on its links. */
struct sharer {
    int n; /* its links are shares.way[number * most] ... */
    int under_way, touched, fixed;
    double left, since; /* bytes at that time */
    double rate, most, penalty, end;
};

/* A shared link. */
struct shared {
    int *message; /* on it */
    size_t n, room;
    int changed, touched;
    double spare, weight; /* while rates are found: of those that have none yet, */
    size_t open;          /* and how many those are */
};

struct list {
    int *v;
    size_t n, room;
};

struct shares {
    const struct platform *platform;
    struct engine *engine;
    struct shared *link;
    struct sharer *sharer;
    int *way;
    size_t room, room_way, most;
    struct list changed, links, messages; /* links that changed; what they touch */
};

/* New shares, and their end. Platform and engine are borrowed and must outlive them. */
static struct shares *shares_new(const struct platform *platform, struct engine *engine)
{
    struct shares *s = memory_zeros(1, sizeof *s);
    s->platform = platform;
    s->engine = engine;
    s->most = (size_t)platform_most_links(platform);
    s->link = memory_zeros((size_t)platform_links(platform), sizeof *s->link);
    return s;
}

static void shares_free(struct shares *s)
{
    if (!s)
        return;
    for (int i = 0; i < platform_links(s->platform); i++)
        free(s->link[i].message);
    memory_free(s->link, s->sharer, s->way, s->changed.v, s->links.v, s->messages.v, s);
}

/* Nothing is on the links. */
static void shares_restart(struct shares *s)
{
    for (int i = 0; i < platform_links(s->platform); i++) {
        s->link[i].n = 0;
        s->link[i].changed = 0;
    }
    s->changed.n = 0;
}

static void list_add(struct list *list, int value)
{
    array_room(&list->v, &list->room, list->n + 1);
    list->v[list->n++] = value;
}

static void change(struct shares *s, int link)
{
    if (s->link[link].changed)
        return;
    s->link[link].changed = 1;
    list_add(&s->changed, link);
}

static int *way_of(const struct shares *s, int message)
{
    return s->way + (size_t)message * s->most;
}

/* A message begins on n shared links: so many bytes, at most at `most` bytes per second, weighed by
 * 1 / penalty. */
static void shares_begin(struct shares *s, int message, const int *link, int n, double bytes,
                         double most, double penalty, double now)
{
    const size_t had = s->room;
    array_room(&s->sharer, &s->room, (size_t)message + 1);
    array_room(&s->way, &s->room_way, s->room * s->most);
    for (size_t i = had; i < s->room; i++)
        s->sharer[i] = (struct sharer){ .n = 0 };
    s->sharer[message] = (struct sharer){ .n = n,
                                          .under_way = 1,
                                          .left = bytes,
                                          .since = now,
                                          .most = most,
                                          .penalty = penalty,
                                          .end = INFINITY };
    for (int i = 0; i < n; i++) {
        struct shared *l = &s->link[link[i]];
        way_of(s, message)[i] = link[i];
        array_room(&l->message, &l->room, l->n + 1);
        l->message[l->n++] = message;
        change(s, link[i]);
    }
}

/* 1 when a message ends at this time, by its current rate. */
static int shares_ends(const struct shares *s, int message, double at)
{
    return s->sharer[message].under_way && s->sharer[message].end == at;
}

/* Removes a message that has ended. */
static void shares_end(struct shares *s, int message)
{
    struct sharer *m = &s->sharer[message];
    m->under_way = 0;
    for (int i = 0; i < m->n; i++) {
        struct shared *l = &s->link[way_of(s, message)[i]];
        size_t k = 0;
        while (l->message[k] != message)
            k++;
        l->message[k] = l->message[--l->n];
        change(s, way_of(s, message)[i]);
    }
}

static void touch_link(struct shares *s, int link)
{
    struct shared *l = &s->link[link];
    if (l->touched)
        return;
    l->touched = 1;
    l->spare = platform_link(s->platform, link)->rate;
    l->weight = 0;
    l->open = l->n;
    list_add(&s->links, link);
}

static void touch_message(struct shares *s, int message)
{
    struct sharer *m = &s->sharer[message];
    if (m->touched)
        return;
    m->touched = 1;
    m->fixed = 0;
    list_add(&s->messages, message);
    for (int i = 0; i < m->n; i++) {
        touch_link(s, way_of(s, message)[i]);
        s->link[way_of(s, message)[i]].weight += 1 / m->penalty;
    }
}

static void touch_all(struct shares *s)
{
    s->links.n = s->messages.n = 0;
    for (size_t i = 0; i < s->changed.n; i++) {
        s->link[s->changed.v[i]].changed = 0;
        touch_link(s, s->changed.v[i]);
    }
    s->changed.n = 0;
    for (size_t i = 0; i < s->links.n; i++) {
        const struct shared *l = &s->link[s->links.v[i]];
        for (size_t k = 0; k < l->n; k++)
            touch_message(s, l->message[k]);
    }
}

static void take_rate(struct shares *s, struct sharer *m, double rate, double now)
{
    const int message = (int)(m - s->sharer);
    m->fixed = 1;
    for (int i = 0; i < m->n; i++) {
        struct shared *l = &s->link[way_of(s, message)[i]];
        l->spare = fmax(0, l->spare - rate);
        l->weight -= 1 / m->penalty;
        l->open--;
    }
    if (rate == m->rate)
        return;
    m->left = fmax(0, m->left - m->rate * (now - m->since));
    m->since = now;
    m->rate = rate;
    m->end = now + m->left / rate;
    engine_add_event(s->engine, m->end, SHARES_DONE, message);
}

/* The link that is full first as all rates rise alike, by weight, and the level at which it is.
 * Links of which all messages have their rates are left out from now on. */
static int next_tight(struct shares *s, double *level)
{
    int tight = -1;
    *level = INFINITY;
    for (size_t i = 0; i < s->links.n;) {
        struct shared *l = &s->link[s->links.v[i]];
        if (!l->open) {
            l->touched = 0;
            s->links.v[i] = s->links.v[--s->links.n];
            continue;
        }
        if (tight < 0 || l->spare < *level * l->weight) {
            *level = l->spare / l->weight;
            tight = s->links.v[i];
        }
        i++;
    }
    return tight;
}

/* Those whose own limit comes before that level get it; 0: nobody's does. Who has a rate is taken
 * from the list. */
static int fix_limited(struct shares *s, double level, double now)
{
    double least = INFINITY;
    for (size_t i = 0; i < s->messages.n;) {
        struct sharer *m = &s->sharer[s->messages.v[i]];
        if (m->fixed) {
            m->touched = 0;
            s->messages.v[i] = s->messages.v[--s->messages.n];
            continue;
        }
        least = fmin(least, m->most * m->penalty);
        i++;
    }
    for (size_t i = 0; least < level && i < s->messages.n; i++) {
        struct sharer *m = &s->sharer[s->messages.v[i]];
        if (m->most * m->penalty <= least * (1 + 1e-9))
            take_rate(s, m, m->most, now);
    }
    return least < level;
}

static void fix_tight(struct shares *s, int tight, double level, double now)
{
    const struct shared *l = &s->link[tight];
    for (size_t i = 0; i < l->n; i++) {
        struct sharer *m = &s->sharer[l->message[i]];
        if (!m->fixed)
            take_rate(s, m, level / m->penalty, now);
    }
}

/* Finds the rates of those that share with what began or ended since the last time, and puts
 * their ends in the engine's line (SHARES_DONE). */
static void shares_settle(struct shares *s, double now)
{
    double level;
    if (!s->changed.n)
        return;
    touch_all(s);
    for (int tight; (tight = next_tight(s, &level)) >= 0;)
        if (!fix_limited(s, level, now))
            fix_tight(s, tight, level, now);
    for (size_t i = 0; i < s->messages.n; i++)
        s->sharer[s->messages.v[i]].touched = 0;
}

/* Of a route, links that carry one at a time: two of the network, a seat. */
enum { MOST_ONE = 4, NOBODY = -1 };

/* Times that are nearer are one, as for SimGrid (surf/precision). */
static const double same_time_s = 1e-9;

/* Queues with messages that need the same two links: this one, and another. One look at that one
 * tells of all of them whether their messages have to wait. */
struct meeting {
    int other;  /* NOBODY: their messages need this link alone */
    int *queue; /* owned; in no order */
    size_t n, room;
};

/* A link that carries one message at a time. */
struct line {
    int n, one[MOST_ONE];       /* the links of the message that has it */
    struct meeting *meeting;    /* owned; with each other link that some message needed, too */
    size_t n_meetings, waiting; /* waiting: its queues that have messages */
    int group, waits_group;     /* of the message that has it, and of the last that waits */
    double began;
};

/* Whether such a link is free. Apart from the line, as the search for a message that can begin
 * looks at many links. */
struct freedom {
    double at;        /* when it is; INFINITY: when its message is done */
    signed char busy; /* an event will tell that it is free */
};

/* Messages that wait for the same links, so that all of them can begin or none, in the order in
 * which they set out. */
struct queue {
    int n, one[MOST_ONE];
    size_t meeting[MOST_ONE], at[MOST_ONE]; /* of each link, and its place there, while it has
                                               messages */
    int first, last;                        /* messages; NOBODY */
};

struct flow {
    double start, bytes, rate, penalty;
    int n_one, n_shared;
    int one[MOST_ONE];
    uint64_t turn; /* that it began to wait at */
    int queue, next, before;
    int group;
};

struct flow_simulation {
    const struct platform *platform;
    struct engine *engine;
    flow_simulation_arrived *arrived;
    void *state;
    struct line *line;       /* of each link */
    struct freedom *freedom; /* of each link */
    struct flow *flow;       /* of each message */
    int *shared;             /* of each message, most links */
    size_t room, room_shared, most;
    struct queue *queue; /* one for each set of links that somebody waited for */
    size_t n_queues;
    int *place; /* places of queues by a digest of their links, NOBODY: none; as many as a power of
                   two */
    size_t places;
    uint64_t turn;
    int mixed;
    struct shares *shares;
};

struct flow_simulation *flow_simulation_new(const struct platform *platform, struct engine *engine,
                                            flow_simulation_arrived *arrived, void *state)
{
    struct flow_simulation *c = memory_zeros(1, sizeof *c);
    *c = (struct flow_simulation){ .platform = platform,
                                   .engine = engine,
                                   .arrived = arrived,
                                   .state = state,
                                   .most = (size_t)platform_most_links(platform),
                                   .shares = shares_new(platform, engine) };
    c->line = memory_zeros((size_t)platform_links(platform), sizeof *c->line);
    c->freedom = memory_zeros((size_t)platform_links(platform), sizeof *c->freedom);
    return c;
}

static void line_clear(struct line *l)
{
    for (size_t i = 0; i < l->n_meetings; i++)
        free(l->meeting[i].queue);
    free(l->meeting);
}

void flow_simulation_free(struct flow_simulation *c)
{
    if (!c)
        return;
    shares_free(c->shares);
    for (int i = 0; i < platform_links(c->platform); i++)
        line_clear(&c->line[i]);
    memory_free(c->queue, c->place, c->line, c->freedom, c->flow, c->shared, c);
}

void flow_simulation_restart(struct flow_simulation *c)
{
    for (int i = 0; i < platform_links(c->platform); i++) {
        c->line[i].n = 0;
        c->line[i].waiting = 0;
        for (size_t k = 0; k < c->line[i].n_meetings; k++)
            c->line[i].meeting[k].n = 0;
        c->freedom[i] = (struct freedom){ .at = 0 };
    }
    for (size_t i = 0; i < c->n_queues; i++)
        c->queue[i].first = c->queue[i].last = NOBODY;
    c->mixed = 0;
    shares_restart(c->shares);
}

static size_t digest_of(const int *one, int n)
{
    uint64_t h = (uint64_t)n;
    for (int i = 0; i < n; i++)
        h = (h + (uint64_t)one[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h >> 20);
}

/* Where a queue is, or would be: its place. */
static size_t find_place(const struct flow_simulation *c, const int *one, int n)
{
    size_t at = digest_of(one, n) & (c->places - 1);
    while (c->place[at] != NOBODY &&
           (c->queue[c->place[at]].n != n ||
            memcmp(c->queue[c->place[at]].one, one, (size_t)n * sizeof *one) != 0))
        at = (at + 1) & (c->places - 1);
    return at;
}

static void make_places(struct flow_simulation *c)
{
    c->places = c->places ? 2 * c->places : 64;
    c->place = memory_resize(c->place, c->places, sizeof *c->place);
    for (size_t i = 0; i < c->places; i++)
        c->place[i] = NOBODY;
    for (size_t i = 0; i < c->n_queues; i++)
        c->place[find_place(c, c->queue[i].one, c->queue[i].n)] = (int)i;
}

/* Where on the line those queues are of which messages need that other link, too. A new queue of
 * no more than these links has nobody to meet. */
static size_t meeting_of(struct line *l, int other, int links)
{
    const size_t n = l->n_meetings,
                 i = links > 2 ? first_below(k, n, l->meeting[k].other == other) : n;
    if (i == l->n_meetings)
        ((struct meeting *)array_add(&l->meeting, &l->n_meetings))->other = other;
    return i;
}

static int queue_of(struct flow_simulation *c, const struct flow *f)
{
    if (2 * c->n_queues >= c->places)
        make_places(c);
    const size_t at = find_place(c, f->one, f->n_one);
    if (c->place[at] != NOBODY)
        return c->place[at];
    const int me = c->place[at] = (int)c->n_queues;
    struct queue *q = array_add(&c->queue, &c->n_queues);
    *q = (struct queue){ .n = f->n_one, .first = NOBODY, .last = NOBODY };
    memcpy(q->one, f->one, (size_t)f->n_one * sizeof *q->one);
    for (int i = 0; i < q->n; i++)
        q->meeting[i] = meeting_of(&c->line[q->one[i]], q->n < 2 ? NOBODY : q->one[i == 0], q->n);
    return me;
}

/* Its first message has come. */
static void show_queue(struct flow_simulation *c, int queue)
{
    struct queue *q = &c->queue[queue];
    for (int i = 0; i < q->n; i++) {
        struct line *l = &c->line[q->one[i]];
        struct meeting *m = &l->meeting[q->meeting[i]];
        array_room(&m->queue, &m->room, m->n + 1);
        m->queue[q->at[i] = m->n++] = queue;
        l->waiting++;
    }
}

/* Its last message has gone. The last queue of each meeting takes its place there. */
static void hide_queue(struct flow_simulation *c, int queue)
{
    const struct queue *q = &c->queue[queue];
    for (int i = 0; i < q->n; i++) {
        struct line *l = &c->line[q->one[i]];
        struct meeting *m = &l->meeting[q->meeting[i]];
        const int last = m->queue[--m->n];
        m->queue[q->at[i]] = last;
        for (int k = 0; k < c->queue[last].n; k++)
            if (c->queue[last].one[k] == q->one[i])
                c->queue[last].at[k] = q->at[i];
        l->waiting--;
    }
}

static int is_free(const struct flow_simulation *c, int link, double now)
{
    const struct freedom *f = &c->freedom[link];
    return !f->busy && f->at <= now + same_time_s;
}

/* Does a message of another group wait for one of its links, or has one just taken it? */
static void note_mixed(struct flow_simulation *c, const struct flow *f, double now)
{
    for (int i = 0; i < f->n_one; i++) {
        struct line *l = &c->line[f->one[i]];
        if ((l->waiting && l->waits_group != f->group) ||
            (l->began >= now - same_time_s && l->group != f->group && !is_free(c, f->one[i], now)))
            c->mixed = 1;
        l->waits_group = f->group;
    }
}

/* Behind those that set out before. */
static void wait_for(struct flow_simulation *c, int message)
{
    const int queue = queue_of(c, &c->flow[message]);
    struct flow *f = &c->flow[message];
    struct queue *q = &c->queue[queue];
    int before = q->last;
    if (before == NOBODY)
        show_queue(c, queue);
    while (before != NOBODY && c->flow[before].start > f->start)
        before = c->flow[before].before;
    int *const next = before == NOBODY ? &q->first : &c->flow[before].next;
    f->queue = queue;
    f->turn = c->turn++;
    f->before = before;
    f->next = *next;
    if (*next == NOBODY)
        q->last = message;
    else
        c->flow[*next].before = message;
    *next = message;
}

static void wait_no_more(struct flow_simulation *c, int message)
{
    const struct flow *f = &c->flow[message];
    struct queue *q = &c->queue[f->queue];
    if (f->before == NOBODY)
        q->first = f->next;
    else
        c->flow[f->before].next = f->next;
    if (f->next == NOBODY)
        q->last = f->before;
    else
        c->flow[f->next].before = f->before;
    if (q->first == NOBODY)
        hide_queue(c, f->queue);
}

/* Which of two that wait set out first; at once: which waits longer. */
static int is_earlier(const struct flow *a, const struct flow *b)
{
    return a->start < b->start || (a->start == b->start && a->turn < b->turn);
}

static int are_free(const struct flow_simulation *c, const int *link, int n, double now)
{
    for (int i = 0; i < n; i++)
        if (!is_free(c, link[i], now))
            return 0;
    return 1;
}

/* Somebody waits for this line: an event shall tell when it is free. */
static void tell(struct flow_simulation *c, int link)
{
    const struct line *l = &c->line[link];
    const struct freedom *f = &c->freedom[link];
    if (f->busy || isinf(f->at))
        return;
    engine_add_event(c->engine, f->at, FLOW_SIMULATION_FREE, l->one[0] + 1);
    for (int i = 0; i < l->n; i++)
        c->freedom[l->one[i]].busy = 1;
}

/* The message has its lines until then. */
static void take_lines(struct flow_simulation *c, const struct flow *f, double now, double until)
{
    int awaited = NOBODY;
    for (int i = 0; i < f->n_one; i++) {
        struct line *l = &c->line[f->one[i]];
        c->freedom[f->one[i]] = (struct freedom){ until, isinf(until) != 0 };
        l->n = f->n_one;
        l->group = f->group;
        l->began = now;
        memcpy(l->one, f->one, (size_t)f->n_one * sizeof *l->one);
        if (l->waiting)
            awaited = f->one[i];
    }
    if (awaited != NOBODY)
        tell(c, awaited);
}

static void begin(struct flow_simulation *c, int message, double now)
{
    const struct flow *f = &c->flow[message];
    if (f->n_shared) {
        take_lines(c, f, now, INFINITY);
        shares_begin(c->shares, message, c->shared + (size_t)message * c->most, f->n_shared,
                     f->bytes, f->rate, f->penalty, now);
        return;
    }
    const double end = now + f->bytes / f->rate;
    take_lines(c, f, now, end);
    c->arrived(c->state, message, end);
}

static void ready(struct flow_simulation *c, int message, double now)
{
    const struct flow *f = &c->flow[message];
    if (are_free(c, f->one, f->n_one, now)) {
        begin(c, message, now);
        return;
    }
    note_mixed(c, f, now);
    wait_for(c, message);
    for (int i = 0; i < f->n_one; i++)
        if (!is_free(c, f->one[i], now))
            tell(c, f->one[i]);
}

/* The first of a meeting's messages that can begin, if it set out before `first`; else `first`. */
static int first_of(const struct flow_simulation *c, const struct meeting *m, int first, double now)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct queue *q = &c->queue[m->queue[i]];
        if ((first == NOBODY || is_earlier(&c->flow[q->first], &c->flow[first])) &&
            are_free(c, q->one, q->n, now))
            first = q->first;
    }
    return first;
}

/* The first that waits for the line and can begin does. */
static void give_away(struct flow_simulation *c, int link, double now)
{
    const struct line *l = &c->line[link];
    int first = NOBODY;
    if (!l->waiting)
        return;
    for (const struct meeting *m = l->meeting, *end = m + l->n_meetings; m < end; m++)
        if (m->n && (m->other == NOBODY || is_free(c, m->other, now)))
            first = first_of(c, m, first, now);
    if (first == NOBODY)
        return;
    wait_no_more(c, first);
    begin(c, first, now);
}

/* Links are freed one after the other, and given away one after the other. */
static void free_lines(struct flow_simulation *c, const int *one, int n, double now)
{
    int links[MOST_ONE];
    for (int i = 0; i < n; i++)
        links[i] = one[i];
    for (int i = 0; i < n; i++) {
        c->freedom[links[i]] = (struct freedom){ .at = now };
        give_away(c, links[i], now);
    }
}

void flow_simulation_set_out(struct flow_simulation *c, int message,
                             const struct platform_route *route, double bytes, double start,
                             double latency, int group)
{
    array_room(&c->flow, &c->room, (size_t)message + 1);
    array_room(&c->shared, &c->room_shared, c->room * c->most);
    struct flow *f = &c->flow[message];
    int *shared = c->shared + (size_t)message * c->most;
    f->start = start;
    f->group = group;
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
    engine_add_event(c->engine, start + latency, FLOW_SIMULATION_READY, message);
}

void flow_simulation_event(struct flow_simulation *c, const struct engine_event *event, double now)
{
    if (event->rank == FLOW_SIMULATION_READY) {
        ready(c, event->message, now);
    } else if (event->rank == FLOW_SIMULATION_FREE) {
        const struct line *l = &c->line[event->message - 1];
        free_lines(c, l->one, l->n, now);
    } else if (shares_ends(c->shares, event->message, event->at)) {
        shares_end(c->shares, event->message);
        free_lines(c, c->flow[event->message].one, c->flow[event->message].n_one, now);
        c->arrived(c->state, event->message, now);
    }
}

void flow_simulation_settle(struct flow_simulation *c, double now)
{
    shares_settle(c->shares, now);
}

int flow_simulation_mixed(const struct flow_simulation *c)
{
    return c->mixed;
}
