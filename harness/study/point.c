/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/point.h"

const char *const experiment_words[N_EXPERIMENTS + 1] = {
    [EXP_TIME] = "time",       [EXP_GATHER] = "gather",     [EXP_GAMMA] = "gamma",
    [EXP_BARRIER] = "barrier", [EXP_PINGPONG] = "pingpong", [EXP_FANOUT] = "fanout",
    [EXP_FANIN] = "fanin",     [EXP_COPY] = "copy",
};

const char *const purpose_words[N_PURPOSES + 1] = {
    [FOR_STUDY] = "study",
    [FOR_DEFAULT] = "default",
    [FOR_OTHER_DEFAULT] = "other_default",
    [FOR_FIT] = "fit",
    [FOR_HELD_BYTES] = "held_bytes",
    [FOR_HELD_PROCS] = "held_procs",
    [FOR_HELD_ROOT] = "held_root",
};

struct seating cell_seating(const struct cell *cell)
{
    return (struct seating){
        .mapping = cell->mapping, .nodes = cell->nodes, .ppn = cell->ppn, .procs = cell->procs
    };
}

static int name_index(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int experiment_parse(const char *name, enum experiment *experiment, struct err *err)
{
    int i = name_index(experiment_words, N_EXPERIMENTS, name);
    if (i < 0)
        return err_set(
            err,
            "'%s' is not an experiment (want time, gather, gamma, barrier, pingpong, fanout, fanin "
            "or copy)",
            name);
    *experiment = (enum experiment)i;
    return 0;
}

int point_is_contender(const struct point *point)
{
    return point->experiment == EXP_TIME && point->purpose != FOR_FIT &&
           point->purpose != FOR_OTHER_DEFAULT;
}

int experiment_on_root(enum experiment experiment)
{
    return experiment != EXP_TIME && experiment != EXP_FANOUT && experiment != EXP_FANIN;
}

void point_identify(struct point *point)
{
    const struct cell *c = &point->cell;
    const struct candidate *a = &point->candidate;
    char key[512];
    int n = snprintf(key, sizeof key, "%s|%s|%s|%s|%d|%d|%d|%d|%llu|%s|%llu|%d|%llu",
                     experiment_words[point->experiment], c->collective, c->mpi, c->mapping,
                     c->nodes, c->ppn, c->procs, c->root, (unsigned long long)c->bytes,
                     a->algorithm, (unsigned long long)a->segment_bytes, a->fanout,
                     (unsigned long long)point->gather_bytes);
    if (point->channel != CHANNEL_NONE)
        n += snprintf(key + n, sizeof key - (size_t)n, "|%s", channel_words[point->channel]);
    if (*c->arrival)
        n += snprintf(key + n, sizeof key - (size_t)n, "|%s", c->arrival);
    if (*c->buffers)
        n += snprintf(key + n, sizeof key - (size_t)n, "|%s", c->buffers);
    snprintf(point->id, sizeof point->id, "%016llx", (unsigned long long)fs_digest(key, (size_t)n));
}

static int order(uint64_t a, uint64_t b)
{
    return ascending(a, b);
}

int cell_compare_context(const struct cell *a, const struct cell *b)
{
    return by_keys(strcmp(a->collective, b->collective), strcmp(a->mpi, b->mpi),
                   strcmp(a->mapping, b->mapping));
}

int cell_compare(const struct cell *a, const struct cell *b)
{
    int c = cell_compare_context(a, b);
    if (!c)
        c = order((uint64_t)a->nodes, (uint64_t)b->nodes);
    if (!c)
        c = order((uint64_t)a->ppn, (uint64_t)b->ppn);
    if (!c)
        c = order((uint64_t)a->procs, (uint64_t)b->procs);
    if (!c)
        c = order((uint64_t)a->root, (uint64_t)b->root);
    if (!c)
        c = order(a->bytes, b->bytes);
    return c ? c : cell_compare_conditions(a, b);
}

int cell_compare_conditions(const struct cell *a, const struct cell *b)
{
    return by_keys(strcmp(a->arrival, b->arrival), strcmp(a->buffers, b->buffers));
}

int cell_is_plain(const struct cell *cell)
{
    return !*cell->arrival && !*cell->buffers;
}

int cell_is_rotated(const struct cell *cell)
{
    return strcmp(cell->buffers, CELL_ROTATED) == 0;
}

const char *cell_conditions_text(const struct cell *cell, char *buf, size_t size)
{
    char text[64];
    snprintf(buf, size, "%s%s", arrival_text(cell->arrival, text, sizeof text),
             cell_is_rotated(cell) ? ", cold buffers" : "");
    return buf;
}

struct cell cell_plain(const struct cell *cell)
{
    struct cell plain = *cell;
    *plain.arrival = *plain.buffers = '\0';
    return plain;
}

int candidate_compare(const struct candidate *a, const struct candidate *b)
{
    return by_keys(strcmp(a->algorithm, b->algorithm), order(a->segment_bytes, b->segment_bytes),
                   ascending(a->fanout, b->fanout));
}

int candidate_equal(const struct candidate *a, const struct candidate *b)
{
    return candidate_compare(a, b) == 0;
}

const char *candidate_text(const struct candidate *candidate, char *buf, size_t size)
{
    char segment[40] = "", fanout[32] = "", bytes[32];
    if (candidate->segment_bytes)
        snprintf(segment, sizeof segment, " %s",
                 format_bytes(candidate->segment_bytes, bytes, sizeof bytes));
    if (candidate->fanout)
        snprintf(fanout, sizeof fanout, " fan-out %d", candidate->fanout);
    snprintf(buf, size, "%s%s%s", candidate->algorithm, segment, fanout);
    return buf;
}

const char *algorithm_base_name(const char *algorithm)
{
    const char *colon = strchr(algorithm, ':');
    return colon ? colon + 1 : algorithm;
}

int algorithm_is_default(const char *algorithm)
{
    return strcmp(algorithm_base_name(algorithm), "default") == 0;
}

int point_check(const struct point *point, struct err *err)
{
    const struct cell *c = &point->cell;
    struct point same = *point;
    if ((int64_t)c->procs > (int64_t)c->nodes * c->ppn)
        return err_set(err, "procs: %d do not fit on %d nodes of %d", c->procs, c->nodes, c->ppn);
    struct arrival arrival;
    if (arrival_parse(c->arrival, &arrival, err) < 0)
        return err_prefix(err, "arrival");
    if (*c->buffers && !cell_is_rotated(c))
        return err_set(err, "buffers: '%s' (want " CELL_ROTATED " or nothing)", c->buffers);
    if (c->root >= c->procs)
        return err_set(err, "root: %d is not a rank of %d processes", c->root, c->procs);
    point_identify(&same);
    if (strcmp(point->id, same.id) != 0)
        return err_set(err, "point: id '%s' does not belong to this row (want '%s')", point->id,
                       same.id);
    return 0;
}

int point_check_row(void *row, struct err *err)
{
    return point_check(row, err);
}

/* A struct point by another name, as a member is wanted. */
struct alone {
    struct point point;
};

static const struct schema_column columns[] = { POINT_COLUMNS(alone, point),
                                                CONDITION_COLUMNS(alone, point.cell) };

SCHEMA(point_schema, alone, columns, "points", "A point.", .check = point_check_row);
