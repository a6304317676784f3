/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel explain: one cell, from the rule down to the samples. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/explain_print.h"
#include "harness/cmd/options.h"
#include "workloads/schedules/collectives.h"

enum { KEY_COLLECTIVE = 0x200, KEY_MPI, KEY_MAPPING, KEY_NODES, KEY_LIBRARY, KEY_MARGIN, KEY_JSON };
enum { PLAIN_COLUMNS = 120, MOST_PROCS = 1 << 28 };

struct input {
    struct options options; /* first, for the common parser */
    struct explain_question question;
    int has_bytes, json;
    int no_cluster; /* 1: the words begin with the collective */
};

static int columns_of(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col
                                                                          : PLAIN_COLUMNS;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    const struct explain_question *q = &in->question;
    struct explanation e;
    char dir[PATH_SIZE];
    int status = 0;
    if (options_results(&in->options, dir, sizeof dir, err) < 0 ||
        options_fitted(&in->options, dir, err) < 0 || explain_make(dir, q, &e, err) < 0)
        return -1;
    const int columns = columns_of(STDOUT_FILENO);
    if (in->json)
        status = explain_print_json(&e, dir, columns, q->margin_pct, err);
    else
        explain_print(&e, dir, columns, q->margin_pct);
    explain_clear(&e);
    return status;
}

/* ---- parsing ---- */

static void take_bytes(struct input *in, const char *arg, struct argp_state *state)
{
    struct err err = { 0 };
    in->has_bytes = 1;
    if (parse_bytes(arg, &in->question.bytes, &err) < 0)
        argp_error(state, "--bytes: %s", err.text);
}

/* Options stand before words, wherever they were written: where both say one thing, they agree. */
static void check_word(struct argp_state *state, const char *option, int differs, const char *arg)
{
    if (differs)
        argp_error(state, "%s says something else than the word '%s' (want one of them)", option,
                   arg);
}

/* [CLUSTER] COLLECTIVE P BYTES [MAPPING] */
static error_t take_word(struct input *in, char *arg, struct argp_state *state)
{
    const struct input given = *in;
    const struct explain_question *had = &given.question;
    in->no_cluster |= state->arg_num == 0 && collective_find(arg) != NULL;
    switch ((int)state->arg_num + in->no_cluster) {
    case 0:
        check_word(state, "--cluster",
                   given.options.cluster_given && strcmp(given.options.cluster, arg) != 0, arg);
        in->options.cluster = arg;
        in->options.cluster_given = 1;
        return 0;
    case 1:
        check_word(state, "--collective", had->collective && strcmp(had->collective, arg) != 0,
                   arg);
        in->question.collective = options_take_collective(state, arg);
        return 0;
    case 2:
        in->question.procs = options_take_int(state, "procs", arg, 1, MOST_PROCS);
        check_word(state, "--procs", had->procs && had->procs != in->question.procs, arg);
        return 0;
    case 3:
        take_bytes(in, arg, state);
        check_word(state, "--bytes", given.has_bytes && had->bytes != in->question.bytes, arg);
        return 0;
    case 4:
        check_word(state, "--mapping", had->mapping && strcmp(had->mapping, arg) != 0, arg);
        in->question.mapping = arg;
        return 0;
    default:
        return options_common(ARGP_KEY_ARG, arg, state);
    }
}

static error_t parse_rest(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case KEY_LIBRARY:
        in->question.reader = options_take_reader(state, arg, 0);
        return 0;
    case KEY_MARGIN:
        if (parse_f64(arg, &in->question.margin_pct, NULL) < 0 || in->question.margin_pct < 0)
            argp_error(state, "--margin: '%s' is no percentage", arg);
        return 0;
    case KEY_JSON:
        in->json = 1;
        return 0;
    case ARGP_KEY_ARG:
        return take_word(in, arg, state);
    case ARGP_KEY_END:
        if (!in->question.collective || !in->question.procs || !in->has_bytes)
            argp_error(state, "--collective, --procs and --bytes are wanted, or [CLUSTER] "
                              "COLLECTIVE P BYTES");
        if (!in->options.study_given)
            in->options.study = in->question.collective;
        return 0;
    default:
        return options_common(key, arg, state);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case KEY_COLLECTIVE:
        in->question.collective = options_take_collective(state, arg);
        return 0;
    case KEY_MPI:
        in->question.mpi = arg;
        return 0;
    case KEY_MAPPING:
        in->question.mapping = arg;
        return 0;
    case 'p':
        in->question.procs = options_take_int(state, "procs", arg, 1, MOST_PROCS);
        return 0;
    case 'm':
        take_bytes(in, arg, state);
        return 0;
    case KEY_NODES:
        in->question.nodes = options_take_int(state, "nodes", arg, 1, 1 << 24);
        return 0;
    default:
        return parse_rest(key, arg, state);
    }
}

static int explain_main(int argc, char **argv)
{
    static const struct argp_option rows[] = {
        { "collective", KEY_COLLECTIVE, "NAME", 0, "The MPI collective", 0 },
        { "procs", 'p', "P", 0, "Processes", 0 },
        { "bytes", 'm', "BYTES", 0, "Message size, e.g. 64K", 0 },
        { "mapping", KEY_MAPPING, "NAME", 0, "Mapping (default: the first that there is)", 0 },
        { "nodes", KEY_NODES, "N", 0, "Nodes (default: as so many processes were placed)", 0 },
        { "mpi", KEY_MPI, "NAME", 0, "Library (default: the first that there is)", 0 },
        { "library", KEY_LIBRARY, "NAME", 0,
          "Whose rule to show, as of `collsel export` (default: of the library and the release "
          "that were measured)",
          0 },
        { "margin", KEY_MARGIN, "PCT", 0, "Of the rule, as of `collsel export` (default: 3)", 0 },
        { "json", KEY_JSON, NULL, 0, "The same as JSON, with all candidates", 0 },
        { 0 },
    };
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "[[CLUSTER] COLLECTIVE P BYTES [MAPPING]]",
        .children = options_of_results,
        .doc = "Explains the choice in one cell of a study or data set: what to take, the rule of "
               "an exported file and why, what the library's default does and costs, all that was "
               "measured (time, interval, launches, calls, what is tied), what each model says, "
               "and a picture of the schedule where it fits. Where that very cell was not "
               "measured, the nearest ones, which is said. Without --study that of the "
               "collective's name. Run `collsel fit` before.",
    };
    struct input in = { .question = { .margin_pct = 3 } };
    return options_main(&argp, argc, argv, &in, run);
}

const struct command cmd_explain = { "explain", "one choice: its rule, its evidence, the default",
                                     explain_main };
