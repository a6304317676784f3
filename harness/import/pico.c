/* SPDX-License-Identifier: BSD-3-Clause */
/* pico.c - tables of PICO (HLC-Lab/pico, the benchmarks of the Bine trees): the aggregated results
 * as PICO writes them, and tables of all iterations whose columns name their unit (min_ns ...).
 * Times are nanoseconds, of the slowest rank of each iteration, statistics over iterations; of
 * tables with n_kept those are taken that were kept (the first fifth is warm-up).
 *
 * NAME_ompi and NAME_mpich are the library's own algorithms, forced; all others PICO's own, here
 * pico:NAME, with the segment size behind them where they have one. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/number.h"
#include "harness/import/import.h"
#include "harness/import/names.h"

static const struct column columns[] = {
    { "system", ROLE_NONE, 0 },           { "collective_type", ROLE_COLLECTIVE, 0 },
    { "collective", ROLE_COLLECTIVE, 0 }, { "algo_name", ROLE_ALGORITHM, 0 },
    { "algorithm", ROLE_ALGORITHM, 0 },   { "nnodes", ROLE_NODES, 0 },
    { "tasks_per_node", ROLE_PPN, 0 },    { "ppn", ROLE_PPN, 0 },
    { "mpi_lib", ROLE_MPI, 0 },           { "mpi_lib_version", ROLE_VERSION, 0 },
    { "buffer_size", ROLE_BYTES, 0 },     { "buffer_bytes", ROLE_BYTES, 0 },
    { "n_kept", ROLE_ITERATIONS, 0 },     { "n_iter", ROLE_FANOUT, 0 }, /* see finish */
    { "mean", ROLE_MAX, 1e-9 },           { "mean_kept_ns", ROLE_MAX, 1e-9 },
    { "median", ROLE_MEDIAN, 1e-9 },      { "median_kept_ns", ROLE_MEDIAN, 1e-9 },
    { "min", ROLE_LEAST, 1e-9 },          { "min_ns", ROLE_LEAST, 1e-9 },
    { "max", ROLE_MOST, 1e-9 },           { "max_ns", ROLE_MOST, 1e-9 },
    { "timestamp", ROLE_SERIES, 0 },      { "test_id", ROLE_ROOT, 0 }, /* see finish */
};

/* 1 when text ends in tail, with more before it. */
static int ends_in(const char *text, const char *tail)
{
    const size_t n = strlen(text), k = strlen(tail);
    return n > k && strcmp(text + n - k, tail) == 0;
}

/* The segment size behind the last '_' of a name that is segmented; NULL: none. */
static const char *segment_of(const char *name)
{
    const char *last = strrchr(name, '_');
    return last && last[1] && strstr(name, "_over_") && !last[1 + strspn(last + 1, "0123456789")]
               ? last + 1
               : NULL;
}

/* LIBRARY:NAME into word[0], the segment into word[1]. */
static void tell_algorithm(struct import *job, struct told *told)
{
    const char *name = told->text[ROLE_ALGORITHM], *segment = name ? segment_of(name) : NULL;
    int len = name ? (int)strlen(name) : 0;
    if (!len || len >= NAME_SIZE - 8)
        return;
    if (ends_in(name, "_ompi") || ends_in(name, "_mpich")) {
        snprintf(job->word[0], sizeof job->word[0], "%.*s", len - (ends_in(name, "_ompi") ? 5 : 6),
                 name);
    } else {
        if (segment)
            len -= (int)strlen(segment) + 1;
        if (len > 5 && strncmp(name + len - 5, "_over", 5) == 0)
            len -= 5;
        snprintf(job->word[0], sizeof job->word[0], "pico:%.*s", len, name);
    }
    snprintf(job->word[1], sizeof job->word[1], "%.20s", segment ? segment : "0");
    told->text[ROLE_ALGORITHM] = job->word[0];
    told->text[ROLE_SEGMENT] = job->word[1];
}

/* Both kinds of table may hold one measurement: the mean as the one with fewer digits has it. */
static void tell_mean(struct import *job, struct told *told)
{
    double mean;
    if (!told->text[ROLE_MAX] || parse_f64(told->text[ROLE_MAX], &mean, NULL) < 0)
        return;
    snprintf(job->word[2], sizeof job->word[2], "%.1f", mean);
    told->text[ROLE_MAX] = job->word[2];
}

static int finish(struct import *job, struct told *told)
{
    const char *id = told->text[ROLE_ROOT], *when = told->text[ROLE_SERIES];
    if (!told->text[ROLE_ITERATIONS])
        told->text[ROLE_ITERATIONS] = told->text[ROLE_FANOUT];
    told->text[ROLE_FANOUT] = told->text[ROLE_ROOT] = NULL;
    snprintf(job->word[3], sizeof job->word[3], "%.30s/%.20s", when ? when : "", id ? id : "");
    told->text[ROLE_SERIES] = job->word[3];
    if (told->text[ROLE_PPN] && strcmp(told->text[ROLE_PPN], "1") == 0)
        told->text[ROLE_MAPPING] = "core"; /* one rank per node: all mappings are the same */
    tell_algorithm(job, told);
    tell_mean(job, told);
    return 0;
}

static int read_pico(struct import *job)
{
    static const enum role needed[] = { ROLE_COLLECTIVE, ROLE_ALGORITHM, ROLE_NODES, ROLE_PPN,
                                        ROLE_BYTES,      ROLE_MAX,       ROLE_NONE };
    static const struct table_form form = {
        .columns = columns,
        .n = sizeof columns / sizeof *columns,
        .needed = needed,
        .finish = finish,
    };
    return import_table(job, &form);
}

static int recognise(const char *path, const char *head)
{
    char line[1024];
    (void)path;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(head, "\r\n"), head);
    return (strstr(line, "collective_type") && strstr(line, "algo_name") &&
            strstr(line, "buffer_size")) ||
           (strstr(line, "mean_kept_ns") && strstr(line, "buffer_bytes"));
}

const struct import_format format_pico = {
    .name = "pico",
    .help = "tables of PICO's benchmarks (nanoseconds, slowest rank)",
    .suffix = ".csv",
    .recognise = recognise,
    .read = read_pico,
};
