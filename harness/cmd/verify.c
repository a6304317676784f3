/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel rules verify: is a file of rules loaded, and what does it gain? What it does not gain is
 * taken out of it, and what is left is measured once more. */
#include "analysis/measure/result_file.h"
#include "analysis/verify/verify.h"
#include "harness/base/json_print.h"
#include "harness/cmd/tuned_file.h"
#include "harness/cmd/tuning_options.h"
#include "harness/cmd/verify_trial.h"
#include "harness/rules/load_lines.h"

/* Lines for the head of the file: the measurements, the expected
 * gains, and rules that gain by one view and lose by the other. */
enum { VERIFY_MOST_LINES = 16 };

struct verify_lines {
    char *line[VERIFY_MOST_LINES + 1]; /* owned; ends with NULL */
    size_t n;
};

/* Numbers of launches of cells with a rule that ran the file's algorithm, or another one. */
struct verify_proof {
    int proved, other;
};

static struct verify_proof verify_proof_of(const struct verify *v)
{
    struct verify_proof p = { 0, 0 };
    for (size_t i = 0; i < v->n; i++)
        if (*v->row[i].take.algorithm) {
            p.proved += v->row[i].proved;
            p.other += v->row[i].other;
        }
    return p;
}

/* How many rules stay. */
static size_t verify_left(const struct verify *v)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++)
        n += *v->row[i].take.algorithm && verify_stays(v, &v->row[i]);
    return n;
}

/* How many cells have a rule. */
static size_t rules_of(const struct verify *v)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++)
        n += *v->row[i].take.algorithm != '\0';
    return n;
}

enum { GAIN_TEXT = 64 };

/* Hundred times as long is the noise of a few calls. */
static const char *times_text(double pct, char text[16])
{
    return pct > 9900 ? ">100" : format_times(pct, text, 16);
}

/* The speed-up: "1.12 [1.05, 1.20]"; alone where it has no interval; "-": not known. */
static const char *gain_text(const struct verify_gain *g, char text[GAIN_TEXT])
{
    char gain[16], low[16], high[16];
    snprintf(text, GAIN_TEXT, "%s", isnan(g->pct) ? "-" : times_text(g->pct, gain));
    if (!isnan(g->low_pct))
        snprintf(text, GAIN_TEXT, "%s [%s, %s]", times_text(g->pct, gain),
                 times_text(g->low_pct, low), times_text(g->high_pct, high));
    return text;
}

static void print_row(const struct verify_row *r)
{
    char size[32], take[CANDIDATE_TEXT], slowest[GAIN_TEXT], mean[GAIN_TEXT];
    printf("%-12s %5d %9s %-32s %-24s %-24s %d of %-4d %d of %-3d %s\n", r->cell.collective,
           r->cell.procs, format_bytes(r->cell.bytes, size, sizeof size),
           *r->take.algorithm ? candidate_text(&r->take, take, sizeof take) : "-",
           gain_text(&r->slowest, slowest), gain_text(&r->mean, mean), r->sure, r->rounds,
           r->proved, r->rounds, verify_words[r->verdict]);
}

/* The number of choices dropped because the default runs the same. */
static void verify_print_same(const struct verify_trial *t)
{
    if (t->same)
        printf("%zu choice%s %s left out: the default ran the same by itself, so nothing but noise "
               "is between them\n",
               COUNTED(t->same), of_number(t->same, "is", "are"));
}

/* The cells, and whether the file was loaded. */
static void verify_print_rows(const struct verify *v, const struct verify_trial *t)
{
    const struct verify_proof p = verify_proof_of(v);
    if (v->whole)
        printf("the file of what stays, as a whole, in %d rounds more, all cells:\n", t->rounds);
    else
        verify_print_same(t);
    if (v->n)
        printf("%-12s %5s %9s %-32s %-24s %-24s %-9s %-8s %s\n", "collective", "P", "bytes",
               "algorithm", "speed-up", "by mean of ranks", "sure in", "proved", "verdict");
    for (size_t i = 0; i < v->n; i++)
        print_row(&v->row[i]);
    printf("loaded: in %d launches of a cell the file's algorithm ran, in %d another one; in the "
           "others it is not known\n",
           p.proved, p.other);
}

/* "reduce, 16 processes, 32 KiB: speed-up 1.61 by the slowest rank, 0.56 by the mean over ranks" */
static char *trade_text(const struct verify_row *r)
{
    char size[32], slowest[16], mean[16];
    return memory_text_of("%s, %d processes, %s: speed-up %s by the slowest rank, %s by the mean "
                          "over ranks",
                          r->cell.collective, r->cell.procs,
                          format_bytes(r->cell.bytes, size, sizeof size),
                          times_text(r->slowest.pct, slowest), times_text(r->mean.pct, mean));
}

static void print_trades(const struct verify *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (verify_is_trade(v, &v->row[i])) {
            char *text = trade_text(&v->row[i]);
            printf("stays, and loses by the other view: %s\n", text);
            free(text);
        }
}

static void print_trial(const struct verify *v)
{
    char text[16];
    const size_t *n = v->verdicts;
    printf(
        "%zu of %zu rule%s stay%s; dropped: %zu unsure, %zu slower, %zu faster by the slowest rank "
        "and slower by the mean over ranks%s, %zu run as something else, %zu without times\n",
        n[VERIFY_KEPT], COUNTED(v->n), of_number(n[VERIFY_KEPT], "s", ""), n[VERIFY_UNSURE],
        n[VERIFY_LOSES], n[VERIFY_TRADES], n[VERIFY_TRADES] ? " (--view slowest keeps them)" : "",
        n[VERIFY_OTHER], n[VERIFY_MISSING]);
    if (v->with_rule.n)
        printf("where they stay the mean speed-up is %s: expect less, as these launches chose "
               "them\n",
               times_text(v->with_rule.gain.pct, text));
}

static void print_mean(const char *which, const struct verify_mean *m)
{
    char text[GAIN_TEXT];
    if (m->n)
        printf("  %-52s %3zu cell%-2s %s\n", which, COUNTED(m->n), gain_text(&m->gain, text));
}

static void print_whole(const struct verify *v)
{
    printf("as a whole: %zu of %zu rule%s stay%s; dropped now: %zu\n", verify_left(v),
           COUNTED(rules_of(v)), of_number(verify_left(v), "s", ""), rules_of(v) - verify_left(v));
    printf("what to expect: the speed-up over the default in launches that chose nothing "
           "(geometric mean over cells):\n");
    print_mean("with a rule", &v->with_rule);
    print_mean("where the default was sure not to be the fastest", &v->untied);
    print_mean("all of the study", &v->all);
    print_mean("without a rule", &v->bare);
    if (v->with_rule.n && !(v->with_rule.gain.low_pct > 0))
        printf("these launches do not prove that the file gains, as the interval of the cells with "
               "a rule reaches below 1: more rounds, on a quieter machine\n");
    printf("significantly worse (for sure in most rounds): %zu of %zu cell%s", v->worse,
           COUNTED(v->n));
    if (v->worse)
        printf(", %zu of them without a rule", v->worse_bare);
    printf("; %zu untested\n", v->untested);
    if (v->same)
        printf("the same ran without and with the file in %zu launch%s of a cell: %zu looked "
               "faster for sure and %zu slower, by chance or drift alone\n",
               v->same, of_number(v->same, "", "es"), v->same_faster, v->same_slower);
}

/* How many rules stay; of a whole file what it gains, and where it loses. */
static void verify_print_verdicts(const struct verify *v)
{
    if (!v->whole) {
        print_trial(v);
        return;
    }
    print_whole(v);
    print_trades(v);
}

static void add_line(struct verify_lines *out, char *line)
{
    if (out->n < VERIFY_MOST_LINES)
        out->line[out->n++] = line;
    else
        free(line);
}

static void add_trades(const struct verify *v, struct verify_lines *out)
{
    enum { MOST_TRADES = VERIFY_MOST_LINES - 4 };
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        if (!verify_is_trade(v, &v->row[i]) || n++ >= MOST_TRADES)
            continue;
        char *text = trade_text(&v->row[i]);
        add_line(out, memory_text_of("stays, and loses by the other view: %s", text));
        free(text);
    }
    if (n > MOST_TRADES)
        add_line(out, memory_text_of("and %zu more that stay%s, and lose by the other view",
                                     n - MOST_TRADES, of_number(n - MOST_TRADES, "s", "")));
}

static void verify_lines_make(const struct verify *tried, const struct verify *whole,
                              const struct verify_trial *t, struct verify_lines *out)
{
    char gain[GAIN_TEXT];
    *out = (struct verify_lines){ .n = 0 };
    add_line(out, memory_text_of("verified in %d rounds: of %zu cell%s with a rule %zu gain more "
                                 "than %.3g %% in two launches and in most (--view %s); the "
                                 "others lose theirs",
                                 t->rounds - (whole->n > 0), COUNTED(tried->n),
                                 tried->verdicts[VERIFY_KEPT], t->question.margin_pct,
                                 verify_view_words[tried->view]));
    if (whole->n) {
        add_line(out, memory_text_of("verified as a whole in %d rounds of %zu cell%s: in the %zu "
                                     "with a rule the mean speed-up is %s",
                                     t->rounds, COUNTED(whole->n), whole->with_rule.n,
                                     gain_text(&whole->with_rule.gain, gain)));
        add_line(
            out,
            memory_text_of(
                "in it %zu cell%s %s significantly worse, %zu untested, and %zu rule%s %s dropped",
                COUNTED(whole->worse), of_number(whole->worse, "was", "were"), whole->untested,
                COUNTED(rules_of(whole) - verify_left(whole)),
                of_number(rules_of(whole) - verify_left(whole), "was", "were")));
    }
    add_trades(whole->n ? whole : tried, out);
}

static json_t *loading_of(const struct verify_trial *t, const char *output)
{
    char path[PATH_SIZE];
    json_t *all = json_array();
    struct argv lines = { 0 };
    tuned_file_path(output, t->install, path);
    if (output)
        rules_load_lines(t->question.reader, path, &lines);
    for (size_t i = 0; i < lines.n; i++)
        json_array_append_new(all, json_string(lines.v[i]));
    argv_free(&lines);
    return all;
}

static json_t *json_of_mean(const struct verify_mean *m)
{
    return json_pack("{s:I, s:o, s:o, s:o}", "cells", (json_int_t)m->n, "gain_pct",
                     json_number(m->n ? m->gain.pct : NAN), "low_pct",
                     json_number(m->n ? m->gain.low_pct : NAN), "high_pct",
                     json_number(m->n ? m->gain.high_pct : NAN));
}

static json_t *json_of_verdicts(const struct verify *v)
{
    json_t *o = json_object();
    for (int i = 0; i < N_VERIFY_VERDICTS; i++)
        json_object_set_new(o, verify_words[i], json_integer((json_int_t)v->verdicts[i]));
    return o;
}

/* Collectives that have no rules because nothing in their measurements decides. */
static json_t *json_of_undecided(const struct tuning *t)
{
    json_t *all = json_array();
    for (size_t i = 0; i < t->n_undecided; i++)
        json_array_append_new(all, json_pack("{s:s, s:s}", "collective", t->undecided[i].collective,
                                             "why", t->undecided[i].why));
    return all;
}

/* null where nothing was kept. */
static json_t *json_of_whole(const struct verify *v, int rounds)
{
    const struct verify_proof p = verify_proof_of(v);
    if (!v->n)
        return json_null();
    return json_pack(
        "{s:i, s:{s:i, s:i}, s:o, s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:{s:I, s:I, s:I}, s:o}",
        "rounds", rounds, "launches", "proved", p.proved, "other", p.other, "verdicts",
        json_of_verdicts(v), "rules", (json_int_t)verify_left(v), "with_rule",
        json_of_mean(&v->with_rule), "untied", json_of_mean(&v->untied), "all",
        json_of_mean(&v->all), "without_rule", json_of_mean(&v->bare), "worse",
        (json_int_t)v->worse, "untested", (json_int_t)v->untested, "same_ran", "launches",
        (json_int_t)v->same, "faster", (json_int_t)v->same_faster, "slower",
        (json_int_t)v->same_slower, "cells", json_rows(&verify_whole_schema, v->row, v->n));
}

/* All of it. 0, or -1 with *err. */
static int verify_print_json(const struct verify_trial *t, const struct verify *v,
                             const struct verify *whole, const char *output, struct err *err)
{
    const struct verify_proof p = verify_proof_of(v);
    char *back = rules_load_back(t->question.reader);
    const int status = json_print(
        json_pack("{s:s, s:s, s:s, s:s, s:i, s:f, s:I, s:o, s:{s:i, s:i}, s:o, s:o, s:o, s:o, s:o, "
                  "s:s, s:o}",
                  "library", t->question.reader->name, "from", t->from, "tried", t->rules, "view",
                  verify_view_words[v->view], "rounds", t->rounds - (whole->n > 0), "margin_pct",
                  t->question.margin_pct, "same_as_default", (json_int_t)t->same, "output",
                  json_word(output ? output : ""), "launches", "proved", p.proved, "other", p.other,
                  "verdicts", json_of_verdicts(v), "kept_gain_pct",
                  json_number(v->with_rule.n ? v->with_rule.gain.pct : NAN), "cells",
                  json_rows(&verify_schema, v->row, v->n), "whole", json_of_whole(whole, t->rounds),
                  "to_load", loading_of(t, output), "to_roll_back", back, "undecided",
                  json_of_undecided(&t->tuning)),
        err);
    free(back);
    return status;
}

enum { MOST_ROUNDS = 50, MOST_RETRIES = 1000 };

struct input {
    struct tuning_input tuning; /* first, for the common parser */
    const char *output, *launch, *whole;
    int view; /* enum verify_view */
    int rounds, anew, retries, json;
};

/* The trial, and the file of what was kept as a whole; n is 0 of the latter where nothing was. */
struct findings {
    struct verify tried, whole;
};

/* Which of them has the last word. */
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
        printf("loaded: each of %d launches got the file and started, and this library starts no "
               "program with a file that it cannot read; which algorithm ran is not seen\n",
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
    int status = result_write(t->base, out->whole ? &verify_whole_schema : &verify_schema,
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
    for (size_t i = 0; i < lines.n; i++)
        free(lines.line[i]);
    lines.n = 0;
    rules_made_clear(&made);
    return status;
}

/* In text the rules go where the rest is said, unless they have a file. Where none stays there is
 * nothing to load. */
static int say_and_write(const struct input *in, struct verify_trial *t, const struct findings *f,
                         struct err *err)
{
    const int left = verify_left(f->whole.n ? &f->whole : &f->tried) > 0;
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

/* Nothing is a result, too: no cell, no file. */
static int say_nothing(const struct input *in, const struct verify_trial *t, struct err *err)
{
    const struct verify none = { .with_rule.gain.pct = NAN };
    if (in->json)
        return verify_print_json(t, &none, &none, NULL, err);
    printf("there is nothing to set: in none of %zu cell%s something gains more than %.3g %%\n",
           COUNTED(t->tuning.cells), t->question.margin_pct);
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

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (in->whole && (!in->launch || strchr(in->whole, '/')))
        argp_error(state, "--whole: goes with --launch, and is a name");
}

static const struct option_row rows[] = {
    { "rounds", 0, "N",
      "Launches of each, by turns, under Slurm each in a separate allocation; one more of the "
      "whole file (default: 3)",
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
    .doc = "Measures what a file of rules gains, on this machine or through Slurm: in each cell "
           "with a rule the library's default without the file and with it, by turns. The rules "
           "are chosen by the study's times, or by a data set's. It proves that the file was "
           "loaded, and drops rules that do not gain in two launches and in most. The file of the "
           "others is measured again as a whole, in all cells of the study: that is the gain to "
           "expect. What loses there is dropped, too. Then it writes the file, and says how to "
           "load it and how to roll back. Interrupt it at will and run it again: what was "
           "measured stays.",
    .rows = rows,
    .shared = &options_of_tuning,
    .input = &asked,
    .check = check,
    .run_study = run,
};
