/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel verify: is a file of rules loaded, and what does it gain? What it does not gain is taken
 * out of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/cmd.h"
#include "harness/cmd/tuned_file.h"
#include "harness/cmd/tuning_options.h"
#include "harness/cmd/verify_print.h"

enum {
    KEY_OUTPUT = 0x200,
    KEY_ROUNDS,
    KEY_ANEW,
    KEY_RETRIES,
    KEY_LAUNCH,
    KEY_JSON,
    MOST_ROUNDS = 50,
    MOST_RETRIES = 1000
};

struct input {
    struct tuning_input tuning; /* first, for the common parser */
    const char *output, *launch;
    int rounds, anew, retries, json;
};

/* ---- what becomes of it ---- */

/* Was it loaded at all? */
static int check_loaded(const struct verify *v, struct err *err)
{
    return verify_proof_of(v).proved
               ? 0
               : err_set(err, "nothing shows that the file was loaded: in no cell that was seen "
                              "to run which it says");
}

static int write_kept(const struct input *in, struct verify_trial *t, const struct verify *v,
                      struct err *err)
{
    char more[200];
    struct rules_made made;
    snprintf(more, sizeof more,
             "verified in %d rounds: of %zu cells with a rule %zu gain more than %.3g %% in two "
             "launches and in most; the others have none",
             t->rounds, v->n, v->verdicts[VERIFY_KEPT], t->question.margin_pct);
    const struct tuned_file file = { .options = t->options,
                                     .question = &t->question,
                                     .from = t->from,
                                     .output = in->output,
                                     .more = more };
    verify_drop(v, &t->tuning.choices);
    char *text = tuned_file_make(&file, &t->tuning, &made, err);
    const int status = text ? tuned_file_write(&file, text, err) : -1;
    free(text);
    rules_made_clear(&made);
    return status;
}

/* In text the rules go where the rest is said, unless they have a file. */
static int say_and_write(const struct input *in, struct verify_trial *t, const struct verify *v,
                         struct err *err)
{
    if (!in->json)
        verify_print_verdicts(v);
    if ((in->output || !in->json) && write_kept(in, t, v, err) < 0)
        return -1;
    if (in->json)
        return verify_print_json(t, v, in->output, err);
    if (v->verdicts[VERIFY_KEPT])
        verify_print_use(t, in->output);
    return 0;
}

static int conclude(const struct input *in, struct verify_trial *t, struct err *err)
{
    struct verify v;
    if (verify_make(t->without, t->with, &t->file, &t->tuning, t->question.margin_pct, &v, err) < 0)
        return -1;
    if (!in->json)
        verify_print_rows(&v);
    int status = verify_write(t->base, backend_label(t->backend, t->cluster), &v, err);
    if (status == 0)
        status = check_loaded(&v, err);
    if (status == 0)
        status = say_and_write(in, t, &v, err);
    verify_clear(&v);
    return status;
}

/* ---- the command ---- */

/* Nothing is a result, too: no cell, no file. */
static int say_nothing(const struct input *in, const struct verify_trial *t, struct err *err)
{
    const struct verify none = { .n = 0, .kept_pct = NAN };
    if (in->json)
        return verify_print_json(t, &none, NULL, err);
    printf("there is nothing to set: in none of %zu cells something gains more than %.3g %%\n",
           t->tuning.cells, t->question.margin_pct);
    return 0;
}

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    const struct input *in = input;
    const struct options *options = &in->tuning.options;
    char from[PATH_SIZE];
    struct verify_trial t = { .options = options,
                              .question = in->tuning.question,
                              .cluster = cluster,
                              .rounds = in->rounds,
                              .anew = in->anew,
                              .retries = in->retries,
                              .from = from };
    if ((options->dataset ? options_results(options, from, sizeof from, err)
                          : options_dir(options, cluster, study, from, sizeof from, err)) < 0)
        return -1;
    t.question.reader = tuning_options_reader(&in->tuning, from, err);
    if (!t.question.reader)
        return -1;
    if (!t.question.reader->variable)
        return err_usage(err, "--library: '%s' is none that loads a file of rules",
                         t.question.reader->name);
    int status = verify_trial_open(&t, study, in->launch, err);
    if (status < 0)
        return -1;
    if (!status)
        status = say_nothing(in, &t, err);
    else if (in->launch)
        status = verify_trial_launch(&t, in->launch, err);
    else
        status = verify_trial_measure(&t, err) < 0 ? -1 : conclude(in, &t, err);
    verify_trial_close(&t);
    return status;
}

/* ---- parsing ---- */

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case KEY_OUTPUT:
        in->output = arg;
        return 0;
    case KEY_ROUNDS:
        in->rounds = options_take_int(state, "rounds", arg, 2, MOST_ROUNDS);
        return 0;
    case KEY_ANEW:
        in->anew = 1;
        return 0;
    case KEY_RETRIES:
        in->retries = options_take_int(state, "retries", arg, 0, MOST_RETRIES);
        return 0;
    case KEY_LAUNCH:
        in->launch = arg;
        return 0;
    case KEY_JSON:
        in->json = 1;
        return 0;
    case ARGP_KEY_END:
        if (!tuning_options_library(&in->tuning))
            argp_error(state, "--library is wanted: who loads the rules");
        return 0;
    default:
        return options_common(key, arg, state);
    }
}

static int verify_main(int argc, char **argv)
{
    static const struct argp_option rows[] = {
        { "rounds", KEY_ROUNDS, "N", 0,
          "Launches of each, by turns; under Slurm each in an allocation of its own (default: 3)",
          0 },
        { "anew", KEY_ANEW, NULL, 0, "Measure again where the environment is another than before",
          0 },
        { "retries", KEY_RETRIES, "N", 0,
          "Try a failed or hung point, or a launch, N more times (default: 1)", 0 },
        { "output", KEY_OUTPUT, "FILE", 0,
          "Where the rules that stay go, whole or not at all (default: printed)", 0 },
        { "json", KEY_JSON, NULL, 0, "The same as JSON; the rules themselves only with --output",
          0 },
        { "launch", KEY_LAUNCH, "NAME", 0,
          "In an allocation of Slurm: measure this launch alone (what the scripts of jobs/ run)",
          0 },
        { 0 },
    };
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .children = options_of_tuning,
        .doc = "Measures what a file of rules gains: the library's default without the file and "
               "with it, by turns, in each cell of the study for which it has a rule (chosen by "
               "the study's times, or by a data set's), on this machine or through Slurm. Proves "
               "that it was loaded; takes out the rules that do not gain in two launches and in "
               "most; writes what stays, and says how it is loaded, and how that is undone. What "
               "was measured stays: interrupt it at will and run it again.",
    };
    struct input in = { .tuning.question = TUNING_QUESTION_DEFAULT, .rounds = 3, .retries = 1 };
    return options_main_study(&argp, argc, argv, &in, run);
}

const struct command cmd_verify = { "verify",
                                    "what a file of rules gains, measured; drops the rest",
                                    verify_main };
