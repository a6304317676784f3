/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/study.h"

#include "harness/study/holdout_spec.h"
#include "harness/study/libraries/spelling.h"
#include "harness/study/suggest_names.h"

#define AT(field) offsetof(struct study, field)

static const struct key keys[] = {
    /* clang-format off */
    { "study", "name", KEY_STEM, NULL, NULL, 0, 0, NULL, NULL,
      "the study's name, as the file's", AT(name) },
    { "study", "title", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "one line about it for reports", AT(title) },
    { "study", "collectives", KEY_NAMES, NULL, NULL, 0, 0, NULL, NULL,
      "collectives to study, of those that have schedules (collsel schedule --list); *: all of them", AT(collectives) },
    { "study", "mpi", KEY_NAMES, NULL, "openmpi", 0, 0, NULL, NULL,
      "on a real machine: entries of the cluster file ([mpi NAME]); openmpi, mpich: all entries of that library, or the installed one. A simulation runs portable algorithms", AT(mpi) },
    { "study", "mappings", KEY_NAMES, NULL, "core", 0, 0, "core|socket|node", NULL,
      "consecutive ranks fill cores, alternate sockets, alternate nodes", AT(mappings) },
    { "study", "seed", KEY_COUNT, NULL, "1", 0, 0, NULL, NULL,
      "of every shuffle", AT(seed) },

    { "grid", "procs", KEY_NAMES, "processes", "", 0, 0, NULL, NULL,
      "process counts: numbers; cores, cores*2 (of the whole cluster), nodes, nodes*2; auto: powers of two in a node, then 1, 2, 3, 4, 6, 8, 12 ... and all nodes, full; needed unless shapes are given", AT(procs_asked) },
    { "grid", "shape_nodes", KEY_INTS, "nodes", "", 1, 1000000, NULL, NULL,
      "numbers of nodes; the grid is then each of them with each of shape_ppn, but one rank alone, instead of procs", AT(shape_nodes) },
    { "grid", "shape_ppn", KEY_INTS, "ranks per node", "", 1, 1000000, NULL, NULL,
      "numbers of ranks on each of these nodes", AT(shape_ppn) },
    { "grid", "shape_procs", KEY_INT, "processes", "all", 2, 1000000, NULL, "all",
      "shapes of more ranks are left out", AT(shape_procs) },
    { "grid", "bytes_from", KEY_BYTES, "bytes", "8K", 0, 1e12, NULL, NULL,
      "smallest message", AT(bytes_from) },
    { "grid", "bytes_to", KEY_BYTES, "bytes", "4M", 0, 1e12, NULL, NULL,
      "largest message", AT(bytes_to) },
    { "grid", "bytes_count", KEY_INT, "sizes", "10", 1, KEY_LIST_MAX, NULL, NULL,
      "sizes from smallest to largest in constant logarithmic steps", AT(bytes_count) },
    { "grid", "bytes", KEY_SIZES, "bytes", "", 0, 1e12, NULL, NULL,
      "sizes as a list, instead", AT(bytes_listed) },
    { "grid", "roots", KEY_INTS, "ranks", "0", 0, 1000000, NULL, NULL,
      "roots of collectives that have one", AT(roots) },
    { "grid", "ranks_per", KEY_CHOICE, NULL, "core", 0, 0, "core|socket|node", NULL,
      "one rank per what", AT(ranks_per) },
    { "grid", "nodes", KEY_INT, NULL, "all", 1, 1000000, NULL, "all",
      "most nodes to use", AT(nodes) },
    { "grid", "spread", KEY_CHOICE, NULL, "even", 0, 0, "even|packed", NULL,
      "ranks over nodes; even: over all, the same on each; packed: fill node after node (mapping node: over all)", AT(spread) },
    { "grid", "oversubscribe", KEY_INT, "ranks", "1", 1, 64, NULL, NULL,
      "ranks that may share one of these", AT(oversubscribe) },
    { "grid", "arrivals", KEY_NAMES, NULL, "together", 0, 0, NULL, NULL,
      "when ranks call: together (always the first, the only one for models and selectors); skew:TIME, evenly one after the other; late:TIME, the last one alone; trace:FILE, delays of a file beside this one", AT(arrivals_asked) },
    { "grid", "buffers", KEY_NAMES, NULL, "reused", 0, 0, "reused|rotated", NULL,
      "reused (always the first, the only one for models and selectors): the same in all calls, in caches; rotated: others in each call, in no cache (real machines alone)", AT(buffers) },

    { "candidates", "portable", KEY_NAMES, NULL, "", 0, 0, NULL, NULL,
      "our schedules (docs/schedules.md); combinations, as two_level.binomial.chain, or two_level.* for a few; openmpi:NAME, mpich:NAME: the schedule that sends what these do; *: all, without combinations", AT(portable) },
    { "candidates", "openmpi", KEY_NAMES, NULL, "", 0, 0, NULL, NULL,
      "Open MPI's own algorithms, forced; its components tuned, basic, han, adapt, sm; *: all that 4.1 has. What the installed library lists besides is added", AT(openmpi) },
    { "candidates", "mpich", KEY_NAMES, NULL, "", 0, 0, NULL, NULL,
      "MPICH's own algorithms, forced; nb, the code of non-blocking calls; device, what its device makes of a call; *: all that 4.0 has. What the installed library lists besides is added", AT(mpich) },
    { "candidates", "segment_bytes", KEY_SIZES, "bytes", "8K", 0, 1e12, NULL, NULL,
      "segment sizes of algorithms that take one; 0: unsegmented", AT(segment_bytes) },
    { "candidates", "fanouts", KEY_PAIRS, NULL, "", 1, 1024, NULL, NULL,
      "fan-outs to try, algorithm:number; others as their library does. Of linear_sync, linear_nb and a "
      "reduction's pipeline, binary, binomial and in-order_binary: requests at a time (max_requests); of a reduction's chain these stand in its name (`chain.8`)", AT(fanouts) },
    { "candidates", "reproducible", KEY_BOOL, NULL, "no", 0, 0, NULL, NULL,
      "of algorithms that combine, only those with one order of combining for all sizes and ranks: results are the same to the bit. The library's default stays beside them", AT(reproducible) },
    { "candidates", "default", KEY_BOOL, NULL, "yes", 0, 0, NULL, NULL,
      "also what the library chooses unforced", AT(with_default) },
    { "candidates", "sim_default", KEY_CHOICE, NULL, "openmpi41", 0, 0, "openmpi31|openmpi41|openmpi60|mpich40|mvapich2|none", NULL,
      "published decision function in place of the default in a simulation", AT(sim_default) },
    { "candidates", "other_defaults", KEY_NAMES, NULL, "", 0, 0, "openmpi31|openmpi41|openmpi60|mpich40|mvapich2", NULL,
      "what these decide is timed as well in a simulation, so that it can be judged by them (`--default`)", AT(other_defaults) },

    { "fit", "experiments", KEY_BOOL, NULL, "yes", 0, 0, NULL, NULL,
      "experiments for the parameters of models; no: the grid alone, for learners and tables", AT(experiments) },
    { "fit", "fit_procs", KEY_NAMES, "processes", "", 0, 0, NULL, NULL,
      "process counts of the alpha and beta experiments; none: the largest of the grid", AT(fit_procs_asked) },
    { "fit", "gamma_procs", KEY_INTS, "processes", "auto", 2, 1000000, NULL, "auto",
      "process counts of the gamma experiments; auto: 2 to 8, then 16, 32 ... and the largest", AT(gamma_procs) },
    { "fit", "gather_bytes", KEY_SIZES, "bytes", "1K 4K 16K 2K", 1, 1e12, NULL, NULL,
      "block of the closing gather, for the message sizes in turn; not a segment size (a default that is one becomes half as long again)", AT(gather_bytes) },
    { "fit", "pingpong_bytes", KEY_SIZES, "bytes", "auto", 0, 1e12, NULL, "auto",
      "ping-pong sizes of the textbook model; auto: the grid's", AT(pingpong_bytes) },
    { "fit", "channels", KEY_NAMES, NULL, "", 0, 0, "cache|core|socket|node", NULL,
      "channels of which ping-pong, fan-out and (with reduce) fan-in are measured: ranks that share a cache, a socket, a node, or none", AT(channels_asked) },
    { "fit", "channel_bytes", KEY_SIZES, "bytes", "auto", 1, 1e12, NULL, "auto",
      "sizes of these; auto: powers of two from 1 to 4M", AT(channel_bytes) },
    { "fit", "fanout_procs", KEY_INTS, "processes", "auto", 2, 1000000, NULL, "auto",
      "process counts of fan-out and fan-in, with the root; auto: 2 to 8, then 16, 32 ... and the most on the channel", AT(fanout_procs) },
    { "fit", "copy_bytes", KEY_SIZES, "bytes", "auto", 1, 1e12, NULL, "auto",
      "sizes of the memory-copy experiment; auto: doublings over what the schedules copy", AT(copy_bytes) },

    { "held_out", "held_procs", KEY_INTS, "processes", "", 2, 1000000, NULL, NULL,
      "process counts that no fit sees", AT(held_procs) },
    { "held_out", "held_bytes_factor", KEY_REAL, NULL, "none", 0.001, 1000, NULL, "none",
      "sizes times this, that no fit sees", AT(held_bytes_factor) },
    { "held_out", "held_roots", KEY_INTS, "ranks", "", 0, 1000000, NULL, NULL,
      "roots that no fit sees, at the largest process count", AT(held_roots) },

    { "measure", "precision", KEY_REAL, "of the time", "0.025", 0.0001, 1, NULL, NULL,
      "half-width of the confidence interval to reach, within a launch and over launches", AT(precision) },
    { "measure", "confidence", KEY_REAL, NULL, "0.95", 0.5, 0.9999, NULL, NULL,
      "of that interval", AT(confidence) },
    { "measure", "min_reps", KEY_INT, "samples", "10", 2, 1000000, NULL, NULL,
      "at least; of short calls a hundred, which cost at most a hundredth of the budget", AT(min_reps) },
    { "measure", "max_reps", KEY_INT, "samples", "1000", 2, 1000000, NULL, NULL,
      "at most", AT(max_reps) },
    { "measure", "budget", KEY_SECONDS, "s per point", "2s", 0.001, 86400, NULL, NULL,
      "time for a point in its first launches (repeats) together; of all points: core_budget", AT(budget) },
    { "measure", "plan", KEY_CHOICE, NULL, "full", 0, 0, "full|adaptive", NULL,
      "full: every point; adaptive: those that may still change a choice, round by round (docs/analysis.md), without experiments for models", AT(plan) },
    { "measure", "core_budget", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "what --budget sets: most core time of all points of an adaptive plan, as 30core-h, 90core-min, 600core-s; empty: what it takes", AT(core_budget) },
    { "measure", "warmup", KEY_INT, "samples", "3", 0, 10000, NULL, NULL,
      "calls before these, at least, that are kept but not counted; short ones are made on until they get no quicker; 0: none", AT(warmup) },
    { "measure", "statistic", KEY_CHOICE, NULL, "median", 0, 0, "median|trimmed|mean", NULL,
      "the time of a point in a launch, of its samples; trimmed: the mean without a tenth at each end", AT(statistic) },
    { "measure", "sync", KEY_CHOICE, NULL, "barrier", 0, 0, "barrier|window", NULL,
      "what brings ranks together before a call; window: set times of a global clock, with a core for each rank; a simulated barrier takes no time", AT(sync) },
    { "measure", "keep_ranks", KEY_BOOL, NULL, "no", 0, 0, NULL, NULL,
      "keep every rank's begin and time of every call (ranks/); fit then compares the slowest rank's time with other views (views.csv)", AT(keep_ranks) },
    { "measure", "inner", KEY_INT, "calls", "10", 1, 1000000, NULL, NULL,
      "calls between two clock reads in gamma and barrier experiments", AT(inner) },
    { "measure", "sentinel_every", KEY_INT, "points", "20", 0, 1000000, NULL, NULL,
      "how often one fixed point is measured again to see drift; 0: never", AT(sentinel_every) },
    { "measure", "repeats", KEY_INT, "launches", "auto", 1, MOST_REPEATS, NULL, "auto",
      "least launches of each point; auto: 6, the fewest with an interval by order statistics; of a simulation 1", AT(repeats) },
    { "measure", "repeats_max", KEY_INT, "launches", "auto", 1, MOST_REPEATS, NULL, "auto",
      "most launches, of points with an interval wider than precision; auto: 12, or repeats where that is given", AT(repeats_max) },
    { "measure", "round_gap", KEY_SECONDS, "s", "0s", 0, 86400, NULL, NULL,
      "least time between the starts of two rounds of launches, so that intervals hold what lasts minutes; Slurm's queue spreads them by itself", AT(round_gap) },
    { "measure", "environment", KEY_CHOICE, NULL, "clean", 0, 0, "clean|site", NULL,
      "what of the environment reaches the library; clean: nothing that selects algorithms or components; site: all of it", AT(environment) },
    { "measure", "check", KEY_CHOICE, NULL, "auto", 0, 0, "auto|yes|no", NULL,
      "check the data in a separate pass; auto: not in simulation", AT(check) },
    { "measure", "point_limit", KEY_SECONDS, "s", "2min", 1, 86400, NULL, NULL,
      "a launch that takes no sample for so long is hung and killed; not in a simulation, whose calls may take long", AT(point_limit) },
    { "measure", "launch_limit", KEY_SECONDS, "s", "1h", 1, 864000, NULL, NULL,
      "a launch is killed after this in any case; for Slurm, longer ones are cut in chunks", AT(launch_limit) },
    { "measure", "launch_messages", KEY_COUNT, "messages", "3000000", 1000, 1e15, NULL, NULL,
      "a simulated launch with more is cut in chunks, that cores share", AT(launch_messages) },

    { "compare", "tie_pct", KEY_REAL, "%", "2.5", 0, 100, NULL, NULL,
      "candidates within this of the best are tied in a deterministic simulation", AT(tie_pct) },
    { "compare", "holdout", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "cells that select and report hold out, one after the other, as `collsel select --holdout`: alternate-procs beyond-procs=64 random=30%", AT(holdout) },
    /* clang-format on */
};

const struct key_table study_keys = {
    .what = "study file",
    .overlay = "on",
    .keys = keys,
    .n = sizeof keys / sizeof keys[0],
    .target_size = sizeof(struct study),
};

int study_in_key(const struct study *s, const char *key, struct err *err)
{
    int line = s->settings.v[keys_find(&study_keys, key)].line;
    if (err)
        err->status = EXIT_USAGE;
    return err_prefix(err, "%s:%d: %s", s->path, line ? line : 1, key);
}

/* "cores", "nodes", "cores*2" or a number. */
static int resolve_procs_word(const char *word, const struct cluster *c, int *procs,
                              struct err *err)
{
    const char *times = word;
    const int of_cores = strncmp(word, "cores", 5) == 0, of_nodes = strncmp(word, "nodes", 5) == 0;
    const int64_t unit = of_cores ? cluster_cores(c) : of_nodes ? c->nodes : 1;
    int64_t n;
    if (of_cores || of_nodes)
        times = word[5] == '*' ? word + 6 : word[5] == '\0' ? "1" : "";
    if (parse_i64(times, &n, NULL) < 0 || n < 1 || n > 1000000 || n * unit > 1000000)
        return err_usage(err,
                         "'%s' is not a process count (want 1 to 1000000, cores, cores*N, nodes, "
                         "nodes*N or auto)",
                         word);
    if (of_nodes && n * unit < 2)
        return err_usage(
            err,
            "'%s' is one process on '%s' (want cores or numbers there, as in a section [on %s])",
            word, c->name, c->name);
    *procs = (int)(n * unit);
    return 0;
}

/* Equal counts (cores = 4 beside a 4) count once. */
static int add_procs(struct int_list *list, int64_t procs, struct err *err)
{
    if (any_below(i, list->n, list->v[i] == ((int)procs)))
        return 0;
    if (list->n == KEY_LIST_MAX)
        return err_usage(err, "more than %d numbers of processes", KEY_LIST_MAX);
    list->v[list->n++] = (int)procs;
    return 0;
}

/* What auto stands for: powers of two within a node, all of its cores, then 2, 3, 4, 6, 8, 12 ...
 * whole nodes, and all of them. */
static int add_auto(const struct cluster *c, struct int_list *procs, struct err *err)
{
    const int cores = cluster_node_cores(c);
    int status = 0;
    for (int n = 2; n < cores && status == 0; n *= 2)
        status = add_procs(procs, n, err);
    for (int n = 1; n < c->nodes && status == 0; n *= 2) {
        if ((int64_t)n * cores > 1000000)
            return 0;
        status = add_procs(procs, (int64_t)n * cores, err);
        if (status == 0 && n >= 2 && n + n / 2 < c->nodes &&
            (int64_t)(n + n / 2) * cores <= 1000000)
            status = add_procs(procs, (int64_t)(n + n / 2) * cores, err);
    }
    if (status == 0 && (int64_t)c->nodes * cores <= 1000000)
        status = add_procs(procs, (int64_t)c->nodes * cores, err);
    return status;
}

static int resolve_procs(const struct name_list *words, const struct cluster *c,
                         struct int_list *procs, struct err *err)
{
    procs->n = 0;
    for (size_t i = 0; i < words->n; i++) {
        const int is_auto = strcmp(words->v[i], "auto") == 0;
        int n = 0;
        if (!is_auto && resolve_procs_word(words->v[i], c, &n, err) < 0)
            return -1;
        if ((is_auto ? add_auto(c, procs, err) : add_procs(procs, n, err)) < 0)
            return -1;
    }
    return 0;
}

/* The i-th of n sizes in constant logarithmic steps, rounded to whole bytes. */
static uint64_t log_step(uint64_t from, uint64_t to, int i, int n)
{
    if (n == 1 || i == 0)
        return from;
    return (uint64_t)llround((double)from * pow((double)to / (double)from, (double)i / (n - 1)));
}

/* The process counts of all shapes; one rank alone is none. */
static int resolve_shapes(struct study *s, struct err *err)
{
    const struct int_list *nodes = &s->shape_nodes, *ppn = &s->shape_ppn;
    if (nodes->n + ppn->n == 0)
        return 0;
    if (!nodes->n || !ppn->n)
        return err_usage(err, "shape_nodes and shape_ppn: one of them is missing");
    if (s->procs_asked.n)
        return err_usage(err, "the grid has shapes and procs (want one of them)");
    for (size_t i = 0; i < nodes->n; i++)
        for (size_t k = 0; k < ppn->n; k++) {
            const int64_t procs = (int64_t)nodes->v[i] * ppn->v[k];
            if (s->shape_procs && procs > s->shape_procs)
                continue;
            if (procs > 1000000)
                return err_usage(err, "%d nodes of %d ranks are more than 1000000 processes",
                                 nodes->v[i], ppn->v[k]);
            if (procs >= 2 && add_procs(&s->procs, procs, err) < 0)
                return -1;
        }
    return s->procs.n ? 0 : err_usage(err, "no shape is left: one rank alone is none");
}

static int resolve_bytes(struct study *s, struct err *err)
{
    if (s->bytes_listed.n) {
        s->bytes = s->bytes_listed;
        return 0;
    }
    if (s->bytes_from == 0 && s->bytes_count > 1) {
        err_usage(err, "0 has no logarithmic steps (want a list: bytes)");
        return study_in_key(s, "bytes_from", err);
    }
    if (s->bytes_to < s->bytes_from) {
        err_usage(err, "%llu is below bytes_from (%llu)", (unsigned long long)s->bytes_to,
                  (unsigned long long)s->bytes_from);
        return study_in_key(s, "bytes_to", err);
    }
    for (int i = 0; i < s->bytes_count; i++) {
        uint64_t size = log_step(s->bytes_from, s->bytes_to, i, s->bytes_count);
        if (i && size <= s->bytes.v[i - 1]) {
            err_usage(err, "%d sizes do not fit between the smallest and the largest",
                      s->bytes_count);
            return study_in_key(s, "bytes_count", err);
        }
        s->bytes.v[i] = size;
    }
    s->bytes.n = (size_t)s->bytes_count;
    return 0;
}

/* Sizes of the channel experiments where none are asked for. */
static void resolve_channel_bytes(struct study *s)
{
    const uint64_t most = UINT64_C(4) << 20;
    for (uint64_t m = 1; m <= most; m *= 2)
        s->channel_bytes.v[s->channel_bytes.n++] = m;
}

static int must_have(const struct study *s, const char *key, size_t n, struct err *err)
{
    if (n)
        return 0;
    err_usage(err, "the list is empty");
    return study_in_key(s, key, err);
}

static int must_have_grid(const struct study *s, struct err *err)
{
    if (s->procs_asked.n + s->shape_nodes.n + s->shape_ppn.n)
        return 0;
    err_usage(err, "nobody says how many processes (want procs, or shape_nodes and shape_ppn)");
    return study_in_key(s, "procs", err);
}

/* The paper's m_g must differ from m_s. A default that is a segment size, too, becomes half as long
 * again; what the study says is refused. */
static int check_gather(struct study *s, struct err *err)
{
    const int said = s->settings.v[keys_find(&study_keys, "gather_bytes")].line > 0;
    for (size_t i = 0; i < s->gather_bytes.n; i++)
        while (any_below(k, s->segment_bytes.n, s->segment_bytes.v[k] == s->gather_bytes.v[i])) {
            if (said) {
                err_usage(err, "%llu is also a segment size (want others than segment_bytes)",
                          (unsigned long long)s->gather_bytes.v[i]);
                return study_in_key(s, "gather_bytes", err);
            }
            s->gather_bytes.v[i] += s->gather_bytes.v[i] / 2;
        }
    return 0;
}

static int check_reps(const struct study *s, struct err *err)
{
    if (s->max_reps >= s->min_reps)
        return 0;
    err_usage(err, "%d is below min_reps (%d)", s->max_reps, s->min_reps);
    return study_in_key(s, "max_reps", err);
}

int study_wants_all(const struct name_list *candidates)
{
    return candidates->n == 1 && strcmp(candidates->v[0], "*") == 0;
}

static void resolve_collectives(struct name_list *names)
{
    if (!study_wants_all(names))
        return;
    names->n = 0;
    for (const struct collective *c = collectives; c->name; c++)
        if (c->rows[0] && names->n < KEY_LIST_MAX)
            snprintf(names->v[names->n++], KEY_WORD, "%s", c->name);
}

static int check_collectives(const struct study *s, struct err *err)
{
    char names[COLLECTIVES_TEXT];
    struct suggest m;
    for (size_t c = 0; c < s->collectives.n; c++)
        if (!collective_has_schedules(s->collectives.v[c])) {
            err_usage(err, "'%s' is not known (want %s)", s->collectives.v[c],
                      collectives_measured(names));
            suggest_init(&m, s->collectives.v[c]);
            meant_measured_collectives(&m);
            suggest_add(&m, err);
            return study_in_key(s, "collectives", err);
        }
    return 0;
}

/* Adds to an error which algorithm of the study's collectives may be meant. */
static void add_meant(const struct study *s, const char *name, struct err *err)
{
    struct suggest m;
    suggest_init(&m, name);
    for (size_t c = 0; c < s->collectives.n; c++)
        meant_algorithms(&m, s->collectives.v[c]);
    suggest_add(&m, err);
}

/* Takes the library of a list's key off its names, where they have it. */
static void take_library(const char *library, struct name_list *names)
{
    for (size_t i = 0; i < names->n; i++) {
        const char *own = spelling_within(library, names->v[i]);
        if (own)
            memmove(names->v[i], own, strlen(own) + 1);
    }
}

static int refuse_portable(const struct study *s, const char *name, struct err *err)
{
    const char *of[KEY_LIST_MAX];
    for (size_t c = 0; c < s->collectives.n; c++)
        of[c] = s->collectives.v[c];
    spelling_refuse(of, s->collectives.n, name, err);
    return study_in_key(s, "portable", err);
}

/* Each of our algorithms is one of a collective of the study. */
static int check_portable(const struct study *s, struct err *err)
{
    for (size_t i = 0; i < s->portable.n && !study_wants_all(&s->portable); i++) {
        const char *name = s->portable.v[i];
        char own[MOST_NAME + 1];
        int known = 0;
        for (size_t c = 0; c < s->collectives.n; c++)
            known |= spelling_schedule(s->collectives.v[c], name, own) ||
                     algorithm_usual(s->collectives.v[c], name, 0, own);
        if (!known)
            return refuse_portable(s, name, err);
    }
    return 0;
}

static int is_algorithm(const struct study *s, const char *name)
{
    for (size_t c = 0; c < s->collectives.n; c++) {
        const char *collective = s->collectives.v[c];
        if (algorithm_find(collective, name) || native_find("openmpi", collective, name) ||
            native_find("mpich", collective, name))
            return 1;
    }
    return 0;
}

/* A fan-out is of an algorithm that there is, ours or a library's. */
static int check_fanouts(const struct study *s, struct err *err)
{
    for (size_t i = 0; i < s->fanouts.n; i++)
        if (algorithm_levels(s->fanouts.v[i].name) || !is_algorithm(s, s->fanouts.v[i].name)) {
            err_usage(err, "'%s' is not an algorithm of the study's collectives",
                      s->fanouts.v[i].name);
            add_meant(s, s->fanouts.v[i].name, err);
            return study_in_key(s, "fanouts", err);
        }
    return 0;
}

static int has_root(const struct study *s)
{
    return any_below(c, s->collectives.n, collective_of(s->collectives.v[c])->rooted);
}

/* Every root is a rank also among the fewest processes. */
static int check_roots(const struct study *s, struct err *err)
{
    const struct int_list *lists[] = { &s->procs, &s->held_procs };
    for (size_t r = 0; has_root(s) && r < s->roots.n; r++)
        for (size_t k = 0; k < 2; k++)
            for (size_t i = 0; i < lists[k]->n; i++)
                if (s->roots.v[r] >= lists[k]->v[i]) {
                    err_usage(err, "%d is not a rank of %d processes", s->roots.v[r],
                              lists[k]->v[i]);
                    return study_in_key(s, "roots", err);
                }
    return 0;
}

/* A trace is a file beside the study's. */
static int resolve_trace(const struct study *s, const char *file, struct study_arrival *a,
                         struct err *err)
{
    struct arrival_trace trace;
    const char *slash = strrchr(s->path, '/');
    const int len = slash ? (int)(slash - s->path) + 1 : 0;
    if (snprintf(a->path, sizeof a->path, "%.*s%s", len, s->path, file) >= (int)sizeof a->path)
        return err_set(err, "'%.60s' is too long a path", file);
    if (arrival_trace_read(a->path, &trace, err) < 0)
        return -1;
    snprintf(a->name, sizeof a->name, "trace:%s", trace.digest);
    a->ranks = trace.ranks;
    arrival_trace_clear(&trace);
    return 0;
}

static int resolve_arrivals(struct study *s, struct err *err)
{
    for (size_t i = 0; i < s->arrivals_asked.n; i++) {
        const char *word = s->arrivals_asked.v[i];
        struct study_arrival *a = &s->arrivals[s->n_arrivals++];
        *a = (struct study_arrival){ .ranks = INT_MAX };
        const int together = strcmp(word, "together") == 0;
        if (together != (i == 0))
            return err_set(err, "'%.40s' (want together first, which the others are set beside)",
                           word);
        if (together)
            continue;
        if ((strncmp(word, "trace:", 6) == 0 ? resolve_trace(s, word + 6, a, err)
                                             : arrival_resolve(word, a->name, err)) < 0)
            return -1;
    }
    return 0;
}

static int check_buffers(const struct study *s, struct err *err)
{
    for (size_t i = 0; i < s->buffers.n; i++)
        if (i > 1 || (strcmp(s->buffers.v[i], CELL_ROTATED) == 0) != (i == 1))
            return err_set(err, "'%s' (want reused, or reused and rotated)", s->buffers.v[i]);
    return 0;
}

static int check_holdout(const struct study *s, struct err *err)
{
    struct holdouts unused;
    return holdouts_parse(s->holdout, &unused, err) < 0 ? study_in_key(s, "holdout", err) : 0;
}

static int check_core_budget(const struct study *s, struct err *err)
{
    double unused;
    if (!*s->core_budget)
        return 0;
    if (parse_core_seconds(s->core_budget, &unused, err) < 0)
        return -1;
    return strcmp(s->plan, "adaptive") == 0
               ? 0
               : err_usage(err, "a full plan measures every point (want plan = adaptive)");
}

int study_ask(struct study *study, const char *plan, const char *core_budget, struct err *err)
{
    if ((plan && settings_replace(&study->settings, study, "plan", plan, err) < 0) ||
        (core_budget &&
         settings_replace(&study->settings, study, "core_budget", core_budget, err) < 0))
        return -1;
    return check_core_budget(study, err);
}

static int add_mpi(struct name_list *list, const char *name, struct err *err)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->v[i], name) == 0)
            return 0;
    if (list->n == KEY_LIST_MAX)
        return err_usage(err, "more than %d MPI libraries", KEY_LIST_MAX);
    snprintf(list->v[list->n++], KEY_WORD, "%s", name);
    return 0;
}

static int unknown_mpi(const char *name, const struct cluster *c, struct err *err)
{
    struct suggest m;
    char known[512];
    size_t used = (size_t)snprintf(known, sizeof known, "openmpi, mpich");
    for (size_t i = 0; i < c->mpis.n && used + MPI_WORD + 2 < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, ", %s", c->mpis.v[i].name);
    err_usage(err, "'%s' is no MPI of '%s' (want %s, or a section [mpi %s] in the cluster file)",
              name, c->name, known, name);
    suggest_init(&m, name);
    suggest_try(&m, "openmpi");
    suggest_try(&m, "mpich");
    for (size_t i = 0; i < c->mpis.n; i++)
        suggest_try(&m, c->mpis.v[i].name);
    return suggest_add(&m, err);
}

/* Entries as they are; a library's name as all entries of it that the cluster names, or where it
 * names none as itself: what is installed. */
static int resolve_mpi(struct study *s, const struct cluster *c, struct err *err)
{
    const struct name_list asked = s->mpi;
    s->mpi.n = 0;
    for (size_t i = 0; i < asked.n; i++) {
        const char *name = asked.v[i];
        const size_t before = s->mpi.n;
        int status = 0;
        if (mpi_entries_find(&c->mpis, name)) {
            status = add_mpi(&s->mpi, name, err);
        } else if (mpi_is_read(name) && strcmp(mpi_family(name), name) == 0) {
            for (size_t k = 0; status == 0 && k < c->mpis.n; k++)
                if (mpi_is(c->mpis.v[k].name, name))
                    status = add_mpi(&s->mpi, c->mpis.v[k].name, err);
            if (status == 0 && s->mpi.n == before)
                status = add_mpi(&s->mpi, name, err);
        } else {
            status = unknown_mpi(name, c, err);
        }
        if (status < 0)
            return study_in_key(s, "mpi", err);
    }
    return 0;
}

static int resolve(struct study *s, const struct cluster *c, struct err *err)
{
    resolve_collectives(&s->collectives);
    if (must_have(s, "collectives", s->collectives.n, err) < 0 || check_collectives(s, err) < 0 ||
        must_have(s, "mpi", s->mpi.n, err) < 0 || resolve_mpi(s, c, err) < 0 ||
        must_have(s, "mappings", s->mappings.n, err) < 0 ||
        must_have(s, "roots", s->roots.n, err) < 0 || must_have_grid(s, err) < 0 ||
        must_have(s, "segment_bytes", s->segment_bytes.n, err) < 0 ||
        must_have(s, "gather_bytes", s->gather_bytes.n, err) < 0)
        return -1;
    if (resolve_procs(&s->procs_asked, c, &s->procs, err) < 0)
        return study_in_key(s, "procs", err);
    if (resolve_shapes(s, err) < 0)
        return study_in_key(s, s->shape_nodes.n ? "shape_nodes" : "shape_ppn", err);
    if (resolve_procs(&s->fit_procs_asked, c, &s->fit_procs, err) < 0)
        return study_in_key(s, "fit_procs", err);
    if (s->fit_procs.n == 0) {
        s->fit_procs.v[0] = int_list_largest(&s->procs);
        s->fit_procs.n = 1;
    }
    if (must_have(s, "arrivals", s->arrivals_asked.n, err) < 0)
        return -1;
    if (resolve_arrivals(s, err) < 0)
        return study_in_key(s, "arrivals", err);
    if (must_have(s, "buffers", s->buffers.n, err) < 0)
        return -1;
    if (check_buffers(s, err) < 0)
        return study_in_key(s, "buffers", err);
    if (s->repeats_max && s->repeats_max < s->repeats) {
        err_usage(err, "%d is below repeats (%d)", s->repeats_max, s->repeats);
        return study_in_key(s, "repeats_max", err);
    }
    if (check_core_budget(s, err) < 0)
        return study_in_key(s, "core_budget", err);
    if (resolve_bytes(s, err) < 0 || check_gather(s, err) < 0 || check_reps(s, err) < 0)
        return -1;
    if (s->nodes == 0 || s->nodes > c->nodes)
        s->nodes = c->nodes;
    if (s->channel_bytes.n == 0)
        resolve_channel_bytes(s);
    const int default_alone = s->with_default && !s->experiments;
    if (s->portable.n + s->openmpi.n + s->mpich.n == 0 && !default_alone) {
        err_usage(err,
                  "the study has no candidate (want algorithms in portable, openmpi or mpich)");
        return study_in_key(s, "portable", err);
    }
    take_library("portable", &s->portable);
    take_library("openmpi", &s->openmpi);
    take_library("mpich", &s->mpich);
    return check_portable(s, err) < 0 || check_fanouts(s, err) < 0 || check_roots(s, err) < 0 ||
                   check_holdout(s, err) < 0
               ? -1
               : 0;
}

static const char any[] = "any";

/* The study of any collective, as one of this collective alone. */
static int only_of(struct study *s, const char *collective, struct err *err)
{
    char title[KEY_TEXT_MAX];
    s->unwritten = 1;
    snprintf(title, sizeof title, "%.300s: %s", s->title, collective_find(collective)->word);
    return settings_replace(&s->settings, s, "name", collective, err) < 0 ||
                   settings_replace(&s->settings, s, "title", title, err) < 0 ||
                   settings_replace(&s->settings, s, "collectives", collective, err) < 0
               ? -1
               : 0;
}

/* 1 when the name is a collective's, and no file's. */
static int is_unwritten(const char *dir, const char *name)
{
    char path[1024];
    return collective_has_schedules(name) && !find_ini_file(dir, name, path, sizeof path) &&
           find_ini_file(dir, any, path, sizeof path);
}

int study_load(const char *dir, const char *name, const struct cluster *cluster,
               struct study *study, struct err *err)
{
    char path[sizeof study->path];
    struct settings settings;
    const int unwritten = is_unwritten(dir, name);
    if (find_ini("study", dir, unwritten ? any : name, path, sizeof path, err) < 0 ||
        keys_load(&study_keys, path, cluster->name, study, &settings, err) < 0)
        return -1;
    study->settings = settings;
    snprintf(study->path, sizeof study->path, "%s", path);
    int status = find_ini_named(unwritten ? any : name, study->name, err);
    if (status < 0)
        study_in_key(study, "name", err);
    else if (unwritten)
        status = only_of(study, name, err);
    if (status == 0)
        status = resolve(study, cluster, err);
    if (status < 0)
        study_free(study);
    return status;
}

void study_free(struct study *study)
{
    settings_free(&study->settings);
}
