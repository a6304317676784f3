/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/channel/channel_costs.h"

#include <limits.h>
#include <math.h>

#include "analysis/models/channel/channel_lines.h"

/* From this share of the latency on a sender that is done at that time has waited for its
 * receiver. */
static const double WAITED = 0.75;

/* A sender that copies takes as long per byte as before; from this factor on it did not copy. And
 * at least this share of the latency has passed. */
static const double JUMP = 2, JUMP_SHARE = 0.5;

/* What a pair of ranks shows of a size. */
struct two_ranks {
    uint64_t bytes;
    double latency, sender; /* sender: S; NaN where that is not known */
};

/* The latency of the smallest message, by the fan-out (fan-in) among two ranks. 0: none. */
static double start_of(const struct channel_platform *p, enum experiment experiment,
                       enum channel channel)
{
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        if (s->experiment == experiment && s->channel == channel && s->procs == 2 &&
            isfinite(s->mean))
            return s->mean;
    }
    return 0;
}

/* The two equations of channel_fit.h; without a barrier both begin at once. */
static struct two_ranks two_ranks_of(const struct channel_platform *p,
                                     const struct channel_sample *s, double start)
{
    struct two_ranks pair = { .bytes = s->bytes, .latency = s->slowest, .sender = NAN };
    if (s->experiment == EXP_PINGPONG || !isfinite(s->mean))
        return pair;
    pair.sender = 2 * s->mean - s->slowest;
    if (p->barrier == BARRIER_NONE)
        return pair;
    pair.latency = s->slowest - start - pair.sender >= start ? s->slowest - start
                                                             : (s->slowest + pair.sender) / 2;
    return pair;
}

/* Sends wait for their receivers from this size on, so far as these two say; the size before comes
 * in *before. In a fan-out the sender is done when the receiver is; in a fan-in the receiver
 * reduces besides, and what tells is that the sender's time jumps. */
static void note_rendezvous(enum experiment experiment, const struct two_ranks *before,
                            const struct two_ranks *pair, double *rendezvous_bytes)
{
    if (experiment == EXP_FANIN) {
        const double bytes = (double)pair->bytes / (double)before->bytes;
        if (isinf(*rendezvous_bytes) && before->sender > 0 &&
            pair->sender >= JUMP * bytes * before->sender &&
            pair->sender >= JUMP_SHARE * pair->latency)
            *rendezvous_bytes = (double)pair->bytes;
    } else if (!(pair->sender >= WAITED * pair->latency)) {
        *rendezvous_bytes = INFINITY;
    } else if (isinf(*rendezvous_bytes)) {
        *rendezvous_bytes = (double)pair->bytes;
    }
}

static void add_latencies(const struct channel_platform *p, enum experiment experiment,
                          enum channel channel, struct seat_channel_costs *out)
{
    const double start = start_of(p, experiment, channel);
    struct two_ranks before = { .sender = NAN };
    out->rendezvous_bytes = INFINITY;
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        if (s->channel != channel || s->procs != 2 ||
            (s->experiment != EXP_PINGPONG && s->experiment != experiment))
            continue;
        const struct two_ranks pair = two_ranks_of(p, s, start);
        curve_add(&out->latency, (double)pair.bytes, pair.latency);
        if (s->experiment == EXP_PINGPONG)
            continue;
        note_rendezvous(experiment, &before, &pair, &out->rendezvous_bytes);
        before = pair;
    }
}

/* What one more message costs, as a function of the size: robust slopes; between nodes over the
 * process counts of the range, where there are enough. */
static void slopes_of(const struct channel_platform *p, enum experiment experiment,
                      enum channel channel, struct range range, struct curve *slope)
{
    for (size_t i = 0; i < p->lines.n_fanouts; i++) {
        const struct channel_fanout *f = &p->lines.fanout[i];
        double s = f->slowest.robust_slope;
        if (f->experiment != experiment || f->channel != channel)
            continue;
        if (channel == CHANNEL_NODE && (range.from > 0 || range.to < INT_MAX)) {
            const double part =
                channel_slope(p, experiment, channel, f->bytes, range.from, range.to);
            s = part > 0 ? part : s;
        }
        if (s > 0)
            curve_add(slope, (double)f->bytes, s);
    }
}

/* Seconds per byte at the largest size. */
static double bulk_of(const struct curve *slope)
{
    const size_t last = slope->n - 1;
    return slope->n && slope->bytes[last] > 0 ? slope->seconds[last] / slope->bytes[last] : 0;
}

static void add_shares(const struct curve *slope, struct seat_channel_costs *out)
{
    const double bulk = bulk_of(slope);
    for (size_t i = 0; i < slope->n; i++) {
        const double m = slope->bytes[i], s = slope->seconds[i];
        const int waits = m >= out->rendezvous_bytes;
        curve_add(&out->send, m, waits ? slope->seconds[0] : s);
        curve_add(&out->share, m, waits ? s : fmin(s, m * bulk));
    }
}

/* ---- to ranks that pass on ---- */

/* The ping-pong; from where its slope falls to less than half, which is where blocking sends become
 * rendezvous, the line before that goes on. */
static void eager_pingpong(const struct channel_platform *p, enum channel channel, double from,
                           struct curve *out)
{
    double m0 = 0, t0 = 0, slope0 = 0;
    int switched = 0;
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        if (s->channel != channel || s->experiment != EXP_PINGPONG || (double)s->bytes <= m0)
            continue;
        const double m = (double)s->bytes, slope = (s->slowest - t0) / (m - m0);
        switched = switched || (m > from && slope < slope0 / 2);
        slope0 = switched ? slope0 : slope;
        t0 = switched ? t0 + slope0 * (m - m0) : s->slowest;
        m0 = m;
        curve_add(out, m, t0);
    }
}

/* Eager: as to anybody. From there on channel cache counts as core: what was just written by
 * another rank is in no shared cache. */
static void add_relay(const struct channel_platform *p, enum channel channel,
                      struct seat_costs *costs)
{
    struct seat_channel_costs *of = &costs->of[channel];
    const enum channel like = channel == CHANNEL_CACHE ? CHANNEL_CORE : channel;
    struct curve eager = { 0 };
    eager_pingpong(p, like, of->rendezvous_bytes, &eager);
    for (size_t i = 0; i < of->latency.n; i++) {
        const double m = of->latency.bytes[i];
        double t = of->latency.seconds[i];
        if (m >= of->rendezvous_bytes && channel != CHANNEL_NODE)
            t = fmax(fmax(t, curve_value(&costs->of[like].latency, m)), curve_value(&eager, m));
        curve_add(&of->relay, m, t);
    }
    curve_clear(&eager);
}

/* What a line takes to come over a channel: what the smallest message takes there longer than
 * within a cache. */
static void add_line(const struct channel_platform *p, enum channel channel,
                     struct seat_costs *costs)
{
    const struct curve *near = &costs->of[CHANNEL_CACHE].latency;
    const struct curve *here = &costs->of[channel].latency;
    if (p->barrier != BARRIER_NONE && near->n && here->n && channel != CHANNEL_NODE)
        costs->of[channel].line = fmax(0, here->seconds[0] - near->seconds[0]);
}

/* ---- what is shared by all ranks ---- */

/* The memory is busy for what channel core shares. */
static void add_memory(struct seat_costs *costs)
{
    const struct curve *share = &costs->of[CHANNEL_CORE].share;
    for (size_t i = 0; i < share->n; i++)
        curve_add(&costs->memory, share->bytes[i], share->seconds[i]);
}

/* The port is busy for what channel node shares; below the size from which sends wait at least as
 * long as one more message of many senders takes to receive, or one more to send if that is less;
 * and with each message for as long as that takes of the smallest. */
static void add_port(const struct seat_costs *all, struct seat_costs *costs)
{
    const struct seat_channel_costs *node = &all[FOR_MOVING].of[CHANNEL_NODE];
    const struct curve *share = &costs->of[CHANNEL_NODE].share;
    const struct curve *receive = &all[FOR_REDUCING].of[CHANNEL_NODE].receive;
    costs->port_message = receive->n ? receive->seconds[0] : 0;
    for (size_t i = 0; i < share->n; i++) {
        const double m = share->bytes[i];
        const int waits = m >= node->rendezvous_bytes || !receive->n;
        const double one = waits ? 0 : fmin(curve_value(receive, m), curve_value(&node->send, m));
        curve_add(&costs->port, m, fmax(share->seconds[i], one));
    }
}

/* ---- all ---- */

static void fit_channel(const struct channel_platform *p, enum channel channel, struct range range,
                        struct seat_channel_costs *moving, struct seat_channel_costs *reducing)
{
    struct curve slope = { 0 };
    add_latencies(p, EXP_FANOUT, channel, moving);
    add_latencies(p, EXP_FANIN, channel, reducing);
    slopes_of(p, EXP_FANOUT, channel, range, &slope);
    add_shares(&slope, moving);
    add_shares(&slope, reducing);
    slopes_of(p, EXP_FANIN, channel, range, &reducing->receive);
    curve_clear(&slope);
}

void channel_costs_fit(const struct channel_platform *p, struct range range, struct seat_costs *all)
{
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        fit_channel(p, (enum channel)c, range, &all[FOR_MOVING].of[c], &all[FOR_REDUCING].of[c]);
    for (int k = 0; k < N_CHANNEL_USES; k++) {
        for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
            add_line(p, (enum channel)c, &all[k]);
            add_relay(p, (enum channel)c, &all[k]);
        }
        add_memory(&all[k]);
        add_port(all, &all[k]);
    }
}
