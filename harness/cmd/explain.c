/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel ask why: one cell, from the rule down to the samples. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/cmd/asked_machine.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/explain_print.h"
#include "harness/cmd/options.h"

enum { PLAIN_COLUMNS = 120, MOST_PROCS = 1 << 28 };

struct input {
    struct options options; /* first, for the common parser */
    struct explain_question question;
    int has_bytes, json;
    int words; /* so far (asked_word) */
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
static void take_word(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    const struct input given = *in;
    const struct explain_question *had = &given.question;
    switch (asked_word(arg, &in->words, state)) {
    case ASKED_CLUSTER:
        check_word(state, "--cluster",
                   given.options.cluster_given && strcmp(given.options.cluster, arg) != 0, arg);
        in->options.cluster = arg;
        in->options.cluster_given = 1;
        break;
    case ASKED_COLLECTIVE:
        check_word(state, "--collective", had->collective && strcmp(had->collective, arg) != 0,
                   arg);
        in->question.collective = options_take_collective(state, arg);
        break;
    case ASKED_PROCS:
        in->question.procs = options_take_int(state, "procs", arg, 1, MOST_PROCS);
        check_word(state, "--procs", had->procs && had->procs != in->question.procs, arg);
        break;
    case ASKED_BYTES:
        take_bytes(in, arg, state);
        check_word(state, "--bytes", given.has_bytes && had->bytes != in->question.bytes, arg);
        break;
    case ASKED_MAPPING:
        check_word(state, "--mapping", had->mapping && strcmp(had->mapping, arg) != 0, arg);
        in->question.mapping = arg;
        break;
    }
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->question.collective || !in->question.procs || !in->has_bytes)
        argp_error(state, "--collective, --procs and --bytes are wanted, or [CLUSTER] "
                          "COLLECTIVE P BYTES");
    if (!in->options.study_given)
        in->options.study = in->question.collective;
}

static const struct option_row rows[] = {
    { "collective", 0, "NAME", "The MPI collective", OPTION_COLLECTIVE_TO(question.collective) },
    { "procs", 'p', "P", "Processes", OPTION_RANGE(question.procs, 1, MOST_PROCS) },
    { "bytes", 'm', "BYTES", "Message size, e.g. 64K",
      OPTION_NUMBER_TO(question.bytes, parse_bytes), .given = INPUT_AT(has_bytes) },
    { "mapping", 0, "NAME", "Mapping (default: the first that there is)",
      OPTION_TO(question.mapping) },
    { "nodes", 0, "N", "Nodes (default: as so many processes were placed)",
      OPTION_RANGE(question.nodes, 1, 1 << 24) },
    { "mpi", 0, "NAME", "Library (default: the first that there is)", OPTION_TO(question.mpi) },
    { "library", 0, "NAME",
      "Whose rule to show, as of `collsel rules write` (default: of the library and the release "
      "that were measured)",
      OPTION_TO(question.reader) },
    { "margin", 0, "PCT", "Of the rule, as of `collsel rules write` (default: 3)",
      OPTION_TO(question.margin_pct) },
    { "json", 0, NULL, "The same as JSON, with all candidates", OPTION_TO(json) },
    { 0 },
};

static struct input asked = { .question = { .margin_pct = 3 } };

const struct command cmd_explain = {
    .name = "explain",
    .help = "one choice: its rule, its evidence, the default",
    .words = "[[CLUSTER] COLLECTIVE P BYTES [MAPPING]]",
    .doc = "Explains the choice in one cell of a study or data set: what to take, the rule of "
           "an exported file and why, what the library's default does and costs, all that was "
           "measured (time, interval, launches, calls, what is tied), what each model says, "
           "and a picture of the schedule where it fits. Where that very cell was not "
           "measured, the nearest ones, which is said. Without --study that of the "
           "collective's name. Run `collsel fit` before.",
    .rows = rows,
    .shared = &options_of_results,
    .input = &asked,
    .take_word = take_word,
    .check = check,
    .run = run,
};
