/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_csv.c - the files of the channel fits (docs/formats.md). */
#include <math.h>

#include "analysis/models/channel/channel_fit.h"
#include "analysis/measure/result_file.h"

static void write_channel(struct csvw *w, const struct channel_platform *p, enum channel channel)
{
    csvw_text(w, p->mpi);
    csvw_text(w, channel_name(channel));
}

/* 1 when anything was measured on it. */
static int is_there(const struct channel_platform *p, enum channel channel)
{
    return p->hockney[channel].line.n > 0 || p->hockney[channel].most_procs > 0;
}

/* ---- channels.csv ---- */

static const char *const channel_columns[] = {
    "mpi",
    "channel",
    "alpha_s",
    "beta_s_per_byte",
    "alpha_stderr",
    "beta_stderr",
    "r2",
    "median_error",
    "worst_error",
    "robust_alpha_s",
    "robust_beta_s_per_byte",
    "robust_median",
    "robust_worst",
    "n",
    "most_procs",
    "rendezvous_bytes",
    "reduce_rendezvous_bytes",
    "status",
    NULL,
};

static void write_hockney(struct csvw *w, const struct channel_platform *p, enum channel channel)
{
    const struct channel_hockney *h = &p->hockney[channel];
    const double numbers[] = {
        h->line.intercept,    h->line.slope,    h->line.intercept_stderr, h->line.slope_stderr,
        h->line.r2,           h->median_error,  h->worst_error,           h->line.robust_intercept,
        h->line.robust_slope, h->robust_median, h->robust_worst
    };
    write_channel(w, p, channel);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        csvw_f64(w, numbers[i]);
    csvw_u64(w, h->line.n);
    csvw_i64(w, h->most_procs);
    for (int k = 0; k < N_CHANNEL_USES; k++) {
        const double rendezvous = p->costs[k].of[channel].rendezvous_bytes;
        csvw_f64(w, isfinite(rendezvous) ? rendezvous : NAN);
    }
    csvw_text(w, fit_status_name(h->line.sign));
    csvw_end(w);
}

static void write_hockneys(struct csvw *w, const struct channel_platform *p)
{
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        if (is_there(p, (enum channel)c))
            write_hockney(w, p, (enum channel)c);
}

/* ---- channel_times.csv ---- */

static const char *const time_columns[] = {
    "mpi", "experiment", "channel", "procs", "bytes", "slowest_s", "mean_rank_s", "points", NULL,
};

static void write_times(struct csvw *w, const struct channel_platform *p)
{
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        csvw_text(w, p->mpi);
        csvw_text(w, experiment_name(s->experiment));
        csvw_text(w, channel_name(s->channel));
        csvw_i64(w, s->procs);
        csvw_u64(w, s->bytes);
        csvw_f64(w, s->slowest);
        csvw_f64(w, s->mean);
        csvw_u64(w, s->points);
        csvw_end(w);
    }
}

/* ---- channel_fanout.csv ---- */

static const char *const fanout_columns[] = {
    "mpi", "experiment", "channel",  "bytes", "statistic",  "a_s",
    "b_s", "a_stderr",   "b_stderr", "r2",    "robust_a_s", "robust_b_s",
    "n",   "most_procs", "status",   NULL,
};

static void write_fanout(struct csvw *w, const struct channel_platform *p,
                         const struct channel_fanout *f, const char *statistic,
                         const struct channel_line *line)
{
    const double numbers[] = { line->intercept,    line->slope, line->intercept_stderr,
                               line->slope_stderr, line->r2,    line->robust_intercept,
                               line->robust_slope };
    csvw_text(w, p->mpi);
    csvw_text(w, experiment_name(f->experiment));
    csvw_text(w, channel_name(f->channel));
    csvw_u64(w, f->bytes);
    csvw_text(w, statistic);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        csvw_f64(w, numbers[i]);
    csvw_u64(w, line->n);
    csvw_i64(w, f->most_procs);
    csvw_text(w, fit_status_name(line->status));
    csvw_end(w);
}

static void write_fanouts(struct csvw *w, const struct channel_platform *p)
{
    for (size_t i = 0; i < p->n_fanouts; i++) {
        write_fanout(w, p, &p->fanout[i], "max_rank", &p->fanout[i].slowest);
        if (p->fanout[i].mean.n)
            write_fanout(w, p, &p->fanout[i], "mean_rank", &p->fanout[i].mean);
    }
}

/* ---- channel_gamma.csv ---- */

static const char *const gamma_columns[] = {
    "mpi", "channel", "procs", "bytes", "gamma", "gamma_slowest", "measured_gamma", NULL,
};

static void write_gammas(struct csvw *w, const struct channel_platform *p)
{
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        if (s->experiment != EXP_FANOUT)
            continue;
        const double m = (double)s->bytes, alone = channel_pingpong(p, s->channel, m);
        const struct channel_sample *two =
            channel_sample_find(p, EXP_PINGPONG, s->channel, 2, s->bytes);
        write_channel(w, p, s->channel);
        csvw_i64(w, s->procs);
        csvw_u64(w, s->bytes);
        csvw_f64(w, channel_fanout_time(p, EXP_FANOUT, s->channel, s->procs, m, 1) / alone);
        csvw_f64(w, channel_fanout_time(p, EXP_FANOUT, s->channel, s->procs, m, 0) / alone);
        csvw_f64(w, two ? s->mean / two->slowest : NAN);
        csvw_end(w);
    }
}

/* ---- channel_ratio.csv ---- */

static const char *const ratio_columns[] = {
    "mpi", "near", "far", "bytes", "ratio", "measured_ratio", "slower", NULL,
};

static void write_ratio(struct csvw *w, const struct channel_platform *p, enum channel near,
                        enum channel far, uint64_t bytes)
{
    enum channel slow;
    const double q = channel_ratio(p, near, far, (double)bytes, &slow);
    const struct channel_sample *x = channel_sample_find(p, EXP_PINGPONG, near, 2, bytes);
    const struct channel_sample *y = channel_sample_find(p, EXP_PINGPONG, far, 2, bytes);
    if (!x || !y)
        return;
    csvw_text(w, p->mpi);
    csvw_text(w, channel_name(near));
    csvw_text(w, channel_name(far));
    csvw_u64(w, bytes);
    csvw_f64(w, q);
    csvw_f64(w, y->slowest / x->slowest);
    csvw_text(w, channel_name(slow));
    csvw_end(w);
}

static void write_ratios(struct csvw *w, const struct channel_platform *p)
{
    for (int near = CHANNEL_CACHE; near < N_CHANNELS; near++)
        for (int far = near + 1; far < N_CHANNELS; far++)
            for (size_t i = 0; i < p->n_samples; i++)
                if (p->sample[i].experiment == EXP_PINGPONG &&
                    p->sample[i].channel == (enum channel)near)
                    write_ratio(w, p, (enum channel)near, (enum channel)far, p->sample[i].bytes);
}

/* ---- channel_costs.csv ---- */

static const char *const cost_columns[] = { "mpi",  "use",   "from_procs", "channel",
                                            "cost", "bytes", "seconds",    NULL };

/* What all rows of one walk's costs begin with. */
struct walk_costs {
    const char *mpi, *use;
    int from_procs;
};

static void write_cost(struct csvw *w, const struct walk_costs *of, enum channel channel,
                       const char *cost, double bytes, double seconds)
{
    csvw_text(w, of->mpi);
    csvw_text(w, of->use);
    csvw_i64(w, of->from_procs);
    csvw_text(w, channel_name(channel));
    csvw_text(w, cost);
    csvw_u64(w, (uint64_t)bytes);
    csvw_f64(w, seconds);
    csvw_end(w);
}

static void write_curve(struct csvw *w, const struct walk_costs *of, enum channel channel,
                        const char *cost, const struct curve *curve)
{
    for (size_t i = 0; i < curve->n; i++)
        write_cost(w, of, channel, cost, curve->bytes[i], curve->seconds[i]);
}

static void write_walk_costs(struct csvw *w, const struct walk_costs *walk,
                             const struct place_costs *costs)
{
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        const struct place_channel *of = &costs->of[c];
        write_curve(w, walk, (enum channel)c, "latency", &of->latency);
        write_curve(w, walk, (enum channel)c, "relay", &of->relay);
        write_curve(w, walk, (enum channel)c, "send", &of->send);
        write_curve(w, walk, (enum channel)c, "share", &of->share);
        write_curve(w, walk, (enum channel)c, "receive", &of->receive);
        if (of->line > 0)
            write_cost(w, walk, (enum channel)c, "line", 0, of->line);
    }
    write_curve(w, walk, CHANNEL_NONE, "memory", &costs->memory);
    write_curve(w, walk, CHANNEL_NONE, "port", &costs->port);
    if (costs->port_message > 0)
        write_cost(w, walk, CHANNEL_NONE, "port_message", 0, costs->port_message);
}

static void write_costs(struct csvw *w, const struct channel_platform *p)
{
    static const char *const uses[] = { [FOR_MOVING] = "moving", [FOR_REDUCING] = "reducing" };
    for (int u = 0; u < N_CHANNEL_USES; u++) {
        write_walk_costs(w, &(struct walk_costs){ p->mpi, uses[u], 0 }, &p->costs[u]);
        if (p->many_procs)
            write_walk_costs(w, &(struct walk_costs){ p->mpi, uses[u], p->many_procs },
                             &p->many[u]);
    }
}

/* ---- all ---- */

static const struct {
    const char *name;
    const char *const *columns;
    void (*write)(struct csvw *w, const struct channel_platform *p);
} files[] = {
    { "fit/channels.csv", channel_columns, write_hockneys },
    { "fit/channel_times.csv", time_columns, write_times },
    { "fit/channel_fanout.csv", fanout_columns, write_fanouts },
    { "fit/channel_gamma.csv", gamma_columns, write_gammas },
    { "fit/channel_ratio.csv", ratio_columns, write_ratios },
    { "fit/channel_costs.csv", cost_columns, write_costs },
};

int channel_fits_write(const char *dir, const struct channel_fits *fits, struct err *err)
{
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct whole_file f;
        struct csvw w;
        if (result_begin(dir, files[k].name, files[k].columns, &f, &w, err) < 0)
            return -1;
        for (size_t i = 0; i < fits->n; i++)
            files[k].write(&w, &fits->platform[i]);
        if (fs_commit(&f, err) < 0)
            return -1;
    }
    return 0;
}
