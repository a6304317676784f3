/* SPDX-License-Identifier: BSD-3-Clause */
/* stored.h - for tests: samples and outcomes of a made-up study, written as a launch writes them,
 * for store_open to read. One launch a repeat, one attempt each. */
#pragma once

#include <stdio.h>
#include <sys/stat.h>

#include "harness/study/records.h"

/* Opens a file of a repeat for more rows; a new one gets its header. */
static inline FILE *stored_file(const char *dir, int repeat, const char *end, const char *header)
{
    char path[512];
    snprintf(path, sizeof path, "%s/samples", dir);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/samples/null-core-1x4-p4-r%d.a1-00000000%s", dir, repeat, end);
    FILE *f = fopen(path, "ae");
    if (f && ftell(f) == 0)
        fputs(header, f);
    return f;
}

/* A point took these samples in a repeat, all of them valid, and was ok. */
static inline void stored_add(const char *dir, int repeat, const char *point, const double *seconds,
                              int n)
{
    FILE *samples =
        stored_file(dir, repeat, ".csv", "point,rep,max_s,mean_s,min_s,root_s,at_s,warmup,valid\n");
    FILE *outcomes = stored_file(dir, repeat, ".outcomes.csv",
                                 "point,status,reason,verified,ran_algorithm,ran_segment_bytes,"
                                 "ran_fanout,n_rows,n,converged,checked,elapsed_s,core_s\n");
    for (int i = 0; samples && i < n; i++)
        fprintf(samples, "%s,%d,%.17g,0,0,%.17g,0,0,1\n", point, i, seconds[i], seconds[i]);
    if (outcomes)
        fprintf(outcomes, "%s,ok,,planted,,,,%d,%d,,0,1,4\n", point, n, n);
    if (samples)
        fclose(samples);
    if (outcomes)
        fclose(outcomes);
}
