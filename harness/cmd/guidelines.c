/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel guidelines: a library's defaults against each other. */
#include "analysis/measure/fitted_study.h"
#include "analysis/measure/result_file.h"
#include "analysis/verify/guidelines.h"
#include "harness/base/json_print.h"
#include "harness/cmd/compare_print.h"
#include "harness/cmd/options.h"
#include "reports/section_common.h"

enum { MOST = 30 };

struct input {
    struct options options; /* first, for the common parser */
    int json, verbose;
};

/* The rows of one guideline, library and mapping; of a library alone. */
struct sums {
    size_t n[N_GUIDELINE_VERDICTS], rows;
    const struct guideline_row *worst; /* of those violated; where none is, of those untested */
};

static int is_same(const struct guideline_row *a, const struct guideline_row *b, int library)
{
    return strcmp(a->cell.mpi, b->cell.mpi) == 0 &&
           (library || (strcmp(a->guideline, b->guideline) == 0 &&
                        strcmp(a->cell.mapping, b->cell.mapping) == 0));
}

static int is_first(const struct guidelines *g, size_t i, int library)
{
    const size_t k = first_below(j, i, is_same(&g->row[j], &g->row[i], library));
    return k == i;
}

/* A violation is worse than whatever one launch tells. */
static int is_worse(const struct guideline_row *a, const struct guideline_row *b)
{
    if (a->verdict != GUIDELINE_VIOLATED && a->verdict != GUIDELINE_UNTESTED)
        return 0;
    if (!b || a->verdict != b->verdict)
        return !b || a->verdict == GUIDELINE_VIOLATED;
    return a->longer_pct > b->longer_pct;
}

static struct sums sum_up(const struct guidelines *g, const struct guideline_row *of, int library)
{
    struct sums s = { .rows = 0 };
    for (size_t i = 0; i < g->n; i++)
        if (is_same(&g->row[i], of, library)) {
            s.rows++;
            s.n[g->row[i].verdict]++;
            s.worst = is_worse(&g->row[i], s.worst) ? &g->row[i] : s.worst;
        }
    return s;
}

static void print_sums(const struct guideline_row *of, const struct sums *s)
{
    char bytes[32], times[32];
    printf("%-35s %-8s %-7s %6zu %9zu %7zu %9zu ", of->guideline, of->cell.mpi, of->cell.mapping,
           s->rows, s->n[GUIDELINE_VIOLATED], s->n[GUIDELINE_UNSURE], s->n[GUIDELINE_UNTESTED]);
    if (s->worst)
        printf(" %s times slower at P = %d, %s%s",
               format_times(s->worst->longer_pct, times, sizeof times), s->worst->cell.procs,
               format_bytes(s->worst->cell.bytes, bytes, sizeof bytes),
               s->worst->verdict == GUIDELINE_UNTESTED ? ", in one launch" : "");
    puts(s->worst ? "" : " -");
}

static void print_row(const struct guideline_row *r)
{
    char bytes[32], left[32], right[32], times[32];
    printf("  %s, %s, %s, P = %d on %d, %s: %s against %s, %s times slower", r->guideline,
           r->cell.mpi, r->cell.mapping, r->cell.procs, r->cell.nodes,
           format_bytes(r->cell.bytes, bytes, sizeof bytes),
           format_seconds(r->left_s, left, sizeof left),
           format_seconds(r->right_s, right, sizeof right),
           format_times(r->longer_pct, times, sizeof times));
    if (r->p_holm >= 0)
        printf(" (p = %.2g, corrected %.2g)", r->p, r->p_holm);
    puts("");
}

static int by_excess(const void *left, const void *right)
{
    const struct guideline_row *const *a = left, *const *b = right;
    return ((*a)->longer_pct < (*b)->longer_pct) - ((*a)->longer_pct > (*b)->longer_pct);
}

static void print_gravest(const struct guidelines *g, enum guideline_verdict verdict,
                          const char *title, int verbose)
{
    const struct guideline_row **row = memory_zeros(g->n + 1, sizeof *row);
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        if (g->row[i].verdict == verdict)
            row[n++] = &g->row[i];
    if (n) {
        qsort(row, n, sizeof *row, by_excess);
        printf("%s, the gravest first:\n", title);
    }
    const size_t shown = verbose || n <= MOST ? n : MOST;
    for (size_t i = 0; i < shown; i++)
        print_row(row[i]);
    if (shown < n)
        printf("  and %zu more (guidelines.csv, or -v)\n", n - shown);
    free(row);
}

static void print_verdict(const char *mpi, const struct sums *s)
{
    const size_t violated = s->n[GUIDELINE_VIOLATED], untested = s->n[GUIDELINE_UNTESTED];
    if (violated)
        printf(
            "verdict on %s: its defaults violate guidelines in %zu of %zu comparison%s for sure\n",
            mpi, violated, COUNTED(s->rows));
    else if (untested)
        printf(
            "verdict on %s: open: in %zu of %zu comparison%s its defaults take longer than a "
            "guideline allows, up to %.3g times, in one launch alone; %s\n",
            mpi, untested, COUNTED(s->rows), 1 + s->worst->longer_pct / 100,
            "to be sure take three launches or more, better six (of foreign measurements: a file "
            "for each run)");
    else
        printf("verdict on %s: in none of %zu comparison%s its defaults violate a guideline for "
               "sure\n",
               mpi, COUNTED(s->rows));
}

static void print_text(const struct guidelines *g, const struct facts *facts, int verbose)
{
    printf("%-35s %-8s %-7s %6s %9s %7s %9s  %s\n", "guideline", "mpi", "mapping", "cells",
           "violated", "unsure", "untested", "worst");
    for (size_t i = 0; i < g->n; i++)
        if (is_first(g, i, 0)) {
            const struct sums s = sum_up(g, &g->row[i], 0);
            print_sums(&g->row[i], &s);
        }
    print_gravest(g, GUIDELINE_VIOLATED, "violated", verbose);
    print_gravest(g, GUIDELINE_UNTESTED, "longer, in one launch alone", verbose);
    if (facts->deterministic)
        printf("times are %s, the default by the rule %s: violated is what takes over %.3g %% "
               "longer\n",
               backend_word(facts->backend), facts->sim_default, facts->tie_pct);
    else
        printf("%zu test%s (Welch's t over launches, one-sided), Holm's correction, %.3g %%\n",
               COUNTED(g->tests), 100 * facts->confidence);
    if (g->means)
        printf("%zu comparison%s %s with means over ranks of a call with a root: these are less "
               "than the slowest rank's, so that what is compared "
               "with them seems longer\n",
               COUNTED(g->means), of_number(g->means, "is", "are"));
    if (g->doubted)
        printf("left out are %zu time%s that %s doubted (points.csv; --doubted takes them)\n",
               COUNTED(g->doubted), of_number(g->doubted, "is", "are"));
    printf("%zu comparison%s: %zu hold, %zu violated, %zu unsure (longer, not for certain), "
           "%zu untested (longer, one launch)\n",
           COUNTED(g->n), g->verdicts[GUIDELINE_HOLDS], g->verdicts[GUIDELINE_VIOLATED],
           g->verdicts[GUIDELINE_UNSURE], g->verdicts[GUIDELINE_UNTESTED]);
    for (size_t i = 0; i < g->n; i++)
        if (is_first(g, i, 1)) {
            const struct sums s = sum_up(g, &g->row[i], 1);
            print_verdict(g->row[i].cell.mpi, &s);
        }
}

static int print_json(const struct guidelines *g, struct err *err)
{
    return json_print(json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "tests",
                                (json_int_t)g->tests, "means_over_ranks", (json_int_t)g->means,
                                "doubted", (json_int_t)g->doubted, "holds",
                                (json_int_t)g->verdicts[GUIDELINE_HOLDS], "violated",
                                (json_int_t)g->verdicts[GUIDELINE_VIOLATED], "unsure",
                                (json_int_t)g->verdicts[GUIDELINE_UNSURE], "untested",
                                (json_int_t)g->verdicts[GUIDELINE_UNTESTED], "rows",
                                json_rows(&guidelines_schema, g->row, g->n)),
                      err);
}

static int report(const struct input *in, const char *dir, const struct points *points,
                  const struct facts *facts, struct err *err)
{
    struct guidelines g;
    int status = 0;
    guidelines_make(points, facts, &g);
    if (!g.n) {
        err_set(err,
                "%s: no guideline has times of the library's default for both of its sides (want "
                "several collectives, sizes or processes: the study guidelines)",
                dir);
        return points_add_doubted(points, NULL, err);
    }
    if (in->json)
        status = print_json(&g, err);
    else
        print_text(&g, facts, in->verbose);
    if (!in->json)
        compare_print_releases(points, facts, stdout);
    fflush(stdout); /* what follows goes to stderr, and both may be one file */
    if (status == 0)
        status = result_write(dir, &guidelines_schema, facts->backend, g.row, g.n, err);
    if (status == 0 && !in->options.quiet)
        fprintf(stderr, "wrote %s/guidelines.csv\n", dir);
    const int violated = g.verdicts[GUIDELINE_VIOLATED] > 0;
    guidelines_clear(&g);
    return status < 0 ? -1 : violated ? EXIT_FAILED : EXIT_DONE;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    char dir[PATH_SIZE];
    struct fitted_study of;
    if (options_results(&in->options, dir, sizeof dir, err) < 0 ||
        options_fitted(&in->options, dir, err) < 0 ||
        fitted_study_read(dir, NULL, in->options.doubted, &of, err) < 0)
        return -1;
    const int status = report(in, dir, &of.points, &of.facts, err);
    points_clear(&of.points);
    return status;
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    (void)state;
    if (!in->options.study_given)
        in->options.study = "guidelines";
}

static const struct option_row rows[] = {
    { "json", 0, NULL, "Print JSON instead, with the rows of guidelines.csv", OPTION_TO(json) },
    { "verbose", 'v', NULL, "Print all that is violated (default: the gravest 30)",
      OPTION_TO(verbose) },
    { 0 },
};

const struct command cmd_guidelines = {
    .name = "guidelines",
    .help = "check a library's defaults against each other",
    .doc = "Checks a library's defaults against each other: an allreduce takes no longer than "
           "a reduce and a broadcast, a broadcast than scatter and allgather, a barrier than an "
           "allreduce of a few bytes, more bytes or more processes no less time, and so on, by a "
           "test of the times over launches that is corrected for their number. Of a study "
           "(default: guidelines, which measures the defaults alone) or data set; run `collsel "
           "fit` before. Writes guidelines.csv; exits with 1 where one is violated.",
    .rows = rows,
    .shared = &options_of_results,
    .input = &(struct input){},
    .check = check,
    .run = run,
};
