/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel status: how far a study is. */
#include <math.h>
#include <string.h>

#include "harness/cmd.h"
#include "harness/estimate.h"
#include "harness/options.h"
#include "harness/status.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->input;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is one argument too many", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_status(const struct study_status *s)
{
    char text[32];
    printf("%-36s %-11s %13s %8s %10s\n", "launch", "state", "points", "attempts", "elapsed");
    for (size_t i = 0; i < s->plan.n_launches; i++) {
        const struct launch_status *l = &s->launches[i];
        char points[48];
        snprintf(points, sizeof points, "%zu/%zu", l->finished, l->launch->n);
        printf("%-36s %-11s %13s %8d %10s%s%s\n", l->launch->name, l->state, points, l->attempts,
               format_duration(l->elapsed_s, text, sizeof text), *l->reason ? "  " : "", l->reason);
    }
    printf("%zu of %zu points finished", s->finished, s->points);
    if (s->failed)
        printf(", %zu failed or timed out", s->failed);
    if (s->plan.n_skipped)
        printf(", %zu skipped", s->plan.n_skipped);
    if (s->finished + s->failed < s->points && !isnan(s->eta_s))
        printf(", about %s of launches left", format_duration(s->eta_s, text, sizeof text));
    printf("%s\n", s->driver ? "; a sweep is at work" : "");
}

static int status_main(int argc, char **argv)
{
    static const struct argp_child children[] = { { &options_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = {
        .parser = parse,
        .children = children,
        .doc = "Prints how far each launch of a study is.",
    };
    struct options options;
    struct cluster cluster;
    struct study study;
    struct study_status status;
    struct err err = { 0 };
    char dir[PATH_SIZE];
    options_init(&options);
    int usage = options_parse(&argp, argc, argv, &options);
    if (usage)
        return usage - 1;
    if (options_load(&options, &cluster, &study, &err) < 0)
        return options_fail("status", &err);
    int result = options_dir(&options, &cluster, &study, dir, sizeof dir, &err);
    if (result == 0)
        result = status_read(dir, &status, &err);
    if (result == 0) {
        print_status(&status);
        status_free(&status);
    }
    study_free(&study);
    cluster_free(&cluster);
    return result < 0 ? options_fail("status", &err) : EXIT_DONE;
}

const struct command cmd_status = { "status", "how far each launch of a study is", status_main };
