/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/source_row.h"

#include <string.h>

#include "harness/import/source_text.h"

static const char *const names[N_ROLES] = {
    [ROLE_NONE] = "",
    [ROLE_EXPERIMENT] = "experiment",
    [ROLE_COLLECTIVE] = "collective",
    [ROLE_MPI] = "mpi",
    [ROLE_VERSION] = "mpi_version",
    [ROLE_MAPPING] = "mapping",
    [ROLE_NODES] = "nodes",
    [ROLE_PPN] = "ppn",
    [ROLE_PROCS] = "procs",
    [ROLE_ROOT] = "root",
    [ROLE_BYTES] = "bytes",
    [ROLE_ALGORITHM] = "algorithm",
    [ROLE_SEGMENT] = "segment_bytes",
    [ROLE_FANOUT] = "fanout",
    [ROLE_CHANNEL] = "channel",
    [ROLE_SERIES] = "series",
    [ROLE_MAX] = "max_s",
    [ROLE_MEAN] = "mean_s",
    [ROLE_MIN] = "min_s",
    [ROLE_MEDIAN] = "median_s",
    [ROLE_P95] = "p95_s",
    [ROLE_P99] = "p99_s",
    [ROLE_LEAST] = "least_s",
    [ROLE_MOST] = "most_s",
    [ROLE_ITERATIONS] = "iterations",
};

struct unit {
    const char *name;
    double factor;
};

const char *role_name(enum role role)
{
    return names[role];
}

enum role role_find(const char *name)
{
    for (int r = ROLE_NONE + 1; r < N_ROLES; r++)
        if (strcmp(names[r], name) == 0)
            return (enum role)r;
    return ROLE_NONE;
}

int role_is_time(enum role role)
{
    return role >= ROLE_MAX && role <= ROLE_MOST;
}

static double factor_of(const struct unit *unit, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (same_word(unit[i].name, name))
            return unit[i].factor;
    return 0;
}

double unit_seconds(const char *unit)
{
    static const struct unit known[] = { { "ns", 1e-9 },   { "nsec", 1e-9 },  { "us", 1e-6 },
                                         { "usec", 1e-6 }, { "usecs", 1e-6 }, { "ms", 1e-3 },
                                         { "msec", 1e-3 }, { "s", 1 },        { "sec", 1 },
                                         { "secs", 1 },    { "seconds", 1 } };
    return factor_of(known, sizeof known / sizeof *known, unit);
}

double unit_bytes(const char *unit)
{
    static const struct unit known[] = {
        { "B", 1 },    { "bytes", 1 }, { "KiB", 1024 },        { "MiB", 1024 * 1024 },
        { "kB", 1e3 }, { "MB", 1e6 },  { "GiB", 1073741824.0 }
    };
    return factor_of(known, sizeof known / sizeof *known, unit);
}

void source_row_complete(struct source_row *told, const struct source_row *otherwise)
{
    for (int r = 0; r < N_ROLES; r++)
        if (!told->text[r]) {
            told->text[r] = otherwise->text[r];
            told->scale[r] = otherwise->scale[r];
        }
}
