/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/block_spread.h"

#include "workloads/schedules/parts.h"

struct team team_all(const struct schedule *s, int root,
                     uint64_t (*border)(const struct schedule *s, int i))
{
    return (struct team){ .s = s, .procs = s->procs, .root = root, .border = border };
}

struct team team_folded(const struct schedule *s, int root, int members,
                        uint64_t (*border)(const struct schedule *s, int i))
{
    struct team t = team_all(s, root, border);
    t.procs = members;
    t.folded = s->procs - t.procs;
    return t;
}

/* How many ranks come before a member. */
static int ranks_before(const struct team *t, int member)
{
    return member < t->folded ? 2 * member : member + t->folded;
}

static int place_of_rank(const struct team *t, int rank)
{
    return rank >= t->root ? rank - t->root : rank - t->root + t->s->procs;
}

static int rank_at(const struct team *t, int place)
{
    return place < t->s->procs - t->root ? place + t->root : place + t->root - t->s->procs;
}

int team_member(const struct team *t, int rank)
{
    const int place = place_of_rank(t, rank);
    if (place >= 2 * t->folded)
        return place - t->folded;
    return place % 2 ? -1 : place / 2;
}

int team_rank(const struct team *t, int member)
{
    return rank_at(t, ranks_before(t, member));
}

int team_other_rank(const struct team *t, int rank)
{
    return rank_at(t, place_of_rank(t, rank) ^ 1);
}

uint64_t team_border(const struct team *t, int member)
{
    return t->border(t->s, ranks_before(t, member));
}

uint64_t team_span(const struct team *t, int first, int count)
{
    const int end = first + count;
    if (end <= t->procs)
        return team_border(t, end) - team_border(t, first);
    return team_border(t, t->procs) - team_border(t, first) + team_border(t, end - t->procs);
}

int team_around(const struct team *t, int v, int distance)
{
    const int at = v + distance;
    return at >= t->procs ? at - t->procs : at < 0 ? at + t->procs : at;
}

uint64_t border_of_cut(const struct schedule *s, int i)
{
    const uint64_t n = (uint64_t)s->procs, size = schedule_count(s) / n,
                   longer = schedule_count(s) % n;
    return ((uint64_t)i * size + min_u64((uint64_t)i, longer)) * s->element_bytes;
}

uint64_t border_of_givers(const struct schedule *s, int i)
{
    return schedule_got_at(s, i, 0);
}

uint64_t border_of_takers(const struct schedule *s, int i)
{
    return schedule_given_at(s, 0, i);
}

uint64_t spread_place(const struct team *t, const struct pattern *p, int v, int block)
{
    if (!p->turned)
        return team_border(t, block);
    return block >= v ? team_span(t, v, block - v) : team_span(t, v, block + t->procs - v);
}

static struct run own_run(int v)
{
    return (struct run){ v, 1, 1 };
}

static struct run run_of(const struct team *t, const struct pattern *p, int v, int step, int i)
{
    return p->sent ? p->sent(t, v, step, i) : own_run(v);
}

/* The next blocks of a run that stand one behind the other, from its block `done` on; *first of
 * them. In a turned vector a run does not cross the end. */
static int next_piece(const struct team *t, const struct pattern *p, const struct run *r, int done,
                      int *first)
{
    const long long at = r->first + (long long)done * r->stride;
    const int rest = r->count - done;
    *first = (int)(((at % t->procs) + t->procs) % t->procs);
    if (r->stride != 1)
        return 1;
    return p->turned || rest <= t->procs - *first ? rest : t->procs - *first;
}

/* What is done with each piece of a run: the bytes at `place` of a vector. */
struct pieces {
    const struct team *t;
    const struct pattern *p;
    struct run run;
    int done;
};

static int each_piece(struct pieces *c, int v, uint64_t *place, uint64_t *bytes)
{
    int first;
    if (c->done == c->run.count)
        return 0;
    const int n = next_piece(c->t, c->p, &c->run, c->done, &first);
    c->done += n;
    *place = spread_place(c->t, c->p, v, first);
    *bytes = team_span(c->t, first, n);
    return 1;
}

static void send_run(const struct team *t, const struct pattern *p, struct vector from, int v,
                     struct run run, int dst, struct round *out)
{
    struct pieces c = { t, p, run, 0 };
    uint64_t place, bytes;
    while (each_piece(&c, v, &place, &bytes))
        round_send(out, from.buf, from.at + place, bytes, team_rank(t, dst));
}

static void recv_run(const struct team *t, const struct pattern *p, struct vector into, int v,
                     struct run run, int src, struct round *out)
{
    struct pieces c = { t, p, run, 0 };
    uint64_t place, bytes;
    while (each_piece(&c, v, &place, &bytes))
        round_recv(out, into.buf, into.at + place, bytes, team_rank(t, src));
}

static const struct pattern in_place = { .turned = 0 };

void spread_send(const struct team *t, struct vector from, struct run run, int dst,
                 struct round *out)
{
    send_run(t, &in_place, from, 0, run, dst, out);
}

void spread_recv(const struct team *t, struct vector into, struct run run, int src,
                 struct round *out)
{
    recv_run(t, &in_place, into, 0, run, src, out);
}

static void send_own(const struct team *t, const struct pattern *p, int v, struct round *out)
{
    for (int i = 0, dst; (dst = p->peer(t, v, 0, i, 1)) != PEER_END; i++)
        if (dst != PEER_NONE)
            round_send(out, BUF_SEND, 0, team_span(t, v, 1), team_rank(t, dst));
}

void spread_gather(const struct team *t, const struct pattern *p, struct vector where, int v, int k,
                   int own, struct round *out)
{
    for (int i = 0, src; (src = p->peer(t, v, k, i, -1)) != PEER_END; i++)
        if (src != PEER_NONE)
            recv_run(t, p, where, v, run_of(t, p, src, k, i), src, out);
    if (own && k == 0) {
        send_own(t, p, v, out);
        round_copy(out, where.buf, where.at + spread_place(t, p, v, v), BUF_SEND, 0,
                   team_span(t, v, 1));
        return;
    }
    for (int i = 0, dst; (dst = p->peer(t, v, k, i, 1)) != PEER_END; i++)
        if (dst != PEER_NONE)
            send_run(t, p, where, v, run_of(t, p, v, k, i), dst, out);
}

/* What came in goes into the sum. */
static void add_run(const struct team *t, const struct pattern *p, struct vector where,
                    uint64_t *inbox, int v, struct run run, struct round *out)
{
    struct pieces c = { t, p, run, 0 };
    uint64_t place, bytes;
    while (each_piece(&c, v, &place, &bytes)) {
        round_reduce(out, where.buf, where.at + place, BUF_TEMP, *inbox, bytes);
        *inbox += bytes;
    }
}

static void take_run(const struct team *t, const struct pattern *p, uint64_t *inbox, int v,
                     struct run run, int src, struct round *out)
{
    struct pieces c = { t, p, run, 0 };
    uint64_t place, bytes;
    while (each_piece(&c, v, &place, &bytes)) {
        round_recv(out, BUF_TEMP, *inbox, bytes, team_rank(t, src));
        *inbox += bytes;
    }
}

/* SEND as a vector, in the order of v. */
static void copy_all(const struct team *t, const struct pattern *p, struct vector where, int v,
                     struct round *out)
{
    const uint64_t low = p->turned ? team_border(t, v) : 0, all = team_border(t, t->procs);
    round_copy(out, where.buf, where.at, BUF_SEND, low, all - low);
    if (low)
        round_copy(out, where.buf, where.at + all - low, BUF_SEND, 0, low);
}

void spread_reduce(const struct team *t, const struct pattern *p, struct vector where,
                   uint64_t inbox, int v, int k, int own, struct round *out)
{
    const int step = p->steps(t) - 1 - k, from_send = own && k == 0 && !p->turned;
    const struct vector from = from_send ? (struct vector){ BUF_SEND, 0 } : where;
    uint64_t at = inbox;
    if (k < 0) {
        copy_all(t, p, where, v, out);
        return;
    }
    for (int i = 0, src; (src = p->peer(t, v, step, i, 1)) != PEER_END; i++)
        if (src != PEER_NONE)
            take_run(t, p, &at, v, run_of(t, p, v, step, i), src, out);
    for (int i = 0, dst; (dst = p->peer(t, v, step, i, -1)) != PEER_END; i++)
        if (dst != PEER_NONE)
            send_run(t, p, from, v, run_of(t, p, dst, step, i), dst, out);
    if (from_send)
        copy_all(t, p, where, v, out);
    at = inbox;
    for (int i = 0, src; (src = p->peer(t, v, step, i, 1)) != PEER_END; i++)
        if (src != PEER_NONE)
            add_run(t, p, where, &at, v, run_of(t, p, v, step, i), out);
}

int pace_rounds(const struct team *t, enum pace pace)
{
    return pace == PACE_FREE ? 0 : pace == PACE_LIGHT ? 1 : ceil_log2(t->procs);
}

static void sync_recv(const struct team *t, int src, struct round *out)
{
    round_recv(out, BUF_RECV, 0, 0, team_rank(t, src));
}

static void sync_send(const struct team *t, int dst, struct round *out)
{
    round_send(out, BUF_RECV, 0, 0, team_rank(t, dst));
}

void barrier_round(const struct team *t, int v, int k, struct round *out)
{
    const int distance = 1 << k;
    sync_recv(t, team_around(t, v, -distance), out);
    sync_send(t, team_around(t, v, distance), out);
}

void pace_round(const struct team *t, const struct pattern *p, enum pace pace, int v, int step,
                int k, struct round *out)
{
    if (pace == PACE_BARRIER) {
        barrier_round(t, v, k, out);
        return;
    }
    sync_recv(t, p->peer(t, v, step, 0, 1), out);
    sync_send(t, p->peer(t, v, step, 0, -1), out);
}
