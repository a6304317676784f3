/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel fit: samples to points, gamma, alpha, beta and predictions. */
#include <unistd.h>

#include "analysis/fit/fit.h"
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/run/lock.h"
#include "harness/run/progress.h"
#include "reports/section_common.h"

/* Those whose time is not believed, by what is wrong with it. */
static void print_doubted(const struct points *p)
{
    size_t count[N_DOUBTS] = { 0 }, all = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->row[i].doubt != DOUBT_NONE) {
            count[p->row[i].doubt]++;
            all++;
        }
    if (!all)
        return;
    printf("points with a doubted time, which counts with --doubted alone: %zu\n", all);
    for (int d = 0; d < N_DOUBTS; d++)
        if (count[d])
            printf("  %zu %s: %s\n", count[d], doubt_words[d], doubt_title((enum doubt)d));
}

static void print_points(const struct points *p)
{
    size_t count[N_POINT_STATUS] = { 0 }, drifted = 0;
    for (size_t i = 0; i < p->n; i++) {
        count[p->row[i].status]++;
        drifted += p->row[i].drift != 0;
    }
    printf("points %zu:", p->n);
    for (int s = 0; s < N_POINT_STATUS; s++)
        if (count[s])
            printf(" %zu %s", count[s], point_status_words[(enum point_status)s]);
    printf("\n");
    print_doubted(p);
    if (drifted)
        printf("points in launches whose sentinel moved: %zu\n", drifted);
}

static const char *place_of(const struct cell *cell, char *buf, size_t size)
{
    char bytes[32];
    snprintf(buf, size, "P = %d, %s", cell->procs, format_bytes(cell->bytes, bytes, sizeof bytes));
    return buf;
}

/* How far the times are from those of the other study, and what choosing by them loses there. */
static void print_agreements(const struct fit_result *r)
{
    char candidate[CANDIDATE_TEXT], place[64];
    if (r->agreements.n)
        printf("beside the %s times of %s (error of times here; loss there of what is fastest "
               "here):\n",
               backend_word(r->against_backend), r->against_dir);
    for (size_t i = 0; i < r->agreements.n; i++) {
        const struct agreement *a = &r->agreements.row[i];
        printf("  %s %s: error %% of %zu point%s: median %.3g, p95 %.3g, worst %.3g (%s, %s)\n",
               a->context.collective, a->context.mapping, COUNTED(a->points), a->median_pct,
               a->p95_pct, a->worst_pct,
               candidate_text(&a->worst.candidate, candidate, sizeof candidate),
               place_of(&a->worst.cell, place, sizeof place));
        if (a->cells)
            printf("  %s %s: the fastest agrees in %zu of %zu cell%s; loss %%: mean %.3g, worst "
                   "%.3g (%s)\n",
                   a->context.collective, a->context.mapping, a->agreed, COUNTED(a->cells),
                   a->mean_loss_pct, a->worst_loss_pct,
                   place_of(&a->worst_cell, place, sizeof place));
    }
}

static void print_text(const struct fit_result *r)
{
    print_points(&r->points);
    if (r->others)
        printf("points under other conditions: %zu\n", r->others);
    print_agreements(r);
}

static int print_json(const struct fit_result *r, struct err *err)
{
    json_int_t count[N_POINT_STATUS] = { 0 };
    json_t *points = json_object();
    for (size_t i = 0; i < r->points.n; i++)
        count[r->points.row[i].status]++;
    for (int s = 0; s < N_POINT_STATUS; s++)
        json_object_set_new(points, point_status_words[(enum point_status)s],
                            json_integer(count[s]));
    return json_print(json_pack("{s:o, s:I, s:o}", "points", points, "other_conditions",
                                (json_int_t)r->others, "errors",
                                json_rows(&errors_schema, r->errors.row, r->errors.n)),
                      err);
}

struct input {
    struct options options;
    const char *against; /* NULL: DIR-sim where it fits */
    int json;
};

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    const struct options *o = &in->options;
    char dir[PATH_SIZE];
    struct fit_result result;
    int lock;
    if (options_results(o, dir, sizeof dir, err) < 0 || lock_analysis(dir, stderr, &lock, err) < 0)
        return -1;
    progress_at_work(!o->quiet);
    int status = fit_study(dir, in->against, in->options.doubted, &result, err);
    progress_at_work(0);
    close(lock);
    if (status < 0)
        return -1;
    if (in->json)
        status = print_json(&result, err);
    else
        print_text(&result);
    fflush(stdout); /* what follows goes to stderr, and both may be one file */
    if (*result.not_compared)
        fprintf(stderr, "collsel fit: %s: left out\n", result.not_compared);
    if (!o->quiet)
        fprintf(stderr, "wrote %s/points.csv, %scosts.csv, fit/, predictions.csv, errors.csv\n",
                dir, result.views ? "views.csv, " : "");
    if (status == 0)
        status = fit_judge(&result, dir, err);
    fit_result_clear(&result);
    return status;
}

static const struct option_row rows[] = {
    { "against", 0, "DIR",
      "Compare with the results in DIR; none: with none (default: the study's simulation, beside "
      "what Slurm measured and what was walked)",
      OPTION_TO(against) },
    { "json", 0, NULL,
      "Print JSON instead: how many points have which status, and the rows of errors.csv",
      OPTION_TO(json) },
    { 0 },
};

const struct command cmd_fit = {
    .name = "fit",
    .help = "fit gamma, alpha and beta to what was measured; predict",
    .doc = "Turns the samples of a study into points.csv, gamma, alpha and beta (fit/), "
           "predictions.csv and errors.csv; of a study that keeps all ranks' times (keep_ranks) "
           "also into views.csv. Reads files only; may be run while a sweep is "
           "under way. Fails when no point has a time, or no model could be fitted.",
    .rows = rows,
    .shared = &options_of_results,
    .input = &(struct input){},
    .run = run,
};
