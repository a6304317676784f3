/* SPDX-License-Identifier: BSD-3-Clause */
/* osu.c - what the OSU micro-benchmarks print (osu_bcast and the other collectives, osu_latency),
 * of versions 5 to 7.5, with --full and percentiles (-z) or without:
 *
 *   # OSU MPI Broadcast Latency Test v7.0
 *   # Datatype: MPI_CHAR.
 *   # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
 *   1                      75.83             52.25            114.07        1000
 *
 * With -c a last column says whether the data arrived right. Avg, Min and Max are over ranks, each
 * of the mean over iterations (util/osu_util_mpi.c). */
#include "harness/import/columns.h"
#include "harness/import/names.h"
#include "workloads/schedules/collectives.h"

/* The beginnings of column names, in lower case; the longer before the shorter. */
static const struct {
    const char *name;
    enum role role;
} columns[] = {
    { "size", ROLE_BYTES },          { "avg latency", ROLE_MEAN },
    { "min latency", ROLE_MIN },     { "max latency", ROLE_MAX },
    { "latency", ROLE_MEAN },        { "iterations", ROLE_ITERATIONS },
    { "p50 tail lat", ROLE_MEDIAN }, { "p90 tail lat", ROLE_NONE },
    { "p95 tail lat", ROLE_P95 },    { "p99 tail lat", ROLE_P99 },
    { "pure comm.", ROLE_NONE },     { "min comm.", ROLE_NONE },
    { "max comm.", ROLE_NONE },
};

/* The last column of a run that checks its data (-c): "Pass" or "Fail". */
static const char validation[] = "validation";

/* "# OSU MPI Broadcast Latency Test v7.0": a new block. Its first word is MPI_Put, MPI-CUDA, UPC,
 * OpenSHMEM, NCCL ... for what is no call between buffers in memory, or no MPI's. */
static void take_title(const char *after_osu, struct block *b)
{
    char title[64];
    const char *s = after_osu + strcspn(after_osu, " ");
    const char *end = strstr(s, "Latency Test");
    *b = (struct block){ .n = 0 };
    if (!end || s - after_osu != 3 || strncmp(after_osu, "MPI", 3) != 0) {
        snprintf(b->other, sizeof b->other, "OSU: %.40s", after_osu);
        return;
    }
    s += strspn(s, " ");
    int len = end > s ? (int)(end - s) : 0;
    while (len && s[len - 1] == ' ')
        len--;
    snprintf(title, sizeof title, "%.*s", len, s);
    const char *collective = name_collective(title);
    if (collective)
        block_collective(b, collective);
    else if (!*title)
        b->told.text[ROLE_EXPERIMENT] = "pingpong";
    else
        snprintf(b->other, sizeof b->other, "OSU: %.50s", title);
    if (!*title)
        b->told.text[ROLE_COLLECTIVE] = collective_of_fan(FAN_SEND)->name;
}

/* The column that begins at *s, which moves behind it and its unit. */
static void take_column(const char **s, struct block *b)
{
    enum role role = ROLE_NONE;
    size_t len = strcspn(*s, " \t");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strncmp(*s, columns[i].name, strlen(columns[i].name)) == 0) {
            role = columns[i].role;
            len = strlen(columns[i].name);
            break;
        }
    if (strncmp(*s, validation, sizeof validation - 1) == 0)
        b->verdict = b->n;
    *s += len;
    const char *unit = *s + strspn(*s, " \t");
    const char *end = *unit == '(' ? strchr(unit, ')') : NULL;
    if (end)
        *s = end + 1;
    *s += strcspn(*s, " \t");
    block_add(b, role, end ? unit + 1 : NULL, end ? (size_t)(end - unit - 1) : 0);
}

/* "# Size   Avg Latency(us) ...", also without Size (barrier). */
static int take_header(const char *after_mark, struct block *b)
{
    char low[512];
    size_t n = 0;
    for (const char *s = after_mark; *s && n + 1 < sizeof low; s++)
        low[n++] = (char)tolower((unsigned char)*s);
    low[n] = '\0';
    const char *s = low + strspn(low, " \t");
    if (strncmp(s, "size ", 5) != 0 && strncmp(s, "avg latency", 11) != 0 &&
        strncmp(s, "latency (", 9) != 0)
        return 0;
    b->n = b->verdict = 0;
    *b->unit = '\0';
    while (*(s += strspn(s, " \t")))
        take_column(&s, b);
    return 1;
}

static int read_osu(struct import *job)
{
    struct block b = { .n = 0 };
    while (import_next(job)) {
        const char *s = job->line.text + strspn(job->line.text, " \t");
        const char *osu = *s == '#' ? strstr(s, "OSU ") : NULL;
        if (osu) {
            take_title(osu + 4, &b);
            import_batch(job);
        } else if (*s == '#') {
            sscanf(s, "# Datatype: %31[A-Z_]", b.type);
            take_header(s + 1, &b);
        } else if (block_row(job, &b) < 0) {
            return -1;
        }
    }
    return job->err.status ? -1 : 0;
}

static int recognise(const char *path, const char *head)
{
    (void)path;
    const char *osu = strstr(head, "# OSU ");
    return osu && (osu == head || osu[-1] == '\n' || osu[-1] == '\r');
}

const struct import_format format_osu = {
    .name = "osu",
    .help = "text of the OSU micro-benchmarks, 5 to 7.5, collectives and osu_latency",
    .recognise = recognise,
    .read = read_osu,
};
