/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/walk/channel.h"

#include "analysis/walk/ranks.h"

double channel_pingpong(const struct channel_lines *p, enum channel channel, double bytes)
{
    const struct channel_line *line = &p->hockney[channel].line;
    const double t = line->intercept + line->slope * bytes;
    if (line->status != FIT_OK)
        return NAN;
    return t > 0 ? t : line->robust_intercept + line->robust_slope * bytes;
}

double channel_ratio(const struct channel_lines *p, enum channel a, enum channel b, double bytes,
                     enum channel *slow)
{
    const double x = channel_pingpong(p, a, bytes), y = channel_pingpong(p, b, bytes);
    if (slow)
        *slow = x > y ? a : b;
    return x > y ? x / y : y / x;
}

static double line_at(const struct channel_fanout *f, double procs, int of_mean)
{
    const struct channel_line *line = of_mean ? &f->mean : &f->slowest;
    return line->status == FIT_OK ? line->intercept + line->slope * (procs - 1) : NAN;
}

/* The measured sizes around this one (or twice the same); 0: there are none. */
static int fanouts_around(const struct channel_lines *p, enum experiment experiment,
                          enum channel channel, double bytes,
                          const struct channel_fanout *around[2])
{
    around[0] = around[1] = NULL;
    for (size_t i = 0; i < p->n_fanouts && !around[1]; i++) {
        const struct channel_fanout *f = &p->fanout[i];
        if (f->experiment != experiment || f->channel != channel)
            continue;
        if ((double)f->bytes <= bytes)
            around[0] = f;
        if ((double)f->bytes >= bytes)
            around[1] = f;
    }
    return around[0] && around[1];
}

double channel_fanout_time(const struct channel_lines *p, enum experiment experiment,
                           enum channel channel, double procs, double bytes, int of_mean)
{
    const struct channel_fanout *at[2];
    if (!fanouts_around(p, experiment, channel, bytes, at))
        return NAN;
    const double low = line_at(at[0], procs, of_mean), high = line_at(at[1], procs, of_mean);
    if (at[0] == at[1])
        return low;
    const double step = (double)(at[1]->bytes - at[0]->bytes);
    return low + (high - low) * (bytes - (double)at[0]->bytes) / step;
}

int channel_fanout_procs(const struct channel_lines *p, enum experiment experiment,
                         enum channel channel, double bytes)
{
    const struct channel_fanout *at[2];
    if (!fanouts_around(p, experiment, channel, bytes, at))
        return 0;
    return at[0]->most_procs < at[1]->most_procs ? at[0]->most_procs : at[1]->most_procs;
}

/* Ranks among which the base's broadcast costs as much. */
static double procs_of_base(const struct channel_lines *p, enum channel base,
                            const int children[N_CHANNELS], double bytes)
{
    double procs = 1;
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        enum channel slow = base;
        double q = 1;
        if (children[c] && c != (int)base)
            q = channel_ratio(p, (enum channel)c, base, bytes, &slow);
        procs += children[c] * (slow == base ? 1 : q);
    }
    return procs;
}

/* The channels with children, quickest first; how many. */
static int by_speed(const struct channel_lines *p, const int children[N_CHANNELS], double bytes,
                    enum channel *order)
{
    int n = 0;
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        if (!children[c])
            continue;
        int i = n++;
        while (i > 0 && channel_pingpong(p, order[i - 1], bytes) >
                            channel_pingpong(p, (enum channel)c, bytes)) {
            order[i] = order[i - 1];
            i--;
        }
        order[i] = (enum channel)c;
    }
    return n;
}

static double at_least(double least, double t)
{
    return t < least ? least : t;
}

struct channel_time channel_nbft(const struct channel_lines *p, enum experiment fan,
                                 const int children[N_CHANNELS], uint64_t bytes)
{
    enum channel order[N_CHANNELS], base = CHANNEL_NONE;
    const double m = (double)bytes;
    const int n = by_speed(p, children, m, order);
    struct channel_time t = { NAN, NAN, 0 };
    for (int i = 0; i < n && base == CHANNEL_NONE; i++)
        if (procs_of_base(p, order[i], children, m) <= channel_fanout_procs(p, fan, order[i], m))
            base = order[i];
    for (int i = 0; i < n && base == CHANNEL_NONE; i++) {
        t.extrapolated = 1;
        if (order[i] != CHANNEL_CACHE)
            base = order[i];
    }
    if (base == CHANNEL_NONE)
        return t;
    const double procs = procs_of_base(p, base, children, m);
    const double least = channel_pingpong(p, order[n - 1], m);
    t.slowest = at_least(least, channel_fanout_time(p, fan, base, procs, m, 0));
    t.mean = at_least(least, channel_fanout_time(p, fan, base, procs, m, 1));
    return t;
}

struct rank_stage {
    uint64_t sent, received, coming; /* coming: received in the round that is not over */
};

/* A linear broadcast that was asked for: most senders of a tree are alike. */
struct asked {
    int children[N_CHANNELS];
    uint64_t bytes;
    struct channel_time time;
};

enum { N_ASKED = 32 }; /* a power of two */

struct walk {
    struct asked asked[N_ASKED]; /* by a hash; no children: none */
    const struct schedule *s;
    const struct places *places;
    const struct channel_lines *p;
    enum experiment fan;
    struct rank_stage *ranks;
    struct channel_time *stage; /* the largest so far, from stage 1 */
    size_t stages;
};

static double larger(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

static void add_stage(struct walk *w, uint64_t stage, const struct channel_time *t)
{
    if (stage > w->stages)
        array_more(&w->stage, &w->stages, stage - w->stages);
    struct channel_time *at = &w->stage[stage - 1];
    at->slowest = larger(at->slowest, t->slowest);
    at->mean = larger(at->mean, t->mean);
    at->extrapolated = at->extrapolated || t->extrapolated;
}

static struct channel_time nbft_of(struct walk *w, const int children[N_CHANNELS], uint64_t bytes)
{
    uint64_t key = bytes;
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        key = (key ^ (uint64_t)children[c]) * UINT64_C(0x9e3779b97f4a7c15);
    struct asked *at = &w->asked[key >> 59 & (N_ASKED - 1)];
    if (at->bytes != bytes || memcmp(at->children, children, sizeof at->children) != 0) {
        memcpy(at->children, children, sizeof at->children);
        at->bytes = bytes;
        at->time = channel_nbft(w->p, w->fan, children, bytes);
    }
    return at->time;
}

static int begin(void *state, int rank, const struct round *round)
{
    struct walk *w = state;
    struct rank_stage *r = &w->ranks[rank];
    int children[N_CHANNELS] = { 0 }, sends = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < round->n; i++) {
        const struct op *op = &round->ops[i];
        if (op->kind != OP_SEND)
            continue;
        children[places_channel(w->places, rank, op->peer)]++;
        bytes = op->bytes > bytes ? op->bytes : bytes;
        sends++;
    }
    if (!sends)
        return 0;
    r->sent = 1 + (r->sent > r->received ? r->sent : r->received);
    const struct channel_time t = nbft_of(w, children, bytes);
    add_stage(w, r->sent, &t);
    return 0;
}

static int send(void *state, struct walk_message *m)
{
    struct walk *w = state;
    m->stage.number = w->ranks[m->src].sent;
    return 0;
}

static int receive(void *state, const struct walk_message *m)
{
    struct walk *w = state;
    struct rank_stage *r = &w->ranks[m->dst];
    r->coming = m->stage.number > r->coming ? m->stage.number : r->coming;
    return 0;
}

static int end(void *state, int rank)
{
    struct walk *w = state;
    struct rank_stage *r = &w->ranks[rank];
    r->received = r->coming > r->received ? r->coming : r->received;
    return 0;
}

int channel_stage_walk(const struct schedule *s, const struct places *places,
                       const struct channel_lines *p, enum experiment fan,
                       struct channel_time *time, struct err *err)
{
    struct walk w = { .s = s, .places = places, .p = p, .fan = fan };
    const struct walk_model model = { &w, begin, send, receive, end };
    uint64_t operations;
    w.ranks = memory_zeros((size_t)s->procs, sizeof *w.ranks);
    const int status = ranks_walk(s, &model, &operations, err);
    *time = (struct channel_time){ 0, 0, 0 };
    for (uint64_t i = 0; i < w.stages; i++) {
        time->slowest += w.stage[i].slowest;
        time->mean += w.stage[i].mean;
        time->extrapolated = time->extrapolated || w.stage[i].extrapolated;
    }
    memory_free(w.ranks, w.stage);
    return status;
}
