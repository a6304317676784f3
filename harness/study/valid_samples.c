/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/valid_samples.h"

static double time_of(const struct sample *s, int root)
{
    return root ? s->root_s : s->max_s;
}

/* Moves the samples that count, among n, to the front. Returns how many. */
static long keep_steady(struct sample *s, size_t n, int root, struct valid_samples *of)
{
    size_t valid = 0, kept = 0, broken = 0;
    double *x = memory_zeros(3 * n + 1, sizeof *x), sum = 0;
    char *keep = memory_zeros(2 * n + 1, 1), *disturbed = keep + n;
    for (size_t i = 0; i < n; i++) {
        if (!s[i].valid || s[i].warmup)
            continue;
        broken += disturbed[valid] = s[i].disturbed != 0;
        x[valid] = time_of(&s[i], root);
        s[valid++] = s[i];
    }
    steady_state_keep(x, disturbed, valid, x + n, keep);
    for (size_t i = 0; i < valid; i++) {
        if (!keep[i])
            continue;
        sum += s[i].mean_s;
        s[kept++] = s[i];
    }
    memory_free(keep, x);
    if (of)
        *of = (struct valid_samples){ .valid = valid, .disturbed = broken, .mean_rank_s = sum };
    return (long)kept;
}

long valid_sample_rows(const struct store *store, const struct outcome *outcome, int root,
                       struct sample **rows, struct valid_samples *of, struct err *err)
{
    size_t n;
    *rows = store_samples(store, outcome, &n, err);
    return *rows ? keep_steady(*rows, n, root, of) : -1;
}

long valid_samples_of(const struct store *store, const struct outcome *outcome, int root,
                      double **value, struct valid_samples *of, struct err *err)
{
    struct sample *s;
    const long n = valid_sample_rows(store, outcome, root, &s, of, err);
    if (n < 0)
        return -1;
    *value = memory_zeros((size_t)n + 1, sizeof **value);
    for (long i = 0; i < n; i++)
        (*value)[i] = time_of(&s[i], root);
    free(s);
    return n;
}

int valid_samples_time(const struct store *store, const struct outcome *outcome, int root,
                       enum statistic statistic, double *seconds, struct err *err)
{
    double *value = NULL;
    *seconds = NAN;
    if (strcmp(outcome->status, "ok") != 0 && strcmp(outcome->status, "substituted") != 0)
        return 0;
    const long n = valid_samples_of(store, outcome, root, &value, NULL, err);
    if (n < 0)
        return -1;
    if (n > 0)
        *seconds = robust_centre(statistic, value, (size_t)n);
    free(value);
    return 0;
}
