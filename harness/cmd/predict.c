/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel ask predict: what the models say about one cell, from fitted or given parameters. */
#include "analysis/judge/cell_query.h"
#include "analysis/measure/equivalent.h"
#include "analysis/walk/closed.h"
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/cmd/recommend_others.h"
#include "harness/study/libraries/spelling.h"
#include "reports/section_common.h"

enum { MAX_GAMMA = 64 };

/* A gamma of the command line. */
struct given_gamma {
    int procs[MAX_GAMMA];
    double value[MAX_GAMMA];
    struct gamma gamma; /* over the arrays above */
    int given;
};

/* The command line. */
struct input {
    struct options options;
    struct cell_query asked;
    int bytes_given, json;
    double alpha, beta; /* NaN: from a fit */
    struct given_gamma sends;
};

/* ---- the stage walk and the formulas ---- */

/* Rounds of all ranks that are walked: about a minute of one core. */
static const uint64_t MOST_ROUNDS = 200000000;

/* ---- printing ---- */

static void print_line(const char *what, double t, double a, double b, const char *note)
{
    char text[32];
    printf("%-12s %12s  T = %.9g s", what, format_seconds(t, text, sizeof text), t);
    if (!isnan(a))
        printf("  A = %.9g  B = %.9g bytes", a, b);
    printf("  %s\n", note);
}

/* More rounds than it is reasonable to walk; says so. */
static int is_too_long(const char *what, const struct schedule *s)
{
    uint64_t all = 0, most = 0;
    for (int r = 0; r < s->procs; r++) {
        const uint64_t rounds = schedule_rounds(s, r);
        all = rounds > UINT64_MAX - all ? UINT64_MAX : all + rounds;
        most = rounds > most ? rounds : most;
    }
    if (all <= MOST_ROUNDS && most <= STAGE_MOST_ROUNDS)
        return 0;
    printf("%-12s %12s  %llu rounds of all ranks, %llu of one (walked are up to %llu and %d)\n",
           what, "left out", (unsigned long long)all, (unsigned long long)most,
           (unsigned long long)MOST_ROUNDS, STAGE_MOST_ROUNDS);
    return 1;
}

static int print_walk(const struct schedule *s, const struct input *in, struct err *err)
{
    struct stage_profile profile;
    double a, b;
    char note[96];
    if (is_too_long("walker", s))
        return 0;
    if (stage_walk(s, &profile, err) < 0)
        return -1;
    int linear = stage_coefficients(&profile, &in->sends.gamma, in->alpha, in->beta, &a, &b);
    snprintf(note, sizeof note, "%llu stage%s%s", (unsigned long long)profile.stages,
             plural(profile.stages), linear ? "" : "; A and B hold for this alpha and beta only");
    print_line("walker", stage_time(&profile, &in->sends.gamma, in->alpha, in->beta), a, b, note);
    stage_profile_clear(&profile);
    return 0;
}

static void print_closed(const char *what, enum closed_kind kind, const struct schedule *s,
                         const struct gamma *gamma, double alpha, double beta)
{
    const struct closed_form *form = closed_find(kind, s);
    if (!form) {
        printf("%-12s %12s\n", what, "no formula");
        return;
    }
    struct closed_line line = { 0, 0, 0 };
    if (s->procs > 1 && (s->bytes > 0 || !collective_moves(s->collective->name)))
        line = form->line(s, gamma);
    char note[512];
    snprintf(note, sizeof note, "%s [%s]", form->formula, form->source);
    print_line(what, closed_time(kind, s, gamma, alpha, beta), line.a, line.b, note);
}

static int print_all(const struct input *in, const struct schedule *s, struct err *err)
{
    char bytes[32], segment[32];
    printf("%s %s: %d process%s, %s in %llu segment%s of %s", in->asked.collective,
           in->asked.algorithm, s->procs, of_number(s->procs, "", "es"),
           format_bytes(s->bytes, bytes, sizeof bytes), (unsigned long long)s->segments,
           plural(s->segments),
           format_bytes(s->segments > 1 ? s->segment_bytes : s->bytes, segment, sizeof segment));
    if (collective_of(in->asked.collective)->rooted)
        printf(", root %d", s->root);
    putchar('\n');
    if (s->fanout)
        printf("%-12s %d\n", "fan-out", s->fanout);
    if (s->alg != s->asked)
        printf("%-12s %s (the library substitutes it here)\n", "runs", s->alg->name);
    printf("%-12s alpha = %.9g s, beta = %.9g s/byte, from the command line\n", "parameters",
           in->alpha, in->beta);
    if (print_walk(s, in, err) < 0)
        return -1;
    print_closed("closed form", CLOSED_STAGE, s, &in->sends.gamma, in->alpha, in->beta);
    print_closed(hockney_pingpong_model->name, CLOSED_TEXTBOOK, s, NULL, in->alpha, in->beta);
    return 0;
}

/* ---- from the command line ---- */

/* The stage walk, its closed form and the textbook formula with the parameters of the command line.
 * 0, or -1 with *err. */
static int predict_given(const struct input *in, struct err *err)
{
    const struct cell_query *a = &in->asked;
    struct schedule s;
    struct candidate c = { .segment_bytes = a->segment_bytes, .fanout = a->fanout };
    struct cell cell = { .procs = a->procs, .root = a->root, .bytes = a->bytes };
    char name[MOST_NAME + 1];
    snprintf(cell.collective, NAME_SIZE, "%.60s", a->collective);
    if (!spelling_schedule(a->collective, a->algorithm, name))
        return spelling_refuse(&a->collective, 1, a->algorithm, err);
    snprintf(c.algorithm, NAME_SIZE, "%s", name);
    return equivalent_schedule(NULL, &cell, &c, &s, err) < 0 ? -1 : print_all(in, &s, err);
}

/* ---- what all models say ---- */

static void print_candidate(const struct candidate *c)
{
    char text[32];
    printf("%s", c->algorithm);
    if (c->segment_bytes)
        printf(", %s", format_bytes(c->segment_bytes, text, sizeof text));
    if (c->fanout)
        printf(", fan-out %d", c->fanout);
}

/* What a model says of each candidate; the times themselves are said by none. */
struct said {
    const struct answer *answer;
    const struct model_said *row; /* of the first candidate; NULL: the times themselves */
};

static double seconds_of(const struct said *said, size_t i)
{
    const struct measured *m = &said->answer->candidates.row[i];
    if (!said->row)
        return measured_usable(m) ? m->time.value : NAN;
    return prediction_usable(&said->row[i].prediction) ? said->row[i].prediction.seconds : NAN;
}

static enum standing standing_of(const struct said *said)
{
    return answer_standing(said->answer, said->row->model);
}

/* One line: the time of the algorithm that was asked for and its place among all; or, where none
 * was, the least. Returns 1 when there is a time. */
static int print_said(const char *name, const struct said *said)
{
    const struct points *all = &said->answer->candidates;
    size_t at = said->answer->asked, least = all->n, n = 0, before = 0;
    char text[32];
    for (size_t i = 0; i < all->n; i++) {
        const double t = seconds_of(said, i);
        n += isfinite(t);
        if (isfinite(t) && (least == all->n || t < seconds_of(said, least)))
            least = i;
        before += at < all->n && t < seconds_of(said, at);
    }
    if (at == all->n)
        at = least == all->n ? 0 : least;
    const char *status = said->row ? predict_status_words[said->row[at].prediction.status]
                                   : backend_word(all->backend);
    const double t = seconds_of(said, at);
    if (!isfinite(t)) {
        const int one = said->row && said->answer->asked < all->n;
        if (said->row && !one)
            status = predict_status_words[answer_why_none(said->answer, said->row)];
        printf("%-18s %12s  %s%s\n", name, "-", one || !said->row ? "" : "nothing to choose from: ",
               said->row                         ? status
               : measured_doubted(&all->row[at]) ? "doubted, does not count (--doubted takes it)"
                                                 : "no time");
        return 0;
    }
    printf("%-18s %12s  T = %.9g s  %s%s", name, format_seconds(t, text, sizeof text), t, status,
           said->row ? standing_mark(standing_of(said)) : "");
    if (said->answer->asked < all->n)
        printf("  %zu of %zu", before + 1, n);
    if (said->answer->asked == all->n || before) {
        printf(said->answer->asked < all->n ? "; least: " : "  least of %zu: ", n);
        print_candidate(&all->row[least].point.candidate);
        if (before)
            printf(" (%s)", format_seconds(seconds_of(said, least), text, sizeof text));
    }
    putchar('\n');
    return 1;
}

/* Prints the measured time and each model's prediction, a line each. Returns lines with a time. */
static int predict_print(const struct answer *a, const char *dir)
{
    char bytes[32];
    const struct cell *c = &a->candidates.row[0].point.cell;
    printf("%s", c->collective);
    if (a->asked < a->candidates.n) {
        putchar(' ');
        print_candidate(&a->candidates.row[a->asked].point.candidate);
    }
    printf(": %d process%s on %d node%s, %s, %s, mapping %s, from %s; %zu algorithm%s\n", c->procs,
           of_number(c->procs, "", "es"), c->nodes, plural(c->nodes),
           format_bytes(c->bytes, bytes, sizeof bytes), c->mpi, c->mapping, dir, a->candidates.n,
           plural(a->candidates.n));
    int n = print_said(backend_word(a->candidates.backend), &(struct said){ a, NULL });
    int any[STANDING_SIMULATOR + 1] = { 0 };
    for (int apart = 0; apart < 2; apart++) /* who is no test comes last */
        for (size_t i = 0; i < a->said.n; i += a->candidates.n) {
            const struct said said = { a, &a->said.row[i] };
            const enum standing standing = standing_of(&said);
            if ((standing != STANDING_TEST) == apart)
                any[standing] |= print_said(said.row->model->name, &said);
        }
    if (any[STANDING_IN_SAMPLE])
        puts("(in sample): fitted to the times of these cells. It is no test, and stands last.");
    if (any[STANDING_SIMULATOR])
        puts("(simulator): the simulator of these times computes as this model does. It is no "
             "test, and stands last.");
    return n + any[STANDING_TEST] + any[STANDING_IN_SAMPLE] + any[STANDING_SIMULATOR];
}

/* What each model says of candidate i, by name; *any becomes 1 where one says a time. */
static json_t *models_json(const struct answer *a, size_t i, int *any)
{
    json_t *all = json_object();
    for (size_t k = 0; k < a->said.n; k += a->candidates.n) {
        const struct model_said *row = &a->said.row[k];
        const struct said said = { a, row };
        *any |= isfinite(seconds_of(&said, i));
        json_object_set_new(all, row->model->name,
                            json_pack("{s:o, s:s, s:s}", "seconds",
                                      json_number(seconds_of(&said, i)), "status",
                                      predict_status_words[row[i].prediction.status], "no_test",
                                      standing_text(standing_of(&said))));
    }
    return all;
}

/* The same as JSON, of every candidate: how many of them have a time, of whichever kind; or -1 with
 * *err. */
static int predict_print_json(const struct answer *a, const char *dir, struct err *err)
{
    const struct cell *c = &a->candidates.row[0].point.cell;
    const struct said times = { a, NULL };
    json_t *all = json_array();
    int n = 0;
    for (size_t i = 0; i < a->candidates.n; i++) {
        const struct candidate *k = &a->candidates.row[i].point.candidate;
        int any = isfinite(seconds_of(&times, i));
        json_t *said = models_json(a, i, &any);
        n += any;
        json_array_append_new(
            all, json_pack("{s:s, s:I, s:i, s:b, s:o, s:b, s:o}", "algorithm", k->algorithm,
                           "segment_bytes", (json_int_t)k->segment_bytes, "fanout", k->fanout,
                           "asked", i == a->asked, "time_s", json_number(seconds_of(&times, i)),
                           "doubted", measured_doubted(&a->candidates.row[i]), "models", said));
    }
    const int status = json_print(
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:I, s:o}", "from", dir, "times",
                  backend_word(a->candidates.backend), "collective", c->collective, "mpi", c->mpi,
                  "mapping", c->mapping, "nodes", c->nodes, "procs", c->procs, "root", c->root,
                  "bytes", (json_int_t)c->bytes, "candidates", all),
        err);
    return status < 0 ? -1 : n;
}

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
    if (isnan(in->alpha) && in->sends.given)
        argp_error(state, "a given gamma wants --alpha and --beta: a fit has its own");
    if (in->asked.root && !collective_of(in->asked.collective)->rooted)
        argp_error(state, "--root: '%s' has no root", in->asked.collective);
    if (in->asked.root >= in->asked.procs)
        argp_error(state, "root %d is not a rank of %d processes", in->asked.root, in->asked.procs);
    if (in->asked.nodes > in->asked.procs)
        argp_error(state, "%d nodes are more than %d processes", in->asked.nodes, in->asked.procs);
    if (in->json && !isnan(in->alpha))
        argp_error(state, "--json: is of what was fitted, not of --alpha and --beta");
    if (!in->options.dataset)
        options_take_collective(state, in->asked.collective);
    if (!in->options.study_given && collective_find(in->asked.collective))
        in->options.study = in->asked.collective;
    drop_ignored(in);
}

/* ---- from results ---- */

static int predict_results(const struct input *in, const char *dir, struct err *err)
{
    struct answer a;
    struct cell_query asked = in->asked;
    asked.doubted = in->options.doubted;
    if (cell_query_answer(dir, &asked, &a, err) != 0)
        return -1;
    int status = in->json ? predict_print_json(&a, dir, err) : predict_print(&a, dir);
    if (status == 0)
        err_set(err, "%s: no model says a time for it, and it has none that counts", dir);
    if (status == 0)
        points_add_doubted(&a.candidates, NULL, err);
    answer_clear(&a);
    return status > 0 ? 0 : -1;
}

static int predict_fitted(const struct input *in, struct err *err)
{
    char dir[PATH_SIZE], path[PATH_SIZE + 32];
    if (options_results(&in->options, dir, sizeof dir, err) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/fit/hockney.csv", dir);
    if (!in->options.dataset && !fs_exists(path)) {
        recommend_tell_others(dir, in->options.doubted, in->asked.collective, stderr);
        if (options_fitted(&in->options, dir, err) < 0)
            return -1;
    }
    if (!fs_exists(path))
        return err_set(err,
                       "'%s' does not exist (run `collsel fit` first, or give --alpha, --beta and "
                       "--gamma)",
                       path);
    return predict_results(in, dir, err);
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
    { "segment", 0, "BYTES", "Segment size (default: any; 0: unsegmented)",
      OPTION_NUMBER_TO(asked.segment_bytes, parse_bytes), .given = INPUT_AT(asked.segment_given) },
    { "fanout", 0, "K", "Fan-out or radix (default: any, or the algorithm's)",
      OPTION_READ_TO(asked.fanout, read_count), .given = INPUT_AT(asked.fanout_given) },
    { "root", 0, "RANK", "Root (default: 0)", OPTION_READ_TO(asked.root, read_count) },
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
    { "json", 0, NULL,
      "Print what all models say of all algorithms there as JSON; of results alone",
      OPTION_TO(json) },
    { 0 },
};

static struct input asked = { .alpha = NAN, .beta = NAN, .sends.gamma.intercept = 1 };

const struct command cmd_predict = {
    .name = "predict",
    .help = "predict one cell from a fit or given parameters",
    .words = "COLLECTIVE [ALGORITHM]",
    .doc = "Predicts one cell by every model that a study or data set has parameters for. Of an "
           "algorithm it says which place it has among all; without one it names the fastest. "
           "With given parameters: the stage walk, the closed form and the textbook formula. The "
           "study is that of the collective's name unless --study names another.",
    .word = { INPUT_AT(asked.collective), INPUT_AT(asked.algorithm) },
    .rows = rows,
    .shared = &options_of_results,
    .input = &asked,
    .check = check,
    .run = run,
};
