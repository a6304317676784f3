/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/steady.h"

long counted_samples(const struct store *store, const struct outcome *outcome, int root,
                     double **value, struct counted *of)
{
    size_t n, valid = 0, kept = 0;
    const struct sample *s = store_samples(store, outcome, &n);
    double *x = malloc((4 * n + 1) * sizeof *x), *mean = x ? x + n : NULL, sum = 0;
    char *keep = malloc(2 * n + 1), *disturbed = keep ? keep + n : NULL;
    size_t broken = 0;
    for (size_t i = 0; x && keep && i < n; i++) {
        if (!s[i].valid || s[i].warmup)
            continue;
        mean[valid] = s[i].mean_s;
        broken += disturbed[valid] = s[i].disturbed != 0;
        x[valid++] = root ? s[i].root_s : s[i].max_s;
    }
    if (!x || !keep) {
        free(x);
        free(keep);
        return -1;
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

double counted_time(const struct store *store, const struct outcome *outcome, int root,
                    enum statistic statistic)
{
    double *value = NULL;
    if (strcmp(outcome->status, "ok") != 0 && strcmp(outcome->status, "substituted") != 0)
        return NAN;
    const long n = counted_samples(store, outcome, root, &value, NULL);
    const double time = n > 0 ? robust_centre(statistic, value, (size_t)n) : NAN;
    free(value);
    return time;
}
