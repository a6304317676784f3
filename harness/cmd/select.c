/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel select: what every selector picks in every cell, and what it loses. */
#include <stdio.h>
#include <unistd.h>

#include "analysis/fit.h"
#include "harness/base/number.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"
#include "harness/run/lock.h"

/* 1 when the selector rests on the times of the row's own cells. */
static int in_sample(const struct degradation *r)
{
    return r->selector->in_sample && r->purpose == FOR_STUDY;
}

/* A row of a selector that decided nowhere has no numbers. */
static void print_row(const struct degradation *r)
{
    char bytes[32], name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", r->selector->name, in_sample(r) ? " (in sample)" : "");
    printf("%-10s %-8s %-7s %-24s %-10s %6zu %6zu ", r->collective, r->mpi, r->mapping, name,
           purpose_name(r->purpose), r->cells, r->alone);
    if (r->cells)
        printf("%9.2f %9.2f %9.2f %9.2f %10.2f %7zu  P = %d, %s\n", r->mean_pct, r->geomean_pct,
               r->median_pct, r->p95_pct, r->worst_pct, r->optimal_or_tied, r->worst_procs,
               format_bytes(r->worst_bytes, bytes, sizeof bytes));
    else
        printf("%9s %9s %9s %9s %10s %7s\n", "-", "-", "-", "-", "-", "-");
}

static void print_table(const struct degradations *d)
{
    printf("%-10s %-8s %-7s %-24s %-10s %6s %6s %9s %9s %9s %9s %10s %7s  %s\n", "collective",
           "mpi", "mapping", "selector", "purpose", "cells", "alone", "mean %", "geomean %",
           "median %", "p95 %", "worst %", "tied", "worst at");
    int any = 0, alone = 0;
    for (size_t i = 0; i < d->n; i++) {
        print_row(&d->row[i]);
        any |= in_sample(&d->row[i]);
        alone |= d->row[i].alone > 0;
    }
    puts("geomean %: by how much the geometric mean of chosen / best is above 1.");
    if (alone)
        puts("alone: cells in which it knew one candidate only; in no other column.");
    if (any)
        puts("(in sample): it was fitted to the times of these very cells.");
}

static int run(const void *input, struct err *err)
{
    const struct options *o = input;
    char dir[PATH_SIZE];
    struct select_result result;
    int lock;
    if (options_results(o, dir, sizeof dir, err) < 0 || lock_analysis(dir, stderr, &lock, err) < 0)
        return -1;
    int status = select_study(dir, &result, err);
    close(lock);
    if (status < 0)
        return -1;
    print_table(&result.degradations);
    fflush(stdout); /* what follows goes to stderr, and both may be one file */
    if (!o->quiet)
        fprintf(stderr, "wrote %s/selection.csv, degradation.csv\n", dir);
    status = select_judge(&result, dir, err);
    select_result_clear(&result);
    return status;
}

static int select_main(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = options_common,
        .children = options_of_results,
        .doc = "Lets every selector choose in every cell of a study and compares its choice with "
               "the best measured candidate: selection.csv, degradation.csv. Run `collsel fit` "
               "before.",
    };
    struct options o;
    return options_main(&argp, argc, argv, &o, run);
}

const struct command cmd_select = { "select", "compare what every selector picks with the best",
                                    select_main };
