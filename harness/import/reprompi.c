/* SPDX-License-Identifier: BSD-3-Clause */
/* reprompi.c - what ReproMPI prints with --summary (Hunold & Carpen-Amarie 2016): what holds for
 * all rows as "#@key=value", then a table with a header:
 *
 *   #@nprocs=2
 *   #@datatype_size_bytes=1
 *        test        count total_nrep valid_nrep       mean_sec     median_sec        min_sec
 *   MPI_Bcast            8        100        100   0.0000003057   0.0000002900   0.0000002300
 *
 * The time of a call is that of its slowest rank; mean, median and the rest are over calls
 * (reprompi_bench/output_management/runtimes_computation.c). The count is of one rank's elements,
 * as the call has it. */
#include "harness/import/import.h"
#include "harness/import/names.h"

/* The table's columns; those that are none of ours have ROLE_NONE. */
static const struct column columns[] = {
    { "count", ROLE_BYTES, 0 },   { "valid_nrep", ROLE_ITERATIONS, 0 },
    { "mean_sec", ROLE_MAX, 0 },  { "median_sec", ROLE_MEDIAN, 0 },
    { "min_sec", ROLE_LEAST, 0 }, { "max_sec", ROLE_MOST, 0 },
};

/* What was said above a row. */
struct heading {
    enum role role[MAX_FIELDS];
    size_t n; /* columns; 0: no header yet */
    char procs[24];
    double element_bytes; /* 0: not told */
};

/* "#@nprocs=2"; other facts do not matter here. */
static void take_fact(const char *fact, struct heading *h)
{
    static const char procs[] = "nprocs=", size[] = "datatype_size_bytes=";
    if (strncmp(fact, procs, sizeof procs - 1) == 0)
        snprintf(h->procs, sizeof h->procs, "%s", fact + sizeof procs - 1);
    if (strncmp(fact, size, sizeof size - 1) == 0 &&
        parse_f64(fact + sizeof size - 1, &h->element_bytes, NULL) < 0)
        h->element_bytes = 0;
}

static int take_row(struct import *job, char **field, size_t n, const struct heading *h)
{
    struct source_row told = { .text[ROLE_PROCS] = *h->procs ? h->procs : NULL };
    if (!h->n)
        return import_set_aside(job, ASIDE_HEADER, "no header before it: '%.40s'", field[0]);
    if (n != h->n)
        return import_set_aside(job, ASIDE_FIELDS, "%zu columns, the header has %zu", n, h->n);
    if (!(h->element_bytes > 0))
        return import_set_aside(job, ASIDE_MISSING, "no #@datatype_size_bytes=N above the row");
    if (!(told.text[ROLE_COLLECTIVE] = name_collective(field[0])))
        return import_set_aside(job, ASIDE_OTHER, "ReproMPI: %.40s", field[0]);
    for (size_t i = 1; i < n; i++) {
        told.text[h->role[i]] = field[i];
        told.scale[h->role[i]] = h->role[i] == ROLE_BYTES ? h->element_bytes : 1;
    }
    told.text[ROLE_NONE] = NULL;
    return import_take(job, &told);
}

static int read_reprompi(struct import *job)
{
    struct heading h = { .n = 0 };
    while (import_next(job)) {
        char *field[MAX_FIELDS];
        if (strncmp(job->line.text, "#@", 2) == 0)
            take_fact(job->line.text + 2, &h);
        if (job->line.text[0] == '#')
            continue;
        const size_t n = split_blanks(job->line.text, field, MAX_FIELDS);
        if (strcmp(field[0], "test") == 0) {
            h.n = n < MAX_FIELDS ? n : MAX_FIELDS;
            for (size_t i = 0; i < h.n; i++)
                h.role[i] = column_role(columns, sizeof columns / sizeof *columns, field[i],
                                        strlen(field[i]));
            import_batch(job);
        } else if (take_row(job, field, n, &h) < 0) {
            return -1;
        }
    }
    return job->err.status ? -1 : 0;
}

static int recognise(const char *path, const char *head)
{
    (void)path;
    return strstr(head, "#@reproMPIcommitSHA1=") || strstr(head, "#@clocksync=");
}

const struct import_format format_reprompi = {
    .name = "reprompi",
    .help = "text of ReproMPI's mpibenchmark with --summary",
    .recognise = recognise,
    .read = read_reprompi,
};
