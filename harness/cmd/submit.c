/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel measure submit: what a study lacks, as job arrays of Slurm. */
#include "analysis/adapt/prior_times.h"
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/run/slurm/jobs.h"

enum { MOST_RETRIES = 1000 };

struct input {
    struct options options;
    int retries, throttle, no_collect, dry_run, write_only, verbose, anew, json;
};

static const char *what_became(const struct input *in)
{
    return in->dry_run ? "would be submitted" : in->write_only ? "written" : "submitted";
}

static void print_result(const struct input *in, const struct jobs_result *r, const char *dir)
{
    if (r->tasks)
        printf("%s: %zu task%s in %zu array%s, %zu point%s", what_became(in), r->tasks,
               plural(r->tasks), r->arrays, plural(r->arrays), COUNTED(r->points));
    else
        printf("nothing to submit");
    printf("; of %zu launch%s %zu are finished, %zu in flight", r->launches,
           of_number(r->launches, "", "es"), r->finished, r->in_flight);
    if (r->later)
        printf(", %zu wait for the rounds before them", r->later);
    if (r->given_up)
        printf(", %zu given up", r->given_up);
    if (r->starved)
        printf(", %zu without nodes", r->starved);
    printf(": %s\n", dir);
    if (r->skipped)
        printf("%zu point%s skipped, e.g. %s\n", COUNTED(r->skipped), r->skipped_why);
}

static void print_next(const struct input *in, const struct jobs_result *r, const char *dir)
{
    char next[NEXT_SIZE], script[PATH_SIZE];
    const char *const words[] = { "sbatch", script, NULL };
    if (in->dry_run || fs_path(script, sizeof script, NULL, "%s/jobs/NAME.sbatch", dir) < 0)
        return;
    if (in->write_only && r->tasks)
        printf("submit them by hand: %s\n", options_words(words, next));
    else if (r->tasks || r->in_flight)
        printf("how far they are: %s\n", options_next(&in->options, "status", NULL, next));
    else if (r->finished == r->launches)
        printf("the report: %s\n", options_next(&in->options, "report", NULL, next));
}

static int print_json(const struct input *in, const struct jobs_result *r, const char *dir,
                      struct err *err)
{
    return json_print(
        json_pack(
            "{s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:o}",
            "results", dir, "what", what_became(in), "slurm_asked", !r->assumed, "arrays",
            (json_int_t)r->arrays, "tasks", (json_int_t)r->tasks, "points", (json_int_t)r->points,
            "launches", (json_int_t)r->launches, "finished", (json_int_t)r->finished, "in_flight",
            (json_int_t)r->in_flight, "later", (json_int_t)r->later, "given_up",
            (json_int_t)r->given_up, "starved", (json_int_t)r->starved, "skipped",
            (json_int_t)r->skipped, "points_given_up", (json_int_t)r->failed, "core_s", r->core_s,
            "collect_job", json_word(r->collect), "named", json_word(r->names)),
        err);
}

/* Launches that no task will measure are a failure of the work. */
static int judge(const struct input *in, const struct jobs_result *r, const char *dir,
                 struct err *err)
{
    if (r->given_up)
        return err_set(err,
                       "%zu launch%s given up after more than %d tries in vain: %s (see "
                       "%s/events.jsonl; a larger --retries tries again)",
                       r->given_up, of_number(r->given_up, " is", "es are"), in->retries, r->names,
                       dir);
    if (r->starved)
        return err_set(err,
                       "%zu launch%s more nodes than are left when those of 'exclude' and those "
                       "that broke are not used: %s (see %s/events.jsonl)",
                       r->starved, of_number(r->starved, " wants", "es want"), r->names, dir);
    return 0;
}

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    const struct input *in = input;
    char dir[PATH_SIZE], build[PATH_SIZE];
    struct sweep_request request = {
        .cluster = cluster,
        .study = study,
        .backend = &backend_slurm,
        .clusters = in->options.clusters,
        .results = in->options.results,
        .dir = dir,
        .build = build,
        .command = in->options.command,
        .why = "backend slurm: collsel measure submit",
        .retries = in->retries,
        .throttle = in->throttle,
        .no_collect = in->no_collect,
        .dry_run = in->dry_run,
        .write_only = in->write_only,
        .verbose = in->verbose,
        .quiet = in->options.quiet || in->json,
        .anew = in->anew,
        .prior_compute = prior_compute,
        .out = in->json ? stderr : stdout,
    };
    struct jobs_result result;
    if (options_dir(&in->options, cluster, study, dir, sizeof dir, err) < 0 ||
        options_build(&in->options, build, sizeof build, err) < 0)
        return -1;
    const int status = jobs_submit(&request, &result, err);
    if (status < 0)
        return -1;
    if (in->json && print_json(in, &result, dir, err) < 0)
        return -1;
    if (!in->options.quiet && !in->json) {
        print_result(in, &result, dir);
        stuck_print(stdout, &result.stuck);
        print_next(in, &result, dir);
    }
    return judge(in, &result, dir, err);
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (strcmp(in->options.backend, "auto") != 0 && strcmp(in->options.backend, "slurm") != 0)
        argp_error(state, "--backend: '%s' has no jobs (want slurm, or collsel measure)",
                   in->options.backend);
}

static const struct option_row rows[] = {
    { "dry-run", 'n', NULL,
      "Print what would be submitted; write and submit nothing. Needs no Slurm that answers",
      OPTION_TO(dry_run) },
    { "verbose", 'v', NULL, "With --dry-run: print the scripts as well", OPTION_TO(verbose) },
    { "write-only", 0, NULL, "Write the files; submit nothing. Needs no Slurm that answers",
      OPTION_TO(write_only) },
    { "no-collect", 0, NULL, "No job that collects and reports after the others",
      OPTION_TO(no_collect) },
    { "throttle", 0, "N",
      "At most N tasks of an array at a time (default: as the cluster file says)",
      OPTION_RANGE(throttle, 1, 100000) },
    { "retries", 'r', "N",
      "Submit a launch again after N fruitless times, try a failed point N more times (default: 1)",
      OPTION_RANGE(retries, 0, MOST_RETRIES) },
    { "anew", 0, NULL, "Measure everything again where the environment is another than before",
      OPTION_TO(anew) },
    { "json", 0, NULL, "Print what was, or would be, submitted as JSON", OPTION_TO(json) },
    { 0 },
};

const struct command cmd_submit = {
    .name = "submit",
    .help = "what a study lacks as Slurm job arrays; resumes",
    .doc = "Writes job arrays below RESULTS/CLUSTER/STUDY/jobs/ for what a study lacks and "
           "submits them to Slurm. Run it again at will: only what is missing and not in the "
           "queue is submitted.",
    .rows = rows,
    .shared = &options_of_plan,
    .input = &(struct input){ .retries = 1 },
    .check = check,
    .run_study = run,
};
