/* SPDX-License-Identifier: BSD-3-Clause */
/* pico.c - tables of PICO (HLC-Lab/pico, the benchmarks of the Bine trees): the aggregated results
 * as PICO writes them, and tables of all iterations whose columns name their unit (min_ns ...).
 * Times are nanoseconds, of the slowest rank of each iteration, statistics over iterations; of
 * tables with n_kept those are taken that were kept (the first fifth is warm-up).
 *
 * NAME_ompi, NAME_mpich and default-NAME (Fujitsu's) are the library's own algorithms; all others
 * PICO's own, here pico:NAME, with the segment size behind them where they have one.
 *
 * The size is that of one whole buffer: of allgather, alltoall, gather, scatter and reduce_scatter
 * each rank gets count / P elements of it (pico_core_utils.c: local_count). Nodes of a torus are
 * told as 2x2x2. */
#include "harness/import/import.h"
#include "harness/import/names.h"

static const struct column columns[] = {
    { "system", ROLE_NONE, 0 },           { "collective_type", ROLE_COLLECTIVE, 0 },
    { "collective", ROLE_COLLECTIVE, 0 }, { "algo_name", ROLE_ALGORITHM, 0 },
    { "algorithm", ROLE_ALGORITHM, 0 },   { "nnodes", ROLE_NODES, 0 },
    { "tasks_per_node", ROLE_PPN, 0 },    { "ppn", ROLE_PPN, 0 },
    { "mpi_lib", ROLE_MPI, 0 },           { "mpi_lib_version", ROLE_VERSION, 0 },
    { "buffer_size", ROLE_BYTES, 0 },     { "buffer_bytes", ROLE_BYTES, 0 },
    { "array_dim", ROLE_SEGMENT, 0 },                                   /* see finish */
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
static void tell_algorithm(struct import *job, struct source_row *told)
{
    const char *name = told->text[ROLE_ALGORITHM], *segment = name ? segment_of(name) : NULL;
    int len = name ? (int)strlen(name) : 0;
    if (!len || len >= NAME_SIZE - 8)
        return;
    if (ends_in(name, "_ompi") || ends_in(name, "_mpich")) {
        snprintf(job->word[0], sizeof job->word[0], "%.*s", len - (ends_in(name, "_ompi") ? 5 : 6),
                 name);
    } else if (strncmp(name, "default-", 8) == 0) {
        snprintf(job->word[0], sizeof job->word[0], "%s", name + 8);
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

/* "4x4x4" is 64 nodes: into word[4]. Anything else is left to be judged. */
static void tell_nodes(struct import *job, struct source_row *told)
{
    const char *s = told->text[ROLE_NODES];
    double nodes = 1, n;
    char part[16];
    if (!s || !strchr(s, 'x'))
        return;
    for (size_t len; *s; s += len + (s[len] == 'x')) {
        len = strcspn(s, "x");
        snprintf(part, sizeof part, "%.*s", (int)len, s);
        if (len >= sizeof part || parse_f64(part, &n, NULL) < 0 || !(n >= 1) || !(n <= 1e6))
            return;
        nodes *= n;
    }
    snprintf(job->word[4], sizeof job->word[4], "%.17g", nodes);
    told->text[ROLE_NODES] = job->word[4];
}

/* The number of elements stands in the segment's place, until the algorithm tells that. */
static void tell_size(struct source_row *told)
{
    double elements, bytes;
    const char *name =
        told->text[ROLE_COLLECTIVE] ? name_collective(told->text[ROLE_COLLECTIVE]) : NULL;
    told->of_all = name && collective_is_divided(name);
    if (told->text[ROLE_SEGMENT] && told->text[ROLE_BYTES] &&
        parse_f64(told->text[ROLE_SEGMENT], &elements, NULL) == 0 &&
        parse_f64(told->text[ROLE_BYTES], &bytes, NULL) == 0 && elements > 0 &&
        fmod(bytes, elements) == 0)
        told->element_bytes = bytes / elements;
    told->text[ROLE_SEGMENT] = NULL;
}

/* Both kinds of table may hold one measurement: the mean as the one with fewer digits has it. */
static void tell_mean(struct import *job, struct source_row *told)
{
    double mean;
    if (!told->text[ROLE_MAX] || parse_f64(told->text[ROLE_MAX], &mean, NULL) < 0)
        return;
    snprintf(job->word[2], sizeof job->word[2], "%.1f", mean);
    told->text[ROLE_MAX] = job->word[2];
}

static int finish(struct import *job, struct source_row *told)
{
    const char *id = told->text[ROLE_ROOT], *when = told->text[ROLE_SERIES];
    if (!told->text[ROLE_ITERATIONS])
        told->text[ROLE_ITERATIONS] = told->text[ROLE_FANOUT];
    told->text[ROLE_FANOUT] = told->text[ROLE_ROOT] = NULL;
    snprintf(job->word[3], sizeof job->word[3], "%.30s/%.20s", when ? when : "", id ? id : "");
    told->text[ROLE_SERIES] = job->word[3];
    told->once = when != NULL;
    if (told->text[ROLE_PPN] && strcmp(told->text[ROLE_PPN], "1") == 0)
        told->text[ROLE_MAPPING] = "core"; /* one rank per node: all mappings are the same */
    tell_nodes(job, told);
    tell_size(told);
    tell_algorithm(job, told);
    tell_mean(job, told);
    return 0;
}

static int read_pico(struct import *job)
{
    static const enum role needed[] = { ROLE_COLLECTIVE, ROLE_ALGORITHM, ROLE_NODES, ROLE_PPN,
                                        ROLE_BYTES,      ROLE_MAX,       ROLE_NONE };
    static const char *const conditions[] = { "system",    "gpu_awareness",
                                              "gpu_lib",   "mpi_lib_version",
                                              "notes",     "datatype",
                                              "timestamp", NULL };
    static const struct table_form form = {
        .conditions = conditions,
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
