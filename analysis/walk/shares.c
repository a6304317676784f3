/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.c - from the links that changed the messages on them, their links, and so on: those are
 * all whose rates can change. */
#include "analysis/walk/shares.h"

#include <math.h>

#include "harness/base/array.h"
#include "harness/base/memory.h"

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

struct shares *shares_new(const struct platform *platform, struct engine *engine)
{
    struct shares *s = memory_zeros(1, sizeof *s);
    s->platform = platform;
    s->engine = engine;
    s->most = (size_t)platform_most_links(platform);
    s->link = memory_zeros((size_t)platform_links(platform), sizeof *s->link);
    return s;
}

void shares_free(struct shares *s)
{
    if (!s)
        return;
    for (int i = 0; i < platform_links(s->platform); i++)
        free(s->link[i].message);
    memory_free(s->link, s->sharer, s->way, s->changed.v, s->links.v, s->messages.v, s);
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

void shares_begin(struct shares *s, int message, const int *link, int n, double bytes, double most,
                  double penalty, double now)
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

int shares_ends(const struct shares *s, int message, double at)
{
    return s->sharer[message].under_way && s->sharer[message].end == at;
}

void shares_end(struct shares *s, int message)
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

/* ---- whom a change touches ---- */

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

/* ---- rates ---- */

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

void shares_settle(struct shares *s, double now)
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
