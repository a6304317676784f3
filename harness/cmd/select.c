/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel select: what every selector picks in every cell, and what it loses. */
#include <unistd.h>

#include "analysis/applications/application_cost.h"
#include "analysis/fit/fit.h"
#include "analysis/heldout/holdout_trial.h"
#include "analysis/heldout/pooled_learning.h"
#include "analysis/judge/selectors/external.h"
#include "analysis/measure/regress.h"
#include "analysis/measure/result_file.h"
#include "harness/base/json_print.h"
#include "harness/cmd/asked_machine.h"
#include "harness/cmd/compare_print.h"
#include "harness/run/lock.h"
#include "harness/run/progress.h"
#include "workloads/schedules/decision.h"

/* ---- cells held out ---- */

/* How it is printed. */
struct trial_print {
    int json;  /* as JSON, with the rows of the file */
    int quiet; /* without a report of written files */
};

static void print_cells(const struct heldout_row *r)
{
    char bytes[32], interval[48];
    printf("%-14s %-8s %-7s %-22s %-10s %6zu %6zu ", r->collective, r->mpi, r->mapping, r->selector,
           purpose_words[r->purpose], r->cells, r->undecided + r->alone);
    snprintf(interval, sizeof interval, "%.2f..%.2f", r->geomean_pct.low, r->geomean_pct.high);
    printf("%9.2f %16s %9.2f %9.2f %9.2f %10.2f %6.1f  P = %d, %s\n", r->geomean_pct.value,
           interval, r->mean_pct.value, r->median_pct.value, r->p95_pct.value, r->worst_pct,
           r->tied_pct.value, r->worst_procs, format_bytes(r->worst_bytes, bytes, sizeof bytes));
}

static void print_trial(const struct holdout_trial *trial, const struct holdout_trial_result *r)
{
    if (*r->sources)
        printf("Judged: the file, learnt from %s, in the cells of %zu timed point%s.%s\n",
               r->sources, COUNTED(r->held),
               r->in_sample ? " It was learnt from this machine, too: this is no test." : "");
    else
        printf("Held out: %s, %zu timed point%s; learnt from %zu others.%s%s\n",
               trial->holdout.text, COUNTED(r->held), r->trained,
               trial->on ? " Judged by the times of " : "", trial->on ? trial->on : "");
    printf("%-14s %-8s %-7s %-22s %-10s %6s %6s %9s %16s %9s %9s %9s %10s %6s  %s\n", "collective",
           "mpi", "mapping", "selector", "purpose", "cells", "others", "geomean %", "interval",
           "mean %", "median %", "p95 %", "worst %", "tied %", "worst at");
    size_t without = 0, in_place = 0;
    for (size_t i = 0; i < r->heldout.n; i++)
        if (r->heldout.row[i].cells)
            print_cells(&r->heldout.row[i]);
        else
            without++;
    puts("geomean %: by how much the geometric mean of chosen / best is above 1; interval: of it, "
         "by bootstrap over the cells.");
    puts("others: cells without a choice or a time, or with one candidate only; in no other "
         "column.");
    for (size_t i = 0; i < r->table.n; i++)
        in_place += *r->table.row[i].given.algorithm != '\0';
    if (in_place)
        printf("%zu choice%s of these cannot be judged, as what is given has no time there: "
               "judged is the next best with one (selection.csv, column given).\n",
               COUNTED(in_place));
    if (without)
        printf("%zu row%s %s not shown: selectors that could decide none of their cells.\n",
               COUNTED(without), of_number(without, "is", "are"));
}

static int trial_json(const struct holdout_trial *trial, const struct holdout_trial_result *r,
                      struct err *err)
{
    return json_print(
        json_pack("{s:s, s:I, s:I, s:s*, s:b, s:o, s:o}", "holdout", trial->holdout.text, "held",
                  (json_int_t)r->held, "learnt_from", (json_int_t)r->trained, "sources",
                  *r->sources ? r->sources : NULL, "in_sample", r->in_sample, "heldout",
                  json_rows(&heldout_schema, r->heldout.row, r->heldout.n), "learning",
                  json_rows(&learning_schema, r->learning.row, r->learning.n)),
        err);
}

/* Prints what a trial found, and clears it. */
static int show(const struct holdout_trial *trial, struct holdout_trial_result *result,
                const struct trial_print *print, struct err *err)
{
    const int status = print->json ? trial_json(trial, result, err) : 0;
    if (!print->json)
        print_trial(trial, result);
    fflush(stdout); /* what follows goes to stderr, and both may be one file */
    if (!print->quiet)
        fprintf(stderr, "wrote %s/selection.csv, heldout.csv, importance.csv%s\n", result->dir,
                result->learning.n ? ", learning.csv" : "");
    holdout_trial_clear(result);
    return status;
}

/* Runs the trial and prints its table. 0, or -1 with *err. */
static int trial_command(const struct holdout_trial *trial, const struct trial_print *print,
                         struct err *err)
{
    struct holdout_trial_result result;
    return holdout_trial_run(trial, &result, err) < 0 ? -1 : show(trial, &result, print, err);
}

/* ---- sets joined ---- */

/* Cells in which a selector was judged, of all sets and collectives. */
static size_t cells_of(const struct joined *j, const char *selector)
{
    for (size_t i = 0; i < j->n; i++)
        if (strcmp(j->row[i].selector, selector) == 0 && strcmp(j->row[i].cluster, "all") == 0 &&
            strcmp(j->row[i].collective, "all") == 0)
            return j->row[i].cells;
    return 0;
}

static void print_joined(const struct joined_trial *trial, const struct joined *j)
{
    printf("Held out: %s, %zu cell%s; learnt from %zu others%s.\n", trial->holdout.text,
           COUNTED(j->held), j->trained,
           strcmp(trial->holdout.cluster, "each") == 0 ? ", all turns together" : "");
    printf("%-14s %-15s %6s %10s %7s %10s %8s %8s %9s  %s\n", "collective", "selector", "cells",
           "accuracy %", "near %", "geomean %", "mean %", "p95 %", "worst %",
           "worst cluster: mean %");
    for (size_t i = 0; i < j->n; i++) {
        const struct joined_row *r = &j->row[i], *worst = joined_worst_cluster(j->row, j->n, r);
        if (strcmp(r->cluster, "all") == 0)
            printf("%-14s %-15s %6zu %10.1f %7.1f %10.2f %8.2f %8.2f %9.1f  %s: %.2f\n",
                   r->collective, r->selector, r->cells, r->accuracy_pct, r->near_pct,
                   r->geomean_pct, r->mean_pct, r->p95_pct, r->worst_pct, worst->cluster,
                   worst->mean_pct);
    }
    puts("accuracy %: of the cells in which the very fastest was chosen; near %: in which what was "
         "chosen loses 2.5 % at most.");
    const size_t known = cells_of(j, "default"), all = cells_of(j, "random");
    if (known < all)
        printf("%s not counted in %zu of these %zu cell%s, in which the library's default "
               "is not known or was not timed.\n",
               cells_of(j, "safe") ? "default, safe:" : "default:", all - known, COUNTED(all));
}

/* The same for learners on pooled sets; the table goes to holdout/NAME/ below the first set. */
static int trial_joined(const struct joined_trial *trial, const struct trial_print *print,
                        struct err *err)
{
    struct joined joined;
    char dir[PATH_SIZE];
    if (fs_path(dir, sizeof dir, err, "%s%s%s/holdout/%s", trial->dirs[0],
                trial->rule ? "/default/" : "", trial->rule ? trial->rule : "",
                trial->holdout.name) < 0 ||
        joined_run(trial, &joined, err) < 0)
        return -1;
    int status = fs_mkdirs(dir, err) < 0 ? -1 : joined_write(dir, &joined, err);
    if (status == 0 && print->json)
        status = json_print(json_rows(&joined_schema, joined.row, joined.n), err);
    else if (status == 0)
        print_joined(trial, &joined);
    fflush(stdout);
    if (status == 0 && !print->quiet)
        fprintf(stderr, "wrote %s/joined.csv, overhead.csv\n", dir);
    joined_clear(&joined);
    return status;
}

enum { MOST_WITH = 64, MOST_LEARNERS = 16, MOST_SHARES = 16, MOST_EXTERNAL = 16 };

/* A row of a selector that decided nowhere has no numbers. */
static void print_row(const struct degradation *r, int by_own)
{
    char bytes[32], name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", r->selector->name,
             by_own ? standing_mark(r->standing) : "");
    printf("%-20s %-8s %-7s %-27s %-10s %6zu %6zu ", r->collective, r->mpi, r->mapping, name,
           purpose_words[r->purpose], r->cells, r->alone);
    if (r->cells)
        printf("%9.2f %9.2f %9.2f %9.2f %10.2f %7zu  P = %d, %s\n", r->mean_pct, r->geomean_pct,
               r->median_pct, r->p95_pct, r->worst_pct, r->optimal_or_tied, r->worst_procs,
               format_bytes(r->worst_bytes, bytes, sizeof bytes));
    else
        printf("%9s %9s %9s %9s %10s %7s\n", "-", "-", "-", "-", "-", "-");
}

/* The row of the selector `best` of a row's cells where these have no best: nothing is judged in
 * any. Else NULL. */
static const struct degradation *without_best(const struct degradations *d,
                                              const struct degradation *r)
{
    for (size_t i = 0; i < d->n; i++) {
        const struct degradation *b = &d->row[i];
        if (strcmp(b->name, selector_best.name) == 0 && b->purpose == r->purpose &&
            strcmp(b->collective, r->collective) == 0 && strcmp(b->mpi, r->mpi) == 0 &&
            strcmp(b->mapping, r->mapping) == 0)
            return b->cells || b->one_launch ? NULL : b;
    }
    return NULL;
}

static void print_left_out(const struct degradations *d)
{
    for (size_t i = 0; i < d->n; i++)
        if (without_best(d, &d->row[i]) == &d->row[i])
            printf("left out: %s, %s, by %s, %s: none of %zu cell%s has a best%s%s\n",
                   d->row[i].collective, d->row[i].mpi, d->row[i].mapping,
                   purpose_words[d->row[i].purpose], d->row[i].undecided,
                   plural(d->row[i].undecided), d->row[i].why && *d->row[i].why ? ": " : "",
                   d->row[i].why ? d->row[i].why : "");
}

/* on: whose times judged; NULL: those that the selectors see. */
static void print_table(const struct degradations *d, const char *on)
{
    if (on)
        printf("Judged by the times of %s, and by the best of the same candidates there. A cell "
               "counts for a selector where what it chose has a time there.\n",
               on);
    if (!d->n) {
        puts("Nothing is compared: no cell has a candidate beside the library's default.");
        return;
    }
    printf("%-20s %-8s %-7s %-27s %-10s %6s %6s %9s %9s %9s %9s %10s %7s  %s\n", "collective",
           "mpi", "mapping", "selector", "purpose", "cells", "alone", "mean %", "geomean %",
           "median %", "p95 %", "worst %", "tied", "worst at");
    int any[STANDING_SIMULATOR + 1] = { 0 }, alone = 0, poor = 0;
    size_t untold = 0, one_launch = 0;
    for (int apart = 0; apart < 2; apart++) /* what is no test comes last */
        for (size_t i = 0; i < d->n; i++) {
            const int last = on == NULL && d->row[i].standing != STANDING_TEST;
            if (last != apart || without_best(d, &d->row[i]))
                continue;
            print_row(&d->row[i], on == NULL);
            any[d->row[i].standing] = 1;
            alone |= d->row[i].alone > 0;
            untold += d->row[i].untold;
            one_launch += d->row[i].one_launch;
            poor |= d->row[i].poor_fits > 0;
        }
    print_left_out(d);
    puts("geomean %: by how much the geometric mean of chosen / best is above 1.");
    if (untold)
        printf("%zu loss%s that the launches do not tell from none count as none.\n", untold,
               of_number(untold, "", "es"));
    if (one_launch)
        printf("%zu loss%s %s not known, as one launch alone says them: in no column.\n",
               one_launch, of_number(one_launch, "", "es"), of_number(one_launch, "is", "are"));
    if (alone)
        puts("alone: cells in which it knew one candidate only; in no other column.");
    if (any[STANDING_IN_SAMPLE] && !on)
        puts("(in sample): it was fitted to the times of these cells. It is no test, and stands "
             "last.");
    if (any[STANDING_SIMULATOR] && !on)
        puts("(simulator): the simulator of these times computes as this model does. It is no "
             "test, and stands last.");
    for (size_t i = 0; poor && i < d->n; i++)
        if (d->row[i].poor_fits)
            printf("poor fit: %s of %s chose in %zu of %zu cell%s (%s) by fits with r2 below %g\n",
                   d->row[i].name, d->row[i].collective, d->row[i].poor_fits,
                   COUNTED(d->row[i].cells), purpose_words[d->row[i].purpose], fit_least_r2);
}

struct input {
    struct options options;      /* first, for the common parser */
    const char *on;              /* whose times judge: a data set or directory; NULL: its own */
    struct holdout holdout;      /* text "": as the study or data set says */
    const char *with[MOST_WITH]; /* further sets to learn from */
    size_t n_with;
    const char *part[MOST_WITH]; /* sets that tell what measuring a part of a cluster costs */
    size_t n_parts;
    int joined; /* 1: learners alone, judged on what is held out of all sets */
    int fixed;  /* 1: without a choice of settings */
    const struct learner *learner[MOST_LEARNERS + 1]; /* who learns; none: all of them */
    size_t n_learners;
    int json;                  /* 1: the table as JSON */
    const char *profile;       /* of an application whose calls are summed up; NULL: none */
    const char *model;         /* a file that walks, to be judged; NULL: none */
    double share[MOST_SHARES]; /* of a full plan's cost, to be spent in a replay */
    size_t n_shares;
    const char *choices[MOST_EXTERNAL], *predictions[MOST_EXTERNAL]; /* files of programs that are
                                                                        not ours */
    size_t n_choices, n_predictions;
    const char *rule; /* stands for the default of simulations; NULL: that of the study */
};

/* The directory of a data set that is named beside the one whose cells are decided. */
static int find_other(const struct input *in, const char *name, char *buf, size_t size,
                      struct err *err)
{
    const struct options other = options_beside(&in->options, name);
    if (options_results(&other, buf, size, err) < 0)
        return -1;
    for (size_t end = strlen(buf); end > 1 && buf[end - 1] == '/'; end--)
        buf[end - 1] = '\0';
    return 0;
}

/* A line for each cell in which the choice made under plain conditions is significantly slower. */
static void print_conditions(const struct condition_losses *losses)
{
    size_t wrong = 0, known = 0;
    char bytes[32], text[64];
    for (size_t i = 0; i < losses->n; i++) {
        const struct condition_loss *r = &losses->row[i];
        known += r->status == SELECT_OK;
        if (r->loss.tied != 0)
            continue;
        wrong++;
        printf("%s %s %s P = %d, %s, %s: %s, best under plain conditions, loses %.3g %% to %s\n",
               r->cell.collective, r->cell.mpi, r->cell.mapping, r->cell.procs,
               format_bytes(r->cell.bytes, bytes, sizeof bytes),
               cell_conditions_text(&r->cell, text, sizeof text), r->chosen.algorithm, r->loss.pct,
               r->best.algorithm);
    }
    if (losses->n)
        printf("other conditions: in %zu of %zu cell%s the choice made under plain ones loses "
               "significantly\n",
               wrong, COUNTED(known));
}

static int print_json(const struct select_result *r, const struct application *calls,
                      struct err *err)
{
    json_t *o =
        json_pack("{s:o, s:o}", "degradation",
                  json_rows(&degradation_schema, r->degradations.row, r->degradations.n),
                  "conditions", json_rows(&conditions_schema, r->conditions.row, r->conditions.n));
    if (o && calls->n)
        json_object_set_new(o, "application", json_rows(&application_schema, calls->row, calls->n));
    return json_print(o, err);
}

/* The calls of an application by each selector's choices. */
static void print_application(const struct application *a)
{
    printf("\n%-8s %-7s %-24s %6s %9s %7s %11s %11s %9s\n", "mpi", "mapping", "selector", "kinds",
           "calls", "time %", "seconds", "best", "loss %");
    for (size_t i = 0; i < a->n; i++) {
        const struct application_row *r = &a->row[i];
        printf("%-8s %-7s %-24s %3zu/%-2zu %9.0f %7.1f %11.6g %11.6g %9.2f%s%s\n", r->mpi,
               r->mapping, r->selector, r->kinds, r->kinds_of, r->calls, r->time_pct, r->seconds,
               r->best_s, r->loss_pct, *r->no_test ? "  no test: " : "", r->no_test);
    }
    puts("seconds: the calls of the profile that have a cell here (of several, that on the fewest "
         "nodes), by the selector's choices; "
         "time %: of the application's own in collectives that these took.");
}

/* Makes application.csv of a profile, where one was named. */
static int sum_up(const struct application_profile *profile, const struct select_result *result,
                  const char *on, struct application *calls, struct err *err)
{
    if (!profile)
        return 0;
    if (application_make(profile, result->dir, on ? NULL : &result->degradations, calls, err) < 0)
        return -1;
    return result_write(result->dir, &application_schema, result->backend, calls->row, calls->n,
                        err);
}

static int print_result(const struct input *in, const struct select_result *result,
                        const struct application *calls, const char *on, struct err *err)
{
    if (in->json)
        return print_json(result, calls, err);
    print_table(&result->degradations, on);
    print_conditions(&result->conditions);
    if (!on && !in->rule) /* these have no study of their own */
        compare_print_of(result->dir, result->doubted, stdout);
    if (calls->n)
        print_application(calls);
    return 0;
}

/* The files of programs that are not ours. */
struct externals {
    struct external v[2 * MOST_EXTERNAL];
    size_t n;
};

static void externals_clear(struct externals *x)
{
    while (x->n)
        external_clear(&x->v[--x->n]);
}

/* 0, or -1 with *err: a file is wrong, or two have one name. */
static int externals_read(const struct input *in, struct externals *x, struct err *err)
{
    const size_t all = in->n_choices + in->n_predictions;
    for (x->n = 0; x->n < all; x->n++) {
        const int predicts = x->n >= in->n_choices;
        const char *path = predicts ? in->predictions[x->n - in->n_choices] : in->choices[x->n];
        if (external_read(path, predicts, &x->v[x->n], err) < 0)
            return -1;
        for (size_t i = 0; i < x->n; i++)
            if (strcmp(x->v[i].name, x->v[x->n].name) == 0) {
                x->n++;
                return err_usage(err, "%s: rename it: '%s' has the same name", path, x->v[i].path);
            }
    }
    return 0;
}

static int choose(const struct input *in, const struct application_profile *profile,
                  const struct externals *external, const char *dir, const char *on,
                  struct err *err)
{
    struct select_result result;
    struct application calls = { .n = 0 };
    progress_at_work(!in->options.quiet);
    int status = select_study(dir, on, in->rule, in->options.doubted, external->v, external->n,
                              &result, err);
    progress_at_work(0);
    if (status < 0)
        return -1;
    status = sum_up(profile, &result, on, &calls, err);
    if (print_result(in, &result, &calls, on, status == 0 ? err : NULL) < 0)
        status = -1;
    fflush(stdout); /* what follows goes to stderr, and both may be one file */
    if (!in->options.quiet)
        fprintf(stderr, "wrote %s/selection.csv, degradation.csv%s\n", result.dir,
                result.conditions.n ? ", conditions.csv" : "");
    if (status == 0)
        status = select_judge(&result, on ? on : dir, err);
    application_clear(&calls);
    select_result_clear(&result);
    return status;
}

/* Every selector in every cell. */
static int run_whole(const struct input *in, const char *dir, const char *on, struct err *err)
{
    struct externals external;
    struct application_profile *profile = NULL;
    int status = externals_read(in, &external, err);
    if (status == 0 && in->profile) {
        profile = application_profile_read(in->profile, err);
        status = profile ? 0 : -1;
    }
    if (status == 0)
        status = choose(in, profile, &external, dir, on, err);
    application_profile_free(profile);
    externals_clear(&external);
    return status;
}

/* The directories of sets, as names and as paths. */
static int find_others(const struct input *in, const char *const *name, size_t n,
                       char path[][PATH_SIZE], const char **dirs, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (find_other(in, name[i], path[i], PATH_SIZE, err) < 0)
            return -1;
        dirs[i] = path[i];
    }
    return 0;
}

/* Those that learn, on what was kept from them. */
static int run_trial(const struct input *in, const struct holdout *holdout, const char *dir,
                     const char *on, struct err *err)
{
    char path[MOST_WITH][PATH_SIZE], part[MOST_WITH][PATH_SIZE];
    const char *dirs[MOST_WITH + 2] = { dir }, *const *with = dirs + 1,
                                 *parts[MOST_WITH + 1] = { NULL };
    const struct model_first *first;
    if (find_others(in, in->with, in->n_with, path, dirs + 1, err) < 0 ||
        find_others(in, in->part, in->n_parts, part, parts, err) < 0 ||
        asked_first(&in->options, dir, NULL, &first, err) < 0)
        return -1;
    const struct holdout_trial trial = { .dir = dir,
                                         .doubted = in->options.doubted,
                                         .on = on,
                                         .with = with,
                                         .holdout = *holdout,
                                         .first = first,
                                         .rule = in->rule };
    const struct joined_trial joined = { .dirs = dirs,
                                         .parts = parts,
                                         .holdout = *holdout,
                                         .learners = in->n_learners ? in->learner : learners,
                                         .rule = in->rule,
                                         .first = first,
                                         .clusters = in->options.clusters,
                                         .doubted = in->options.doubted,
                                         .fixed = in->fixed };
    const struct trial_print print = { in->json, in->options.quiet };
    return in->joined ? trial_joined(&joined, &print, err) : trial_command(&trial, &print, err);
}

/* What is held out: as the option says, else as the study or data set does. */
static int find_holdouts(const struct input *in, const char *dir, struct holdouts *out,
                         struct err *err)
{
    struct facts facts;
    const char *wants = in->joined ? "joined" : in->n_with ? "with" : NULL;
    *out = (struct holdouts){ .row = { in->holdout }, .n = 1 };
    if (*in->holdout.text)
        return 0;
    if (facts_read(dir, &facts, err) < 0)
        return -1;
    *out = facts.holdouts;
    return out->n || !wants ? 0
                            : err_usage(err,
                                        "--%s: wants --holdout beside it (%s/manifest.json says "
                                        "nothing of what is to be held out)",
                                        wants, dir);
}

/* A file that walks, on all cells of the set. */
static int run_model(const struct input *in, const char *dir, struct err *err)
{
    char path[MOST_WITH][PATH_SIZE];
    const char *with[MOST_WITH + 1] = { NULL };
    struct facts machine;
    struct holdout_trial_result result;
    const struct trial_print print = { in->json, in->options.quiet };
    const struct holdout_trial trial = { .dir = dir,
                                         .doubted = in->options.doubted,
                                         .with = with,
                                         .holdout.text = "model",
                                         .share = in->share,
                                         .n_shares = in->n_shares };
    return find_others(in, in->with, in->n_with, path, with, err) < 0 ||
                   asked_measured(&in->options, dir, &machine, err) < 0 ||
                   holdout_trial_model(&trial, in->model, machine.costs, &result, err) < 0
               ? -1
               : show(&trial, &result, &print, err);
}

static int run_all(const struct input *in, const char *dir, const char *on, struct err *err)
{
    struct holdouts holdouts;
    if (in->model)
        return run_model(in, dir, err);
    if (find_holdouts(in, dir, &holdouts, err) < 0)
        return -1;
    int status = *in->holdout.text || in->joined ? 0 : run_whole(in, dir, on, err);
    if (in->json && !*in->holdout.text && !in->joined)
        return status; /* one table: --holdout names another */
    for (size_t i = 0; i < holdouts.n && status == 0; i++) {
        if (!*in->holdout.text)
            puts("");
        progress_at_work(!in->options.quiet);
        status = run_trial(in, &holdouts.row[i], dir, on, err);
        progress_at_work(0);
    }
    return status;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    char dir[PATH_SIZE], other[PATH_SIZE];
    const char *on = in->on ? other : NULL;
    int lock;
    if (options_results(&in->options, dir, sizeof dir, err) < 0 ||
        (on && find_other(in, in->on, other, sizeof other, err) < 0) ||
        lock_analysis(dir, stderr, &lock, err) < 0)
        return -1;
    const int status = run_all(in, dir, on, err);
    close(lock);
    return status;
}

static int read_holdout(const char *text, void *holdout, struct err *err)
{
    return holdout_parse(text, holdout, err);
}

static void check_rule(const char *arg, struct argp_state *state)
{
    if (!decision_library(arg))
        argp_error(
            state,
            "--default: '%s' is no rule (want openmpi31, openmpi41, openmpi60, mpich40, mvapich2)",
            arg);
}

static void refuse_learner(const char *arg, struct argp_state *state)
{
    char text[SUGGEST_TEXT];
    struct suggest m;
    suggest_init(&m, arg);
    for (const struct learner *const *l = learners; *l; l++)
        if (!(*l)->hybrid)
            suggest_try(&m, (*l)->name);
    argp_error(state, "--learner: '%s' is none that learns from sets joined%s", arg,
               suggest_text(&m, text));
}

static void take_learner(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    const struct learner *l = learner_find(arg);
    if (!l || l->hybrid || l->walks)
        refuse_learner(arg, state);
    else if (in->n_learners == MOST_LEARNERS)
        argp_error(state, "--learner: more than %d learners", MOST_LEARNERS);
    else
        in->learner[in->n_learners++] = l;
}

/* "0.1%,1%": parts of a full plan's cost. */
static void take_share(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    for (char *part; (part = strsep(&arg, ","));) {
        const size_t n = strlen(part);
        double pct = 0;
        if (n && part[n - 1] == '%')
            part[n - 1] = '\0';
        if (!n || parse_f64(part, &pct, NULL) < 0 || !(pct > 0 && pct <= 100))
            argp_error(state,
                       "--budget: '%s' is no part of what measuring everything costs (want "
                       "percent, above 0%% to 100%%, as 0.1%%,1%%)",
                       part);
        if (in->n_shares == MOST_SHARES)
            argp_error(state, "--budget: more than %d parts", MOST_SHARES);
        in->share[in->n_shares++] = pct / 100;
    }
}

static void check(void *input, struct argp_state *state)
{
    const struct input *in = input;
    if (in->joined && in->on)
        argp_error(state, "--joined: wants no --on beside it");
    else if ((in->n_choices || in->n_predictions) && (in->joined || *in->holdout.text || in->model))
        argp_error(state, "--choices, --predictions: want no --holdout, --joined or --model (the "
                          "column trained says what is held out)");
    else if (in->profile && (in->joined || *in->holdout.text))
        argp_error(state, "--profile: wants no --joined or --holdout beside it");
    else if (in->model && (*in->holdout.text || in->joined || in->on || in->profile || in->rule))
        argp_error(state, "--model: wants no --holdout, --joined, --on, --profile or --default");
    else if (in->n_shares && !in->model)
        argp_error(state, "--budget: wants --model beside it");
    else if ((in->n_learners || in->fixed || in->n_parts) && !in->joined)
        argp_error(state, "--learner, --fixed and --part want --joined beside it");
}

static const struct option_row rows[] = {
    { "on", 0, "NAME|DIR",
      "Judge the choices by the times of this data set (of another day, say) and by the best "
      "of the same candidates there; the table goes to on/NAME/ below the results. It must "
      "have been fitted, too",
      .group = 1, OPTION_TO(on) },
    { "holdout", 0, "WHAT",
      "Keep some cells from everything that is fitted or learns, and judge all selectors on these: "
      "alternate-procs, alternate-sizes, beyond-procs=N, nodes (the most there are) or nodes=N "
      "(above N), cluster=NAME, random=N%, planned (what the study's plan held out, which all "
      "others do, too). Tables: holdout/WHAT/ below the results. Default: the key holdout of the "
      "study or the import, beside the table of all cells",
      .group = 1, OPTION_READ_TO(holdout, read_holdout) },
    { "default", 0, "RULE",
      "Of a simulated or walked study: judge by the default of this rule (openmpi31, openmpi41, "
      "openmpi60, mpich40, mvapich2), not of its sim_default. What it decides must have been timed "
      "(other_defaults of the study); where it was not, the default is not known. Tables: "
      "default/RULE/ below the results",
      .group = 1, OPTION_TO(rule), .check = check_rule },
    { "with", 0, "NAME|DIR",
      "With --holdout: learn from this data set, too, but for what is held out of it. May be "
      "given again",
      .group = 1, OPTION_SETS_TO(with, n_with, MOST_WITH) },
    { "profile", 0, "FILE",
      "Sum up what the calls of an application, as `collsel run --report` has counted them, "
      "would take by each selector's choices: application.csv",
      .group = 1, OPTION_TO(profile) },
    { "choices", 0, "FILE",
      "Judge another program's choices, too: a CSV file with a row for each cell "
      "(--keys=CHOICES.csv), which names the selector. May be given again",
      .group = 1, OPTION_SETS_TO(choices, n_choices, MOST_EXTERNAL) },
    { "predictions", 0, "FILE",
      "The same of predicted seconds, a row for each candidate (--keys=PREDICTIONS.csv), of "
      "which the least are chosen. May be given again",
      .group = 1, OPTION_SETS_TO(predictions, n_predictions, MOST_EXTERNAL) },
    { "joined", 0, NULL,
      "With --holdout: judge those that learn on what is held out of all sets (--with), cluster by "
      "cluster; cluster=each keeps each cluster in turn. The tables are joined.csv and, of what it "
      "costs to know, overhead.csv below the results",
      .group = 1, OPTION_TO(joined) },
    { "learner", 0, "NAME", "With --joined: this learner only. May be given again", .group = 1,
      .take = take_learner },
    { "fixed", 0, NULL,
      "With --joined: all learn with their first setting, in place of the one that is best on "
      "cells apart; takes a seventh of the time",
      .group = 1, OPTION_TO(fixed) },
    { "part", 0, "NAME|DIR",
      "With --joined: overhead.csv also tells what measuring this set took, a part of a "
      "cluster's points by an adaptive plan; nothing is learnt of it. May be given again",
      .group = 1, OPTION_SETS_TO(part, n_parts, MOST_WITH) },
    { "model", 0, "FILE",
      "Judge this file of `collsel train --learner walked` instead, on all cells of the set and "
      "among the library's own candidates: `safe`, what --unsafe answers (`walked`), and the walk "
      "of the machine without the file (`walk`). Tables: holdout/model/ below the results",
      .group = 1, OPTION_TO(model) },
    { "budget", 0, "PERCENT,...",
      "With --model, a file that was learnt without this machine: judge, too, what is given once "
      "an adaptive plan has spent so much of what measuring everything costs. The set stands in "
      "for the machine, with those that --with names beside it: learning.csv",
      .group = 1, .take = take_share },
    { "json", 0, NULL,
      "Print the table as JSON, with the rows of the file; without --holdout that of all cells "
      "alone",
      .group = 1, OPTION_TO(json) },
    { 0 },
};

const struct command cmd_select = {
    .name = "select",
    .help = "compare what every selector picks with the best",
    .doc = "Lets every selector choose in every cell of a study and compares its choice with "
           "the best measured candidate: selection.csv, degradation.csv. Run `collsel fit` before.",
    .rows = rows,
    .shared = &options_of_results,
    .input = &(struct input){},
    .check = check,
    .run = run,
};
