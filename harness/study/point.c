/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/point.h"

#include <string.h>

#include "harness/base/fs.h"

const char *const experiment_words[N_EXPERIMENTS + 1] = {
    [EXP_TIME] = "time",       [EXP_GATHER] = "gather",     [EXP_GAMMA] = "gamma",
    [EXP_BARRIER] = "barrier", [EXP_PINGPONG] = "pingpong", [EXP_FANOUT] = "fanout",
    [EXP_FANIN] = "fanin",     [EXP_COPY] = "copy",
};

const char *const purpose_words[N_PURPOSES + 1] = {
    [FOR_STUDY] = "study",           [FOR_DEFAULT] = "default",       [FOR_FIT] = "fit",
    [FOR_HELD_BYTES] = "held_bytes", [FOR_HELD_PROCS] = "held_procs", [FOR_HELD_ROOT] = "held_root",
};

const char *const point_required[] = {
    "point",         "experiment", "purpose",      "collective", "mpi",   "mapping",
    "nodes",         "ppn",        "procs",        "root",       "bytes", "algorithm",
    "segment_bytes", "fanout",     "gather_bytes", NULL,
};

const char *const point_columns[] = {
    "point",         "experiment", "purpose",      "collective", "mpi",   "mapping",
    "nodes",         "ppn",        "procs",        "root",       "bytes", "algorithm",
    "segment_bytes", "fanout",     "gather_bytes", "channel",    NULL,
};

static int name_index(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

const char *experiment_name(enum experiment experiment)
{
    return experiment_words[experiment];
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

int experiment_on_root(enum experiment experiment)
{
    return experiment != EXP_TIME && experiment != EXP_FANOUT && experiment != EXP_FANIN;
}

const char *purpose_name(enum purpose purpose)
{
    return purpose_words[purpose];
}

int purpose_parse(const char *name, enum purpose *purpose, struct err *err)
{
    int i = name_index(purpose_words, N_PURPOSES, name);
    if (i < 0)
        return err_set(err,
                       "'%s' is not a purpose (want study, default, fit, held_bytes, held_procs or "
                       "held_root)",
                       name);
    *purpose = (enum purpose)i;
    return 0;
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
        n += snprintf(key + n, sizeof key - (size_t)n, "|%s", channel_name(point->channel));
    snprintf(point->id, sizeof point->id, "%016llx", (unsigned long long)fs_digest(key, (size_t)n));
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int cell_compare_context(const struct cell *a, const struct cell *b)
{
    int c = strcmp(a->collective, b->collective);
    c = c ? c : strcmp(a->mpi, b->mpi);
    return c ? c : strcmp(a->mapping, b->mapping);
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
    return c ? c : order(a->bytes, b->bytes);
}

int candidate_compare(const struct candidate *a, const struct candidate *b)
{
    int c = strcmp(a->algorithm, b->algorithm);
    c = c ? c : order(a->segment_bytes, b->segment_bytes);
    return c ? c : (a->fanout > b->fanout) - (a->fanout < b->fanout);
}

int candidate_equal(const struct candidate *a, const struct candidate *b)
{
    return candidate_compare(a, b) == 0;
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

void point_write(struct csvw *w, const struct point *point)
{
    const struct cell *c = &point->cell;
    csvw_text(w, point->id);
    csvw_text(w, experiment_words[point->experiment]);
    csvw_text(w, purpose_words[point->purpose]);
    csvw_text(w, c->collective);
    csvw_text(w, c->mpi);
    csvw_text(w, c->mapping);
    csvw_i64(w, c->nodes);
    csvw_i64(w, c->ppn);
    csvw_i64(w, c->procs);
    csvw_i64(w, c->root);
    csvw_u64(w, c->bytes);
    csvw_text(w, point->candidate.algorithm);
    csvw_u64(w, point->candidate.segment_bytes);
    csvw_i64(w, point->candidate.fanout);
    csvw_u64(w, point->gather_bytes);
    csvw_text(w, channel_name(point->channel));
}

static int read_text(const struct csv *csv, const char *column, char *buf, struct err *err)
{
    return csv_name(csv, csv_column(csv, column), buf, NAME_SIZE, err);
}

static int read_int(const struct csv *csv, const char *column, int least, int *value,
                    struct err *err)
{
    if (csv_int(csv, csv_column(csv, column), value, err) < 0)
        return -1;
    if (*value < least)
        return csv_fail(csv, err, "%s: %d is too small (want at least %d)", column, *value, least);
    return 0;
}

static int read_cell(const struct csv *csv, struct cell *c, struct err *err)
{
    if (read_text(csv, "collective", c->collective, err) < 0 ||
        read_text(csv, "mpi", c->mpi, err) < 0 || read_text(csv, "mapping", c->mapping, err) < 0 ||
        read_int(csv, "nodes", 1, &c->nodes, err) < 0 ||
        read_int(csv, "ppn", 1, &c->ppn, err) < 0 ||
        read_int(csv, "procs", 1, &c->procs, err) < 0 ||
        read_int(csv, "root", 0, &c->root, err) < 0 ||
        csv_u64(csv, csv_column(csv, "bytes"), &c->bytes, err) < 0)
        return -1;
    return 0;
}

/* Files of before there were channels have no such column. */
static int read_channel(const struct csv *csv, enum channel *channel, struct err *err)
{
    const int column = csv_column(csv, "channel");
    *channel = CHANNEL_NONE;
    if (column >= 0 && channel_parse(csv_text(csv, column), channel, err) < 0)
        return err_prefix(err, "%s:%zu: channel", csv_path(csv), csv_line(csv));
    return 0;
}

int point_read(const struct csv *csv, struct point *point, struct err *err)
{
    char experiment[NAME_SIZE], purpose[NAME_SIZE], id[ID_SIZE];
    memset(point, 0, sizeof *point);
    if (csv_copy(csv, csv_column(csv, "point"), id, sizeof id, err) < 0 ||
        read_text(csv, "experiment", experiment, err) < 0 ||
        read_text(csv, "purpose", purpose, err) < 0)
        return -1;
    if (experiment_parse(experiment, &point->experiment, err) < 0 ||
        purpose_parse(purpose, &point->purpose, err) < 0)
        return err_prefix(err, "%s:%zu", csv_path(csv), csv_line(csv));
    if (read_cell(csv, &point->cell, err) < 0 ||
        read_text(csv, "algorithm", point->candidate.algorithm, err) < 0 ||
        csv_u64(csv, csv_column(csv, "segment_bytes"), &point->candidate.segment_bytes, err) < 0 ||
        read_int(csv, "fanout", 0, &point->candidate.fanout, err) < 0 ||
        csv_u64(csv, csv_column(csv, "gather_bytes"), &point->gather_bytes, err) < 0 ||
        read_channel(csv, &point->channel, err) < 0)
        return -1;
    memcpy(point->id, id, sizeof point->id);
    return point_check(point, err) < 0 ? err_prefix(err, "%s:%zu", csv_path(csv), csv_line(csv))
                                       : 0;
}

int point_check(const struct point *point, struct err *err)
{
    const struct cell *c = &point->cell;
    struct point same = *point;
    if ((int64_t)c->procs > (int64_t)c->nodes * c->ppn)
        return err_set(err, "procs: %d do not fit on %d nodes of %d", c->procs, c->nodes, c->ppn);
    if (c->root >= c->procs)
        return err_set(err, "root: %d is not a rank of %d processes", c->root, c->procs);
    point_identify(&same);
    if (strcmp(point->id, same.id) != 0)
        return err_set(err, "point: id '%s' does not belong to this row (want '%s')", point->id,
                       same.id);
    return 0;
}
