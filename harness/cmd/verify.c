/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel rules verify: is a file of rules loaded, and what does it gain? What it does not gain is
 * taken out of it, and what is left is measured once more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/result_file.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/tuned_file.h"
#include "harness/cmd/tuning_options.h"
#include "harness/cmd/verify_print.h"

enum { MOST_ROUNDS = 50, MOST_RETRIES = 1000 };

struct input {
    struct tuning_input tuning; /* first, for the common parser */
    const char *output, *launch, *whole;
    int view; /* enum verify_view */
    int rounds, anew, retries, json;
};

/* ---- what becomes of it ---- */

/* The trial, and the file of what was kept as a whole; n is 0 of the latter where nothing was. */
struct findings {
    struct verify tried, whole;
};

/* Which of them has the last word. */
static const struct verify *last(const struct findings *f)
{
    return f->whole.n ? &f->whole : &f->tried;
}

/* Was the file loaded? Some algorithm was seen to run as it says; or nothing is seen of what runs
 * (MPICH over another network layer than UCX), and each launch says which file it was told of. */
static int check_loaded(const struct input *in, const struct verify_trial *t,
                        const struct verify *v, struct err *err)
{
    const struct verify_proof p = verify_proof_of(v);
    const int told = p.proved || p.other ? 0 : verify_trial_told(t, err);
    if (told < 0 || p.proved)
        return told < 0 ? -1 : 0;
    if (!told)
        return err_set(err, "nothing shows that the file was loaded: in no cell that was seen "
                            "to run which it says");
    if (!in->json)
        printf("loaded, by its own word: what runs is not seen here, but each of %d launches with "
               "the file was told of it, and this library starts no program with a file that it "
               "cannot read\n",
               told);
    return 0;
}

/* Measures, judges, and says so; the rules that do not stay leave the choices. */
static int try_file(const struct input *in, struct verify_trial *t, const struct verify *tried,
                    struct verify *out, struct err *err)
{
    const struct verify_question question = { .without = t->without,
                                              .with = t->with,
                                              .file = &t->file,
                                              .tuning = &t->tuning,
                                              .margin_pct = t->question.margin_pct,
                                              .view = in->view,
                                              .tried = tried };
    if (verify_trial_measure(t, err) < 0 || verify_make(&question, out, err) < 0)
        return -1;
    if (!in->json)
        verify_print_rows(out, t);
    int status = result_write_as(t->base, out->whole ? &verify_whole_schema : &verify_schema,
                                 backend_label(t->backend, t->cluster), out->row, out->n, err);
    if (status == 0)
        status = check_loaded(in, t, out, err);
    if (status < 0) {
        verify_clear(out);
        return -1;
    }
    verify_drop(out, &t->tuning.choices);
    if (!in->json)
        verify_print_verdicts(out);
    return 0;
}

static int write_left(const struct input *in, struct verify_trial *t, const struct findings *f,
                      struct err *err)
{
    struct rules_made made;
    struct verify_lines lines;
    verify_lines_make(&f->tried, &f->whole, t, &lines);
    const struct tuned_file file = { .options = t->options,
                                     .cluster = t->cluster,
                                     .question = &t->question,
                                     .from = t->from,
                                     .output = in->output,
                                     .install = t->install,
                                     .verified = lines.line[f->whole.n > 0],
                                     .more = (const char *const *)lines.line };
    char *text = tuned_file_make(&file, &t->tuning, &made, err);
    const int status = text ? tuned_file_write(&file, &t->tuning, text, &made, err) : -1;
    free(text);
    verify_lines_clear(&lines);
    rules_made_clear(&made);
    return status;
}

/* In text the rules go where the rest is said, unless they have a file. Where none stays there is
 * nothing to load. */
static int say_and_write(const struct input *in, struct verify_trial *t, const struct findings *f,
                         struct err *err)
{
    const int left = verify_left(last(f)) > 0;
    if (left && (in->output || !in->json) && write_left(in, t, f, err) < 0)
        return -1;
    if (in->json)
        return verify_print_json(t, &f->tried, &f->whole, left ? in->output : NULL, err);
    if (left) {
        tuned_file_tell_use(t->question.reader, in->output, t->install, stdout);
    } else {
        puts("no rule stays: there is nothing to set; no file is written");
        tuned_file_tell_old(in->output, stdout);
    }
    return 0;
}

/* Rule by rule, then what is left as a whole. */
static int verify_all(const struct input *in, struct verify_trial *t, struct err *err)
{
    struct findings f = { .whole.n = 0 };
    if (try_file(in, t, NULL, &f.tried, err) < 0)
        return -1;
    int status = 0;
    if (verify_left(&f.tried))
        status = verify_trial_whole(t, err) < 0 ? -1 : try_file(in, t, &f.tried, &f.whole, err);
    if (status == 0)
        status = say_and_write(in, t, &f, err);
    verify_clear(&f.tried);
    verify_clear(&f.whole);
    return status;
}

/* ---- the command ---- */

/* Nothing is a result, too: no cell, no file. */
static int say_nothing(const struct input *in, const struct verify_trial *t, struct err *err)
{
    const struct verify none = { .with_rule.gain.pct = NAN };
    if (in->json)
        return verify_print_json(t, &none, &none, NULL, err);
    printf("there is nothing to set: in none of %zu cells something gains more than %.3g %%\n",
           t->tuning.cells, t->question.margin_pct);
    tuned_file_tell_old(in->output, stdout);
    verify_print_same(t);
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
                              .from = from,
                              .launch = in->launch,
                              .install = in->tuning.install,
                              .name = in->whole };
    struct options rules = *options; /* --study says what is measured, --dataset whose rules */
    rules.study_given = rules.backend_given = 0;
    if ((options->dataset ? options_results(&rules, from, sizeof from, err)
                          : options_dir(options, cluster, study, from, sizeof from, err)) < 0)
        return -1;
    t.question.reader = tuning_options_reader(&in->tuning, from, err);
    if (!t.question.reader)
        return -1;
    if (!t.question.reader->load || t.question.reader->component)
        return err_usage(err,
                         "--library: '%s': verify cannot load its files (want a library whose "
                         "own choices a file replaces)",
                         t.question.reader->name);
    int status = verify_trial_open(&t, study, err);
    if (status < 0)
        return -1;
    if (!in->launch)
        tuning_options_tell_undecided(&t.tuning);
    if (!status)
        status = say_nothing(in, &t, err);
    else
        status = in->launch ? verify_trial_launch(&t, err) : verify_all(in, &t, err);
    verify_trial_close(&t);
    return status;
}

/* ---- parsing ---- */

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (in->whole && (!in->launch || strchr(in->whole, '/')))
        argp_error(state, "--whole: goes with --launch, and is a name");
}

static const struct option_row rows[] = {
    { "rounds", 0, "N",
      "Launches of each, by turns; under Slurm each in an allocation of its own; one more of "
      "the file as a whole (default: 3)",
      OPTION_RANGE(rounds, 2, MOST_ROUNDS) },
    { "view", 0, "VIEW",
      "Whose time of a call a rule must gain by: slowest (the slowest rank's), mean (over "
      "ranks), or both: the slowest rank's, and the mean must not lose more than the margin "
      "(default: both)",
      OPTION_TO(view), .words = verify_view_words, .refused = "no view" },
    { "anew", 0, NULL, "Measure again where the environment is another than before",
      OPTION_TO(anew) },
    { "retries", 0, "N", "Try a failed or hung point, or a launch, N more times (default: 1)",
      OPTION_RANGE(retries, 0, MOST_RETRIES) },
    { "output", 0, "FILE", "Where the rules that stay go, whole or not at all (default: printed)",
      OPTION_TO(output) },
    { "json", 0, NULL, "The same as JSON; the rules themselves only with --output",
      OPTION_TO(json) },
    { "launch", 0, "NAME",
      "In an allocation of Slurm: measure this launch alone (what the scripts of jobs/ run)",
      OPTION_TO(launch) },
    { "whole", 0, "NAME", "Beside --launch: of the file of this directory, as a whole",
      OPTION_TO(whole) },
    { 0 },
};

static struct input asked = { .tuning.question = TUNING_QUESTION_DEFAULT,
                              .rounds = 3,
                              .retries = 1 };

const struct command cmd_verify = {
    .name = "verify",
    .help = "what a file of rules gains, measured; drops the rest",
    .doc = "Measures what a file of rules gains: the library's default without the file and "
           "with it, by turns, in each cell of the study for which it has a rule (chosen by the "
           "study's times, or by a data set's), on this machine or through Slurm. Proves that it "
           "was loaded; takes out the rules that do not gain in two launches and in most. What "
           "stays is measured as a whole once more, in all cells of the study: that is what to "
           "expect, and what loses then goes, too. Writes the file, and says how it is loaded, and "
           "how that is undone. What was measured stays: interrupt it at will and run it again.",
    .rows = rows,
    .shared = &options_of_tuning,
    .input = &asked,
    .check = check,
    .run_study = run,
};
