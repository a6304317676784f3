/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel compare: the library's default before and after an upgrade, by entries of one study or by
 * two studies, data sets or dates. */
#include "analysis/measure/fitted_study.h"
#include "harness/base/json_print.h"
#include "harness/cmd/compare_print.h"
#include "harness/cmd/options.h"
#include "reports/section_common.h"
#include "workloads/schedules/decision.h"

enum { MOST = 30 };

struct input {
    struct options options; /* first, for the common parser */
    const char *before, *after;
    double threshold_pct;
    int exit_status, json, verbose;
};

/* Results, and of whom in them. */
struct side {
    char dir[PATH_SIZE];
    char mpi[NAME_SIZE]; /* "": all entries */
    struct fitted_study of;
};

static int has_points(const char *dir)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, NULL, "%s/points.csv", dir) == 0 && fs_exists(path);
}

static int has_entry(const struct facts *facts, const char *mpi)
{
    return any_below(i, facts->n_mpis, strcmp(facts->mpi[i], mpi) == 0);
}

/* What is there and cannot be read; it is no usage. */
static int is_unreadable(const struct err *err)
{
    return err->status == EXIT_FAILED;
}

/* An entry of the study, or the data set, that the options name. 1, or 0, with *none where there is
 * no such study. */
static int is_entry(const struct options *options, const char *text, struct side *side,
                    struct err *none, struct err *err)
{
    struct facts facts;
    if (options_results(options, side->dir, sizeof side->dir, none) < 0) {
        err->status = none->status;
        return 0;
    }
    if (!has_points(side->dir) || facts_read(side->dir, &facts, err) < 0 ||
        !has_entry(&facts, text))
        return 0;
    snprintf(side->mpi, sizeof side->mpi, "%s", text);
    return 1;
}

static int name_side(const struct options *options, const char *text, struct side *side,
                     struct err *err)
{
    const char *colon = strrchr(text, ':');
    char name[PATH_SIZE];
    struct err none = { .status = EXIT_DONE };
    *err = none;
    for (int cut = 0; cut <= (colon ? 1 : 0); cut++) { /* with an entry of them behind a colon */
        snprintf(name, sizeof name, "%.*s", (int)(cut ? (size_t)(colon - text) : strlen(text)),
                 text);
        snprintf(side->mpi, sizeof side->mpi, "%s", cut ? colon + 1 : "");
        snprintf(side->dir, sizeof side->dir, "%s", name);
        if (has_points(side->dir) || (!cut && is_entry(options, text, side, &none, err)))
            return 0;
        if (is_unreadable(err)) {
            *err = *none.text ? none : *err;
            return -1;
        }
        const struct options beside = options_beside(options, name);
        if (options_results(&beside, side->dir, sizeof side->dir, err) == 0 &&
            has_points(side->dir))
            return 0;
        if (is_unreadable(err))
            return -1;
    }
    if (*none.text)
        return err_usage(err,
                         "%.500s; and '%s' is no data set, and no directory of results that "
                         "`collsel fit` has read",
                         none.text, text);
    return err_usage(err,
                     "'%s' is no entry of the study (--cluster, --study), no data set, and no "
                     "directory of results that `collsel fit` has read (want one of these; of the "
                     "two last also with :ENTRY behind)",
                     text);
}

static int open_side(const struct options *options, const char *text, struct side *side,
                     struct err *err)
{
    *side = (struct side){ .mpi = "" };
    if (name_side(options, text, side, err) < 0 ||
        fitted_study_read(side->dir, NULL, options->doubted, &side->of, err) < 0)
        return -1;
    if (!*side->mpi || has_entry(&side->of.facts, side->mpi))
        return 0;
    points_clear(&side->of.points);
    return err_usage(err, "%s: no entry '%s' was measured there", side->dir, side->mpi);
}

static void add_pair(const struct side *before, const char *was, const struct side *after,
                     const char *is, struct compare *c)
{
    const struct compare_side a = { &before->of.points, &before->of.facts, was },
                              b = { &after->of.points, &after->of.facts, is };
    compare_add(c, &a, &b);
}

/* Named entries with each other; else those of one name; else, where each has one, these. */
static void add_all(const struct side *before, const struct side *after, struct compare *c)
{
    const struct facts *a = &before->of.facts, *b = &after->of.facts;
    size_t pairs = 0;
    for (size_t i = 0; i < a->n_mpis; i++) {
        if (*before->mpi && strcmp(before->mpi, a->mpi[i]) != 0)
            continue;
        for (size_t k = 0; k < b->n_mpis; k++) {
            const int named = *after->mpi ? strcmp(after->mpi, b->mpi[k]) == 0
                                          : strcmp(a->mpi[i], b->mpi[k]) == 0;
            if (named) {
                add_pair(before, a->mpi[i], after, b->mpi[k], c);
                pairs++;
            }
        }
    }
    if (!pairs && !*after->mpi && (*before->mpi || a->n_mpis == 1) && b->n_mpis == 1)
        add_pair(before, *before->mpi ? before->mpi : a->mpi[0], after, b->mpi[0], c);
}

/* "before: results/gros/tune: openmpi 4.1.4, mpich 4.0.2 (gros, slurm)". */
static void print_side(const char *which, const struct side *side)
{
    const struct facts *f = &side->of.facts;
    const char *separator = ": ", *library = f->simulated ? decision_library(f->sim_default) : NULL;
    printf("%s: %s", which, side->dir);
    for (size_t i = 0; i < f->n_mpis; i++)
        if (!*side->mpi || strcmp(f->mpi[i], side->mpi) == 0) {
            printf("%s%s%s%s", separator, f->mpi[i], *f->mpi_version[i] ? " " : "",
                   f->mpi_version[i]);
            separator = ", ";
        }
    printf(" (%s, %s%s%s)\n", f->cluster, f->imported ? "imported" : backend_word(f->backend),
           library ? ", default of " : "", library ? library : "");
}

static void print_text(const struct input *in, const struct side *before, const struct side *after,
                       const struct compare *c)
{
    const size_t most = in->verbose ? 0 : MOST;
    print_side("before", before);
    print_side("after", after);
    compare_print_table(c, stdout);
    compare_print_cells(c, COMPARE_SLOWER, most, stdout);
    compare_print_cells(c, COMPARE_FASTER, most, stdout);
    printf(
        "%zu cell%s: %zu slower by more than %g %% and %zu faster by more than %.3g %% for sure, "
        "%zu unsure (by as much, not for certain), %zu untested (one launch alone), %zu within "
        "it\n",
        c->n, plural(c->n), c->verdicts[COMPARE_SLOWER], in->threshold_pct,
        c->verdicts[COMPARE_FASTER],
        compare_least_gain(&(struct compare_rule){ .threshold_pct = in->threshold_pct }),
        c->verdicts[COMPARE_UNSURE], c->verdicts[COMPARE_UNTESTED], c->verdicts[COMPARE_SAME]);
    if (c->only_before + c->only_after)
        printf("not compared: %zu cell%s of before alone, %zu of after alone\n",
               COUNTED(c->only_before), c->only_after);
    if (c->apart)
        printf("nor %zu cell%s with the slowest rank's time on one side, and a mean over ranks on "
               "the other\n",
               COUNTED(c->apart));
    if (c->exact)
        printf("%zu time%s %s exact on both sides: computed, so that nothing is tested\n",
               COUNTED(c->exact), of_number(c->exact, "is", "are"));
    if (c->tests)
        printf(
            "%zu test%s (Welch's t over launches, two-sided), Benjamini and Hochberg's correction, "
            "%g %%: where nothing differs, anything is named in at most %g of 100 comparisons\n",
            COUNTED(c->tests), 100 * compare_usual.rate, 100 * compare_usual.rate);
}

static json_t *json_of_row(const struct compare_row *r)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:I, s:s, s:s, s:f, s:f, s:f, s:o, s:o, s:o, s:o, "
                     "s:s}",
                     "collective", r->cell.collective, "mapping", r->cell.mapping, "procs",
                     r->cell.procs, "nodes", r->cell.nodes, "ppn", r->cell.ppn, "bytes",
                     (json_int_t)r->cell.bytes, "before", r->cell.mpi, "after", r->after,
                     "before_s", r->before_s, "after_s", r->after_s, "change_pct", r->change_pct,
                     "p", json_number(r->p), "p_corrected", json_number(r->p_corrected),
                     "ran_before", json_word(r->ran_before.algorithm), "ran_after",
                     json_word(r->ran_after.algorithm), "verdict", compare_words[r->verdict]);
}

static json_t *json_of_side(const struct side *side)
{
    return json_pack("{s:s, s:o}", "directory", side->dir, "entry", json_word(side->mpi));
}

static int print_json(const struct input *in, const struct side *before, const struct side *after,
                      const struct compare *c, struct err *err)
{
    json_t *rows = json_array(), *verdicts = json_object();
    for (size_t i = 0; i < c->n; i++)
        json_array_append_new(rows, json_of_row(&c->row[i]));
    for (int i = 0; i < N_COMPARE_VERDICTS; i++)
        json_object_set_new(verdicts, compare_words[i], json_integer((json_int_t)c->verdicts[i]));
    json_t *o = json_pack("{s:o, s:o, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "before",
                          json_of_side(before), "after", json_of_side(after), "threshold_pct",
                          in->threshold_pct, "tests", (json_int_t)c->tests, "cells",
                          (json_int_t)c->n, "only_before", (json_int_t)c->only_before, "only_after",
                          (json_int_t)c->only_after, "exact", (json_int_t)c->exact,
                          "of_other_statistics", (json_int_t)c->apart, "doubted",
                          (json_int_t)c->doubted, "crowded", (json_int_t)c->crowded);
    json_object_update_missing(o, verdicts);
    json_decref(verdicts);
    json_object_set_new(o, "rows", rows);
    return json_print(o, err);
}

/* What was asked for as a check and cannot be answered does not pass it. */
static int status_of(const struct input *in, const struct compare *c, struct err *err)
{
    if (!in->exit_status)
        return EXIT_DONE;
    if (!c->tests && !c->exact)
        return err_set(err, "nothing could be tested: want two launches or more of each side (key "
                            "`repeats` of the study)");
    return c->verdicts[COMPARE_SLOWER] ? EXIT_FAILED : EXIT_DONE;
}

static int compare(const struct input *in, const struct side *before, const struct side *after,
                   struct err *err)
{
    struct compare c = { .n = 0 };
    const struct compare_rule rule = { in->threshold_pct, compare_usual.rate };
    add_all(before, after, &c);
    compare_judge(&c, &rule);
    int status = 0;
    if (!c.n)
        status = err_set(err,
                         "no cell has a time of the library's default in both '%s' and '%s' (%zu "
                         "in the one, %zu in the other, %zu doubted; want the same collectives, "
                         "processes, mapping and sizes, of one statistic, and entries of one name, "
                         "or DIRECTORY:ENTRY)",
                         in->before, in->after, c.only_before + c.apart, c.only_after + c.apart,
                         c.doubted);
    else if (in->json)
        status = print_json(in, before, after, &c, err);
    else
        print_text(in, before, after, &c);
    fflush(stdout); /* what follows goes to stderr, and both may be one file */
    if (status == 0)
        status = status_of(in, &c, err);
    compare_clear(&c);
    return status;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    struct side before, after;
    if (open_side(&in->options, in->before, &before, err) < 0)
        return err_prefix(err, "BEFORE");
    if (open_side(&in->options, in->after, &after, err) < 0) {
        points_clear(&before.of.points);
        return err_prefix(err, "AFTER");
    }
    const int status = compare(in, &before, &after, err);
    points_clear(&before.of.points);
    points_clear(&after.of.points);
    return status;
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->after)
        argp_error(state, "BEFORE and AFTER are wanted");
    if (isnan(in->threshold_pct))
        in->threshold_pct = compare_usual.threshold_pct;
}

static const struct option_row rows[] = {
    { "threshold", 0, "PCT", "What changed by less is the same (default: 10)",
      OPTION_TO(threshold_pct) },
    { "exit-status", 0, NULL,
      "Exit with 1 where something is slower for sure, or nothing could be tested",
      OPTION_TO(exit_status) },
    { "json", 0, NULL, "Print JSON instead, with a row for each cell", OPTION_TO(json) },
    { "verbose", 'v', NULL, "Print all that changed (default: the gravest 30)",
      OPTION_TO(verbose) },
    { 0 },
};

const struct command cmd_compare = {
    .name = "compare",
    .help = "what an upgrade made slower or faster, for sure",
    .words = "BEFORE AFTER",
    .doc = "What got slower, what faster, and what ran: the library's default BEFORE and "
           "AFTER. Each is an entry of the study that --cluster and --study name (openmpi-4.1 "
           "openmpi-5), a data set, or a directory of results, as of another day, with :ENTRY "
           "behind it where that is not the same. Each cell with both times is a test over "
           "launches; the tests are corrected together, so that noise is hardly ever named: in at "
           "most 1 of 100 comparisons where nothing differs. Run `collsel fit` before. Reads only.",
    .word = { INPUT_AT(before), INPUT_AT(after) },
    .rows = rows,
    .shared = &options_of_results,
    .input = &(struct input){ .threshold_pct = NAN },
    .check = check,
    .run = run,
};
