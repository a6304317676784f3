/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel task: one launch, in a Slurm allocation. What the scripts below jobs/ run. */
#include <stdio.h>

#include "harness/cmd/cmd.h"
#include "harness/cmd/confirm.h"
#include "harness/cmd/options.h"
#include "harness/cmd/probe.h"
#include "harness/run/slurm/allocation.h"
#include "harness/run/sweep.h"

enum {
    KEY_LAUNCH = 0x200,
    KEY_DIGEST,
    KEY_RETRIES,
    KEY_CONFIRM,
    KEY_PROBE,
    KEY_UNSURE,
    KEY_MPI,
    MOST_PROBES = 1000,
    MOST_RETRIES = 1000
};

struct input {
    struct options options;
    const char *launch, *digest, *mpi;
    int retries, confirm, probe;
};

static const struct argp_option rows[] = {
    { "launch", KEY_LAUNCH, "NAME", 0, "The launch to measure, as plan.csv names it", 0 },
    { "digest", KEY_DIGEST, "HEX8", 0, "Refuse when facts or settings differ from these", 0 },
    { "retries", KEY_RETRIES, "N", 0, "Try a failed or hung point N more times (default: 1)", 0 },
    { "confirm", KEY_CONFIRM, 0, 0, "Measure only what `collsel plan --confirm` lists", 0 },
    { "probe", KEY_PROBE, "PCT", 0, "A launch of `collsel sweep --probe`, of the MPI of --mpi", 0 },
    { "mpi", KEY_MPI, "NAME", 0, "Goes with --probe", 0 },
    { "unsure", KEY_UNSURE, 0, 0, "Goes with --probe", 0 },
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case KEY_LAUNCH:
        in->launch = arg;
        return 0;
    case KEY_DIGEST:
        in->digest = arg;
        return 0;
    case KEY_RETRIES:
        in->retries = options_take_int(state, "retries", arg, 0, MOST_RETRIES);
        return 0;
    case KEY_CONFIRM:
        in->confirm = 1;
        return 0;
    case KEY_PROBE:
        in->probe = options_take_int(state, "probe", arg, 1, MOST_PROBES);
        return 0;
    case KEY_UNSURE:
        options_take_unsure(&in->options);
        return 0;
    case KEY_MPI:
        in->mpi = arg;
        return 0;
    case ARGP_KEY_END:
        if (!in->launch)
            argp_error(state, "no --launch (want one of plan.csv)");
        if (!in->probe != !in->mpi)
            argp_error(state, "--probe and --mpi go together (want both or none)");
        return 0;
    default:
        return options_common(key, arg, state);
    }
}

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
        options_build(&in->options, build, sizeof build, err) < 0 ||
        (in->confirm && confirm_part_make(study, dir, &request.part, err) < 0))
        return -1;
    snprintf(why, sizeof why, "in allocation %s", at.job);
    const int status = in->probe
                           ? probe_launch(&request, &in->options, in->probe, in->mpi, &result, err)
                           : sweep_run(&request, &result, err);
    confirm_part_clear(&request.part);
    if (status < 0)
        return -1;
    printf("%s: %zu of %zu points finished (%zu now), %zu given up\n", in->launch, result.finished,
           result.points, result.measured, result.failed);
    return 0;
}

static int task_main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .children = options_of_plan,
        .doc = "Measures what one launch lacks, in a Slurm allocation. The scripts that `collsel "
               "submit` writes run it; it can be run again at will.",
    };
    struct input in = { .retries = 1 };
    return options_main_study(&argp, argc, argv, &in, run);
}

const struct command cmd_task = { "task", "measure one launch in a Slurm allocation", task_main };
