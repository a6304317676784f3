/* SPDX-License-Identifier: BSD-3-Clause */
/* imb.c - what the Intel MPI Benchmarks (IMB-MPI1) print: blocks of one benchmark at one number of
 * processes each, and ping-pongs:
 *
 *   # Benchmarking Bcast
 *   # #processes = 4
 *        #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
 *             1         1000         0.61         0.98         0.78
 *
 * t_min, t_max and t_avg are over ranks, each of the mean over repetitions. What else it prints, as
 * of versions 2.3 to 2021 (src_c/IMB_output.c): of several groups at once "# Benchmarking
 * Multi-Bcast" and a first column Group; of ranks in a grid "# #processes = 4; rank order
 * (rowwise):"; a row of a size that was not measured, "out-of-mem.; needed X= ...", "int-overflow.;
 * ...", "time-out.; ..."; and, where it was built to check its data, a last column "defects". Each
 * benchmark that is none of ours (PingPing, Sendrecv, Exchange, bandwidths, non-blocking ones) has
 * a header of its own. */
#include "harness/import/columns.h"
#include "harness/import/names.h"
#include "workloads/schedules/collectives.h"

static const struct column columns[] = {
    { "#bytes", ROLE_BYTES, 0 },
    { "bytes", ROLE_BYTES, 0 },
    { "#repetitions", ROLE_ITERATIONS, 0 },
    { "t_min", ROLE_MIN, 0 },
    { "t_max", ROLE_MAX, 0 },
    { "t_avg", ROLE_MEAN, 0 },
    { "repetitions", ROLE_ITERATIONS, 0 },
    { "t", ROLE_MEAN, 0 },
};

/* "Bcast", "PingPong"; others are not ours. A new block. */
static void take_benchmark(const char *name, struct block *b)
{
    char word[64];
    *b = (struct block){ .n = 0 };
    name += strspn(name, ": \t");
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, " \t"), name);
    const char *collective = name_collective(word);
    if (same_word(word, "PingPong")) {
        b->told.text[ROLE_EXPERIMENT] = "pingpong";
        b->told.text[ROLE_COLLECTIVE] = collective_of_fan(FAN_SEND)->name;
    } else if (collective) {
        block_collective(b, collective);
    } else if (strncmp(word, "Multi-", 6) == 0) {
        snprintf(b->other, sizeof b->other, "IMB: several groups at once, %.30s", word);
    } else {
        snprintf(b->other, sizeof b->other, "IMB: %.40s", word);
    }
}

/* "# #processes = 4". The text goes into the block, as the line is overwritten. */
static void take_processes(const char *after, struct block *b)
{
    const char *s = strchr(after, '=');
    s = s ? s + 1 + strspn(s + 1, " \t") : "";
    snprintf(b->procs, sizeof b->procs, "%.*s", (int)strcspn(s, " \t;)"), s);
}

/* "#bytes #repetitions t_min[usec] ...", also without #bytes (barrier), or behind "Group". */
static void take_header(char *line, struct block *b)
{
    char *field[MAX_FIELDS];
    const size_t n = split_blanks(line, field, MAX_FIELDS);
    b->n = b->verdict = 0;
    *b->unit = '\0';
    for (size_t i = 0; i < n && i < MAX_FIELDS; i++) {
        if (same_word(field[i], "defects"))
            b->verdict = b->n;
        const size_t len = strcspn(field[i], "[");
        const char *unit = field[i][len] ? field[i] + len + 1 : NULL;
        block_add(b, column_role(columns, sizeof columns / sizeof *columns, field[i], len), unit,
                  unit ? strcspn(unit, "]") : 0);
    }
}

static void take_comment(struct import *job, char *line, struct block *b)
{
    static const char benchmarking[] = "# Benchmarking", processes[] = "#processes";
    const char *at = strstr(line, processes);
    if (strncmp(line, benchmarking, sizeof benchmarking - 1) == 0) {
        take_benchmark(line + sizeof benchmarking - 1, b);
        import_batch(job);
    } else if (at) {
        take_processes(at, b);
    } else if (strstr(line, "#repetitions")) {
        take_header(line, b);
    }
}

/* Why the benchmark did not measure the row's size; NULL: the row has no such word. */
static const char *not_measured(const char *row)
{
    static const char *const words[] = { "out-of-mem.", "int-overflow.", "time-out." };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(row, words[i]))
            return words[i];
    return NULL;
}

static int take_row(struct import *job, struct block *b)
{
    const char *why = *b->other ? NULL : not_measured(job->line.text);
    if (why)
        return import_set_aside(job, ASIDE_MISSING, "IMB did not measure this size: %s", why);
    b->told.text[ROLE_PROCS] = *b->procs ? b->procs : NULL;
    return block_row(job, b);
}

static int read_imb(struct import *job)
{
    struct block b = { .n = 0 };
    while (import_next(job)) {
        char *s = job->line.text + strspn(job->line.text, " \t");
        if (*s == '#' || strstr(s, "#repetitions"))
            take_comment(job, s, &b);
        else if (take_row(job, &b) < 0)
            return -1;
    }
    return job->err.status ? -1 : 0;
}

static int recognise(const char *path, const char *head)
{
    (void)path;
    return strstr(head, "# Benchmarking ") || strstr(head, "Intel(R) MPI Benchmark") ||
           strstr(head, "Intel (R) MPI Benchmark") ||
           (strstr(head, "#repetitions") && strstr(head, "t_max[usec]"));
}

const struct import_format format_imb = {
    .name = "imb",
    .help = "text of the Intel MPI Benchmarks (IMB-MPI1), collectives and PingPong",
    .recognise = recognise,
    .read = read_imb,
};
