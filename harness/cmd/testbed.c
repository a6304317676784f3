/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel testbed: an emulated cluster with real Slurm on this machine. */
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/run/testbed/testbed.h"

struct input {
    const char *action, *cluster, *clusters;
    int quiet, json;
};

static int is_action(const char *word)
{
    static const char *const actions[] = { "up", "down", "status", "start" };
    return any_below(i, sizeof actions / sizeof actions[0], strcmp(word, actions[i]) == 0);
}

static int up(const struct input *in, FILE *chatter, struct err *err)
{
    struct cluster cluster;
    if (cluster_load(in->clusters, in->cluster, &cluster, err) < 0)
        return -1;
    int result = testbed_up(&cluster, chatter, err);
    cluster_free(&cluster);
    return result;
}

/* The name of a cluster that was given by name or by path. A testbed can be taken down when its
 * file is gone. */
static int name_of(const struct input *in, char *buf, size_t size, struct err *err)
{
    struct cluster cluster;
    size_t n = strlen(in->cluster);
    if (!strchr(in->cluster, '/') && !(n > 4 && strcmp(in->cluster + n - 4, ".ini") == 0)) {
        snprintf(buf, size, "%s", in->cluster);
        return 0;
    }
    if (cluster_load(in->clusters, in->cluster, &cluster, err) < 0)
        return -1;
    snprintf(buf, size, "%s", cluster.name);
    cluster_free(&cluster);
    return 0;
}

/* Printed in either case; -1 with *err where something is wrong with it. */
static int print_json(const char *name, struct err *err)
{
    struct err wrong = { 0 };
    json_t *o = name ? testbed_status_json(name, &wrong) : testbed_list_json();
    if (json_print(o, err) < 0)
        return -1;
    *err = wrong;
    return *wrong.text ? -1 : 0;
}

static int act(const void *input, struct err *err)
{
    const struct input *in = input;
    char name[KEY_WORD];
    FILE *chatter = in->quiet ? NULL : stderr;
    if (strcmp(in->action, "up") == 0)
        return up(in, chatter, err);
    if (!in->cluster) {
        if (in->json)
            return print_json(NULL, err);
        testbed_list(stdout);
        return 0;
    }
    if (name_of(in, name, sizeof name, err) < 0)
        return -1;
    if (strcmp(in->action, "down") == 0)
        return testbed_down(name, chatter, err);
    if (strcmp(in->action, "start") == 0)
        return testbed_start(name, chatter, NULL, err);
    return in->json ? print_json(name, err) : testbed_status(name, stdout, err);
}

static void take_word(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    if (state->arg_num == 0 && !is_action(arg))
        argp_error(state, "'%s' is not known (want up, down, status or start)", arg);
    if (state->arg_num >= 2)
        argp_error(state, "'%s' is one argument too many", arg);
    *(state->arg_num == 0 ? &in->action : &in->cluster) = arg;
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->action || (!in->cluster && strcmp(in->action, "status") != 0))
        argp_error(state, "want what to do (up, down, status, start) and a cluster");
}

static const struct option_row rows[] = {
    { "clusters", 0, "DIR", "Directory of cluster files (default clusters)", OPTION_TO(clusters) },
    { "json", 0, NULL, "status: print it as JSON", OPTION_TO(json) },
    { "quiet", 'q', NULL, "Say nothing but errors", OPTION_TO(quiet) },
    { 0 },
};

const struct command cmd_testbed = {
    .name = "testbed",
    .help = "an emulated cluster with real Slurm, up or down",
    .words = "up|down|start CLUSTER\nstatus [CLUSTER]",
    .doc = "Makes an emulated cluster with a real Slurm on this machine, takes it down without "
           "a trace, prints what of it is up (without CLUSTER: which there are), starts "
           "daemons of it that have ended. Needs root.",
    .rows = rows,
    .input = &(struct input){ .clusters = "clusters" },
    .check = check,
    .take_word = take_word,
    .run = act,
};
