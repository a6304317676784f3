/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel task: one launch, in a Slurm allocation. What the scripts below jobs/ run. */
#include "harness/cmd/probe.h"
#include "harness/run/slurm/slurm_command.h"

enum { MOST_PROBES = 1000, MOST_RETRIES = 1000 };

struct input {
    struct options options;
    const char *launch, *digest, *mpi;
    int retries, probe;
};

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    const struct input *in = input;
    char why[WHY_SIZE], dir[PATH_SIZE], build[PATH_SIZE];
    struct allocation at;
    if (allocation_find(&at, err) < 0)
        return -1;
    struct sweep_request request = {
        .cluster = cluster,
        .study = study,
        .backend = &backend_slurm,
        .why = why,
        .dir = dir,
        .build = build,
        .command = "collsel task",
        .retries = in->retries,
        .quiet = in->options.quiet,
        .only = in->launch,
        .digest = in->digest,
        .job = at.job,
        .job_nodes = at.nodes,
        .job_cores = at.cores,
        .job_restarts = at.restarts,
    };
    struct sweep_result result;
    if (options_dir(&in->options, cluster, study, dir, sizeof dir, err) < 0 ||
        options_build(&in->options, build, sizeof build, err) < 0)
        return -1;
    snprintf(why, sizeof why, "in allocation %s", at.job);
    const int status = in->probe
                           ? probe_launch(&request, &in->options, in->probe, in->mpi, &result, err)
                           : sweep_run(&request, &result, err);
    if (status < 0)
        return -1;
    printf("%s: %zu of %zu point%s finished (%zu now), %zu given up\n", in->launch, result.finished,
           COUNTED(result.points), result.measured, result.failed);
    return 0;
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->launch)
        argp_error(state, "no --launch (want one of plan.csv)");
    if (!in->probe != !in->mpi)
        argp_error(state, "--probe and --mpi go together (want both or none)");
}

static const struct option_row rows[] = {
    { "launch", 0, "NAME", "The launch to measure, as plan.csv names it", OPTION_TO(launch) },
    { "digest", 0, "HEX8", "Refuse when facts or settings differ from these", OPTION_TO(digest) },
    { "retries", 0, "N", "Try a failed or hung point N more times (default: 1)",
      OPTION_RANGE(retries, 0, MOST_RETRIES) },
    { "probe", 0, "PCT", "A launch of `collsel measure --probe`, of the MPI of --mpi",
      OPTION_RANGE(probe, 1, MOST_PROBES) },
    { "mpi", 0, "NAME", "Goes with --probe", OPTION_TO(mpi) },
    { "unsure", 0, NULL, "Goes with --probe", .take = options_take_unsure },
    { 0 },
};

const struct command cmd_task = {
    .name = "task",
    .help = "measure one launch in a Slurm allocation",
    .doc = "Measures what one launch lacks, in a Slurm allocation. The scripts that `collsel "
           "measure submit` writes run it; it can be run again at will.",
    .rows = rows,
    .shared = &options_of_plan,
    .input = &(struct input){ .retries = 1 },
    .check = check,
    .run_study = run,
};
