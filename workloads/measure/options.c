/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/options.h"

enum kind { TEXT, INTEGER, REAL, FLAG, SEED, PAIR, COSTS, SWITCHES };

struct option_row {
    const char *name;
    enum kind kind;
    size_t offset;
    int required;
    double min, max;
    const char *help;
};

#define AT(field) offsetof(struct measure_options, field)

static const struct option_row rows[] = {
    { "points", TEXT, AT(points), 1, 0, 0, "FILE  what to measure, in this order" },
    { "samples", TEXT, AT(samples), 1, 0, 0, "FILE  to write: a row per timed call" },
    { "outcomes", TEXT, AT(outcomes), 1, 0, 0, "FILE  to write: a row per finished point" },
    { "placement", TEXT, AT(placement), 1, 0, 0, "FILE  to write: where each rank runs" },
    { "digest", TEXT, AT(digest), 1, 0, 0, "HEX8  of the manifest" },
    { "mapping", TEXT, AT(mapping), 1, 0, 0, "core|socket|node  the requested placement" },
    { "nodes", INTEGER, AT(nodes), 1, 1, INT_MAX, "N  nodes of that placement" },
    { "ppn", INTEGER, AT(ppn), 1, 1, INT_MAX, "K  most ranks on one node" },
    { "sockets", INTEGER, AT(sockets), 0, 0, INT_MAX, "N  of a node; 0: not known (0)" },
    { "cores", INTEGER, AT(cores), 0, 0, INT_MAX, "N  of a socket; 0: not known (0)" },
    { "cache-cores", INTEGER, AT(cache_cores), 0, 0, INT_MAX,
      "N  of a socket that share its last cache; 0: all (0)" },
    { "switches", SWITCHES, AT(switches), 0, 0, 0,
      "N[,N...][:NODES:SEED]  nodes below a switch of each level; shuffled by a seed (one "
      "switch)" },
    { "hosts", TEXT, AT(hosts), 0, 0, 0, "A,B,...  names of the nodes in order, where known" },
    { "bind", FLAG, AT(bind), 0, 0, 0, "each rank binds itself to its core" },
    { "bound", FLAG, AT(bound), 0, 0, 0, "each rank was to be bound to one core" },
    { "precision", REAL, AT(precision), 0, 1e-9, 1e9, "X  relative half-width to reach (0.025)" },
    { "confidence", REAL, AT(confidence), 0, 0.01, 0.999999, "X  of the interval (0.95)" },
    { "statistic", TEXT, AT(statistic), 0, 0, 0,
      "median|trimmed|mean  whose interval that is (median)" },
    { "min-reps", INTEGER, AT(min_reps), 0, 1, 1e6, "N  fewest timed calls of a point (10)" },
    { "max-reps", INTEGER, AT(max_reps), 0, 1, 1e6, "N  most timed calls of a point (1000)" },
    { "budget", REAL, AT(budget_s), 0, 0, 1e9, "S  seconds per point; 0: no limit (0)" },
    { "core-budget", REAL, AT(core_budget_s), 0, 0, 1e18,
      "S  core-seconds after which no further point is begun; 0: no limit (0)" },
    { "warmup", INTEGER, AT(warmup), 0, 0, 1e4, "N  flagged calls before them (3)" },
    { "sync", TEXT, AT(sync), 0, 0, 0,
      "barrier|window  what brings ranks together before a call; window: of a global clock "
      "(barrier)" },
    { "arrivals", TEXT, AT(arrivals), 0, 0, 0, "DIR  of traces of arrivals, by their digests" },
    { "ranks", TEXT, AT(ranks), 0, 0, 0, "FILE  to write: a row per timed call and rank (none)" },
    { "inner", INTEGER, AT(inner), 0, 1, 1e6,
      "N  calls between two clock reads, gamma and barrier (10)" },
    { "sentinel-every", INTEGER, AT(sentinel_every), 0, 0, INT_MAX,
      "K  re-measure the first time point every K points; 0: never (0)" },
    { "deterministic", FLAG, AT(deterministic), 0, 0, 0,
      "simulation: one sample, no warm-up, no sentinel" },
    { "clean", FLAG, AT(clean), 0, 0, 0,
      "refuse to measure where the environment selects algorithms or components" },
    { "own-memory", FLAG, AT(own_memory), 0, 0, 0,
      "files of shared memory go to a directory of this launch, which does not outlive it" },
    { "no-check", FLAG, AT(no_check), 0, 0, 0, "skip the data correctness pass" },
    { "copy-cost", COSTS, AT(charges.copy), 0, 0, 0,
      "BYTES:S:S_PER_BYTE,...  simulation: what a copy costs from so many bytes on (nothing)" },
    { "reduce-cost", COSTS, AT(charges.reduce), 0, 0, 0,
      "BYTES:S:S_PER_BYTE,...  simulation: what combining two buffers costs (nothing)" },
    { "seed", SEED, AT(seed), 0, 0, 0, "N  of the data pattern, recorded (1)" },
    { "provenance", PAIR, 0, 0, 0, 0, "KEY=VALUE  copied into the samples file; may be repeated" },
    { "help", FLAG, AT(help), 0, 0, 0, "this text" },
};

enum { N_ROWS = sizeof rows / sizeof *rows };

static const struct option_row *find_row(const char *name, size_t len)
{
    return find_below(rows, i, N_ROWS,
                      strlen(rows[i].name) == len && strncmp(rows[i].name, name, len) == 0);
}

static int out_of_range(const struct option_row *row, const char *value, struct err *err)
{
    return err_usage(err, "--%s '%s' is out of range (want %g to %g)", row->name, value, row->min,
                     row->max);
}

static int store_integer(const struct option_row *row, int *to, const char *value, struct err *err)
{
    int64_t v;
    if (parse_i64(value, &v, err) < 0)
        return -1;
    if ((double)v < row->min || (double)v > row->max)
        return out_of_range(row, value, err);
    *to = (int)v;
    return 0;
}

static int store_real(const struct option_row *row, double *to, const char *value, struct err *err)
{
    double v;
    if (parse_f64(value, &v, err) < 0)
        return -1;
    if (v < row->min || v > row->max)
        return out_of_range(row, value, err);
    *to = v;
    return 0;
}

/* "FROM:SECONDS:SECONDS_PER_BYTE". */
static int parse_cost(const char *text, size_t len, struct cost *cost, struct err *err)
{
    char word[96];
    snprintf(word, sizeof word, "%.*s", len < sizeof word ? (int)len : 0, text);
    char *seconds = strchr(word, ':'), *rate = seconds ? strchr(seconds + 1, ':') : NULL;
    if (!rate)
        return err_usage(err, "'%s' is no cost (want BYTES:S:S_PER_BYTE)", word);
    *seconds++ = '\0';
    *rate++ = '\0';
    return parse_u64(word, &cost->from_bytes, err) < 0 ||
                   parse_f64(seconds, &cost->seconds, err) < 0 ||
                   parse_f64(rate, &cost->seconds_per_byte, err) < 0
               ? -1
               : 0;
}

/* Several with commas between, ascending from 0 bytes. */
static int store_costs(struct cost_list *to, const char *value, struct err *err)
{
    *to = (struct cost_list){ .n = 0 };
    for (const char *p = value; *p;) {
        const size_t len = strcspn(p, ",");
        if (to->n == KEY_LIST_MAX)
            return err_usage(err, "more than %d costs", KEY_LIST_MAX);
        struct cost *c = &to->v[to->n];
        if (parse_cost(p, len, c, err) < 0)
            return -1;
        if (to->n ? c->from_bytes <= c[-1].from_bytes : c->from_bytes != 0)
            return err_usage(err, "costs do not ascend from 0 bytes");
        to->n++;
        p += len + (p[len] == ',');
    }
    return 0;
}

static int store_pair(struct measure_options *o, const char *value, struct err *err)
{
    if (!strchr(value, '='))
        return err_usage(err, "'%s' has no '=' (want KEY=VALUE)", value);
    if (o->n_provenance == MAX_PROVENANCE)
        return err_usage(err, "more than %d times", MAX_PROVENANCE);
    o->provenance[o->n_provenance++] = value;
    return 0;
}

static int store(struct measure_options *o, const struct option_row *row, const char *value,
                 struct err *err)
{
    void *to = (char *)o + row->offset;
    switch (row->kind) {
    case TEXT:
        *(const char **)to = value;
        return 0;
    case INTEGER:
        return store_integer(row, to, value, err);
    case REAL:
        return store_real(row, to, value, err);
    case SEED:
        return parse_u64(value, to, err);
    case PAIR:
        return store_pair(o, value, err);
    case COSTS:
        return store_costs(to, value, err);
    case SWITCHES:
        return seat_network_parse(value, to, err);
    default:
        *(int *)to = 1;
        return 0;
    }
}

/* Takes "--name value", "--name=value" or "--flag" at argv[*i]. */
static int take(struct measure_options *o, int argc, char **argv, int *i, struct err *err)
{
    const char *arg = argv[*i];
    if (strncmp(arg, "--", 2) != 0)
        return err_usage(err, "'%s' is not an option (see --help)", arg);
    const char *name = arg + 2, *equals = strchr(name, '=');
    const struct option_row *row = find_row(name, equals ? (size_t)(equals - name) : strlen(name));
    if (!row)
        return err_usage(err, "'%s' is not an option (see --help)", arg);
    const char *value = equals ? equals + 1 : NULL;
    if (row->kind == FLAG && value)
        return err_usage(err, "--%s takes no value", row->name);
    if (row->kind != FLAG && !value && ++*i >= argc)
        return err_usage(err, "--%s wants a value", row->name);
    if (store(o, row, value ? value : argv[*i], err) < 0) {
        err_prefix(err, "--%s", row->name);
        if (err)
            err->status = EXIT_USAGE;
        return -1;
    }
    return 0;
}

static int check(const struct measure_options *o, struct err *err)
{
    static const char *const mappings[] = { "core", "socket", "node" };
    for (size_t i = 0; i < N_ROWS; i++) {
        const void *at = (const char *)o + rows[i].offset;
        const int missing = rows[i].kind == TEXT ? !*(const char *const *)at
                                                 : rows[i].required && !*(const int *)at;
        if (rows[i].required && missing)
            return err_usage(err, "--%s is missing", rows[i].name);
    }
    int known = 0;
    for (size_t i = 0; i < sizeof mappings / sizeof *mappings; i++)
        known |= strcmp(o->mapping, mappings[i]) == 0;
    if (!known)
        return err_usage(err, "--mapping '%s' is not a mapping (want core, socket or node)",
                         o->mapping);
    if (strcmp(o->sync, "barrier") != 0 && strcmp(o->sync, "window") != 0)
        return err_usage(err, "--sync '%s' is not known (want barrier or window)", o->sync);
    if (statistic_find(o->statistic) < 0)
        return err_usage(err, "--statistic '%s' is no statistic (want median, trimmed or mean)",
                         o->statistic);
    if (o->min_reps > o->max_reps)
        return err_usage(err, "--min-reps %d is above --max-reps %d", o->min_reps, o->max_reps);
    return 0;
}

int measure_options_parse(struct measure_options *o, int argc, char **argv, struct err *err)
{
    *o = (struct measure_options){ .precision = 0.025,
                                   .confidence = 0.95,
                                   .statistic = "median",
                                   .sync = "barrier",
                                   .min_reps = 10,
                                   .max_reps = 1000,
                                   .warmup = 3,
                                   .inner = 10,
                                   .seed = 1 };
    for (int i = 1; i < argc; i++)
        if (take(o, argc, argv, &i, err) < 0)
            return -1;
    return o->help ? 0 : check(o, err);
}

void measure_options_help(FILE *out)
{
    fputs("usage: measure OPTIONS, under mpirun or smpirun: times the points of one launch\n", out);
    for (size_t i = 0; i < N_ROWS; i++)
        fprintf(out, "  --%-16s %s%s\n", rows[i].name, rows[i].help,
                rows[i].required ? "  [required]" : "");
    fputs("exit status: 0 every point has an outcome, 1 not so, 2 wrong usage\n", out);
}

struct seating measure_options_seating(const struct measure_options *o, const char *mapping,
                                       int nodes, int ppn, int ranks)
{
    return (struct seating){ .mapping = mapping,
                             .nodes = nodes,
                             .ppn = ppn,
                             .procs = ranks,
                             .sockets = o->sockets,
                             .cores = o->cores,
                             .cache_cores = o->cache_cores,
                             .network = o->switches };
}

int measure_options_schedule(const struct measure_options *o, const struct point *p,
                             struct schedule *s, struct err *err)
{
    const struct cell *c = &p->cell;
    const char *name = algorithm_base_name(p->candidate.algorithm);
    const struct algorithm *alg = algorithm_find(c->collective, name);
    struct schedule_arguments a = { .procs = c->procs,
                                    .root = c->root,
                                    .bytes = c->bytes,
                                    .segment_bytes = p->candidate.segment_bytes,
                                    .fanout = p->candidate.fanout,
                                    .levels = algorithm_levels(name) };
    if (!alg)
        return err_set(err, "no %s algorithm '%s'", c->collective, name);
    if (p->channel == CHANNEL_NONE)
        a.seats = seat_known(measure_options_seating(o, c->mapping, c->nodes, c->ppn, c->procs));
    return schedule_make(s, alg, &a, err);
}

int measure_options_windows(const struct measure_options *o)
{
    return !o->deterministic && strcmp(o->sync, "window") == 0;
}

struct stop_rule measure_options_stop_rule(const struct measure_options *o)
{
    return (struct stop_rule){ .precision = o->precision,
                               .confidence = o->confidence,
                               .min_reps = o->min_reps,
                               .max_reps = o->max_reps,
                               .budget_s = o->budget_s,
                               .statistic = (enum statistic)statistic_find(o->statistic) };
}

double measure_options_spent(const struct measure_options *o, const struct outcome *outcome,
                             int ranks)
{
    const double call_s = outcome->elapsed_s;
    if (!o->deterministic || *outcome->same_as)
        return outcome->core_s;
    return ranks * fmin((o->warmup + o->min_reps) * call_s, fmax(o->budget_s, call_s));
}

int measure_options_stops(const struct measure_options *o, double spent_core_s,
                          struct outcome *outcome)
{
    if (o->core_budget_s <= 0 || spent_core_s < o->core_budget_s)
        return 0;
    *outcome = (struct outcome){ .status = "skipped", .verified = "unverified", .converged = -1 };
    snprintf(outcome->reason, sizeof outcome->reason, "not measured: the budget is spent");
    return 1;
}
