/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/steady.h"

/* The samples that count, among n. */
static long keep_steady(const struct sample *s, size_t n, int root, double **value,
                        struct counted *of)
{
    size_t valid = 0, kept = 0, broken = 0;
    double *x = memory_zeros(4 * n + 1, sizeof *x), *mean = x + n, sum = 0;
    char *keep = memory_zeros(2 * n + 1, 1), *disturbed = keep + n;
    for (size_t i = 0; i < n; i++) {
        if (!s[i].valid || s[i].warmup)
            continue;
        mean[valid] = s[i].mean_s;
        broken += disturbed[valid] = s[i].disturbed != 0;
        x[valid++] = root ? s[i].root_s : s[i].max_s;
    }
    steady_keep(x, disturbed, valid, x + 2 * n, keep);
    for (size_t i = 0; i < valid; i++) {
        if (!keep[i])
            continue;
        sum += mean[i];
        x[kept++] = x[i];
    }
    free(keep);
    *value = x;
    if (of)
        *of = (struct counted){ .valid = valid, .disturbed = broken, .mean_rank_s = sum };
    return (long)kept;
}

long counted_samples(const struct store *store, const struct outcome *outcome, int root,
                     double **value, struct counted *of, struct err *err)
{
    size_t n;
    struct sample *s = store_samples(store, outcome, &n, err);
    if (!s)
        return -1;
    const long kept = keep_steady(s, n, root, value, of);
    free(s);
    return kept;
}

int counted_time(const struct store *store, const struct outcome *outcome, int root,
                 enum statistic statistic, double *seconds, struct err *err)
{
    double *value = NULL;
    *seconds = NAN;
    if (strcmp(outcome->status, "ok") != 0 && strcmp(outcome->status, "substituted") != 0)
        return 0;
    const long n = counted_samples(store, outcome, root, &value, NULL, err);
    if (n < 0)
        return -1;
    if (n > 0)
        *seconds = robust_centre(statistic, value, (size_t)n);
    free(value);
    return 0;
}
