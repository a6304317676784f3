/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel ask predict: what the models say about one cell, from fitted or given parameters. */
#include <math.h>
#include <string.h>

#include "harness/base/number.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/predict.h"
#include "harness/cmd/recommend_others.h"
#include "harness/study/libraries/spelling.h"
#include "workloads/schedules/collectives.h"

/* ---- parsing ---- */

static int positive(const char *text, uint64_t least, int *value, struct err *err)
{
    uint64_t v;
    if (parse_u64(text, &v, err) < 0)
        return -1;
    if (v < least || v > 1 << 28)
        return err_usage(err, "%s is out of range (want %d to %d)", text, (int)least, 1 << 28);
    *value = (int)v;
    return 0;
}

static int seconds(const char *text, double *value, struct err *err)
{
    return parse_f64(text, value, NULL) == 0 ? 0 : parse_seconds(text, value, err);
}

/* Of the parameters of a line or of gamma none is negative, but for the intercept. */
static int not_negative(const char *text, double value, struct err *err)
{
    return value < 0 ? err_usage(err, "%s is below 0", text) : 0;
}

/* "3=1.11,4=1.22", ascending. */
static int read_gamma(const char *text, void *given, struct err *err)
{
    struct given_gamma *g = given;
    char copy[1024], *rest = copy, *item;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return err_usage(err, "too many values of gamma");
    g->gamma.procs = g->procs;
    g->gamma.value = g->value;
    g->gamma.n = 0;
    while ((item = strsep(&rest, ","))) {
        char *value = strchr(item, '=');
        size_t n = g->gamma.n;
        if (!value || n == MAX_GAMMA)
            return err_usage(err, "'%s' is not a value of gamma (want P=V, at most %d)", item,
                             MAX_GAMMA);
        *value++ = '\0';
        if (positive(item, 2, &g->procs[n], err) < 0 || parse_f64(value, &g->value[n], err) < 0)
            return -1;
        if (g->value[n] <= 0 || (n && g->procs[n] <= g->procs[n - 1]))
            return err_usage(err, "gamma(%s) = %s: want P ascending and V above 0", item, value);
        g->gamma.n++;
    }
    g->given = 1;
    return 0;
}

static int read_line(const char *text, void *given, struct err *err)
{
    struct given_gamma *g = given;
    char intercept[64];
    size_t n = strcspn(text, ",");
    if (!text[n] || n >= sizeof intercept)
        return err_usage(err, "'%s' is not a line (want INTERCEPT,SLOPE)", text);
    snprintf(intercept, sizeof intercept, "%.*s", (int)n, text);
    g->given = 1;
    if (parse_f64(intercept, &g->gamma.intercept, err) < 0)
        return -1;
    if (parse_f64(text + n + 1, &g->gamma.slope, err) < 0)
        return -1;
    return not_negative(text + n + 1, g->gamma.slope, err) < 0
               ? err_prefix(err, "the slope of gamma")
               : 0;
}

static int read_alpha(const char *text, void *alpha, struct err *err)
{
    return seconds(text, alpha, err) < 0 ? -1 : not_negative(text, *(double *)alpha, err);
}

static int read_factor(const char *text, void *value, struct err *err)
{
    return parse_f64(text, value, err) < 0 ? -1 : not_negative(text, *(double *)value, err);
}

static int read_positive(const char *text, void *value, struct err *err)
{
    return positive(text, 1, value, err);
}

static int read_count(const char *text, void *value, struct err *err)
{
    return positive(text, 0, value, err);
}

/* A segment size or fan-out that the algorithm does not take is ignored, and said to be. */
static void drop_ignored(struct input *in)
{
    char name[MOST_NAME + 1];
    const struct algorithm *alg =
        in->asked.algorithm ? spelling_schedule(in->asked.collective, in->asked.algorithm, name)
                            : NULL;
    if (!alg)
        return;
    options_say_ignored(alg, in->asked.segment_bytes != 0, in->asked.fanout != 0);
    options_say_not_compared(in->asked.collective, in->asked.algorithm);
    if (!alg->segmented)
        in->asked.segment_given = 0;
    if (!alg->default_fanout)
        in->asked.fanout_given = 0;
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->asked.collective)
        argp_error(state, "want COLLECTIVE");
    if (!in->asked.algorithm && !isnan(in->alpha))
        argp_error(state, "given parameters want an ALGORITHM");
    if (!in->asked.procs)
        argp_error(state, "want --procs");
    if (!in->bytes_given)
        argp_error(state, "want --bytes");
    if (isnan(in->alpha) != isnan(in->beta))
        argp_error(state, "--alpha and --beta go together");
    if (!isnan(in->alpha) && !in->sends.given)
        argp_error(state, "--alpha and --beta want --gamma or --gamma-linear");
    if (isnan(in->alpha) && (in->sends.given || in->receives.given))
        argp_error(state, "a given gamma wants --alpha and --beta: a fit has its own");
    if (!isnan(in->combine) && !collective_combines(in->asked.collective))
        argp_error(state, "--combine: '%s' combines nothing", in->asked.collective);
    if (in->asked.root && !collective_is_rooted(in->asked.collective))
        argp_error(state, "--root: '%s' has no root", in->asked.collective);
    if (in->asked.root >= in->asked.procs)
        argp_error(state, "root %d is not a rank of %d processes", in->asked.root, in->asked.procs);
    if (in->asked.nodes > in->asked.procs)
        argp_error(state, "%d nodes are more than %d processes", in->asked.nodes, in->asked.procs);
    if (in->json && !isnan(in->alpha))
        argp_error(state, "--json: is of what was fitted, not of --alpha and --beta");
    if (!in->fit && !in->options.dataset)
        options_take_collective(state, in->asked.collective);
    if (!in->options.study_given && collective_find(in->asked.collective))
        in->options.study = in->asked.collective;
    drop_ignored(in);
}

/* ---- from results ---- */

static int fit_dir(const struct input *in, char *dir, size_t size, struct err *err)
{
    if (in->fit)
        return fs_path(dir, size, err, "%s", in->fit);
    return options_results(&in->options, dir, size, err);
}

/* Fitted parameters alone, without the times, have no models but those two. */
static int has_points(const char *dir)
{
    char path[PATH_SIZE + 32];
    char manifest[PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/points.csv", dir);
    snprintf(manifest, sizeof manifest, "%s/manifest.json", dir);
    return fs_exists(path) && fs_exists(manifest);
}

static int predict_results(const struct input *in, const char *dir, int imported, struct err *err)
{
    struct answer a;
    if (!has_points(dir) && (imported || in->json || !in->asked.algorithm))
        return err_set(err,
                       "'%s' has no points.csv with a manifest.json (want: collsel fit; of a "
                       "study, an ALGORITHM is predicted from fit/ alone)",
                       dir);
    const int status = has_points(dir) ? cell_query_answer(dir, &in->asked, &a, err) : 1;
    if (status < 0 || (status > 0 && (imported || in->json || !in->asked.algorithm)))
        return -1;
    if (status > 0)
        return predict_parts(in, dir, 0, err);
    int parts = imported || in->json || !in->asked.algorithm ? 0 : predict_parts(in, dir, 1, err);
    const int times = parts < 0  ? -1
                      : in->json ? predict_print_json(&a, dir, err)
                                 : predict_print(&a, dir);
    if (times <= 0)
        parts = times < 0
                    ? -1
                    : err_set(err, "%s: no model says a time for it, and it was not measured", dir);
    answer_clear(&a);
    return parts;
}

static int predict_fitted(const struct input *in, struct err *err)
{
    char dir[PATH_SIZE], path[PATH_SIZE + 32];
    struct facts facts;
    if (fit_dir(in, dir, sizeof dir, err) < 0 || predict_facts(dir, &facts, err) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/fit/hockney.csv", dir);
    if (!in->fit && !in->options.dataset && !fs_exists(path)) {
        recommend_tell_others(dir, in->asked.collective, stderr);
        if (options_fitted(&in->options, dir, err) < 0)
            return -1;
    }
    if (!fs_exists(path))
        return err_set(err,
                       "'%s' does not exist (run `collsel fit` first, or give --alpha, --beta and "
                       "--gamma)",
                       path);
    return predict_results(in, dir, facts.imported, err);
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    return isnan(in->alpha) ? predict_fitted(in, err) : predict_given(in, err);
}

static const struct option_row rows[] = {
    { "procs", 'p', "P", "Processes", OPTION_READ_TO(asked.procs, read_positive) },
    { "bytes", 'm', "BYTES", "Message size, e.g. 8K, 1M",
      OPTION_NUMBER_TO(asked.bytes, parse_bytes), .given = INPUT_AT(bytes_given) },
    { "nodes", 0, "N",
      "Nodes that they are on (default: as a plan of the study places them; of a data set, as "
      "where so many were measured, else as the mapping fills them)",
      OPTION_READ_TO(asked.nodes, read_positive) },
    { "segment", 0, "BYTES", "Segment size (default: the fit's; 0: unsegmented)",
      OPTION_NUMBER_TO(asked.segment_bytes, parse_bytes), .given = INPUT_AT(asked.segment_given) },
    { "fanout", 0, "K", "Fan-out or radix (default: the fit's or the algorithm's)",
      OPTION_READ_TO(asked.fanout, read_count), .given = INPUT_AT(asked.fanout_given) },
    { "root", 0, "RANK", "Root (default: 0)", OPTION_READ_TO(asked.root, read_count) },
    { "fit", 0, "DIR", "A study's results, with fit/ in it (else --cluster and --study)",
      OPTION_TO(fit) },
    { "mpi", 0, "NAME", "Library whose fit is used (default: the first that has one)",
      OPTION_TO(asked.mpi) },
    { "mapping", 0, "NAME", "Mapping whose fit is used (default: the first)",
      OPTION_TO(asked.mapping) },
    { "alpha", 0, "SECONDS", "alpha, e.g. 1.2e-5 or 12us; with --beta, instead of a fit",
      OPTION_READ_TO(alpha, read_alpha) },
    { "beta", 0, "S/BYTE", "beta in seconds per byte", OPTION_READ_TO(beta, read_factor) },
    { "gamma", 0, "P=V,...", "gamma(P), e.g. 3=1.11,4=1.22", OPTION_READ_TO(sends, read_gamma) },
    { "gamma-linear", 0, "I,S", "gamma(P) = I + S P beyond the values given",
      OPTION_READ_TO(sends, read_line) },
    { "gamma-receives", 0, "P=V,...",
      "The same of fan-ins, for P - 1 receives of a stage (default: one after the other)",
      OPTION_READ_TO(receives, read_gamma) },
    { "gamma-receives-linear", 0, "I,S", "The same on a line, beyond the values given",
      OPTION_READ_TO(receives, read_line) },
    { "combine", 0, "S/BYTE",
      "Of a reduction: seconds per byte of combining, for alpha and beta of messages alone: given "
      "ones, and the ping-pong's of the textbook formula (default: the cluster's reduce_cost, "
      "where a fit says it)",
      OPTION_READ_TO(combine, read_factor) },
    { "json", 0, NULL,
      "Print what all models say of all algorithms there as JSON; of results alone",
      OPTION_TO(json) },
    { 0 },
};

static struct input asked = { .alpha = NAN,
                              .beta = NAN,
                              .combine = NAN,
                              .sends.gamma.intercept = 1,
                              .receives.gamma.intercept = 1 };

const struct command cmd_predict = {
    .name = "predict",
    .help = "predict one cell from a fit or given parameters",
    .words = "COLLECTIVE [ALGORITHM]",
    .doc = "Predicts one cell by every model that a study or a data set has parameters for, and "
           "says which place the algorithm has among all; without an algorithm, which is the "
           "least. With given parameters: the stage walk, the closed form and the textbook "
           "formula. Without --study that of the collective's name.",
    .word = { INPUT_AT(asked.collective), INPUT_AT(asked.algorithm) },
    .rows = rows,
    .shared = &options_of_results,
    .input = &asked,
    .check = check,
    .run = run,
};
