/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/null/plant.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/walk/stage_walk.h"
#include "harness/base/array.h"
#include "harness/base/csv.h"
#include "harness/base/number.h"
#include "harness/rules/load_lines.h"
#include "workloads/schedules/collectives.h"

extern char **environ;

static const char prefix[] = "COLLSEL_NULL_";

enum kind { REAL, INTEGER, SEED, TEXT, TABLE, TIMES, GAMMA, CHANNELS };

static const struct variable {
    const char *name;
    enum kind kind;
    size_t offset, size;
    const char *help;
} variables[] = {
#define AT(field) offsetof(struct plant, field), sizeof((struct plant *)0)->field
    { "ALPHA", REAL, AT(alpha_s), "seconds per transfer (20e-6)" },
    { "BETA", REAL, AT(beta_s_per_byte), "seconds per byte (1e-9)" },
    { "TABLE", TABLE, AT(rows), "CSV file algorithm,alpha_s,beta_s_per_byte: rows that differ" },
    { "TIMES", TIMES, AT(times), "points.csv of another study: its times of collectives" },
    { "CHANNELS", CHANNELS, AT(channels),
      "CSV file channel,alpha_s,beta_s_per_byte,slope: transfers on channels" },
    { "GAMMA_SLOPE", REAL, AT(gamma_slope), "gamma(k) = 1 + slope (k - 2) (0.1)" },
    { "RECEIVE_SLOPE", REAL, AT(receive_slope),
      "k receives of one stage cost 1 + slope (k - 1) (1: one after the other)" },
    { "GAMMA", GAMMA, AT(gamma), "CSV file procs,gamma, ascending: discrete values instead" },
    { "NOISE", REAL, AT(noise), "relative standard deviation of a sample (0)" },
    { "LAUNCH_NOISE", REAL, AT(launch_noise),
      "the same of what the samples of a launch share (0)" },
    { "SLOW_CALLS", INTEGER, AT(slow_calls), "calls that each point begins with slowly (0)" },
    { "SLOW_FACTOR", REAL, AT(slow_factor), "their time over that of the others (15)" },
    { "OUTLIER_EVERY", INTEGER, AT(outlier_every),
      "one gather point in so many of each algorithm is an outlier (0: none)" },
    { "OUTLIER_FACTOR", REAL, AT(outlier_factor), "its time over the truth (3)" },
    { "SLOWDOWN_AFTER", INTEGER, AT(slowdown_after), "points of a launch (never)" },
    { "SLOWDOWN_FACTOR", REAL, AT(slowdown_factor), "of all times from then on (1.2)" },
    { "HANG_AT", INTEGER, AT(hang_at), "index of the point of a launch that never ends (none)" },
    { "CRASH_AT", INTEGER, AT(crash_at), "index of the point at which it is killed (none)" },
    { "TRUNCATE_AT", INTEGER, AT(truncate_at),
      "index of the point with an outcome, but its last sample cut short (none)" },
    { "ONCE", TEXT, AT(once), "file: hang, crash and truncate only where it can be created" },
    { "LIE", TEXT, AT(lie), "this algorithm is asked for, basic_linear runs (none)" },
    { "EARLY", TEXT, AT(early),
      "by the mean over ranks this algorithm takes 0.05 of its time (none)" },
    { "DEFAULT", TEXT, AT(usual), "what a library's default runs (none: it has no time)" },
    { "READER", TEXT, AT(reader),
      "openmpi-4.1, ...: a default goes by the file that this reader's variable names (none)" },
    { "SLEEP", REAL, AT(sleep_s), "real seconds per point (0)" },
    { "STAY", TEXT, AT(stay), "file: as long as it is there no launch goes beyond STAY_AT (none)" },
    { "STAY_AT", INTEGER, AT(stay_at), "index of the point of a launch (5)" },
    { "SEED", SEED, AT(seed), "of the noise (1)" },
#undef AT
};

enum { N_VARIABLES = sizeof variables / sizeof *variables };

void plant_help(FILE *out)
{
    fputs("environment: what the planted platform is like\n", out);
    for (size_t i = 0; i < N_VARIABLES; i++)
        fprintf(out, "  %s%-16s %s\n", prefix, variables[i].name, variables[i].help);
}

/* ---- tables ---- */

static int read_row(struct plant *plant, const struct csv *csv, struct err *err)
{
    struct hockney_row *more = realloc(plant->rows, (plant->n_rows + 1) * sizeof *more);
    if (!more)
        return err_set(err, "out of memory");
    plant->rows = more;
    struct hockney_row *row = &more[plant->n_rows++];
    if (csv_copy(csv, csv_column(csv, "algorithm"), row->algorithm, NAME_SIZE, err) < 0 ||
        csv_f64(csv, csv_column(csv, "alpha_s"), &row->alpha_s, err) < 0 ||
        csv_f64(csv, csv_column(csv, "beta_s_per_byte"), &row->beta_s_per_byte, err) < 0)
        return -1;
    return 0;
}

/* Only times of collectives, where there is one. */
static int read_time(struct plant *plant, const struct csv *csv, struct err *err)
{
    struct time_row row;
    const char *time = csv_text(csv, csv_column(csv, "time_s"));
    if (strcmp(csv_text(csv, csv_column(csv, "experiment")), "time") != 0 || !*time)
        return 0;
    if (csv_copy(csv, csv_column(csv, "collective"), row.collective, NAME_SIZE, err) < 0 ||
        csv_copy(csv, csv_column(csv, "algorithm"), row.candidate.algorithm, NAME_SIZE, err) < 0 ||
        csv_int(csv, csv_column(csv, "procs"), &row.procs, err) < 0 ||
        csv_int(csv, csv_column(csv, "root"), &row.root, err) < 0 ||
        csv_u64(csv, csv_column(csv, "bytes"), &row.bytes, err) < 0 ||
        csv_u64(csv, csv_column(csv, "segment_bytes"), &row.candidate.segment_bytes, err) < 0 ||
        csv_int(csv, csv_column(csv, "fanout"), &row.candidate.fanout, err) < 0 ||
        csv_f64(csv, csv_column(csv, "time_s"), &row.seconds, err) < 0)
        return -1;
    *array_add(&plant->times, &plant->n_times) = row;
    return 0;
}

static int read_gamma(struct plant *plant, const struct csv *csv, struct err *err)
{
    struct gamma *g = &plant->gamma;
    int *procs = realloc(g->procs, (g->n + 1) * sizeof *procs);
    g->procs = procs ? procs : g->procs;
    double *value = realloc(g->value, (g->n + 1) * sizeof *value);
    g->value = value ? value : g->value;
    if (!procs || !value)
        return err_set(err, "out of memory");
    if (csv_int(csv, csv_column(csv, "procs"), &procs[g->n], err) < 0 ||
        csv_f64(csv, csv_column(csv, "gamma"), &value[g->n], err) < 0)
        return -1;
    g->n++;
    return 0;
}

static int read_channel(struct plant *plant, const struct csv *csv, struct err *err)
{
    enum channel channel;
    if (channel_parse(csv_text(csv, csv_column(csv, "channel")), &channel, err) < 0)
        return -1;
    if (channel == CHANNEL_NONE)
        return csv_fail(csv, err, "channel: none is named");
    struct channel_row *row = &plant->channels[channel];
    row->known = 1;
    if (csv_f64(csv, csv_column(csv, "alpha_s"), &row->alpha_s, err) < 0 ||
        csv_f64(csv, csv_column(csv, "beta_s_per_byte"), &row->beta_s_per_byte, err) < 0)
        return -1;
    return csv_f64(csv, csv_column(csv, "slope"), &row->slope, err);
}

static int read_table(struct plant *plant, const char *path, const char *const *columns,
                      int (*take)(struct plant *, const struct csv *, struct err *),
                      struct err *err)
{
    struct csv *csv = csv_open(path, columns, err);
    if (!csv)
        return -1;
    int more;
    while ((more = csv_next(csv, err)) > 0 && (more = take(plant, csv, err)) == 0)
        continue;
    csv_close(csv);
    return more;
}

/* ---- variables ---- */

static int read_integer(const char *text, int *value, struct err *err)
{
    uint64_t v;
    if (parse_u64(text, &v, err) < 0)
        return -1;
    if (v > 1000000000)
        return err_usage(err, "'%s' is too large", text);
    *value = (int)v;
    return 0;
}

static int read_value(struct plant *plant, const struct variable *v, const char *text,
                      struct err *err)
{
    static const char *const row_columns[] = { "algorithm", "alpha_s", "beta_s_per_byte", NULL };
    static const char *const gamma_columns[] = { "procs", "gamma", NULL };
    static const char *const channel_columns[] = { "channel", "alpha_s", "beta_s_per_byte", "slope",
                                                   NULL };
    void *at = (char *)plant + v->offset;
    static const char *const time_columns[] = {
        "experiment", "collective",    "algorithm", "procs",  "root",
        "bytes",      "segment_bytes", "fanout",    "time_s", NULL
    };
    switch (v->kind) {
    case TIMES:
        return read_table(plant, text, time_columns, read_time, err);
    case REAL:
        return parse_f64(text, at, err);
    case INTEGER:
        return read_integer(text, at, err);
    case SEED:
        return parse_u64(text, at, err);
    case TABLE:
        return read_table(plant, text, row_columns, read_row, err);
    case GAMMA:
        return read_table(plant, text, gamma_columns, read_gamma, err);
    case CHANNELS:
        return read_table(plant, text, channel_columns, read_channel, err);
    default:
        if (strlen(text) >= v->size)
            return err_usage(err, "'%s' is too long", text);
        memcpy(at, text, strlen(text) + 1);
        return 0;
    }
}

static const struct variable *find(const char *name, size_t len)
{
    for (size_t i = 0; i < N_VARIABLES; i++)
        if (strlen(variables[i].name) == len && strncmp(variables[i].name, name, len) == 0)
            return &variables[i];
    return NULL;
}

static int read_variable(struct plant *plant, const char *assignment, struct err *err)
{
    const char *name = assignment + strlen(prefix), *equals = strchr(name, '=');
    const struct variable *v = find(name, (size_t)(equals - name));
    if (!v)
        return err_usage(err, "'%.*s' is not a plant", (int)(equals - assignment), assignment);
    if (read_value(plant, v, equals + 1, err) < 0)
        return err_prefix(err, "%s%s", prefix, v->name);
    return 0;
}

int plant_read(struct plant *plant, struct err *err)
{
    *plant = (struct plant){ .alpha_s = 20e-6,
                             .beta_s_per_byte = 1e-9,
                             .gamma_slope = 0.1,
                             .receive_slope = 1,
                             .slow_factor = 15,
                             .outlier_factor = 3,
                             .slowdown_after = NEVER,
                             .slowdown_factor = 1.2,
                             .hang_at = NEVER,
                             .crash_at = NEVER,
                             .truncate_at = NEVER,
                             .stay_at = 5,
                             .seed = 1 };
    for (char **e = environ; e && *e; e++)
        if (strncmp(*e, prefix, strlen(prefix)) == 0 && read_variable(plant, *e, err) < 0) {
            plant_clear(plant);
            return -1;
        }
    plant->gamma.slope = plant->gamma_slope;
    plant->gamma.intercept = 1 - 2 * plant->gamma_slope;
    plant->fan_in.slope = plant->receive_slope;
    plant->fan_in.intercept = 1 - 2 * plant->receive_slope;
    plant->gamma.receives = &plant->fan_in;
    return 0;
}

void plant_clear(struct plant *plant)
{
    free(plant->rows);
    free(plant->times);
    gamma_clear(&plant->gamma);
    plant->rows = NULL;
    plant->n_rows = 0;
}

/* ---- times ---- */

static struct hockney_row row_of(const struct plant *plant, const char *algorithm)
{
    struct hockney_row row = { .alpha_s = plant->alpha_s,
                               .beta_s_per_byte = plant->beta_s_per_byte };
    for (size_t i = 0; i < plant->n_rows; i++)
        if (strcmp(plant->rows[i].algorithm, algorithm) == 0)
            row = plant->rows[i];
    return row;
}

static double transfer_s(const struct hockney_row *row, double bytes)
{
    return row->alpha_s + row->beta_s_per_byte * bytes;
}

/* The path of a file of rules that the environment names; NULL: none. */
static const char *load_path(const struct rules_reader *reader)
{
    char name[RULES_LOAD_NAME];
    for (const struct rules_load *s = reader->load; s && s->name; s++)
        if (!s->value)
            return getenv(rules_load_variable(reader, s, name));
    return NULL;
}

struct candidate plant_runs(const struct plant *plant, const struct point *point)
{
    const struct cell *c = &point->cell;
    const struct rules_reader *reader = rules_reader_find(plant->reader);
    const char *path = reader ? load_path(reader) : NULL;
    struct candidate runs = point->candidate;
    const struct rules_call call = { c->collective, c->procs, c->nodes,
                                     c->ppn,        c->bytes, RULES_GLOBAL };
    struct rules_answer answer = { .outcome = RULES_OWN };
    struct rules file;
    if (!*plant->usual || !algorithm_is_default(runs.algorithm))
        return runs;
    if (path && rules_open(reader, path, &file, NULL) == 0) {
        rules_ask(&file, &call, &answer);
        rules_close(&file);
    }
    const int by_rule = answer.outcome == RULES_RUNS;
    snprintf(runs.algorithm, NAME_SIZE, "%.20s:%.40s", c->mpi,
             by_rule ? answer.algorithm : plant->usual);
    runs.segment_bytes = by_rule && answer.segment_bytes > 0 ? (uint64_t)answer.segment_bytes : 0;
    runs.fanout = by_rule ? (int)answer.fanout : 0;
    return runs;
}

int plant_schedule(const struct plant *plant, const struct point *point, struct schedule *s,
                   struct err *err)
{
    const struct cell *c = &point->cell;
    const struct candidate runs = plant_runs(plant, point);
    const char *asked = runs.algorithm;
    const char *name = strcmp(plant->lie, asked) == 0 ? "basic_linear" : algorithm_base_name(asked);
    const struct algorithm *alg = algorithm_find(c->collective, name);
    if (!alg)
        return err_set(err, "no %s algorithm '%s'", c->collective, name);
    const struct schedule_arguments arguments = { .procs = c->procs,
                                                  .root = c->root,
                                                  .bytes = c->bytes,
                                                  .segment_bytes = runs.segment_bytes,
                                                  .fanout = runs.fanout,
                                                  .levels = algorithm_levels(name),
                                                  .seats = seat_known(cell_seating(c)) };
    return schedule_make(s, alg, &arguments, err);
}

/* Adds what a schedule takes. */
static int add_walk(const struct gamma *gamma, const struct schedule *s,
                    const struct hockney_row *row, double *seconds, struct err *err)
{
    struct stage_profile profile;
    if (stage_walk(s, &profile, err) < 0)
        return -1;
    *seconds += stage_time(&profile, gamma, row->alpha_s, row->beta_s_per_byte);
    stage_profile_clear(&profile);
    return 0;
}

static int walked_s(const struct plant *plant, const struct point *point, double *seconds,
                    struct err *err)
{
    struct schedule s, closing;
    char ran[NAME_SIZE];
    *seconds = 0;
    if (plant_schedule(plant, point, &s, err) < 0)
        return -1;
    snprintf(ran, sizeof ran, "portable:%.50s", s.alg->name);
    const struct hockney_row row = row_of(plant, ran);
    if (add_walk(&plant->gamma, &s, &row, seconds, err) < 0)
        return -1;
    if (point->experiment != EXP_GATHER)
        return 0;
    if (schedule_init(&closing, collective_closing(point->cell.collective), s.procs, s.root,
                      point->gather_bytes, 0, 0, err) < 0)
        return -1;
    struct gamma gamma = plant->gamma;
    if (!collective_of(point->cell.collective)->combines)
        gamma.receives = NULL; /* the paper's eq. 8, which the fit inverts */
    return add_walk(&gamma, &closing, &row, seconds, err);
}

static double barrier_s(const struct plant *plant, int procs)
{
    const struct hockney_row row = row_of(plant, "portable:central");
    int rounds = 0;
    while (1 << rounds < procs)
        rounds++;
    return rounds * row.alpha_s;
}

static double channel_s(const struct channel_row *row, const struct cell *cell)
{
    return (1 + row->slope * (cell->procs - 2)) *
           (row->alpha_s + row->beta_s_per_byte * (double)cell->bytes);
}

static int known_s(const struct plant *plant, const struct point *p, double *seconds,
                   struct err *err)
{
    for (size_t i = 0; i < plant->n_times; i++) {
        const struct time_row *row = &plant->times[i];
        *seconds = row->seconds;
        if (row->procs == p->cell.procs && row->root == p->cell.root &&
            row->bytes == p->cell.bytes && candidate_equal(&row->candidate, &p->candidate) &&
            strcmp(row->collective, p->cell.collective) == 0)
            return 0;
    }
    return err_set(err, "COLLSEL_NULL_TIMES has no time of %s", p->candidate.algorithm);
}

int plant_time(const struct plant *plant, const struct point *point, double *seconds,
               struct err *err)
{
    const int procs = point->cell.procs;
    const struct hockney_row row = row_of(plant, point->candidate.algorithm);
    const double one_s = transfer_s(&row, (double)point->cell.bytes);
    if (plant->channels[point->channel].known) {
        *seconds = channel_s(&plant->channels[point->channel], &point->cell);
        return 0;
    }
    if (plant->n_times && point->experiment == EXP_TIME)
        return known_s(plant, point, seconds, err);
    switch (point->experiment) {
    case EXP_BARRIER:
        *seconds = barrier_s(plant, procs);
        return 0;
    case EXP_PINGPONG:
    case EXP_COPY:
        *seconds = one_s;
        return 0;
    case EXP_GAMMA:
        if (walked_s(plant, point, seconds, err) < 0)
            return -1;
        *seconds += barrier_s(plant, procs);
        return 0;
    default:
        return walked_s(plant, point, seconds, err);
    }
}
