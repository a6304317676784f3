/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c - the table of collsel select --holdout. */
#include "harness/cmd/trial.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/json_print.h"
#include "harness/base/number.h"

static void print_row(const struct heldout_row *r)
{
    char bytes[32], interval[48];
    printf("%-14s %-8s %-7s %-22s %-10s %6zu %6zu ", r->collective, r->mpi, r->mapping, r->selector,
           purpose_name(r->purpose), r->cells, r->undecided + r->alone);
    snprintf(interval, sizeof interval, "%.2f..%.2f", r->geomean_pct.low, r->geomean_pct.high);
    printf("%9.2f %16s %9.2f %9.2f %9.2f %10.2f %6.1f  P = %d, %s\n", r->geomean_pct.value,
           interval, r->mean_pct.value, r->median_pct.value, r->p95_pct.value, r->worst_pct,
           r->tied_pct.value, r->worst_procs, format_bytes(r->worst_bytes, bytes, sizeof bytes));
}

static void print_table(const struct holdout_trial *trial, const struct holdout_trial_result *r)
{
    printf("Held out: %s, %zu timed points; learnt from %zu others.%s%s\n", trial->holdout.text,
           r->held, r->trained, trial->on ? " Judged by the times of " : "",
           trial->on ? trial->on : "");
    printf("%-14s %-8s %-7s %-22s %-10s %6s %6s %9s %16s %9s %9s %9s %10s %6s  %s\n", "collective",
           "mpi", "mapping", "selector", "purpose", "cells", "others", "geomean %", "interval",
           "mean %", "median %", "p95 %", "worst %", "tied %", "worst at");
    if (r->confirmed)
        printf("In %zu of these cells safe had measurements to decide by (confirm.csv).\n",
               r->confirmed);
    size_t without = 0;
    for (size_t i = 0; i < r->heldout.n; i++)
        if (r->heldout.row[i].cells)
            print_row(&r->heldout.row[i]);
        else
            without++;
    puts("geomean %: by how much the geometric mean of chosen / best is above 1; interval: of it, "
         "by bootstrap over the cells.");
    puts("others: cells without a choice or a time, or with one candidate only; in no other "
         "column.");
    if (without)
        printf("%zu rows are not shown: selectors that could decide none of their cells.\n",
               without);
}

/* Of each learner of trees what its trees split by most, in the mean over subjects. */
static void print_importance(const struct importances *of)
{
    for (size_t i = 0; i < of->n; i += N_FEATURES) {
        if (i && strcmp(of->row[i].selector, of->row[i - 1].selector) == 0)
            continue;
        double mean[N_FEATURES] = { 0 };
        size_t n = 0;
        for (size_t k = i; k < of->n && strcmp(of->row[k].selector, of->row[i].selector) == 0;
             k++, n++)
            mean[k % N_FEATURES] += of->row[k].share;
        printf("importance, %s:", of->row[i].selector);
        for (size_t f = 0; f < N_FEATURES; f++)
            if (mean[f] * N_FEATURES / (double)n >= 0.01)
                printf(" %s %.2f", of->row[i + f].feature, mean[f] * N_FEATURES / (double)n);
        puts("");
    }
}

static int print_json(const struct holdout_trial *trial, const struct holdout_trial_result *r,
                      struct err *err)
{
    return json_print(json_pack("{s:s, s:I, s:I, s:o, s:o}", "holdout", trial->holdout.text, "held",
                                (json_int_t)r->held, "learnt_from", (json_int_t)r->trained,
                                "heldout", json_rows(&heldout_schema, r->heldout.row, r->heldout.n),
                                "learning",
                                json_rows(&learning_schema, r->learning.row, r->learning.n)),
                      err);
}

/* Prints what a trial found, and clears it. */
static int show(const struct holdout_trial *trial, struct holdout_trial_result *result,
                const struct trial_print *print, struct err *err)
{
    int status = 0;
    if (print->json) {
        status = print_json(trial, result, err);
    } else {
        print_table(trial, result);
        print_importance(&result->importances);
    }
    fflush(stdout); /* what follows goes to stderr, and both may be one file */
    if (!print->quiet)
        fprintf(stderr, "wrote %s/selection.csv, heldout.csv, importance.csv%s\n", result->dir,
                result->learning.n ? ", learning.csv" : "");
    holdout_trial_clear(result);
    return status;
}

int trial_command(const struct holdout_trial *trial, const struct trial_print *print,
                  struct err *err)
{
    struct holdout_trial_result result;
    return holdout_trial_run(trial, &result, err) < 0 ? -1 : show(trial, &result, print, err);
}

int trial_model(const struct holdout_trial *trial, const char *model, const struct cluster *costs,
                const struct trial_print *print, struct err *err)
{
    struct holdout_trial shown = *trial;
    struct holdout_trial_result result;
    snprintf(shown.holdout.text, sizeof shown.holdout.text, "all cells, from the model");
    return holdout_trial_model(trial, model, costs, &result, err) < 0
               ? -1
               : show(&shown, &result, print, err);
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
    printf("Held out: %s, %zu cells; learnt from %zu others%s.\n", trial->holdout.text, j->held,
           j->trained, strcmp(trial->holdout.cluster, "each") == 0 ? ", all turns together" : "");
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
        printf("default: it is not known, or was not timed, in %zu of these %zu cells, which are "
               "not counted for it.\n",
               all - known, all);
}

int trial_joined(const struct joined_trial *trial, const struct trial_print *print, struct err *err)
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
