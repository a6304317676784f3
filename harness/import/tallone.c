/* SPDX-License-Identifier: BSD-3-Clause */
/* tallone.c - the CSV files of marcotallone/collective-operations-latency: OSU's benchmarks on the
 * EPYC nodes of ORFEO (Open MPI 4.1.5, OSU 7.3). The file's name tells what it holds:
 *
 *   COLLECTIVE_{core,socket,node}.csv  a collective under a mapping, by Open MPI's numbers
 *   p2p.csv                            ping-pong of core 0 with another, by channel
 *   nbft.csv, nbft_reduce.csv          linear trees whose children are all on one channel
 *
 * latency is OSU's mean over ranks, min and max are over ranks, all in microseconds. */
#include "harness/import/import.h"
#include "workloads/schedules/collectives.h"

/* What a file holds. */
struct file_kind {
    const struct collective *collective;
    const char *mapping, *experiment;
    char algorithm[NAME_SIZE]; /* "": the rows tell */
};

/* Ping-pongs, and linear trees. */
static const struct {
    const char *file, *experiment, *algorithm; /* NULL: the linear one */
    enum collective_fan fan;
} teams[] = {
    { "p2p.csv", "pingpong", "pingpong", FAN_SEND },
    { "nbft.csv", "fanout", NULL, FAN_SEND },
    { "nbft_reduce.csv", "fanin", NULL, FAN_REDUCE },
};

static const struct column columns[] = {
    { "algorithm", ROLE_ALGORITHM, 0 },
    { "cores", ROLE_PROCS, 0 },
    { "p", ROLE_PROCS, 0 },
    { "mapby", ROLE_CHANNEL, 0 },
    { "recv", ROLE_SERIES, 0 },
    { "iterations", ROLE_ITERATIONS, 0 },
    { "size", ROLE_BYTES, 0 },
    { "latency", ROLE_MEAN, 1e-6 },
    { "min", ROLE_MIN, 1e-6 },
    { "max", ROLE_MAX, 1e-6 },
    { "p50", ROLE_MEDIAN, 1e-6 },
    { "p95", ROLE_P95, 1e-6 },
    { "p99", ROLE_P99, 1e-6 },
};

static int team_of(const char *file, struct file_kind *kind)
{
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        if (strcmp(teams[i].file, file) != 0)
            continue;
        const struct collective *c = collective_of_fan(teams[i].fan);
        *kind = (struct file_kind){ c, "core", teams[i].experiment, "" };
        snprintf(kind->algorithm, sizeof kind->algorithm, "portable:%.50s",
                 teams[i].algorithm ? teams[i].algorithm : c->linear);
        return 1;
    }
    return 0;
}

/* By the file's name: a team's, or COLLECTIVE_MAPPING.csv. 0: it is none of the format's. */
static int kind_of(const char *path, struct file_kind *kind)
{
    static const char *const mappings[] = { "core", "socket", "node" };
    const char *file = base_name(path), *bar = strrchr(file, '_');
    char name[NAME_SIZE];
    if (team_of(file, kind))
        return 1;
    snprintf(name, sizeof name, "%.*s", bar ? (int)(bar - file) : 0, file);
    for (size_t i = 0; bar && i < sizeof mappings / sizeof *mappings; i++) {
        const size_t len = strlen(mappings[i]);
        *kind = (struct file_kind){ collective_find(name), mappings[i], "time", "" };
        if (kind->collective && strncmp(bar + 1, mappings[i], len) == 0 &&
            strcmp(bar + 1 + len, ".csv") == 0)
            return 1;
    }
    return 0;
}

static int recognise(const char *path, const char *head)
{
    char line[128];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(head, "\r\n"), head);
    struct file_kind kind;
    return kind_of(path, &kind) &&
           (strncmp(line, "algorithm,cores,iterations,size,latency", 39) == 0 ||
            strncmp(line, "mapby,", 6) == 0);
}

enum { NODE_CORES = 128, NODES = 2 };

/* The seats of a collective: two nodes of 128 cores, filled one after the other or in turns. */
static void tell_seats(struct import *job, const struct file_kind *kind, struct source_row *told)
{
    double procs;
    const char *text = told->text[ROLE_PROCS];
    if (!text || parse_f64(text, &procs, NULL) < 0 || !(procs >= 1 && procs <= NODES * NODE_CORES))
        return; /* judged where all rows are */
    const int p = (int)procs, in_turns = strcmp(kind->mapping, "node") == 0;
    const int nodes = in_turns ? (p < NODES ? p : NODES) : (p + NODE_CORES - 1) / NODE_CORES;
    const int ppn = in_turns ? (p + nodes - 1) / nodes : p < NODE_CORES ? p : NODE_CORES;
    snprintf(job->word[0], sizeof job->word[0], "%d", nodes);
    snprintf(job->word[1], sizeof job->word[1], "%d", ppn);
    told->text[ROLE_NODES] = job->word[0];
    told->text[ROLE_PPN] = job->word[1];
}

/* Ping-pongs and trees on a channel: the team is picked from whole nodes, filled core by core.
 * There are trees of 256 children on other nodes than the root's: these took three nodes. */
static void tell_team(const struct file_kind *kind, struct source_row *told)
{
    static const char *const count[] = { "1", "2", "3" };
    const char *channel = told->text[ROLE_CHANNEL];
    double procs = 2;
    if (strcmp(kind->experiment, "pingpong") == 0)
        told->text[ROLE_PROCS] = count[1];
    else if (told->text[ROLE_PROCS])
        parse_f64(told->text[ROLE_PROCS], &procs, NULL);
    const int far = channel && strcmp(channel, "node") == 0;
    told->text[ROLE_NODES] = count[!far ? 0 : procs - 1 <= NODE_CORES ? 1 : 2];
    told->text[ROLE_PPN] = "128";
}

static int finish(struct import *job, struct source_row *told)
{
    struct file_kind kind;
    if (!kind_of(job->now->path, &kind)) {
        import_set_aside(job, ASIDE_NAME, "the file's name is none of the format's");
        return 1;
    }
    told->text[ROLE_COLLECTIVE] = kind.collective->name;
    told->text[ROLE_MAPPING] = kind.mapping;
    told->text[ROLE_EXPERIMENT] = kind.experiment;
    if (*kind.algorithm) {
        snprintf(job->word[0], sizeof job->word[0], "%s", kind.algorithm);
        told->text[ROLE_ALGORITHM] = job->word[0];
        tell_team(&kind, told);
    } else {
        tell_seats(job, &kind, told);
    }
    return 0;
}

static int read_tallone(struct import *job)
{
    static const enum role needed[] = { ROLE_BYTES, ROLE_MEAN, ROLE_ITERATIONS, ROLE_NONE };
    static const struct table_form form = {
        .columns = columns,
        .n = sizeof columns / sizeof *columns,
        .needed = needed,
        .finish = finish,
    };
    return import_table(job, &form);
}

const struct import_format format_tallone = {
    .name = "tallone",
    .help = "CSV of marcotallone/collective-operations-latency (ORFEO, EPYC)",
    .cluster = "orfeo-epyc",
    .mpi = "openmpi",
    .version = "4.1.5",
    .recognise = recognise,
    .read = read_tallone,
};
