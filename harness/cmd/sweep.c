/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel measure: measures what a study lacks. */
#include "analysis/adapt/prior_times.h"
#include "analysis/applications/application_cost.h"
#include "harness/base/json_print.h"
#include "harness/run/estimate.h"
#include "harness/cmd/probe.h"
#include "harness/run/slurm/follow.h"

enum { PROBES = 15, MOST_PROBES = 1000, MOST_JOBS = 64, MOST_RETRIES = 1000 };

struct input {
    struct options options;
    const char *mpi; /* of --mpi; NULL: all of the study */
    const char *profile;
    int jobs, retries, dry_run, anew, json;
    int probe; /* percent; 0: none is asked for */
};

static void print_result(const struct sweep_result *r, const char *dir)
{
    char text[32];
    printf("%zu of %zu point%s finished (%zu now, in %s)", r->finished, COUNTED(r->points),
           r->measured, format_duration(r->elapsed_s, text, sizeof text));
    if (r->unusable)
        printf(", %zu of them unusable (%s)", r->unusable, r->reason);
    if (r->failed)
        printf(", %zu failed or timed out", r->failed);
    if (r->skipped)
        printf(", %zu skipped", r->skipped);
    printf(": %s\n", dir);
}

static int print_json(const struct sweep_result *r, const char *dir, struct err *err)
{
    return json_print(json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:f}", "results", dir,
                                "points", (json_int_t)r->points, "finished",
                                (json_int_t)r->finished, "measured", (json_int_t)r->measured,
                                "failed", (json_int_t)r->failed, "skipped", (json_int_t)r->skipped,
                                "unusable", (json_int_t)r->unusable, "reason", json_word(r->reason),
                                "elapsed_s", r->elapsed_s),
                      err);
}

/* Of --profile; NULL: none. Static, as a prior_function has no room for it. */
static struct application_profile *profile;

static void weigh(const struct cluster *cluster, const struct study *study, const struct plan *plan,
                  struct prior *prior)
{
    prior_compute(cluster, study, plan, prior);
    if (profile && !application_weigh(profile, plan, prior))
        fputs(
            "collsel measure: no call of --profile has a cell in this study (of its ranks, at most "
            "twice or half the size): all cells count alike\n",
            stderr);
}

static int is_of_mpi(const struct point *point, const void *of)
{
    return mpi_is_listed(of, point->cell.mpi);
}

static int check_mpis(const char *list, const struct study *study, struct err *err)
{
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
        const int n = (int)strcspn(p, ",");
        char name[KEY_WORD];
        size_t i = 0;
        snprintf(name, sizeof name, "%.*s", n, p);
        while (i < study->mpi.n && !mpi_is_listed(name, study->mpi.v[i]))
            i++;
        if (i == study->mpi.n)
            return err_usage(err, "--mpi: %s has no '%.*s' in its key `mpi`", study->path,
                             n < 60 ? n : 60, p);
    }
    return 0;
}

/* What is measured, where that is not the whole study. In a simulation no MPI of it runs. */
static int choose_part(const struct input *in, const struct study *study, int simulated,
                       struct plan_part *part, struct err *err)
{
    if (!in->mpi || simulated)
        return 0;
    *part = (struct plan_part){ is_of_mpi, (void *)in->mpi };
    return check_mpis(in->mpi, study, err);
}

/* Where Slurm runs the launches: submits, and watches until all is done. */
static int run_queued(const struct sweep_request *request, struct sweep_result *result,
                      struct err *err)
{
    if (backend_starts(request->backend, err) < 0)
        return -1;
    const int status = follow_run(request, follow_poll_s(request->cluster), result, err);
    result->failed = result->points - result->finished;
    return status;
}

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    const struct input *in = input;
    char why[WHY_SIZE], dir[PATH_SIZE], build[PATH_SIZE];
    struct sweep_request request = {
        .cluster = cluster,
        .study = study,
        .why = why,
        .dir = dir,
        .build = build,
        .command = in->options.command,
        .clusters = in->options.clusters,
        .results = in->options.results,
        .no_collect = 1,
        .jobs = in->jobs,
        .retries = in->retries,
        .quiet = in->options.quiet,
        .dry_run = in->dry_run,
        .anew = in->anew,
        .prior_compute = weigh,
    };
    struct sweep_result result;
    request.backend = backend_choose(in->options.backend, cluster, why, err);
    if (!request.backend || options_dir(&in->options, cluster, study, dir, sizeof dir, err) < 0 ||
        options_build(&in->options, build, sizeof build, err) < 0)
        return -1;
    if (!in->options.quiet)
        fprintf(stderr, "%s\n", why);
    if (in->profile && !(profile = application_profile_read(in->profile, err)))
        return -1;
    if (choose_part(in, study, request.backend->deterministic, &request.part, err) < 0)
        return -1;
    if (in->probe)
        return probe_command(&request, &in->options, in->probe, in->mpi, err);
    int status = request.backend->queued ? run_queued(&request, &result, err)
                                         : sweep_run(&request, &result, err);
    if (status < 0)
        return -1;
    if (in->json && print_json(&result, dir, err) < 0)
        return -1;
    if (!in->dry_run && !in->json && !in->options.quiet)
        print_result(&result, dir);
    if (result.unusable && result.unusable == result.finished && !in->dry_run)
        return err_set(err,
                       "no point has a usable time; the first: %s (see %s/samples/*.outcomes.csv)",
                       result.reason, dir);
    return sweep_judge(&result, dir, err);
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (in->probe && in->anew)
        argp_error(state, "--probe: goes by what was measured (want it without --anew)");
    if (in->json && (in->probe || in->dry_run))
        argp_error(state, "--json: of what was measured (want it without --probe, --dry-run)");
    if (in->profile && !in->options.core_budget)
        argp_error(state, "--profile: says where a budget is spent (want --budget, too)");
    if (in->options.unsure && !in->probe)
        argp_error(state, "--unsure: is of --probe (want both, or none)");
}

static const struct option_row rows[] = {
    { "jobs", 'j', "N", "Launches at once in simulation (default: one per core)",
      OPTION_RANGE(jobs, 1, MOST_JOBS) },
    { "retries", 'r', "N", "Try a failed or hung point N more times (default: 1)",
      OPTION_RANGE(retries, 0, MOST_RETRIES) },
    { "dry-run", 'n', NULL, "Print what is left to do; measure nothing", OPTION_TO(dry_run) },
    { "anew", 0, NULL, "Measure everything again where the environment is another than before",
      OPTION_TO(anew) },
    { "probe", 0, "PCT",
      "Measure inside the intervals that rules of `collsel rules write` would govern, for at most "
      "so many percent of the study's core time (default: 15)",
      OPTION_RANGE(probe, 1, MOST_PROBES), .without = PROBES },
    { "unsure", 0, NULL, "With --probe: of the rules that `rules write --unsure` writes",
      .take = options_take_unsure },
    { "mpi", 0, "NAME,...",
      "Measure only these of the study's MPIs: a section [mpi NAME] of the cluster file, or all of "
      "a library (openmpi); of a simulation everything",
      OPTION_TO(mpi) },
    { "profile", 0, "FILE",
      "Spend the --budget where the calls of this application take their time: the profile that "
      "`collsel run --report` writes, of numbers of ranks that the study has",
      OPTION_TO(profile) },
    { "json", 0, NULL, "Print what was measured, and what is missing, as JSON", OPTION_TO(json) },
    { 0 },
};

const struct command cmd_sweep = {
    .name = "sweep",
    .help = "measure or simulate what a study lacks; resumes",
    .doc = "Measures or simulates what a study lacks on a cluster; where Slurm serves it, by "
           "job arrays that are watched until they end. Finished points are never measured "
           "twice: interrupt it at will and run it again.",
    .rows = rows,
    .shared = &options_of_plan,
    .input = &(struct input){ .retries = 1 },
    .check = check,
    .run_study = run,
};
