/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/channel/channel_platform.h"

static int is_channel_point(const struct measured *m)
{
    const enum experiment e = m->point.experiment;
    return m->point.channel != CHANNEL_NONE && measured_usable(m) && m->time.value > 0 &&
           (e == EXP_PINGPONG || e == EXP_FANOUT || e == EXP_FANIN);
}

/* A ping-pong's median: what others measured has a point's receivers in it, one wild one among
 * them. A fan-out's mean, since its other number is a mean, too. */
static struct channel_sample sample_of(const struct measured *m)
{
    const int median = m->point.experiment == EXP_PINGPONG && m->time.median > 0;
    return (struct channel_sample){ .experiment = m->point.experiment,
                                    .channel = m->point.channel,
                                    .procs = m->point.cell.procs,
                                    .bytes = m->point.cell.bytes,
                                    .slowest = median ? m->time.median : m->time.value,
                                    .mean = m->mean_rank_s,
                                    .points = 1 };
}

static int by_place(const void *a, const void *b)
{
    const struct channel_sample *x = a, *y = b;
    return by_keys(ascending(x->experiment, y->experiment), ascending(x->channel, y->channel),
                   ascending(x->bytes, y->bytes), ascending(x->procs, y->procs));
}

/* One sample for n that are alike: medians. */
static void merge(const struct channel_sample *s, size_t n, struct channel_sample *out)
{
    double *t = memory_zeros(2 * n, sizeof *t), *mean = t + n;
    size_t n_mean = 0;
    for (size_t i = 0; i < n; i++) {
        t[i] = s[i].slowest;
        if (isfinite(s[i].mean))
            mean[n_mean++] = s[i].mean;
    }
    struct channel_sample merged = s[0];
    merged.slowest = stats_median(t, n);
    merged.mean = n_mean ? stats_median(mean, n_mean) : NAN;
    merged.points = n;
    *out = merged;
    free(t);
}

static void merge_alike(struct channel_platform *p)
{
    size_t n = 0;
    if (p->n_samples)
        qsort(p->sample, p->n_samples, sizeof *p->sample, by_place);
    for (size_t i = 0, j; i < p->n_samples; i = j) {
        for (j = i + 1; j < p->n_samples && by_place(&p->sample[i], &p->sample[j]) == 0;)
            j++;
        merge(&p->sample[i], j - i, &p->sample[n++]);
    }
    p->n_samples = n;
}

const struct channel_platform *channel_platform_find(const struct channel_fits *fits,
                                                     const char *mpi)
{
    for (size_t i = 0; fits && i < fits->n; i++)
        if (strcmp(fits->platform[i].mpi, mpi) == 0)
            return &fits->platform[i];
    return NULL;
}

/* The platform of a library, begun with room for `most` samples where there is none. */
static struct channel_platform *platform_for(struct channel_fits *fits, const char *mpi,
                                             size_t most)
{
    for (size_t i = 0; i < fits->n; i++)
        if (strcmp(fits->platform[i].mpi, mpi) == 0)
            return &fits->platform[i];
    struct channel_platform *p = array_add(&fits->platform, &fits->n);
    p->sample = memory_zeros(most, sizeof *p->sample);
    snprintf(p->mpi, sizeof p->mpi, "%s", mpi);
    return p;
}

void channel_collect(const struct points *points, struct channel_fits *fits)
{
    size_t most = 0;
    for (size_t i = 0; i < points->n; i++)
        most += (size_t)is_channel_point(&points->row[i]);
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (!is_channel_point(m))
            continue;
        struct channel_platform *p = platform_for(fits, m->point.cell.mpi, most);
        p->sample[p->n_samples++] = sample_of(m);
    }
    for (size_t i = 0; i < fits->n; i++)
        merge_alike(&fits->platform[i]);
}

const struct channel_sample *channel_sample_find(const struct channel_platform *p,
                                                 enum experiment experiment, enum channel channel,
                                                 int procs, uint64_t bytes)
{
    const struct channel_sample key = {
        .experiment = experiment, .channel = channel, .procs = procs, .bytes = bytes
    };
    return p->n_samples ? bsearch(&key, p->sample, p->n_samples, sizeof key, by_place) : NULL;
}

const struct seat_costs *channel_costs_of(const struct channel_platform *p, enum channel_use use,
                                          int procs)
{
    return p->many_procs && procs >= p->many_procs ? &p->many[use] : &p->costs[use];
}

void channel_fits_clear(struct channel_fits *fits)
{
    for (size_t i = 0; i < fits->n; i++) {
        memory_free(fits->platform[i].sample, fits->platform[i].lines.fanout);
        for (int k = 0; k < N_CHANNEL_USES; k++) {
            seat_costs_clear(&fits->platform[i].costs[k]);
            seat_costs_clear(&fits->platform[i].many[k]);
        }
    }
    free(fits->platform);
    *fits = (struct channel_fits){ .n = 0 };
}
