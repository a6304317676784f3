/* SPDX-License-Identifier: BSD-3-Clause */
/* row_check.c - what a row tells becomes a row of imported.csv, or is set aside: the one place
 * where values of all formats are judged. */
#include "harness/import/import.h"
#include "harness/import/names.h"
#include "workloads/schedules/collectives.h"

/* No call of a collective takes an hour, no message a terabyte. */
static const double least_seconds = 1e-9, most_seconds = 3600, most_bytes = 1099511627776.0,
                    most_count = 1e9;

/* A row under judgement; why: the first thing found. */
struct judgement {
    const struct source_row *told;
    const struct cluster *cluster;
    const char *version; /* of the library; "": not told */
    int oversubscribed;  /* a node may have more ranks than cores */
    int at_most;         /* the nodes told are an upper bound, by --set */
    enum aside why;
    char reason[200];
};

static void object(struct judgement *j, enum aside why, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void object(struct judgement *j, enum aside why, const char *fmt, ...)
{
    va_list args;
    if (j->why != ASIDE_NOT)
        return;
    j->why = why;
    va_start(args, fmt);
    vsnprintf(j->reason, sizeof j->reason, fmt, args);
    text_disarm(j->reason);
    va_end(args);
}

static int is_word_for_no_number(const char *text)
{
    static const char *const known[] = { "nan", "inf", "infinity" };
    text += *text == '-' || *text == '+';
    return any_below(i, sizeof known / sizeof *known, same_word(known[i], text));
}

/* Says what is wrong with a text that is no number. */
static void object_to_text(struct judgement *j, const char *name, const char *text)
{
    const size_t digits = strspn(text, "+-.0123456789");
    if (*text == '#')
        object(j, ASIDE_HEADER, "%s: '%.40s'", name, text);
    else if (is_word_for_no_number(text))
        object(j, ASIDE_IMPOSSIBLE, "%s is '%.20s'", name, text);
    else if (digits && isalpha((unsigned char)text[digits]) && text[digits] != 'e' &&
             text[digits] != 'E')
        object(j, ASIDE_UNIT, "%s: '%.40s' holds a unit", name, text);
    else
        object(j, ASIDE_NUMBER, "%s: '%.40s' is not a number%s", name, text,
               digits && text[digits] == ',' ? " (a decimal comma? write a point)" : "");
}

/* A number in our unit; NaN where there is none. */
static double number(struct judgement *j, enum role role)
{
    const char *text = j->told->text[role];
    const double scale = j->told->scale[role] > 0 ? j->told->scale[role] : 1;
    double v;
    if (!text || !*text)
        return NAN;
    if (parse_f64(text, &v, NULL) < 0) {
        object_to_text(j, role_name(role), text);
        return NAN;
    }
    return v * scale;
}

/* A whole number of at most `most`, or -1; 1.0 is 1. */
static double whole(struct judgement *j, enum role role, double least, double most)
{
    const double v = number(j, role);
    if (isnan(v))
        return -1;
    if (v < least || v > most)
        object(j, ASIDE_IMPOSSIBLE, "%s is %.40s", role_name(role), j->told->text[role]);
    else if (v != floor(v))
        object(j, ASIDE_NUMBER, "%s: '%.40s' is not a whole number", role_name(role),
               j->told->text[role]);
    else
        return v;
    return -1;
}

static double seconds(struct judgement *j, enum role role)
{
    const double v = number(j, role);
    const char *text = j->told->text[role];
    if (isnan(v))
        return NAN;
    /* the fastest rank's time may round to nothing */
    if (v < 0 || (v == 0 && role != ROLE_MIN && role != ROLE_LEAST)) {
        object(j, ASIDE_IMPOSSIBLE, "%s is %.40s", role_name(role), text);
        return NAN;
    }
    if (v > 0 && v < least_seconds && role != ROLE_MIN && role != ROLE_LEAST) {
        object(j, ASIDE_IMPOSSIBLE, "%s is %.40s, below a nanosecond", role_name(role), text);
        return NAN;
    }
    if (v > most_seconds) {
        object(j, ASIDE_IMPOSSIBLE, "%s is %.40s, over an hour", role_name(role), text);
        return NAN;
    }
    return v;
}

/* What the last printed digit is worth, in our unit. */
static double last_digit(const struct source_row *told, enum role role)
{
    const char *text = told->text[role], *dot = text ? strchr(text, '.') : NULL;
    if (!dot || strpbrk(text, "eE"))
        return 0;
    return pow(10, -(double)strspn(dot + 1, "0123456789")) *
           (told->scale[role] > 0 ? told->scale[role] : 1);
}

/* a is not to be above b, but for rounding. */
static void in_order(struct judgement *j, enum role low, double a, enum role high, double b)
{
    const double x = last_digit(j->told, low), y = last_digit(j->told, high);
    if (isnan(a) || isnan(b) || a <= b * (1 + 1e-9) + 1.01 * (x > y ? x : y))
        return;
    object(j, ASIDE_ORDER, "%s %.30s is above %s %.30s", role_name(low), j->told->text[low],
           role_name(high), j->told->text[high]);
}

static void judge_times(struct judgement *j, struct imported_row *r)
{
    const double least = seconds(j, ROLE_LEAST), most = seconds(j, ROLE_MOST);
    r->max_s = seconds(j, ROLE_MAX);
    r->mean_s = seconds(j, ROLE_MEAN);
    r->min_s = seconds(j, ROLE_MIN);
    r->median_s = seconds(j, ROLE_MEDIAN);
    r->p95_s = seconds(j, ROLE_P95);
    r->p99_s = seconds(j, ROLE_P99);
    const double iterations = whole(j, ROLE_ITERATIONS, 1, 1e15);
    r->iterations = iterations > 0 ? (uint64_t)iterations : 0;
    if (isnan(r->max_s) && isnan(r->mean_s))
        object(j, ASIDE_MISSING, "no time");
    in_order(j, ROLE_MIN, r->min_s, ROLE_MEAN, r->mean_s);
    in_order(j, ROLE_MEAN, r->mean_s, ROLE_MAX, r->max_s);
    in_order(j, ROLE_MIN, r->min_s, ROLE_MAX, r->max_s);
    in_order(j, ROLE_MEDIAN, r->median_s, ROLE_P95, r->p95_s);
    in_order(j, ROLE_P95, r->p95_s, ROLE_P99, r->p99_s);
    in_order(j, ROLE_MEDIAN, r->median_s, ROLE_P99, r->p99_s);
    in_order(j, ROLE_LEAST, least, ROLE_MEDIAN, r->median_s);
    in_order(j, ROLE_MEDIAN, r->median_s, ROLE_MOST, most);
    if (isnan(r->mean_s)) {
        in_order(j, ROLE_LEAST, least, ROLE_MAX, r->max_s);
        in_order(j, ROLE_MAX, r->max_s, ROLE_MOST, most);
    }
}

static const char *told_text(const struct judgement *j, enum role role)
{
    return j->told->text[role] ? j->told->text[role] : "";
}

static void judge_names(struct judgement *j, struct point *p)
{
    struct cell *c = &p->cell;
    const char *experiment = told_text(j, ROLE_EXPERIMENT), *mapping = told_text(j, ROLE_MAPPING);
    const char *collective = name_collective(told_text(j, ROLE_COLLECTIVE));
    if (*experiment && experiment_parse(experiment, &p->experiment, NULL) < 0)
        object(j, ASIDE_NAME, "experiment: '%.40s'", experiment);
    if (collective)
        snprintf(c->collective, sizeof c->collective, "%s", collective);
    else
        object(j, ASIDE_NAME, "collective: '%.40s'", told_text(j, ROLE_COLLECTIVE));
    if (name_library(told_text(j, ROLE_MPI), c->mpi, sizeof c->mpi) < 0) {
        *c->mpi = '\0';
        object(j, ASIDE_NAME, "mpi: '%.40s'", told_text(j, ROLE_MPI));
    }
    if (strcmp(mapping, "core") == 0 || strcmp(mapping, "socket") == 0 ||
        strcmp(mapping, "node") == 0)
        snprintf(c->mapping, sizeof c->mapping, "%s", mapping);
    else
        object(j, ASIDE_NAME, "mapping: '%.40s' (want core, socket or node)", mapping);
    if (channel_parse(told_text(j, ROLE_CHANNEL), &p->channel, NULL) < 0)
        object(j, ASIDE_NAME, "channel: '%.40s'", told_text(j, ROLE_CHANNEL));
}

/* The library that algorithms are called after: of an entry its family. */
static const char *family_of(const char *mpi)
{
    const char *family = mpi_family(mpi);
    return strcmp(family, "other") == 0 ? mpi : family;
}

static void judge_candidate(struct judgement *j, struct point *p)
{
    const char *text = told_text(j, ROLE_ALGORITHM);
    const double segment = whole(j, ROLE_SEGMENT, 0, most_bytes);
    const double fanout = whole(j, ROLE_FANOUT, 0, most_count);
    p->candidate.segment_bytes = segment > 0 ? (uint64_t)segment : 0;
    p->candidate.fanout = fanout > 0 ? (int)fanout : 0;
    if (p->experiment == EXP_PINGPONG)
        text = "portable:pingpong";
    if (!*text)
        object(j, ASIDE_MISSING, "no algorithm");
    else if (*text == '#')
        object(j, ASIDE_HEADER, "algorithm: '%.40s'", text);
    else if (name_algorithm(p->cell.collective, family_of(p->cell.mpi), j->version, text,
                            p->candidate.algorithm, sizeof p->candidate.algorithm) < 0)
        object(j, ASIDE_NAME, "algorithm: '%.40s'", text);
}

/* Nodes and ranks per node: as told; where they are not told, as the mapping fills the cluster, or
 * as many of its nodes as --set allows (harness/base/seat.h). */
static void seat(struct judgement *j, struct cell *c, int nodes, int ppn)
{
    const int exact = nodes > 0 && !j->at_most;
    const int most = nodes > 0 ? nodes : j->cluster->nodes;
    if (exact)
        c->nodes = nodes;
    else if (ppn > 0 && nodes > 0 && strcmp(c->mapping, "node") == 0)
        c->nodes = c->procs < most ? c->procs : most;
    else if (ppn > 0)
        c->nodes = (c->procs + ppn - 1) / ppn;
    else
        seat_pack(c->mapping, most, cluster_node_cores(j->cluster), c->procs, &c->nodes, &c->ppn);
    if (ppn > 0)
        c->ppn = ppn;
    else if (exact)
        c->ppn = (c->procs + nodes - 1) / nodes;
}

/* Seats the ranks, where the cluster has room for them. */
static void place(struct judgement *j, struct cell *c, double nodes, double ppn)
{
    const int cores = cluster_node_cores(j->cluster), there = j->cluster->nodes;
    const int crowded = j->oversubscribed && nodes > 0;
    const double room = (nodes > 0 ? nodes : there) * (ppn > 0 ? ppn : crowded ? c->procs : cores);
    if (nodes > there)
        object(j, ASIDE_PLACE, "%.0f nodes; %s has %d", nodes, j->cluster->name, there);
    if (c->procs > room)
        object(j, ASIDE_PLACE, "%d processes do not fit %s (%.0f at most)", c->procs,
               j->cluster->name, room);
    if (j->why != ASIDE_NOT)
        return;
    seat(j, c, (int)nodes, (int)ppn);
    if (!j->oversubscribed && c->ppn > cores && c->procs > cores)
        object(j, ASIDE_PLACE, "%d processes on a node; %s has %d cores (--oversubscribed)",
               c->ppn < c->procs ? c->ppn : c->procs, j->cluster->name, cores);
}

/* One rank's block of a size that is told of all ranks' together: as many whole elements as each
 * rank gets. */
static double block_of(struct judgement *j, double bytes, double procs)
{
    const double element = j->told->element_bytes > 0 ? j->told->element_bytes : 1;
    if (!j->told->of_all || !(bytes > 0) || !(procs > 0))
        return bytes;
    const double block = floor(bytes / element / procs) * element;
    if (!(block > 0))
        object(j, ASIDE_OTHER, "%.0f bytes in all are less than an element for each of %.0f ranks",
               bytes, procs);
    return block;
}

/* Ranks of a ping-pong on a channel are picked from nodes that are filled. */
static void place_pingpong(struct judgement *j, enum channel channel, double *nodes, double *ppn)
{
    if (channel == CHANNEL_NONE || *nodes > 0 || *ppn > 0 ||
        (channel == CHANNEL_NODE && j->cluster->nodes < 2))
        return;
    j->at_most = 0;
    *nodes = channel == CHANNEL_NODE ? 2 : 1;
    *ppn = cluster_node_cores(j->cluster);
}

static void judge_cell(struct judgement *j, struct point *p)
{
    struct cell *c = &p->cell;
    double nodes = whole(j, ROLE_NODES, 1, most_count), ppn = whole(j, ROLE_PPN, 1, 1e6);
    double procs = whole(j, ROLE_PROCS, 1, most_count), bytes = whole(j, ROLE_BYTES, 0, most_bytes);
    const double root = whole(j, ROLE_ROOT, 0, most_count);
    if (procs < 0 && nodes > 0 && ppn > 0 && nodes * ppn <= most_count &&
        !j->told->text[ROLE_PROCS])
        procs = nodes * ppn;
    if (p->experiment == EXP_PINGPONG) {
        procs = 2; /* whatever holds for the other files */
        place_pingpong(j, p->channel, &nodes, &ppn);
    }
    if (procs < 0)
        object(j, ASIDE_MISSING, "no number of processes");
    if (!collective_moves(c->collective) && (bytes >= 0 || !j->told->text[ROLE_BYTES]))
        bytes = 0;
    if (bytes < 0)
        object(j, ASIDE_MISSING, "no size");
    bytes = block_of(j, bytes, procs);
    c->procs = procs > 0 ? (int)procs : 0;
    c->bytes = bytes > 0 ? (uint64_t)bytes : 0;
    c->root = root > 0 ? (int)root : 0;
    if (c->root >= c->procs)
        object(j, ASIDE_IMPOSSIBLE, "root is %d of %d processes", c->root, c->procs);
    if (j->why == ASIDE_NOT)
        place(j, c, nodes, ppn);
}

static enum purpose purpose_of(const struct point *p)
{
    if (p->experiment != EXP_TIME)
        return FOR_FIT;
    return algorithm_is_default(p->candidate.algorithm) ? FOR_DEFAULT : FOR_STUDY;
}

enum { MOST_UNTOLD = 7 };

/* What nobody tells and a row cannot be without, into role; how many these are. */
static size_t find_untold(const struct source_row *t, enum role role[MOST_UNTOLD])
{
    size_t n = 0;
    static const enum role always[] = { ROLE_COLLECTIVE, ROLE_MPI, ROLE_MAPPING, ROLE_NONE };
    const int pingpong =
        t->text[ROLE_EXPERIMENT] && strcmp(t->text[ROLE_EXPERIMENT], "pingpong") == 0;
    const char *collective =
        t->text[ROLE_COLLECTIVE] ? name_collective(t->text[ROLE_COLLECTIVE]) : NULL;
    for (size_t i = 0; always[i] != ROLE_NONE; i++)
        if (!t->text[always[i]])
            role[n++] = always[i];
    if (!pingpong && !t->text[ROLE_ALGORITHM])
        role[n++] = ROLE_ALGORITHM;
    if (!t->text[ROLE_BYTES] && (!collective || collective_moves(collective)))
        role[n++] = ROLE_BYTES;
    if (!pingpong && !t->text[ROLE_PROCS] && !(t->text[ROLE_NODES] && t->text[ROLE_PPN]))
        role[n++] = ROLE_PROCS;
    if (!t->text[ROLE_MAX] && !t->text[ROLE_MEAN])
        role[n++] = ROLE_MEAN;
    return n;
}

/* How a role is given on the command line; all that --set takes stands in one list. */
static void put_options(FILE *out, const struct import *job, const enum role *role, size_t n)
{
    static const char *const value[N_ROLES] = {
        [ROLE_COLLECTIVE] = "collective=NAME",
        [ROLE_MAPPING] = "mapping=MAPPING",
        [ROLE_ALGORITHM] = "algorithm=NAME",
        [ROLE_BYTES] = "bytes=BYTES",
        [ROLE_PROCS] = "procs=P",
    };
    const char *before = " --set ";
    if (!job->cluster)
        fputs(" --cluster NAME --machine NODESxSOCKETSxCORES", out);
    for (size_t i = 0; i < n; i++)
        if (role[i] == ROLE_MPI)
            fputs(" --mpi NAME", out);
    for (size_t i = 0; i < n; i++)
        if (value[role[i]]) {
            fprintf(out, "%s%s", before, value[role[i]]);
            before = ",";
        }
    for (size_t i = 0; i < n; i++)
        if (role_is_time(role[i]))
            fprintf(out, " --map %s=COLUMN:us", role_name(role[i]));
}

/* "the cluster, 'mapping' (core, socket or node) and 'procs'" */
static void put_names(FILE *out, const struct import *job, const enum role *role, size_t n)
{
    if (!job->cluster)
        fprintf(out, "the cluster%s", n == 0 ? "" : n == 1 ? " and " : ", ");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s'%s'%s",
                i == 0      ? ""
                : i + 1 < n ? ", "
                            : " and ",
                role_name(role[i]), role[i] == ROLE_MAPPING ? " (core, socket or node)" : "");
}

/* All of it at once, with the options that would do in job->lacks; 0 where everything is told. */
static int check_told(struct import *job, const struct source_row *told)
{
    enum role role[MOST_UNTOLD];
    char *names = NULL;
    size_t size = 0;
    const size_t n = find_untold(told, role);
    if (!n && job->cluster)
        return 0;
    FILE *out = memory_stream(&names, &size);
    put_names(out, job, role, n);
    fclose(out);
    free(job->lacks);
    job->lacks = NULL;
    out = memory_stream(&job->lacks, &size);
    put_options(out, job, role, n);
    fclose(out);
    err_usage(&job->err, "%s:%zu: nothing tells %s", job->now->path, job->line.number, names);
    free(names);
    return -1;
}

static struct imported_row *add_row(struct import *job)
{
    struct imported_row *r = rows_add(&job->rows);
    r->source = job->now->path;
    r->line = job->line.number;
    r->batch = job->batch;
    return r;
}

static void set_aside(struct imported_row *r, enum aside why, const char *reason)
{
    r->status = ROW_SET_ASIDE;
    r->why = why;
    r->reason = memory_text(reason);
    for (char *c = r->reason; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
}

int import_set_aside(struct import *job, enum aside why, const char *fmt, ...)
{
    char reason[200];
    va_list args;
    struct imported_row *r = add_row(job);
    va_start(args, fmt);
    vsnprintf(reason, sizeof reason, fmt, args);
    text_disarm(reason);
    va_end(args);
    set_aside(r, why, reason);
    return 0;
}

/* Of the library, by the row, the options, or what the format's data set is of. */
static const char *version_of(const struct import *job, const struct source_row *told)
{
    if (told->text[ROLE_VERSION])
        return told->text[ROLE_VERSION];
    const char *version = job->options->version ? job->options->version : job->now->format->version;
    return version ? version : "";
}

/* What is no matter where two ranks exchange messages. */
static void tell_pingpong(struct source_row *told)
{
    const struct source_row any = {
        .text = { [ROLE_COLLECTIVE] = collective_of_fan(FAN_SEND)->name, [ROLE_MAPPING] = "core" }
    };
    source_row_complete(told, &any);
}

int import_take(struct import *job, const struct source_row *row)
{
    struct source_row told = *row;
    source_row_complete(&told, &job->now->told);
    if (told.text[ROLE_EXPERIMENT] && strcmp(told.text[ROLE_EXPERIMENT], "pingpong") == 0)
        tell_pingpong(&told);
    if (check_told(job, &told) < 0)
        return -1;
    struct imported_row *r = add_row(job);
    struct judgement j = { .told = &told,
                           .version = version_of(job, &told),
                           .cluster = job->cluster,
                           .oversubscribed = job->options->oversubscribed,
                           .at_most =
                               told.text[ROLE_NODES] == job->options->constants.text[ROLE_NODES] };
    judge_names(&j, &r->point);
    judge_cell(&j, &r->point);
    judge_candidate(&j, &r->point);
    judge_times(&j, r);
    if (j.why != ASIDE_NOT) {
        set_aside(r, j.why, j.reason);
        return 0;
    }
    job->spread += strcmp(r->point.cell.mapping, "node") == 0 && !told.text[ROLE_NODES] &&
                   !told.text[ROLE_PPN];
    const char *series = told.text[ROLE_SERIES];
    snprintf(r->version, sizeof r->version, "%.23s", told_text(&j, ROLE_VERSION));
    r->series = series && *series ? fs_digest(series, strlen(series)) : 0;
    r->once = told.once;
    r->point.purpose = purpose_of(&r->point);
    point_identify(&r->point);
    return 0;
}
