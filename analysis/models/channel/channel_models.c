/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_models.c - the models channel_stage and channel_walk: the
 * paper's stage walk over channels, and the walk of messages over places, with the parameters of
 * channel_fit.h. Both predict the slowest rank's time.
 *
 * channel_stage follows the paper: a chain is one chain of all ranks for any fan-out;
 * a binary tree is the library's; the default of Open MPI 3.1 and 4.1 is that of their
 * decision functions; of other versions and libraries it is unknown (`no_formula`); a
 * reduction is the broadcast down the same tree with fan-ins. Where a fan-out (fan-in) has more
 * ranks than were measured the status is `extrapolated`.
 *
 * channel_walk walks the schedule that runs; of the default as above. Its status is `no_fit` where
 * a message is on a channel that has no latency, and where a rank sends (in a reduction: receives)
 * again on one of which no fan-out (fan-in) says what one more message costs; `extrapolated` where
 * a message is smaller or larger than those that were measured. In imported measurements ranks that
 * were not mapped by core float (walk/seat_walk.h): Open MPI binds to cores where it maps by core
 * alone. */
#include "analysis/measure/published_default.h"
#include "analysis/measure/result_file.h"
#include "analysis/models/channel/channel_fit.h"
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"

static int has_channels(const struct parameters *p)
{
    const struct channel_fits *fits = parameters_of(p, &channel_set);
    return fits && fits->n > 0;
}

/* The places of a cell's ranks. */
static void channel_places(const struct facts *facts, const struct cell *cell,
                           struct places *places)
{
    const struct seating seating = facts_seating(facts, cell);
    const int bound = strcmp(facts->backend, "imported") != 0 || strcmp(cell->mapping, "core") == 0;
    places_init(places, &seating, facts->memory_cores, !bound);
}

/* A reduction's broadcast down the same tree; and the chain of the paper. */
static const struct {
    enum collective_fan fan;
    const char *name, *reading;
} readings[] = {
    { FAN_SEND, "chain", "pipeline" },
    { FAN_REDUCE, "linear", "basic_linear" },
    { FAN_REDUCE, "basic_linear", "basic_linear" },
    { FAN_REDUCE, "chain", "pipeline" },
    { FAN_REDUCE, "pipeline", "pipeline" },
    { FAN_REDUCE, "binary", "binary_tree" },
    { FAN_REDUCE, "binary_tree", "binary_tree" },
    { FAN_REDUCE, "binomial", "binomial" },
};

static const char *reading_of(const char *collective, const char *name)
{
    const struct collective *c = collective_find(collective);
    for (size_t i = 0; c && i < sizeof readings / sizeof *readings; i++)
        if (readings[i].fan == c->fan && strcmp(readings[i].name, name) == 0)
            return readings[i].reading;
    return c && c->fan == FAN_SEND ? name : "";
}

/* The schedule that channel_stage walks for a candidate, and the experiment that its stages are.
 * -1: none. */
static int channel_schedule(const struct facts *facts, const struct cell *cell,
                            const struct candidate *candidate, struct schedule *s,
                            enum experiment *fan)
{
    struct candidate c = *candidate;
    struct decision d;
    const char *name = algorithm_base_name(candidate->algorithm);
    *fan = collective_of(cell->collective)->combines ? EXP_FANIN : EXP_FANOUT;
    if (algorithm_is_default(name)) {
        if (*fan == EXP_FANIN || !decided(facts, cell, candidate, &d))
            return -1;
        name = d.algorithm;
        c.segment_bytes = d.segment_bytes;
        c.fanout = d.fanout;
    }
    const struct algorithm *a =
        algorithm_find(collective_of_fan(FAN_SEND)->name, reading_of(cell->collective, name));
    if (!a)
        return -1;
    return schedule_init(s, a, cell->procs, cell->root, cell->bytes, c.segment_bytes, c.fanout,
                         NULL);
}

static enum predict_status predict_stages(const struct question *q, double *seconds)
{
    const struct channel_platform *at =
        channel_platform_find(parameters_of(q->p, &channel_set), q->cell->mpi);
    struct schedule s;
    struct places places;
    struct channel_time time;
    struct err err;
    enum experiment fan;
    if (channel_schedule(q->p->facts, q->cell, q->candidate, &s, &fan) < 0)
        return PREDICT_NO_FORMULA;
    if (!at)
        return PREDICT_NO_FIT;
    if (model_too_many(&s, MODEL_MOST_ROUNDS))
        return PREDICT_TOO_MANY;
    channel_places(q->p->facts, q->cell, &places);
    const int status = channel_stage_walk(&s, &places, &at->lines, fan, &time, &err);
    places_clear(&places);
    if (status < 0)
        return PREDICT_NO_SCHEDULE;
    if (!(time.slowest == time.slowest)) /* NaN: a channel was not measured */
        return PREDICT_NO_FIT;
    *seconds = time.slowest;
    return time.extrapolated ? PREDICT_EXTRAPOLATED : PREDICT_OK;
}

/* clang-format off */
const struct model model_channel_stage = {
    .name = "channel_stage", .label = "channel stages",
    .prose = "stages of linear broadcasts, each a straight line in P, with the costs of the "
            "channel (cache, socket, other socket, network) between two ranks (Tallone)",
    .colour = "#009E73", .dash = 2, .marker = 13, .without_schedule = 1, .applies = has_channels,
    .predict = predict_stages, .core_s = spent_on_channels,
    .help = "stages of linear broadcasts over channels, as in the paper"
};
/* clang-format on */

static int default_schedule(const struct facts *facts, const struct cell *cell,
                            const struct candidate *candidate, struct schedule *s)
{
    struct decision d;
    if (!decided(facts, cell, candidate, &d))
        return -1;
    const struct algorithm *a = algorithm_find(cell->collective, d.algorithm);
    if (!a)
        return -1;
    return schedule_init(s, a, cell->procs, cell->root, cell->bytes, d.segment_bytes, d.fanout,
                         NULL);
}

/* 1 where a time of all that ranks do on a channel was measured: the price of a second send (and,
 * in a reduction, of a second receive) is no ping-pong's. */
static int is_measured(const struct seat_channel_costs *of, const struct seat_use *use, int reduces)
{
    return (!use->sends_again || of->send.n > 0) &&
           (!reduces || !use->receives_again || of->receive.n > 0);
}

/* 1 where fans had so many messages of one rank as one has here. */
static int fans_hold(const struct channel_platform *at, enum experiment fan, enum channel channel,
                     const struct seat_use *use)
{
    const int most = fan == EXP_FANOUT ? use->most_sends : use->most_receives;
    return channel_fanout_procs(&at->lines, fan, channel, (double)use->fewest_bytes) > most &&
           channel_fanout_procs(&at->lines, fan, channel, (double)use->most_bytes) > most;
}

/* 1 where a message was smaller or larger, or a rank sent or received more, than all that were
 * measured. */
static int is_outside(const struct channel_platform *at, const struct curve *latency,
                      enum channel channel, const struct seat_use *use, int reduces)
{
    return (double)use->fewest_bytes < latency->bytes[0] ||
           (double)use->most_bytes > latency->bytes[latency->n - 1] ||
           (use->sends_again && !fans_hold(at, EXP_FANOUT, channel, use)) ||
           (reduces && use->receives_again && !fans_hold(at, EXP_FANIN, channel, use));
}

static enum predict_status judge(const struct channel_platform *at, const struct seat_costs *costs,
                                 const struct seat_time *time, int reduces)
{
    int outside = 0;
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        const struct seat_channel_costs *of = &costs->of[c];
        const struct seat_use *use = &time->use[c];
        if (!use->messages)
            continue;
        if (!is_measured(of, use, reduces))
            return PREDICT_NO_FIT;
        outside = outside || is_outside(at, &of->latency, (enum channel)c, use, reduces);
    }
    return outside ? PREDICT_EXTRAPOLATED : PREDICT_OK;
}

static enum predict_status predict_walk(const struct question *q, double *seconds)
{
    const struct channel_platform *at =
        channel_platform_find(parameters_of(q->p, &channel_set), q->cell->mpi);
    const int reduces = collective_of(q->cell->collective)->combines;
    struct schedule decided;
    struct places places;
    struct seat_time time;
    struct err err;
    if (!q->s && default_schedule(q->p->facts, q->cell, q->candidate, &decided) < 0)
        return PREDICT_NO_SCHEDULE;
    if (!at || !at->has_costs)
        return PREDICT_NO_FIT;
    if (model_too_many(q->s ? q->s : &decided, MODEL_MOST_ROUNDS))
        return PREDICT_TOO_MANY;
    channel_places(q->p->facts, q->cell, &places);
    const struct seat_costs *costs =
        channel_costs_of(at, reduces ? FOR_REDUCING : FOR_MOVING, q->cell->procs);
    const int status =
        seat_time(q->s ? model_schedule(q) : &decided, &places, costs, at->barrier, &time, &err);
    places_clear(&places);
    if (status < 0)
        return time.too_many ? PREDICT_TOO_MANY : PREDICT_NO_FIT;
    *seconds = time.slowest;
    return judge(at, costs, &time, reduces);
}

/* clang-format off */
const struct model model_channel_walk = {
    .name = "channel_walk", .simulators = 1, .label = "channel walk",
    .prose = "every message in the order of time, over the same channels, with queues for memories "
            "and ports (ours)",
    .colour = "#D55E00", .dash = 1, .marker = 5, .without_schedule = 1, .applies = has_channels,
    .chosen_on = "imported:tallone", .predict = predict_walk, .core_s = spent_on_channels,
    .help = "walk of the implementation's messages with places, memories and ports"
};
/* clang-format on */

static int fit_set(const struct fit_from *from, const struct parameters *p, void *value,
                   struct err *err)
{
    (void)p;
    return channel_fit(from->points, from->facts, value, err);
}

PARAMETER_SET_FILES(channel_fits_write, channel_fits_clear)

/* clang-format off */
const struct parameter_set channel_set = {
    .name = "channel", .size = sizeof(struct channel_fits), .fit = fit_set, .write = write_set,
    .clear = clear_set
};
/* clang-format on */

/* channel_models.c - the files of the channel fits. */

/* clang-format off */
#define MPI(row) COLUMN(row, NAME, "mpi", mpi, "", "the MPI library")
#define CHANNEL(row, name, member) COLUMN(row, WORD, name, member, "", "what lies between two ranks", .words = channel_words)

static const struct schema_column channel_list[] = {
    MPI(channel_row),
    CHANNEL(channel_row, "channel", channel),
    COLUMN(channel_row, REAL, "alpha_s", fit.line.intercept, "s", "of the line through the ping-pongs by least squares"),
    COLUMN(channel_row, REAL, "beta_s_per_byte", fit.line.slope, "s/byte", "its slope"),
    COLUMN(channel_row, REAL, "alpha_stderr", fit.line.intercept_stderr, "s", "standard error"),
    COLUMN(channel_row, REAL, "beta_stderr", fit.line.slope_stderr, "s/byte", "standard error"),
    COLUMN(channel_row, REAL, "r2", fit.line.r2, "", "share of the variance that is explained"),
    COLUMN(channel_row, REAL, "median_error", fit.median_error, "", "relative, of the line at its own ping-pongs"),
    COLUMN(channel_row, REAL, "worst_error", fit.worst_error, "", "the largest of these"),
    COLUMN(channel_row, REAL, "robust_alpha_s", fit.line.robust_intercept, "s", "by Huber regression"),
    COLUMN(channel_row, REAL, "robust_beta_s_per_byte", fit.line.robust_slope, "s/byte", "by Huber regression"),
    COLUMN(channel_row, REAL, "robust_median", fit.robust_median, "", "median error of that"),
    COLUMN(channel_row, REAL, "robust_worst", fit.robust_worst, "", "worst error of that"),
    COLUMN(channel_row, COUNT, "n", fit.line.n, "", "sizes"),
    COLUMN(channel_row, INT, "most_procs", fit.most_procs, "", "the most ranks in a fan-out; 0: none was measured"),
    COLUMN(channel_row, REAL, "rendezvous_bytes", rendezvous_bytes, "bytes", "from this size on a sender waits for its receiver; empty: not seen"),
    COLUMN(channel_row, REAL, "reduce_rendezvous_bytes", reduce_rendezvous_bytes, "bytes", "the same in reductions"),
    COLUMN(channel_row, WORD, "status", fit.line.sign, "", "what came of the fit", .words = fit_status_words),
};

static const struct schema_column time_list[] = {
    MPI(channel_time_row),
    COLUMN(channel_time_row, WORD, "experiment", sample.experiment, "", "`pingpong`, `fanout` or `fanin`", .words = experiment_words),
    CHANNEL(channel_time_row, "channel", sample.channel),
    COLUMN(channel_time_row, INT, "procs", sample.procs, "", "ranks of the team"),
    COLUMN(channel_time_row, COUNT, "bytes", sample.bytes, "bytes", "of a message"),
    COLUMN(channel_time_row, REAL, "slowest_s", sample.slowest, "s", "the slowest rank's time"),
    COLUMN(channel_time_row, REAL, "mean_rank_s", sample.mean, "s", "the mean over ranks"),
    COLUMN(channel_time_row, COUNT, "points", sample.points, "", "of which it is the median"),
};

static const struct schema_column gamma_list[] = {
    MPI(channel_gamma_row),
    CHANNEL(channel_gamma_row, "channel", channel),
    COLUMN(channel_gamma_row, INT, "procs", procs, "", "ranks of the fan-out"),
    COLUMN(channel_gamma_row, COUNT, "bytes", bytes, "bytes", "of a message"),
    COLUMN(channel_gamma_row, REAL, "gamma", gamma, "", "fitted fan-out, mean over ranks, over the fitted ping-pong"),
    COLUMN(channel_gamma_row, REAL, "gamma_slowest", gamma_slowest, "", "the same of the slowest rank"),
    COLUMN(channel_gamma_row, REAL, "measured_gamma", measured_gamma, "", "the same of the measured times"),
};

static const struct schema_column ratio_list[] = {
    MPI(channel_ratio_row),
    CHANNEL(channel_ratio_row, "near", near),
    CHANNEL(channel_ratio_row, "far", far),
    COLUMN(channel_ratio_row, COUNT, "bytes", bytes, "bytes", "of a message"),
    COLUMN(channel_ratio_row, REAL, "ratio", ratio, "", "Q: the slower fitted ping-pong over the faster, at least 1"),
    COLUMN(channel_ratio_row, REAL, "measured_ratio", measured_ratio, "", "far over near, measured"),
    COLUMN(channel_ratio_row, WORD, "slower", slower, "", "which is the slower one", .words = channel_words),
};

/* clang-format on */

SCHEMA(channel_schema, channel_row, channel_list, "fit/channels.csv",
       "One row per library and channel on which anything was measured "
       "(`analysis/models/channel/channel_fit.h`).",
       .backend = 1);
SCHEMA(channel_time_schema, channel_time_row, time_list, "fit/channel_times.csv",
       "One row per measured time of a channel.", .backend = 1);
SCHEMA(channel_gamma_schema, channel_gamma_row, gamma_list, "fit/channel_gamma.csv",
       "One row per measured fan-out: gamma(P, m) of its channel.", .backend = 1);
SCHEMA(channel_ratio_schema, channel_ratio_row, ratio_list, "fit/channel_ratio.csv",
       "One row per pair of channels and size of which both ping-pongs were measured.",
       .backend = 1);
static void write_hockneys(struct csvw *w, const void *user, size_t i)
{
    const struct channel_platform *p = &((const struct channel_fits *)user)->platform[i];
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        struct channel_row r = {
            .channel = (enum channel)c,
            .fit = p->lines.hockney[c],
            .rendezvous_bytes = p->costs[FOR_MOVING].of[c].rendezvous_bytes,
            .reduce_rendezvous_bytes = p->costs[FOR_REDUCING].of[c].rendezvous_bytes,
        };
        memcpy(r.mpi, p->mpi, sizeof r.mpi);
        if (r.fit.line.n > 0 || r.fit.most_procs > 0)
            schema_row(w, &channel_schema, &r);
    }
}

static void write_times(struct csvw *w, const void *user, size_t k)
{
    const struct channel_platform *p = &((const struct channel_fits *)user)->platform[k];
    struct channel_time_row r;
    memcpy(r.mpi, p->mpi, sizeof r.mpi);
    for (size_t i = 0; i < p->n_samples; i++) {
        r.sample = p->sample[i];
        schema_row(w, &channel_time_schema, &r);
    }
}

static void write_gammas(struct csvw *w, const void *user, size_t k)
{
    const struct channel_platform *p = &((const struct channel_fits *)user)->platform[k];
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        if (s->experiment != EXP_FANOUT)
            continue;
        const double m = (double)s->bytes, alone = channel_pingpong(&p->lines, s->channel, m);
        const struct channel_sample *two =
            channel_sample_find(p, EXP_PINGPONG, s->channel, 2, s->bytes);
        struct channel_gamma_row r = {
            .channel = s->channel,
            .procs = s->procs,
            .bytes = s->bytes,
            .gamma = channel_fanout_time(&p->lines, EXP_FANOUT, s->channel, s->procs, m, 1) / alone,
            .gamma_slowest =
                channel_fanout_time(&p->lines, EXP_FANOUT, s->channel, s->procs, m, 0) / alone,
            .measured_gamma = two ? s->mean / two->slowest : NAN,
        };
        memcpy(r.mpi, p->mpi, sizeof r.mpi);
        schema_row(w, &channel_gamma_schema, &r);
    }
}

static void write_ratio(struct csvw *w, const struct channel_platform *p, enum channel near,
                        enum channel far, uint64_t bytes)
{
    struct channel_ratio_row r = { .near = near, .far = far, .bytes = bytes };
    const struct channel_sample *x = channel_sample_find(p, EXP_PINGPONG, near, 2, bytes);
    const struct channel_sample *y = channel_sample_find(p, EXP_PINGPONG, far, 2, bytes);
    if (!x || !y)
        return;
    memcpy(r.mpi, p->mpi, sizeof r.mpi);
    r.ratio = channel_ratio(&p->lines, near, far, (double)bytes, &r.slower);
    r.measured_ratio = y->slowest / x->slowest;
    schema_row(w, &channel_ratio_schema, &r);
}

static void write_ratios(struct csvw *w, const void *user, size_t k)
{
    const struct channel_platform *p = &((const struct channel_fits *)user)->platform[k];
    for (int near = CHANNEL_CACHE; near < N_CHANNELS; near++)
        for (int far = near + 1; far < N_CHANNELS; far++)
            for (size_t i = 0; i < p->n_samples; i++)
                if (p->sample[i].experiment == EXP_PINGPONG &&
                    p->sample[i].channel == (enum channel)near)
                    write_ratio(w, p, (enum channel)near, (enum channel)far, p->sample[i].bytes);
}

int channel_fits_write(const char *dir, const char *backend, const struct channel_fits *fits,
                       struct err *err)
{
    const size_t n = fits->n;
    return result_write_each(dir, &channel_schema, backend, n, write_hockneys, fits, err) < 0 ||
                   result_write_each(dir, &channel_time_schema, backend, n, write_times, fits,
                                     err) < 0 ||
                   result_write_each(dir, &channel_gamma_schema, backend, n, write_gammas, fits,
                                     err) < 0
               ? -1
               : result_write_each(dir, &channel_ratio_schema, backend, n, write_ratios, fits, err);
}
