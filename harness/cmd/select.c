/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel select: what every selector picks in every cell, and what it loses. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/fit.h"
#include "harness/base/number.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"
#include "harness/run/lock.h"

enum { KEY_ON = 0x200 };

/* 1 when the selector rests on the times of the row's own cells. */
static int in_sample(const struct degradation *r)
{
    return r->selector->in_sample && r->purpose == FOR_STUDY;
}

/* A row of a selector that decided nowhere has no numbers. */
static void print_row(const struct degradation *r, int by_own)
{
    char bytes[32], name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", r->selector->name,
             by_own && in_sample(r) ? " (in sample)" : "");
    printf("%-10s %-8s %-7s %-24s %-10s %6zu %6zu ", r->collective, r->mpi, r->mapping, name,
           purpose_name(r->purpose), r->cells, r->alone);
    if (r->cells)
        printf("%9.2f %9.2f %9.2f %9.2f %10.2f %7zu  P = %d, %s\n", r->mean_pct, r->geomean_pct,
               r->median_pct, r->p95_pct, r->worst_pct, r->optimal_or_tied, r->worst_procs,
               format_bytes(r->worst_bytes, bytes, sizeof bytes));
    else
        printf("%9s %9s %9s %9s %10s %7s\n", "-", "-", "-", "-", "-", "-");
}

/* on: whose times judged; NULL: those that the selectors see. */
static void print_table(const struct degradations *d, const char *on)
{
    if (on)
        printf("Judged by the times of %s, and by the best of the same candidates there.\n", on);
    printf("%-10s %-8s %-7s %-24s %-10s %6s %6s %9s %9s %9s %9s %10s %7s  %s\n", "collective",
           "mpi", "mapping", "selector", "purpose", "cells", "alone", "mean %", "geomean %",
           "median %", "p95 %", "worst %", "tied", "worst at");
    int any = 0, alone = 0;
    for (size_t i = 0; i < d->n; i++) {
        print_row(&d->row[i], on == NULL);
        any |= in_sample(&d->row[i]);
        alone |= d->row[i].alone > 0;
    }
    puts("geomean %: by how much the geometric mean of chosen / best is above 1.");
    if (alone)
        puts("alone: cells in which it knew one candidate only; in no other column.");
    if (any && !on)
        puts("(in sample): it was fitted to the times of these very cells.");
}

struct input {
    struct options options; /* first, for the common parser */
    const char *on;         /* whose times judge: a data set or directory; NULL: its own */
};

/* The directory whose times judge. */
static int find_on(const struct input *in, char *buf, size_t size, struct err *err)
{
    struct options on = in->options;
    on.dataset = in->on;
    if (options_results(&on, buf, size, err) < 0)
        return -1;
    for (size_t end = strlen(buf); end > 1 && buf[end - 1] == '/'; end--)
        buf[end - 1] = '\0';
    return 0;
}

/* A line for each cell in which the choice made together is another's and significantly slower. */
static void print_arrivals(const struct arrival_losses *losses)
{
    size_t wrong = 0, known = 0;
    char bytes[32], text[64];
    for (size_t i = 0; i < losses->n; i++) {
        const struct arrival_loss *r = &losses->row[i];
        known += r->status == SELECT_OK;
        if (r->tied != 0)
            continue;
        wrong++;
        printf("%s %s %s P = %d, %s, arrival %s: %s, best together, loses %.3g %% to %s\n",
               r->cell.collective, r->cell.mpi, r->cell.mapping, r->cell.procs,
               format_bytes(r->cell.bytes, bytes, sizeof bytes),
               arrival_text(r->cell.arrival, text, sizeof text), r->chosen.algorithm, r->loss_pct,
               r->best.algorithm);
    }
    if (losses->n)
        printf("arrivals: in %zu of %zu cells the choice made together loses significantly\n",
               wrong, known);
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    const struct options *o = &in->options;
    char dir[PATH_SIZE], on[PATH_SIZE];
    struct select_result result;
    int lock;
    if (options_results(o, dir, sizeof dir, err) < 0 ||
        (in->on && find_on(in, on, sizeof on, err) < 0) ||
        lock_analysis(dir, stderr, &lock, err) < 0)
        return -1;
    int status = select_study(dir, in->on ? on : NULL, &result, err);
    close(lock);
    if (status < 0)
        return -1;
    print_table(&result.degradations, in->on ? on : NULL);
    print_arrivals(&result.arrivals);
    fflush(stdout); /* what follows goes to stderr, and both may be one file */
    if (!o->quiet)
        fprintf(stderr, "wrote %s/selection.csv, degradation.csv%s\n", result.dir,
                result.arrivals.n ? ", arrivals.csv" : "");
    status = select_judge(&result, in->on ? on : dir, err);
    select_result_clear(&result);
    return status;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    if (key != KEY_ON)
        return options_common(key, arg, state);
    in->on = arg;
    return 0;
}

static int select_main(int argc, char **argv)
{
    static const struct argp_option rows[] = {
        { "on", KEY_ON, "NAME|DIR", 0,
          "Judge the choices by the times of this data set (of another day, say) and by the best "
          "of the same candidates there; the table goes to on/NAME/ below the results. It must "
          "have been fitted, too",
          1 },
        { 0 },
    };
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .children = options_of_results,
        .doc = "Lets every selector choose in every cell of a study and compares its choice with "
               "the best measured candidate: selection.csv, degradation.csv. Run `collsel fit` "
               "before.",
    };
    struct input in = { .on = NULL };
    return options_main(&argp, argc, argv, &in, run);
}

const struct command cmd_select = { "select", "compare what every selector picks with the best",
                                    select_main };
