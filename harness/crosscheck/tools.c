/* SPDX-License-Identifier: BSD-3-Clause */
/* tools.c - the benchmarks of others: a row each. */
#include <unistd.h>

#include "harness/crosscheck/crosscheck.h"
#include "workloads/schedules/collectives.h"

/* "Bcast" of MPI_Bcast: Intel's name of the benchmark. */
static const char *call_of(const struct cross_ask *ask)
{
    const struct collective *c = collective_find(ask->collective);
    return c && c->call ? c->call + sizeof "MPI_" - 1 : "";
}

/* The path of a program of the tool's: 0, or -1: it is not there. */
static int find(const struct cross_ask *ask, const char *prefix, const char *name, char *path,
                size_t size)
{
    const int n = snprintf(path, size, "%s/%s%s", ask->dir, prefix, name);
    return n > 0 && (size_t)n < size && access(path, X_OK) == 0 ? 0 : -1;
}

static int osu_program(const struct cross_ask *ask, char *path, size_t size)
{
    return find(ask, "osu_", ask->collective, path, size);
}

static int osu_words(const struct cross_ask *ask, struct argv *args, struct err *err)
{
    (void)err;
    argv_add(args, "-m");
    argv_add(args, "%llu:%llu", (unsigned long long)ask->bytes[0],
             (unsigned long long)ask->bytes[ask->n_bytes - 1]);
    argv_add(args, "-i");
    argv_add(args, "%d", ask->iterations);
    argv_add(args, "-x");
    argv_add(args, "%d", ask->warmups);
    argv_add(args, "-f");
    return 0;
}

static int imb_program(const struct cross_ask *ask, char *path, size_t size)
{
    return find(ask, "", "IMB-MPI1", path, size);
}

static int imb_words(const struct cross_ask *ask, struct argv *args, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, ask->scratch, err) < 0)
        return -1;
    for (size_t i = 0; i < ask->n_bytes; i++)
        fprintf(f.file, "%llu\n", (unsigned long long)ask->bytes[i]);
    if (fs_commit(&f, err) < 0)
        return -1;
    argv_add(args, "-npmin");
    argv_add(args, "%d", ask->procs);
    argv_add(args, "-iter");
    argv_add(args, "%d", ask->iterations);
    argv_add(args, "-iter_policy");
    argv_add(args, "off");
    argv_add(args, "-msglen");
    argv_add(args, "%s", ask->scratch);
    argv_add(args, "%s", call_of(ask));
    return 0;
}

static int reprompi_program(const struct cross_ask *ask, char *path, size_t size)
{
    if (find(ask, "", "mpibenchmark", path, size) == 0)
        return 0;
    return find(ask, "bin/", "mpibenchmark", path, size);
}

static int reprompi_words(const struct cross_ask *ask, struct argv *args, struct err *err)
{
    char sizes[CROSS_MOST * 22];
    size_t used = 0;
    (void)err;
    for (size_t i = 0; i < ask->n_bytes; i++)
        used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%s%llu", i ? "," : "",
                                 (unsigned long long)ask->bytes[i]);
    argv_add(args, "--calls-list=MPI_%s", call_of(ask));
    argv_add(args, "--msizes-list=%s", sizes);
    argv_add(args, "--nrep=%d", ask->iterations);
    argv_add(args, "--summary=mean,median,min");
    return 0;
}

/* clang-format off */
const struct cross_tool cross_tools[CROSS_TOOLS] = {
    { .name = "osu", .what = "OSU's", .holds = "osu_bcast and the others",
      .statistic = CROSS_MEAN_OF_RANKS, .program = osu_program, .words = osu_words },
    { .name = "imb", .what = "Intel's", .holds = "IMB-MPI1", .statistic = CROSS_MEAN_OF_RANKS,
      .program = imb_program, .words = imb_words },
    { .name = "reprompi", .what = "ReproMPI", .holds = "mpibenchmark",
      .statistic = CROSS_MEDIAN_OF_MAX, .program = reprompi_program, .words = reprompi_words },
};
/* clang-format on */
