/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel report: the report of a study, and whatever it lacks before it. */
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/audit/audit.h"
#include "analysis/fit/fit.h"
#include "analysis/adapt/prior_times.h"
#include "analysis/heldout/holdout_trial.h"
#include "analysis/measure/result_file.h"
#include "harness/cmd/asked_machine.h"
#include "harness/import/import_run.h"
#include "harness/run/lock.h"
#include "harness/run/progress.h"
#include "harness/run/sweep.h"
#include "harness/study/manifest.h"
#include "reports/report.h"

struct input {
    struct options options;
    const char *assets;  /* NULL: beside the build directory, else "reports" */
    const char *against; /* NULL: DIR-sim where it fits */
    int as_is;
    int brief, json; /* print the report in short, as text or JSON */
};

/* What Slurm measures is submitted by `collsel measure` alone: a report takes what is
 * there, tasks in flight or not. */
static int sweep_queued(const struct input *in, const char *dir, int kit, struct err *err)
{
    char path[PATH_SIZE], next[NEXT_SIZE];
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist: nothing was measured yet (run `%s`, or submit)",
                       path, options_next(&in->options, kit ? "pack" : "sweep", NULL, next));
    if (!in->options.quiet && kit)
        fprintf(stderr, "reporting what came home (`%s` packs the rest)\n",
                options_next(&in->options, "pack", NULL, next));
    else if (!in->options.quiet)
        fprintf(stderr, "reporting what is there (`%s` asks Slurm for the rest)\n",
                options_next(&in->options, "submit", NULL, next));
    return 0;
}

/* Measures what is missing; a study that is complete costs a glance. */
static int sweep(const struct input *in, const struct cluster *cluster, const struct study *study,
                 const char *dir, const char *build, struct err *err)
{
    char why[WHY_SIZE];
    struct sweep_result result;
    struct sweep_request request = {
        .cluster = cluster,
        .study = study,
        .why = why,
        .dir = dir,
        .build = build,
        .command = "collsel report",
        .retries = 1,
        .quiet = in->options.quiet,
        .prior_compute = prior_compute,
    };
    request.backend = backend_choose(in->options.backend, cluster, why, err);
    if (!request.backend)
        return -1;
    if (!in->options.quiet)
        fprintf(stderr, "%s\n", why);
    if (request.backend->queued)
        return sweep_queued(in, dir, request.backend == &backend_kit, err);
    if (sweep_run(&request, &result, err) < 0)
        return -1;
    if (result.failed)
        fprintf(stderr, "collsel report: %zu point%s failed or timed out; the report counts them\n",
                COUNTED(result.failed));
    return 0;
}

/* What looks wrong in other people's measurements stands in their report. */
static int audit_imported(const char *dir, struct err *err)
{
    struct facts facts;
    struct points points;
    struct audit audit;
    if (facts_read(dir, &facts, err) < 0)
        return -1;
    if (!facts.imported)
        return 0;
    if (points_read(dir, 0, &points, err) < 0)
        return -1;
    int status = audit_run(&points, &facts, dir, &audit, err);
    if (status == 0) {
        status = result_write(dir, &audit_schema, facts.backend, audit.finding, audit.n, err);
        audit_clear(&audit);
    }
    points_clear(&points);
    return status;
}

/* What takes a while is told as it begins. */
static void say(const struct input *in, const char *what)
{
    if (!in->options.quiet)
        fprintf(stderr, "%s\n", what);
}

/* Judges selectors on what the study or data set holds out. One that cannot be judged so fails the
 * command, once the page is written. */
static int judge_held(const struct input *in, const char *dir, struct err *verdict, struct err *err)
{
    struct facts facts;
    const struct model_first *first = NULL;
    if (facts_read(dir, &facts, err) < 0 ||
        (facts.holdouts.n && asked_first(&in->options, dir, NULL, &first, err) < 0))
        return -1;
    for (size_t i = 0; i < facts.holdouts.n; i++) {
        const struct holdout_trial trial = { .dir = dir,
                                             .doubted = in->options.doubted,
                                             .holdout = facts.holdouts.row[i],
                                             .first = first };
        struct holdout_trial_result result;
        struct err why = { 0 };
        if (!in->options.quiet)
            fprintf(stderr, "teaching selectors, without %s\n", trial.holdout.text);
        if (holdout_trial_run(&trial, &result, &why) == 0)
            holdout_trial_clear(&result);
        else if (!verdict->status)
            *verdict = why;
    }
    return 0;
}

/* *verdict: what the command fails with once the page, which says why, is written. */
static int analyse(const struct input *in, const char *dir, struct err *verdict, struct err *err)
{
    struct fit_result fit;
    struct select_result selection;
    say(in, "fitting the models");
    if (fit_study(dir, in->against, in->options.doubted, &fit, err) < 0)
        return -1;
    if (*fit.not_compared)
        fprintf(stderr, "collsel report: %s: left out\n", fit.not_compared);
    fit_judge(&fit, dir, verdict);
    fit_result_clear(&fit);
    say(in, "comparing what the selectors choose");
    if (select_study(dir, NULL, NULL, in->options.doubted, NULL, 0, &selection, err) < 0)
        return -1;
    select_result_clear(&selection);
    return judge_held(in, dir, verdict, err) < 0 ? -1 : audit_imported(dir, err);
}

/* The page of what is in dir. */
static int write_report(const struct input *in, const char *assets, const char *dir,
                        struct err *err)
{
    struct report_request request = { .dir = dir,
                                      .doubted = in->options.doubted,
                                      .assets = assets,
                                      .tell = in->options.quiet ? NULL : stderr,
                                      .brief = in->brief || in->json ? stdout : NULL,
                                      .json = in->json };
    struct report_result result;
    if (report_write(&request, &result, err) < 0)
        return -1;
    if (!request.brief)
        printf("%s\n", result.index);
    fflush(stdout); /* before what is said of it */
    if (!in->options.quiet)
        fprintf(stderr, "how far to trust it: %s\n", result.trust);
    if (result.lacks_gnuplot)
        fputs("no figures: gnuplot is not here (make setup)\n", stderr);
    if (result.lacks_pandoc)
        fputs("the page's text is plain: pandoc is not here (make setup)\n", stderr);
    return 0;
}

/* Analyses and reports what is in dir; a page about nothing is a failure all the same. */
static int report_dir(const struct input *in, const char *dir, const char *assets, struct err *err)
{
    struct err verdict = { 0 };
    int lock, status = 0;
    if (lock_analysis(dir, stderr, &lock, err) < 0)
        return -1;
    progress_at_work(!in->options.quiet);
    if (!in->as_is)
        status = analyse(in, dir, &verdict, err);
    if (status == 0)
        status = write_report(in, assets, dir, err);
    progress_at_work(0);
    close(lock);
    if (status < 0)
        return -1;
    if (!verdict.status)
        return 0;
    *err = verdict;
    return -1;
}

/* A study of which an adaptive plan was measured goes on with that, where no other one is asked
 * for: nobody who set a budget is to pay for all points because a page was wanted. */
static int as_measured(const struct input *in, const char *dir, struct study *study,
                       struct err *err)
{
    char path[PATH_SIZE];
    if (in->options.plan || in->options.core_budget || strcmp(study->plan, "adaptive") == 0)
        return 0;
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    struct study *before = memory_zeros(1, sizeof *before);
    int status = manifest_measure(dir, before, err);
    if (status == 0 && strcmp(before->plan, "adaptive") == 0) {
        say(in, "an adaptive plan was measured and is gone on with (--plan full: every point)");
        status =
            study_ask(study, "adaptive", *before->core_budget ? before->core_budget : NULL, err);
    }
    free(before);
    return status;
}

static int report_study(const struct input *in, const char *build, const char *assets,
                        struct err *err)
{
    char dir[PATH_SIZE];
    struct cluster cluster;
    struct study study;
    if (options_load(&in->options, &cluster, &study, err) < 0)
        return -1;
    int status = options_dir(&in->options, &cluster, &study, dir, sizeof dir, err);
    if (status == 0 && !in->as_is)
        status = as_measured(in, dir, &study, err);
    if (status == 0 && !in->as_is)
        status = sweep(in, &cluster, &study, dir, build, err);
    study_free(&study);
    cluster_free(&cluster);
    return status < 0 ? -1 : report_dir(in, dir, assets, err);
}

/* Where an earlier import has written them. */
static int find_imported(const struct import_result *result, char *dir, size_t size,
                         struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/imported.csv", result->dir) < 0)
        return -1;
    return fs_exists(path)
               ? fs_path(dir, size, err, "%s", result->dir)
               : err_set(err, "'%s' does not exist: not imported yet (want: no --as-is)", path);
}

/* A directory of other people's files is imported first, unless all is to stay as it is. */
static int import_sources(const struct input *in, const char *build, char *dir, size_t size,
                          struct err *err)
{
    static const struct import_options any = { .format = NULL };
    char *path = memory_text(in->options.dataset);
    struct import_result result;
    struct import_request request = {
        .options = &any,
        .paths = &path,
        .n_paths = 1,
        .cluster = in->options.cluster_given ? in->options.cluster : NULL,
        .clusters = in->options.clusters,
        .results = in->options.results,
        .build = build,
        .command = "collsel report",
        .lock = lock_analysis,
        .find_only = in->as_is,
    };
    int status = import_run(&request, &result, err);
    if (status == 0 && in->as_is) {
        status = find_imported(&result, dir, size, err);
        import_result_clear(&result);
    } else if (status == 0) {
        import_print(stderr, &result);
        status = result.taken ? fs_path(dir, size, err, "%s", result.dir)
                              : err_set(err, "%s: no row could be taken", path);
        import_result_clear(&result);
    }
    free(path);
    return status;
}

static int report_dataset(const struct input *in, const char *build, const char *assets,
                          struct err *err)
{
    char dir[PATH_SIZE], manifest[PATH_SIZE];
    const char *name = in->options.dataset;
    struct stat st;
    if (fs_path(manifest, sizeof manifest, err, "%s/manifest.json", name) < 0)
        return -1;
    const int sources =
        strchr(name, '/') && stat(name, &st) == 0 && S_ISDIR(st.st_mode) && !fs_exists(manifest);
    if ((sources ? import_sources(in, build, dir, sizeof dir, err)
                 : options_results(&in->options, dir, sizeof dir, err)) < 0)
        return -1;
    return report_dir(in, dir, assets, err);
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    char build[PATH_SIZE], assets[PATH_SIZE];
    if (options_build(&in->options, build, sizeof build, err) < 0 ||
        options_assets(&in->options, in->assets, assets, sizeof assets, err) < 0)
        return -1;
    return in->options.dataset ? report_dataset(in, build, assets, err)
                               : report_study(in, build, assets, err);
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (in->as_is && in->against)
        argp_error(state, "--against wants the comparison made, --as-is wants nothing made");
}

static const struct option_row rows[] = {
    { "as-is", 'a', NULL, "Measure and fit nothing: report the files that are there",
      OPTION_TO(as_is) },
    { "against", 0, "DIR",
      "Compare with the results in DIR; none: with none (default: the study's simulation, beside "
      "what Slurm measured and what was walked)",
      OPTION_TO(against) },
    { "brief", 0, NULL, "Print the first page as text: verdict, speed-ups, what to type",
      OPTION_TO(brief) },
    { "json", 0, NULL, "Print it as JSON", OPTION_TO(json) },
    { "assets", 0, "DIR",
      "Directory of page.css, page.js, page.template and reference/ (default: reports)",
      OPTION_TO(assets) },
    { 0 },
};

const struct command cmd_report = {
    .name = "report",
    .help = "the report of a study, and what it lacks before it",
    .doc = "Writes RESULTS/CLUSTER/STUDY/report/index.html, which sums up on one screen, the pages "
           "that it leads to, and every figure and table beside them. Sweeps, fits and selects "
           "first, so far as that is not done; what Slurm measures is taken as it is there. Of a "
           "data set (--dataset) it fits and selects; a directory of other people's files (./DIR) "
           "is imported first.",
    .rows = rows,
    .shared = &options_of_report,
    .input = &(struct input){},
    .check = check,
    .run = run,
};
