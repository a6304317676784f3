/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel verify: is a file of rules loaded, and what does it gain? What it does not gain is taken
 * out of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verify.h"
#include "harness/base/number.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"
#include "harness/cmd/tuned_file.h"
#include "harness/run/sweep.h"

enum {
    KEY_LIBRARY = 0x200,
    KEY_MAPPING,
    KEY_MARGIN,
    KEY_TIE,
    KEY_UNSURE,
    KEY_OUTPUT,
    KEY_ROUNDS,
    KEY_ANEW,
    MOST_ROUNDS = 50
};

struct input {
    struct options options; /* first, for the common parser */
    struct tuning_question question;
    const char *output;
    int rounds, anew;
};

/* What is measured, and where it goes. */
struct trial {
    const struct input *in;
    const struct cluster *cluster;
    const struct backend *backend;
    struct study study; /* shallow: of the library's default alone */
    struct tuning tuning;
    struct rules file;
    char from[PATH_SIZE], dir[PATH_SIZE], rules[PATH_SIZE], without[PATH_SIZE], with[PATH_SIZE];
    char build[PATH_SIZE], why[WHY_SIZE];
};

/* ---- what is measured ---- */

/* The library's default, and nothing else, in the cells for which the file has a rule. Variables
 * that select are let in: that is how libraries are told of the file. */
static void narrow(struct trial *t, const struct study *study)
{
    struct study *s = &t->study;
    *s = *study;
    s->mpi.n = s->mappings.n = 1;
    snprintf(s->mpi.v[0], KEY_WORD, "%s", t->in->question.reader->library);
    snprintf(s->mappings.v[0], KEY_WORD, "%s", t->tuning.mapping);
    s->portable.n = s->openmpi.n = s->mpich.n = 0;
    s->with_default = 1;
    s->experiments = 0;
    s->held_procs.n = s->held_roots.n = 0;
    s->held_bytes_factor = 0;
    s->roots.n = s->roots.n > 1 ? 1 : s->roots.n;
    s->n_arrivals = s->n_arrivals > 1 ? 1 : s->n_arrivals;
    s->buffers.n = s->buffers.n > 1 ? 1 : s->buffers.n;
    snprintf(s->environment, KEY_WORD, "site");
}

static int is_wanted(const struct point *point, const void *of)
{
    const struct trial *t = of;
    struct candidate take;
    return point->experiment == EXP_TIME && algorithm_is_default(point->candidate.algorithm) &&
           verify_wants(&t->file, &t->tuning, &point->cell, &take);
}

static int measure(struct trial *t, int with, int round, struct err *err)
{
    const char *variable = t->in->question.reader->variable;
    struct sweep_result result;
    const struct sweep_request request = { .cluster = t->cluster,
                                           .study = &t->study,
                                           .backend = t->backend,
                                           .why = t->why,
                                           .dir = with ? t->with : t->without,
                                           .build = t->build,
                                           .command = t->in->options.command,
                                           .retries = 1,
                                           .quiet = t->in->options.quiet,
                                           .part = { is_wanted, t },
                                           .anew = t->in->anew && round == 1 };
    t->study.repeats = t->study.repeats_max = round;
    if (with)
        setenv(variable, t->rules, 1);
    else
        unsetenv(variable);
    const int status = sweep_run(&request, &result, err);
    unsetenv(variable);
    if (status < 0)
        return err_prefix(err, "%s the file", with ? "with" : "without");
    if (!result.points)
        return err_set(err, "nothing was measured: '%s' has no cell of a rule here", t->study.name);
    return result.interrupted ? err_set(err, "interrupted") : 0;
}

/* Round by round, each time the other one first. */
static int measure_all(struct trial *t, struct err *err)
{
    for (int round = 1; round <= t->in->rounds; round++)
        for (int k = 0; k < 2; k++)
            if (measure(t, (k + round) % 2 == 0, round, err) < 0)
                return -1;
    return 0;
}

/* ---- what is said ---- */

static void print_gain(const struct verify_gain *g)
{
    char gain[64];
    snprintf(gain, sizeof gain, "%+.1f", g->pct);
    if (!isnan(g->low_pct))
        snprintf(gain + strlen(gain), sizeof gain - strlen(gain), " [%+.1f, %+.1f]", g->low_pct,
                 g->high_pct);
    printf(" %-24s", gain);
}

static void print_rows(const struct verify *v)
{
    char size[32], take[CANDIDATE_TEXT];
    if (v->n)
        printf("%-12s %5s %9s %-32s %-24s %-24s %-9s %-8s %s\n", "collective", "P", "bytes",
               "algorithm", "gain %", "by mean of ranks", "sure in", "proved", "verdict");
    for (size_t i = 0; i < v->n; i++) {
        const struct verify_row *r = &v->row[i];
        printf("%-12s %5d %9s %-32s", r->cell.collective, r->cell.procs,
               format_bytes(r->cell.bytes, size, sizeof size),
               candidate_text(&r->take, take, sizeof take));
        print_gain(&r->slowest);
        print_gain(&r->mean);
        printf(" %d of %-4d %d of %-3d %s\n", r->sure, r->rounds, r->proved, r->rounds,
               verify_words[r->verdict]);
    }
}

static void print_use(const struct trial *t, const char *output)
{
    const struct rules_reader *reader = t->in->question.reader;
    char path[PATH_SIZE];
    tuned_file_path(output, path);
    puts("to load it:");
    for (const char *const *line = reader->loading; *line; line++) {
        char *text = tuned_file_loading(*line, path);
        printf("  %s\n", text);
        free(text);
    }
    printf("to roll back:\n  %s\n", reader->rollback);
}

/* ---- what becomes of it ---- */

/* Was it loaded at all? */
static int check_loaded(const struct verify *v, struct err *err)
{
    int proved = 0, other = 0;
    for (size_t i = 0; i < v->n; i++) {
        proved += v->row[i].proved;
        other += v->row[i].other;
    }
    printf("loaded: in %d launches of a cell that ran which the file says, in %d something else; "
           "in the others nobody knows\n",
           proved, other);
    return proved ? 0
                  : err_set(err, "nothing shows that the file was loaded: in no cell that was seen "
                                 "to run which it says");
}

static int write_kept(struct trial *t, const struct verify *v, struct err *err)
{
    char more[200];
    struct rules_made made;
    snprintf(more, sizeof more,
             "verified in %d rounds: of %zu cells with a rule %zu gain more than %.3g %% in two "
             "launches and in most; the others have none",
             t->in->rounds, v->n, v->verdicts[VERIFY_KEPT], t->in->question.margin_pct);
    const struct tuned_file file = { .options = &t->in->options,
                                     .question = &t->in->question,
                                     .from = t->from,
                                     .output = t->in->output,
                                     .more = more };
    verify_drop(v, &t->tuning.choices);
    char *text = tuned_file_make(&file, &t->tuning, &made, err);
    const int status = text ? tuned_file_write(&file, text, err) : -1;
    free(text);
    rules_made_clear(&made);
    return status;
}

static int conclude(struct trial *t, struct err *err)
{
    struct verify v;
    if (verify_make(t->without, t->with, &t->file, &t->tuning, t->in->question.margin_pct, &v,
                    err) < 0)
        return -1;
    print_rows(&v);
    int status = verify_write(t->dir, backend_label(t->backend, t->cluster), &v, err);
    if (status == 0)
        status = check_loaded(&v, err);
    if (status == 0)
        printf("%zu of %zu rules stay; dropped: %zu unsure, %zu slower, %zu run as something else, "
               "%zu without times\n",
               v.verdicts[VERIFY_KEPT], v.n, v.verdicts[VERIFY_UNSURE], v.verdicts[VERIFY_LOSES],
               v.verdicts[VERIFY_OTHER], v.verdicts[VERIFY_MISSING]);
    if (status == 0)
        status = write_kept(t, &v, err);
    if (status == 0 && t->in->output && v.verdicts[VERIFY_KEPT])
        print_use(t, t->in->output);
    verify_clear(&v);
    return status;
}

/* The file with all choices, where the libraries are to find it. */
static int write_first(struct trial *t, struct err *err)
{
    struct rules_made made;
    struct options quiet = t->in->options;
    quiet.quiet = 1;
    const struct tuned_file file = {
        .options = &quiet, .question = &t->in->question, .from = t->from, .output = t->rules
    };
    char *text = tuned_file_make(&file, &t->tuning, &made, err);
    const int status = text ? tuned_file_write(&file, text, err) : -1;
    free(text);
    rules_made_clear(&made);
    return status < 0 ? -1 : rules_open(t->in->question.reader, t->rules, &t->file, err);
}

static int name_files(struct trial *t, struct err *err)
{
    char dir[PATH_SIZE];
    if (fs_path(dir, sizeof dir, err, "%s/verify/%s", t->from, t->in->question.reader->name) < 0 ||
        fs_mkdirs(dir, err) < 0)
        return -1;
    tuned_file_path(dir, t->dir);
    if (fs_path(t->rules, sizeof t->rules, err, "%s/rules", t->dir) < 0 ||
        fs_path(t->without, sizeof t->without, err, "%s/without", t->dir) < 0 ||
        fs_path(t->with, sizeof t->with, err, "%s/with", t->dir) < 0)
        return -1;
    return fs_mkdirs(t->without, err) < 0 ? -1 : fs_mkdirs(t->with, err);
}

static int try(struct trial *t, const struct study *study, struct err *err)
{
    if (!t->tuning.chosen) {
        printf("there is nothing to set: in none of %zu cells something gains more than %.3g %%\n",
               t->tuning.cells, t->in->question.margin_pct);
        return 0;
    }
    if (name_files(t, err) < 0 || write_first(t, err) < 0)
        return -1;
    narrow(t, study);
    const int status = measure_all(t, err) < 0 ? -1 : conclude(t, err);
    rules_close(&t->file);
    return status;
}

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    struct trial t = { .in = input, .cluster = cluster };
    if ((t.in->options.dataset
             ? options_results(&t.in->options, t.from, sizeof t.from, err)
             : options_dir(&t.in->options, cluster, study, t.from, sizeof t.from, err)) < 0 ||
        options_build(&t.in->options, t.build, sizeof t.build, err) < 0)
        return -1;
    t.backend = backend_choose("auto", cluster, t.why, err);
    if (!t.backend)
        return -1;
    if (t.backend->deterministic || t.backend->queued)
        return err_usage(err,
                         "%s: what a file gains is measured on this machine (cluster local); "
                         "here the backend is %s",
                         cluster->name, t.backend->name);
    if (tuning_of_results(t.from, &t.in->question, &t.tuning, err) < 0)
        return -1;
    const int status = try(&t, study, err);
    tuning_clear(&t.tuning);
    return status;
}

/* ---- parsing ---- */

static void take_pct(const char *name, const char *arg, double *out, struct argp_state *state)
{
    if (parse_f64(arg, out, NULL) < 0 || *out < 0)
        argp_error(state, "%s: '%s' is no percentage", name, arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case KEY_LIBRARY:
        in->question.reader = options_take_reader(state, arg, 1);
        if (!in->question.reader->variable)
            argp_error(state, "--library: '%s' is none that loads a file of rules", arg);
        return 0;
    case KEY_MAPPING:
        in->question.mapping = arg;
        return 0;
    case KEY_MARGIN:
        take_pct("--margin", arg, &in->question.margin_pct, state);
        return 0;
    case KEY_TIE:
        take_pct("--tie", arg, &in->question.tie_pct, state);
        return 0;
    case KEY_UNSURE:
        in->question.unsure = 1;
        return 0;
    case KEY_OUTPUT:
        in->output = arg;
        return 0;
    case KEY_ROUNDS:
        in->rounds = options_take_int(state, "rounds", arg, 2, MOST_ROUNDS);
        return 0;
    case KEY_ANEW:
        in->anew = 1;
        return 0;
    case ARGP_KEY_END:
        if (!in->question.reader)
            argp_error(state, "--library is wanted: who loads the rules");
        return 0;
    default:
        return options_common(key, arg, state);
    }
}

static int verify_main(int argc, char **argv)
{
    static const struct argp_option rows[] = {
        { "library", KEY_LIBRARY, "NAME", 0, "Who loads the rules, as of `collsel export`", 0 },
        { "mapping", KEY_MAPPING, "NAME", 0, "Mapping (default: the first that there is)", 0 },
        { "margin", KEY_MARGIN, "PCT", 0,
          "A rule stays where the gain is above this in two launches (default: 3)", 0 },
        { "tie", KEY_TIE, "PCT", 0, "As of `collsel export`", 0 },
        { "unsure", KEY_UNSURE, NULL, 0,
          "Rules are tried, too, where the gain has no interval (one launch, one run)", 0 },
        { "rounds", KEY_ROUNDS, "N", 0, "Launches of each, by turns (default: 3)", 0 },
        { "anew", KEY_ANEW, NULL, 0, "Measure again where the environment is another than before",
          0 },
        { "output", KEY_OUTPUT, "FILE", 0,
          "Where the rules that stay go, whole or not at all (default: printed)", 0 },
        { 0 },
    };
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .children = options_of_results,
        .doc =
            "Measures what a file of rules gains: the library's default without the file and "
            "with it, by turns, in each cell of the study for which it has a rule (chosen by the "
            "study's times, or by a data set's). Proves that it was "
            "loaded; takes out the rules that do not gain; writes what stays, and says how it "
            "is loaded, and how that is undone.",
    };
    struct input in = { .question = { .margin_pct = 3, .tie_pct = NAN }, .rounds = 3 };
    return options_main_study(&argp, argc, argv, &in, run);
}

const struct command cmd_verify = { "verify",
                                    "what a file of rules gains, measured; drops the rest",
                                    verify_main };
