/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel predict: what the models say about one cell, from fitted or given parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/asked.h"
#include "analysis/measure/equivalent.h"
#include "analysis/measure/facts.h"
#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/models/hockney/hockney.h"
#include "analysis/walk/closed.h"
#include "analysis/walk/stage.h"
#include "harness/base/number.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"
#include "workloads/schedules/collectives.h"

enum {
    KEY_SEGMENT = 0x200,
    KEY_FANOUT,
    KEY_ROOT,
    KEY_FIT,
    KEY_MPI,
    KEY_MAPPING,
    KEY_ALPHA,
    KEY_BETA,
    KEY_GAMMA,
    KEY_LINEAR,
    KEY_RECEIVES,
    KEY_RECEIVES_LINEAR,
    KEY_COMBINE,
    KEY_NODES,
    MAX_GAMMA = 64
};

/* Rounds of all ranks that are walked: about a minute of one core. */
static const uint64_t MOST_ROUNDS = 200000000;

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
    const char *collective, *algorithm;
    const char *fit, *mpi, *mapping;
    struct cell cell;
    uint64_t segment_bytes;
    int fanout, bytes_given, segment_given, fanout_given;
    double alpha, beta; /* NaN: from a fit */
    double combine;     /* s/byte, of a reduction; NaN: not given */
    struct given_gamma sends, receives;
};

static const struct argp_option rows[] = {
    { "procs", 'p', "P", 0, "Processes", 0 },
    { "bytes", 'm', "BYTES", 0, "Message size, e.g. 8K, 1M", 0 },
    { "nodes", KEY_NODES, "N", 0,
      "Nodes that they are on (default: as a plan of the study places them; of a data set, as "
      "where "
      "so many were measured, else as the mapping fills them)",
      0 },
    { "segment", KEY_SEGMENT, "BYTES", 0, "Segment size (default: the fit's; 0: unsegmented)", 0 },
    { "fanout", KEY_FANOUT, "K", 0, "Fan-out or radix (default: the fit's or the algorithm's)", 0 },
    { "root", KEY_ROOT, "RANK", 0, "Root (default: 0)", 0 },
    { "fit", KEY_FIT, "DIR", 0, "A study's results, with fit/ in it (else --cluster and --study)",
      0 },
    { "mpi", KEY_MPI, "NAME", 0, "Library whose fit is used (default: the first that has one)", 0 },
    { "mapping", KEY_MAPPING, "NAME", 0, "Mapping whose fit is used (default: the first)", 0 },
    { "alpha", KEY_ALPHA, "SECONDS", 0, "alpha, e.g. 1.2e-5 or 12us; with --beta, instead of a fit",
      0 },
    { "beta", KEY_BETA, "S/BYTE", 0, "beta in seconds per byte", 0 },
    { "gamma", KEY_GAMMA, "P=V,...", 0, "gamma(P), e.g. 3=1.11,4=1.22", 0 },
    { "gamma-linear", KEY_LINEAR, "I,S", 0, "gamma(P) = I + S P beyond the values given", 0 },
    { "gamma-receives", KEY_RECEIVES, "P=V,...", 0,
      "The same of fan-ins, for P - 1 receives of a stage (default: one after the other)", 0 },
    { "gamma-receives-linear", KEY_RECEIVES_LINEAR, "I,S", 0,
      "The same on a line, beyond the values given", 0 },
    { "combine", KEY_COMBINE, "S/BYTE", 0,
      "Of a reduction: seconds per byte of combining, for alpha and beta of messages alone: given "
      "ones, and the ping-pong's of the textbook formula (default: the cluster's reduce_cost, "
      "where "
      "a fit says it)",
      0 },
    { 0 },
};

/* ---- parsing ---- */

static void check(struct argp_state *state, int result, const struct err *err)
{
    if (result < 0)
        argp_error(state, "%s", err->text);
}

static int positive(const char *text, uint64_t least, int *value, struct err *err)
{
    uint64_t v;
    if (parse_u64(text, &v, err) < 0)
        return -1;
    if (v < least || v > 1 << 28)
        return err_usage(err, "%s is out of range", text);
    *value = (int)v;
    return 0;
}

static int seconds(const char *text, double *value, struct err *err)
{
    return parse_f64(text, value, NULL) == 0 ? 0 : parse_seconds(text, value, err);
}

/* "3=1.11,4=1.22", ascending. */
static int parse_gamma(const char *text, struct given_gamma *g, struct err *err)
{
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

static int parse_line(const char *text, struct given_gamma *g, struct err *err)
{
    char intercept[64];
    size_t n = strcspn(text, ",");
    if (!text[n] || n >= sizeof intercept)
        return err_usage(err, "'%s' is not a line (want INTERCEPT,SLOPE)", text);
    snprintf(intercept, sizeof intercept, "%.*s", (int)n, text);
    g->given = 1;
    if (parse_f64(intercept, &g->gamma.intercept, err) < 0)
        return -1;
    return parse_f64(text + n + 1, &g->gamma.slope, err);
}

static int parse_combine(const char *text, double *combine, struct err *err)
{
    if (parse_f64(text, combine, err) < 0)
        return -1;
    return *combine < 0 ? err_usage(err, "--combine: %s is below 0", text) : 0;
}

static error_t parse_argument(struct input *in, char *arg, struct argp_state *state)
{
    if (!in->collective) {
        in->collective = arg;
        snprintf(in->cell.collective, NAME_SIZE, "%.60s", arg);
    } else if (!in->algorithm) {
        in->algorithm = arg;
    } else {
        argp_error(state, "'%s' is one argument too many", arg);
    }
    return 0;
}

static void check_complete(const struct input *in, struct argp_state *state)
{
    if (!in->collective)
        argp_error(state, "want COLLECTIVE");
    if (!in->algorithm && !isnan(in->alpha))
        argp_error(state, "given parameters want an ALGORITHM");
    if (!in->cell.procs)
        argp_error(state, "want --procs");
    if (!in->bytes_given)
        argp_error(state, "want --bytes");
    if (isnan(in->alpha) != isnan(in->beta))
        argp_error(state, "--alpha and --beta go together");
    if (!isnan(in->alpha) && !in->sends.given)
        argp_error(state, "--alpha and --beta want --gamma or --gamma-linear");
    if (isnan(in->alpha) && (in->sends.given || in->receives.given))
        argp_error(state, "a given gamma wants --alpha and --beta: a fit has its own");
    if (!isnan(in->combine) && !collective_combines(in->collective))
        argp_error(state, "--combine: '%s' combines nothing", in->collective);
    if (in->cell.root && !collective_is_rooted(in->collective))
        argp_error(state, "--root: '%s' has no root", in->collective);
    if (in->cell.root >= in->cell.procs)
        argp_error(state, "root %d is not a rank of %d processes", in->cell.root, in->cell.procs);
    if (in->cell.nodes > in->cell.procs)
        argp_error(state, "%d nodes are more than %d processes", in->cell.nodes, in->cell.procs);
}

static int is_parameter(int key)
{
    return key >= KEY_ALPHA && key <= KEY_COMBINE;
}

static int parse_parameter(int key, const char *arg, struct input *in, struct err *err)
{
    switch (key) {
    case KEY_ALPHA:
        return seconds(arg, &in->alpha, err);
    case KEY_BETA:
        return parse_f64(arg, &in->beta, err);
    case KEY_GAMMA:
        return parse_gamma(arg, &in->sends, err);
    case KEY_LINEAR:
        return parse_line(arg, &in->sends, err);
    case KEY_RECEIVES:
        return parse_gamma(arg, &in->receives, err);
    case KEY_RECEIVES_LINEAR:
        return parse_line(arg, &in->receives, err);
    default:
        return parse_combine(arg, &in->combine, err);
    }
}

/* A segment size or fan-out that the algorithm does not take is ignored, and said to be. */
static void drop_ignored(struct input *in)
{
    const struct algorithm *alg =
        in->algorithm ? equivalent_find(in->collective, in->algorithm) : NULL;
    if (!alg)
        return;
    options_say_ignored(alg, in->segment_bytes != 0, in->fanout != 0);
    if (!alg->segmented)
        in->segment_given = 0;
    if (!alg->default_fanout)
        in->fanout_given = 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    struct err err = { 0 };
    int result = 0;
    switch (key) {
    case 'p':
        result = positive(arg, 1, &in->cell.procs, &err);
        break;
    case 'm':
        in->bytes_given = 1;
        result = parse_bytes(arg, &in->cell.bytes, &err);
        break;
    case KEY_NODES:
        result = positive(arg, 1, &in->cell.nodes, &err);
        break;
    case KEY_SEGMENT:
        in->segment_given = 1;
        result = parse_bytes(arg, &in->segment_bytes, &err);
        break;
    case KEY_FANOUT:
        in->fanout_given = 1;
        result = positive(arg, 0, &in->fanout, &err);
        break;
    case KEY_ROOT:
        result = positive(arg, 0, &in->cell.root, &err);
        break;
    case KEY_FIT:
        in->fit = arg;
        break;
    case KEY_MPI:
        in->mpi = arg;
        break;
    case KEY_MAPPING:
        in->mapping = arg;
        break;
    case ARGP_KEY_ARG:
        return parse_argument(in, arg, state);
    case ARGP_KEY_END:
        check_complete(in, state);
        drop_ignored(in);
        return 0;
    default:
        if (!is_parameter(key))
            return options_common(key, arg, state);
        result = parse_parameter(key, arg, in, &err);
    }
    check(state, result, &err);
    return 0;
}

/* ---- parameters ---- */

/* What the models are evaluated with. */
struct parameters_used {
    struct gamma gamma; /* borrows */
    double alpha, beta;
    double old_alpha, old_beta;  /* of ping-pong; NaN: none */
    double combine, old_combine; /* s/byte, beside either alpha and beta */
    int among_models; /* 1: the textbook's time stands in the table of all models, below */
    char from[4096 + 256];
};

static int fit_dir(const struct input *in, char *dir, size_t size, struct err *err)
{
    if (in->fit)
        return fs_path(dir, size, err, "%s", in->fit);
    return options_results(&in->options, dir, size, err);
}

static struct asked asked_by(const struct input *in)
{
    return (struct asked){
        .collective = in->collective,
        .algorithm = in->algorithm,
        .mpi = in->mpi,
        .mapping = in->mapping,
        .segment_bytes = in->segment_bytes,
        .segment_given = in->segment_given,
        .fanout = in->fanout,
        .fanout_given = in->fanout_given,
        .bytes = in->cell.bytes,
        .procs = in->cell.procs,
        .root = in->cell.root,
        .nodes = in->cell.nodes,
    };
}

static struct asked_row row_of(const struct hockney *f)
{
    return (struct asked_row){ f->collective, f->mpi, f->mapping, &f->candidate };
}

/* The fit of the algorithm: the library may be left out, and segment and fan-out, when not given,
 * are the fit's. */
static const struct hockney *matching_fit(const struct input *in, const struct hockneys *fits)
{
    const struct asked asked = asked_by(in);
    for (size_t i = 0; i < fits->n; i++) {
        const struct asked_row row = row_of(&fits->fit[i]);
        if (asked_fits(&asked, &row))
            return &fits->fit[i];
    }
    return NULL;
}

static int describe_missing(const struct input *in, const char *dir, const struct hockneys *fits,
                            struct err *err)
{
    char what[PATH_SIZE + 64];
    const struct asked asked = asked_by(in);
    struct asked_row *row = malloc((fits->n + 1) * sizeof *row);
    size_t n = 0;
    for (size_t i = 0; row && i < fits->n; i++)
        if (*fits->fit[i].collective) /* the ping-pong has none */
            row[n++] = row_of(&fits->fit[i]);
    snprintf(what, sizeof what, "%s/fit/hockney.csv: has no fit", dir);
    if (row)
        asked_describe(&asked, what, row, n, err);
    else
        err_set(err, "out of memory");
    free(row);
    return -1;
}

/* Takes alpha, beta and gamma of what runs from a fit. */
static int from_fit(const char *dir, const struct hockney *f, const struct gamma_models *gammas,
                    const struct hockneys *fits, struct parameters_used *p, struct err *err)
{
    const struct hockney *old = hockney_pingpong(fits, f->mpi, f->mapping);
    if (!gamma_for(gammas, f->mpi, f->mapping, f->collective, &p->gamma) || !hockney_usable(f))
        return err_set(err, "%s/fit: '%s' has no parameters (%s%s%s)", dir, f->candidate.algorithm,
                       fit_status_name(f->status), *f->reason ? ": " : "", f->reason);
    p->alpha = f->alpha;
    p->beta = f->beta;
    if (hockney_usable(old)) {
        p->old_alpha = old->alpha;
        p->old_beta = old->beta;
    }
    snprintf(p->from, sizeof p->from, "%s/fit, %s, mapping %s, status %s", dir, f->mpi, f->mapping,
             fit_status_name(f->status));
    return 0;
}

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

static int print_walk(const struct schedule *s, const struct parameters_used *p, struct err *err)
{
    struct stage_profile profile;
    double a, b;
    char note[96];
    if (is_too_long("walker", s))
        return 0;
    if (stage_walk(s, &profile, err) < 0)
        return -1;
    int linear =
        stage_coefficients(&profile, &p->gamma, fmax(p->alpha, 0), fmax(p->beta, 0), &a, &b);
    snprintf(note, sizeof note, "%llu stage%s%s", (unsigned long long)profile.stages,
             profile.stages == 1 ? "" : "s",
             linear ? "" : "; A and B hold for this alpha and beta only");
    double t = stage_time(&profile, &p->gamma, p->alpha, p->beta) +
               p->combine * stage_reduced(&profile, &p->gamma, fmax(p->alpha, 0), fmax(p->beta, 0));
    print_line("walker", t, a, b, note);
    stage_profile_clear(&profile);
    return 0;
}

/* otherwise: in the place of the time where alpha is NaN. */
static void print_closed(const char *what, enum closed_kind kind, const struct schedule *s,
                         const struct gamma *gamma, double alpha, double beta, double combine,
                         const char *otherwise)
{
    const struct closed_form *form = closed_find(kind, s);
    if (!form) {
        printf("%-12s %12s\n", what, "no formula");
        return;
    }
    struct closed_line line = { 0, 0, 0 };
    if (s->procs > 1 && s->bytes > 0)
        line = form->line(s, gamma);
    char note[512];
    snprintf(note, sizeof note, "%s [%s]", form->formula, form->source);
    if (isnan(alpha))
        printf("%-12s %12s  A = %.9g  B = %.9g bytes  %s\n", what, otherwise, line.a, line.b, note);
    else
        print_line(what,
                   closed_time(kind, s, gamma, alpha, beta) +
                       combine * closed_combined(kind, s, gamma),
                   line.a, line.b, note);
}

static int print_all(const struct input *in, const struct schedule *s,
                     const struct parameters_used *p, struct err *err)
{
    char bytes[32], segment[32];
    printf("%s %s: %d process%s, %s in %llu segment%s of %s", in->collective, in->algorithm,
           s->procs, s->procs == 1 ? "" : "es", format_bytes(s->bytes, bytes, sizeof bytes),
           (unsigned long long)s->segments, s->segments == 1 ? "" : "s",
           format_bytes(s->segments > 1 ? s->segment_bytes : s->bytes, segment, sizeof segment));
    if (collective_is_rooted(in->collective))
        printf(", root %d", s->root);
    putchar('\n');
    if (s->fanout)
        printf("%-12s %d\n", "fan-out", s->fanout);
    if (s->alg != s->asked)
        printf("%-12s %s (the library substitutes it here)\n", "runs", s->alg->name);
    printf("%-12s alpha = %.9g s, beta = %.9g s/byte, from %s\n", "parameters", p->alpha, p->beta,
           p->from);
    if (print_walk(s, p, err) < 0)
        return -1;
    print_closed("closed form", CLOSED_STAGE, s, &p->gamma, p->alpha, p->beta, p->combine, "");
    print_closed("textbook", CLOSED_TEXTBOOK, s, NULL, p->among_models ? NAN : p->old_alpha,
                 p->old_beta, p->old_combine, p->among_models ? "below" : "no ping-pong");
    return 0;
}

/* ---- the command ---- */

static int make_schedule(const struct input *in, struct schedule *s, struct err *err)
{
    struct candidate c = { .segment_bytes = in->segment_bytes, .fanout = in->fanout };
    if (snprintf(c.algorithm, NAME_SIZE, "%s", in->algorithm) >= NAME_SIZE)
        return err_usage(err, "'%.40s...' is not an algorithm", in->algorithm);
    if (!equivalent_find(in->collective, in->algorithm))
        return err_usage(err, "'%s' is not an algorithm of '%s' that has a schedule", in->algorithm,
                         in->collective);
    return equivalent_schedule(&in->cell, &c, s, err);
}

static int predict_given(const struct input *in, struct err *err)
{
    struct schedule s;
    const double combine = isnan(in->combine) ? 0 : in->combine;
    struct parameters_used p = { .gamma = in->sends.gamma,
                                 .alpha = in->alpha,
                                 .beta = in->beta,
                                 .combine = combine,
                                 .old_combine = combine,
                                 .old_alpha = in->alpha,
                                 .old_beta = in->beta,
                                 .from = "the command line" };
    if (in->receives.given)
        p.gamma.receives = &in->receives.gamma;
    return make_schedule(in, &s, err) < 0 ? -1 : print_all(in, &s, &p, err);
}

/* What the manifest says; nothing, where there is none. */
static int read_facts(const char *dir, struct facts *facts, struct err *err)
{
    char path[PATH_SIZE];
    *facts = (struct facts){ .imported = 0 };
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    return fs_exists(path) ? facts_read(dir, facts, err) : 0;
}

/* What combining takes beside the ping-pong's alpha and beta, as for predictions.csv; the stage
 * model's ones contain it. */
static int take_combining(const struct input *in, const char *dir, struct parameters_used *p,
                          struct err *err)
{
    struct facts facts;
    if (read_facts(dir, &facts, err) < 0)
        return -1;
    p->old_combine = isnan(in->combine) ? facts.combine_s_per_byte : in->combine;
    return 0;
}

/* With a fit's segment and fan-out where none were given; a substitute's parameters are its own. */
static int predict_with(const struct input *given, const char *dir,
                        const struct gamma_models *gammas, const struct hockneys *fits,
                        int among_models, struct err *err)
{
    struct input in = *given;
    struct schedule s;
    char runs[NAME_SIZE];
    struct parameters_used p = { .old_alpha = NAN, .old_beta = NAN, .among_models = among_models };
    const struct hockney *f = matching_fit(&in, fits);
    if (f && !in.segment_given)
        in.segment_bytes = f->candidate.segment_bytes;
    if (f && !in.fanout_given)
        in.fanout = f->candidate.fanout;
    if (make_schedule(&in, &s, err) < 0)
        return -1;
    if (s.alg != s.asked) {
        in.fanout_given = 0;
        in.algorithm = equivalent_name(given->algorithm, &s, runs, sizeof runs);
        f = matching_fit(&in, fits);
        if (!f)
            return describe_missing(&in, dir, fits, err);
        in.algorithm = given->algorithm;
    }
    if (!f)
        return describe_missing(&in, dir, fits, err);
    if (from_fit(dir, f, gammas, fits, &p, err) < 0 || take_combining(&in, dir, &p, err) < 0)
        return -1;
    return print_all(&in, &s, &p, err);
}

/* ---- all models, over all algorithms ---- */

static void print_candidate(const struct candidate *c)
{
    char text[32];
    printf("%s", c->algorithm);
    if (c->segment_bytes)
        printf(", %s", format_bytes(c->segment_bytes, text, sizeof text));
    if (c->fanout)
        printf(", fan-out %d", c->fanout);
}

/* What a model says of each candidate; measured times are said by none. */
struct said {
    const struct answer *answer;
    const struct predicted *row; /* of the first candidate; NULL: the times themselves */
};

static double seconds_of(const struct said *said, size_t i)
{
    const struct measured *m = &said->answer->candidates.row[i];
    if (!said->row)
        return measured_usable(m) ? m->time.value : NAN;
    return prediction_usable(&said->row[i].prediction) ? said->row[i].prediction.seconds : NAN;
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
    const char *status =
        said->row ? predict_status_name(said->row[at].prediction.status) : "measured";
    const double t = seconds_of(said, at);
    if (!isfinite(t)) {
        const int one = said->row && said->answer->asked < all->n;
        printf("%-18s %12s  %s\n", name, "-",
               one         ? status
               : said->row ? "nothing to choose from: no fit"
                           : "not measured");
        return 0;
    }
    printf("%-18s %12s  T = %.9g s  %s", name, format_seconds(t, text, sizeof text), t, status);
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

/* Returns how many of the lines have a time: the measured one, and one of each model. */
static int print_answer(const struct answer *a, const char *dir)
{
    char bytes[32];
    const struct cell *c = &a->candidates.row[0].point.cell;
    printf("%s", c->collective);
    if (a->asked < a->candidates.n) {
        putchar(' ');
        print_candidate(&a->candidates.row[a->asked].point.candidate);
    }
    printf(": %d process%s on %d node%s, %s, %s, mapping %s, from %s; %zu algorithm%s\n", c->procs,
           c->procs == 1 ? "" : "es", c->nodes, c->nodes == 1 ? "" : "s",
           format_bytes(c->bytes, bytes, sizeof bytes), c->mpi, c->mapping, dir, a->candidates.n,
           a->candidates.n == 1 ? "" : "s");
    int n = print_said("measured", &(struct said){ a, NULL });
    for (size_t i = 0; i < a->said.n; i += a->candidates.n)
        n += print_said(a->said.row[i].model->name, &(struct said){ a, &a->said.row[i] });
    return n;
}

static int answer(const struct input *in, const char *dir, struct answer *out, struct err *err)
{
    const struct asked asked = asked_by(in);
    return asked_answer(dir, &asked, out, err);
}

/* ---- from results ---- */

/* What the stage walk and the formulas are made of, by the fits of our own experiments; among all
 * models, where they fit. */
static int predict_parts(const struct input *in, const char *dir, int among_models, struct err *err)
{
    struct gamma_models gammas = { .n = 0 };
    struct hockneys fits = { .n = 0 };
    int status = gamma_models_read(dir, &gammas, err);
    if (status == 0)
        status = hockneys_read(dir, &fits, err);
    if (status == 0 && among_models)
        predict_with(in, dir, &gammas, &fits, 1, &(struct err){ .text = "" });
    else if (status == 0)
        status = predict_with(in, dir, &gammas, &fits, 0, err);
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    return status;
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
    if (!has_points(dir) && (imported || !in->algorithm))
        return err_set(err,
                       "'%s' has no points.csv with a manifest.json (want: collsel fit; of a "
                       "study, an ALGORITHM is predicted from fit/ alone)",
                       dir);
    const int status = has_points(dir) ? answer(in, dir, &a, err) : 1;
    if (status < 0 || (status > 0 && (imported || !in->algorithm)))
        return -1;
    if (status > 0)
        return predict_parts(in, dir, 0, err);
    int parts = imported || !in->algorithm ? 0 : predict_parts(in, dir, 1, err);
    if (parts == 0 && !print_answer(&a, dir))
        parts = err_set(err, "%s: no model has parameters for it, and it was not measured", dir);
    answer_clear(&a);
    return parts;
}

static int predict_fitted(const struct input *in, struct err *err)
{
    char dir[PATH_SIZE], path[PATH_SIZE + 32];
    struct facts facts;
    if (fit_dir(in, dir, sizeof dir, err) < 0 || read_facts(dir, &facts, err) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/fit/hockney.csv", dir);
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

static int predict_main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "COLLECTIVE [ALGORITHM]",
        .children = options_of_results,
        .doc =
            "Predicts one cell by every model that a study or a data set has parameters for, and "
            "says which place the algorithm has among all; without an algorithm, which is the "
            "least. With given parameters: the stage walk, the closed form and the textbook "
            "formula.",
    };
    struct input in = { .alpha = NAN,
                        .beta = NAN,
                        .combine = NAN,
                        .sends.gamma.intercept = 1,
                        .receives.gamma.intercept = 1 };
    return options_main(&argp, argc, argv, &in, run);
}

const struct command cmd_predict = { "predict", "predict one cell from a fit or given parameters",
                                     predict_main };
