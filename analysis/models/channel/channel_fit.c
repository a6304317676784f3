/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_fit.c - all parameters of a platform. Below, the count of ranks from which on messages
 * between nodes cost something else, and those other costs (method: channel_fit.h, MANY RANKS).
 *
 * Every measured fan-out between nodes is walked with one set of costs for all counts. The
 * logarithms of measured / walked are added up over the sizes, one sum per process count, and drawn
 * over the process count: where two straight lines leave far less than one there is a break. The
 * costs are then fitted below it and from it on, and from it on a message takes so much longer that
 * the walks meet the measured times of the smallest size in the median. */
#include "analysis/models/channel/channel_fit.h"

#include "analysis/models/channel/channel_lines.h"

/* Inside channel_fit: the costs of the walk from ping-pongs, fan-outs and
 * fan-ins (method: channel_fit.h). */

/* Process counts from <= P < to. */
struct range {
    int from, to;
};

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

/* Fills costs[N_CHANNEL_USES], which is empty, from the platform's samples and fan-out lines;
 * between nodes what one more message costs comes from the fan-outs and fan-ins in the range. */
static void channel_costs_fit(const struct channel_platform *p, struct range range,
                              struct seat_costs *all)
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

/* At least so many fan-outs on either side of a break, and two lines through what the walk leaves
 * must leave less than this share of the squares that one leaves. Among so few ranks the barrier
 * decides the time. */
enum { SIDE = 8 };
static const double BREAK = 0.5;

/* By how much the walks of the fan-outs among so many ranks are off. */
struct deviation {
    int procs;
    double log_ratio; /* of measured over walked; the sum over all eager sizes */
};

struct deviations {
    struct deviation *row;
    size_t n;
};

/* The root on the first core of a node, the others from the next node on, core by core. */
static void fan_places(const struct facts *facts, int procs, struct places *places)
{
    const int ppn = facts->sockets * facts->cores;
    const struct seating seating = { .mapping = "core",
                                     .nodes = 2 + procs / ppn,
                                     .ppn = ppn,
                                     .procs = ppn + procs - 1,
                                     .sockets = facts->sockets,
                                     .cores = facts->cores,
                                     .cache_cores = facts->cache_cores };
    places_init(places, &seating, facts->memory_cores, 0);
    for (int i = 1; i < procs; i++)
        places->rank[i] = places->rank[ppn + i - 1];
    places->procs = procs;
}

static int walk_fan(const struct channel_platform *p, const struct facts *facts,
                    const struct channel_sample *s, const struct seat_costs *costs, double *seconds,
                    struct err *err)
{
    struct schedule fan;
    struct places places;
    struct seat_time time;
    if (schedule_init(&fan, collective_linear(FAN_SEND), s->procs, 0, s->bytes, 0, 0, err) < 0)
        return -1;
    fan_places(facts, s->procs, &places);
    const int status = seat_time(&fan, &places, costs, p->barrier, &time, err);
    places_clear(&places);
    *seconds = time.slowest;
    return status;
}

static int is_fan(const struct channel_sample *s, int from)
{
    return s->experiment == EXP_FANOUT && s->channel == CHANNEL_NODE && s->procs >= from;
}

/* The entry of a process count; there is room. */
static double *log_ratio_of(struct deviations *all, int procs)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->row[i].procs == procs)
            return &all->row[i].log_ratio;
    all->row[all->n] = (struct deviation){ .procs = procs };
    return &all->row[all->n++].log_ratio;
}

static int by_procs(const void *a, const void *b)
{
    const struct deviation *x = a, *y = b;
    return x->procs - y->procs;
}

/* The logarithms of measured over walked, added up over all eager sizes; ascending. */
static int compare_ratios(const struct channel_platform *p, const struct facts *facts,
                          struct deviations *deviations, struct err *err)
{
    const struct seat_costs *costs = &p->costs[FOR_MOVING];
    deviations->n = 0;
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        double walked;
        if (!is_fan(s, SIDE + 1) || (double)s->bytes >= costs->of[CHANNEL_CORE].rendezvous_bytes)
            continue;
        if (walk_fan(p, facts, s, costs, &walked, err) < 0)
            return -1;
        *log_ratio_of(deviations, s->procs) += log(s->slowest / walked);
    }
    if (deviations->n)
        qsort(deviations->row, deviations->n, sizeof *deviations->row, by_procs);
    return 0;
}

/* The median of measured less walked of the smallest size, among as many ranks as `many` is for;
 * seconds. */
static int compare_smallest(const struct channel_platform *p, const struct facts *facts,
                            const struct seat_costs *costs, double *median, struct err *err)
{
    const double smallest = costs->of[CHANNEL_NODE].latency.bytes[0];
    double *left = memory_zeros(p->n_samples + 1, sizeof *left);
    size_t n = 0;
    int status = 0;
    for (size_t i = 0; i < p->n_samples && status == 0; i++) {
        const struct channel_sample *s = &p->sample[i];
        double walked;
        if (!is_fan(s, p->many_procs) || (double)s->bytes > smallest)
            continue;
        status = walk_fan(p, facts, s, costs, &walked, err);
        left[n++] = s->slowest - walked;
    }
    *median = n ? stats_median(left, n) : 0;
    free(left);
    return status;
}

/* Sums of a run of points, for its line. */
struct sums {
    double n, x, y, xx, xy, yy;
};

static struct sums sums_add(struct sums s, const struct deviation *r, double sign)
{
    const double x = r->procs, y = r->log_ratio;
    return (struct sums){ s.n + sign,          s.x + sign * x,      s.y + sign * y,
                          s.xx + sign * x * x, s.xy + sign * x * y, s.yy + sign * y * y };
}

/* The squares that a straight line leaves. */
static double squares(struct sums s)
{
    const double xx = s.xx - s.x * s.x / s.n, xy = s.xy - s.x * s.y / s.n;
    return s.yy - s.y * s.y / s.n - (xx > 0 ? xy * xy / xx : 0);
}

/* The process count from which on another line holds; 0: none. */
static int find_break(const struct deviations *deviations)
{
    struct sums below = { 0 }, above = { 0 };
    for (size_t i = 0; i < deviations->n; i++)
        above = sums_add(above, &deviations->row[i], 1);
    double best = deviations->n ? BREAK * squares(above) : 0;
    int from = 0;
    for (size_t i = 0; i + SIDE < deviations->n; i++) {
        below = sums_add(below, &deviations->row[i], 1);
        above = sums_add(above, &deviations->row[i], -1);
        if (i + 1 < SIDE || squares(below) + squares(above) >= best)
            continue;
        best = squares(below) + squares(above);
        from = deviations->row[i + 1].procs;
    }
    return from;
}

static void add_latency(struct seat_channel_costs *of, double seconds)
{
    for (size_t i = 0; i < of->latency.n; i++)
        of->latency.seconds[i] += seconds;
    for (size_t i = 0; i < of->relay.n; i++)
        of->relay.seconds[i] += seconds;
}

/* So much longer takes a message that the walks of the fan-outs leave nothing in the median: one
 * step of the secant, since a walk is nearly straight in it. */
static int longer_by(const struct channel_platform *p, const struct facts *facts, double *seconds,
                     struct err *err)
{
    struct seat_costs costs = p->many[FOR_MOVING]; /* borrows */
    struct seat_channel_costs *node = &costs.of[CHANNEL_NODE];
    const double step = node->latency.seconds[0] / 4;
    double without, with;
    if (compare_smallest(p, facts, &costs, &without, err) < 0)
        return -1;
    add_latency(node, step);
    const int status = compare_smallest(p, facts, &costs, &with, err);
    add_latency(node, -step);
    *seconds = without > 0 && with < without ? step * without / (without - with) : 0;
    return status;
}

static int split(struct channel_platform *p, const struct facts *facts, struct err *err)
{
    double seconds;
    for (int k = 0; k < N_CHANNEL_USES; k++) {
        seat_costs_clear(&p->costs[k]);
        p->costs[k] = (struct seat_costs){ .port_message = 0 };
    }
    channel_costs_fit(p, (struct range){ SIDE + 1, p->many_procs }, p->costs);
    channel_costs_fit(p, (struct range){ p->many_procs, INT_MAX }, p->many);
    if (longer_by(p, facts, &seconds, err) < 0)
        return -1;
    for (int k = 0; k < N_CHANNEL_USES; k++)
        add_latency(&p->many[k].of[CHANNEL_NODE], seconds);
    return 0;
}

/* 1 where all is known that a walk of a fan-out between nodes needs. */
static int can_walk(const struct channel_platform *p, const struct facts *facts)
{
    const struct seat_channel_costs *of = p->costs[FOR_MOVING].of;
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        if (!of[c].latency.n)
            return 0;
    return facts->sockets > 0 && facts->cores > 0;
}

/* Fills p->costs, has_costs, many_procs and many. -1 with *err: a fan-out cannot be walked. */
static int fit_costs(struct channel_platform *p, const struct facts *facts, struct err *err)
{
    struct deviations deviations = { .row =
                                         memory_zeros(p->n_samples + 1, sizeof *deviations.row) };
    int status = 0;
    channel_costs_fit(p, (struct range){ 0, INT_MAX }, p->costs);
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        p->has_costs = p->has_costs || p->costs[FOR_MOVING].of[c].latency.n > 0;
    if (can_walk(p, facts)) {
        status = compare_ratios(p, facts, &deviations, err);
        p->many_procs = status == 0 ? find_break(&deviations) : 0;
    }
    if (p->many_procs)
        status = split(p, facts, err);
    free(deviations.row);
    return status;
}

/* Who times the calls, and how. */
static enum barrier barrier_of(const struct facts *facts, const char *mpi)
{
    const char *version = facts_version(facts, mpi);
    if (facts->deterministic)
        return BARRIER_NONE;
    const int is_41 = strncmp(version, "4.1", 3) == 0 && (version[3] == '\0' || version[3] == '.');
    return facts->imported && mpi_is(mpi, "openmpi") && is_41 ? BARRIER_OPENMPI41
                                                              : BARRIER_DISSEMINATION;
}

int channel_fit(const struct points *points, const struct facts *facts, struct channel_fits *fits,
                struct err *err)
{
    *fits = (struct channel_fits){ .n = 0 };
    int status = 0;
    channel_collect(points, fits);
    for (size_t i = 0; i < fits->n && status == 0; i++) {
        fits->platform[i].barrier = barrier_of(facts, fits->platform[i].mpi);
        channel_lines_fit(&fits->platform[i], facts->confidence);
        status = fit_costs(&fits->platform[i], facts, err);
    }
    if (status < 0)
        channel_fits_clear(fits);
    return status;
}
