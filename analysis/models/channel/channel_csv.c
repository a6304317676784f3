/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_csv.c - the files of the channel fits. */
#include <math.h>
#include <string.h>

#include "analysis/measure/result_file.h"
#include "analysis/models/channel/channel_fit.h"

/* ---- schemas ---- */

/* clang-format off */
#define MPI(row) COLUMN(row, NAME, "mpi", mpi, "", "the MPI library")
#define CHANNEL(row, name, member) COLUMN(row, WORD, name, member, "", "what lies between two ranks", .words = channel_words)

static const struct schema_column channel_list[] = {
    MPI(channel_row),
    CHANNEL(channel_row, "channel", channel),
    COLUMN(channel_row, REAL, "alpha_s", alpha, "s", "of the line through the ping-pongs by least squares"),
    COLUMN(channel_row, REAL, "beta_s_per_byte", beta, "s/byte", "its slope"),
    COLUMN(channel_row, REAL, "alpha_stderr", alpha_stderr, "s", "standard error"),
    COLUMN(channel_row, REAL, "beta_stderr", beta_stderr, "s/byte", "standard error"),
    COLUMN(channel_row, REAL, "r2", r2, "", "share of the variance that is explained"),
    COLUMN(channel_row, REAL, "median_error", median_error, "", "relative, of the line at its own ping-pongs"),
    COLUMN(channel_row, REAL, "worst_error", worst_error, "", "the largest of these"),
    COLUMN(channel_row, REAL, "robust_alpha_s", robust_alpha, "s", "by Huber regression"),
    COLUMN(channel_row, REAL, "robust_beta_s_per_byte", robust_beta, "s/byte", "by Huber regression"),
    COLUMN(channel_row, REAL, "robust_median", robust_median, "", "median error of that"),
    COLUMN(channel_row, REAL, "robust_worst", robust_worst, "", "worst error of that"),
    COLUMN(channel_row, COUNT, "n", n, "", "sizes"),
    COLUMN(channel_row, INT, "most_procs", most_procs, "", "the most ranks in a fan-out; 0: none was measured"),
    COLUMN(channel_row, REAL, "rendezvous_bytes", rendezvous_bytes, "bytes", "from this size on a sender waits for its receiver; empty: not seen"),
    COLUMN(channel_row, REAL, "reduce_rendezvous_bytes", reduce_rendezvous_bytes, "bytes", "the same in reductions"),
    COLUMN(channel_row, WORD, "status", status, "", "what came of the fit", .words = fit_status_words),
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
/* ---- rows ---- */

/* 1 when anything was measured on it. */
static int is_there(const struct channel_platform *p, enum channel channel)
{
    return p->lines.hockney[channel].line.n > 0 || p->lines.hockney[channel].most_procs > 0;
}

static void write_hockneys(struct csvw *w, const struct channel_platform *p)
{
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        const struct channel_hockney *h = &p->lines.hockney[c];
        struct channel_row r = {
            .channel = (enum channel)c,
            .alpha = h->line.intercept,
            .beta = h->line.slope,
            .alpha_stderr = h->line.intercept_stderr,
            .beta_stderr = h->line.slope_stderr,
            .r2 = h->line.r2,
            .median_error = h->median_error,
            .worst_error = h->worst_error,
            .robust_alpha = h->line.robust_intercept,
            .robust_beta = h->line.robust_slope,
            .robust_median = h->robust_median,
            .robust_worst = h->robust_worst,
            .n = h->line.n,
            .most_procs = h->most_procs,
            .rendezvous_bytes = p->costs[FOR_MOVING].of[c].rendezvous_bytes,
            .reduce_rendezvous_bytes = p->costs[FOR_REDUCING].of[c].rendezvous_bytes,
            .status = h->line.sign,
        };
        memcpy(r.mpi, p->mpi, sizeof r.mpi);
        if (is_there(p, (enum channel)c))
            schema_row(w, &channel_schema, &r);
    }
}

static void write_times(struct csvw *w, const struct channel_platform *p)
{
    struct channel_time_row r;
    memcpy(r.mpi, p->mpi, sizeof r.mpi);
    for (size_t i = 0; i < p->n_samples; i++) {
        r.sample = p->sample[i];
        schema_row(w, &channel_time_schema, &r);
    }
}

static void write_gammas(struct csvw *w, const struct channel_platform *p)
{
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

static void write_ratios(struct csvw *w, const struct channel_platform *p)
{
    for (int near = CHANNEL_CACHE; near < N_CHANNELS; near++)
        for (int far = near + 1; far < N_CHANNELS; far++)
            for (size_t i = 0; i < p->n_samples; i++)
                if (p->sample[i].experiment == EXP_PINGPONG &&
                    p->sample[i].channel == (enum channel)near)
                    write_ratio(w, p, (enum channel)near, (enum channel)far, p->sample[i].bytes);
}

/* ---- all ---- */

static const struct {
    const struct schema *schema;
    void (*write)(struct csvw *w, const struct channel_platform *p);
} files[] = {
    { &channel_schema, write_hockneys },
    { &channel_time_schema, write_times },
    { &channel_gamma_schema, write_gammas },
    { &channel_ratio_schema, write_ratios },
};

int channel_fits_write(const char *dir, const struct channel_fits *fits, struct err *err)
{
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct whole_file f;
        struct csvw w;
        if (result_open(dir, files[k].schema, &f, &w, err) < 0)
            return -1;
        for (size_t i = 0; i < fits->n; i++)
            files[k].write(&w, &fits->platform[i]);
        if (fs_commit(&f, err) < 0)
            return -1;
    }
    return 0;
}
