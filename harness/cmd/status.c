/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel status: how far a study is, whatever the backend. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/cmd/cmd.h"
#include "harness/study/journal.h"
#include "harness/cmd/options.h"
#include "harness/study/manifest.h"
#include "harness/run/status.h"

enum { KEY_WATCH = 0x200, KEY_JSON, KEY_FAILED, KEY_ALL, KEY_RETRIES };
enum { EVERY_S = 5, SCREEN = 24, PLAIN = 50, MOST_RETRIES = 1000, MOST_SECONDS = 86400 };

struct input {
    struct options options;
    int watch; /* seconds; 0: look once */
    int json, failed, all, retries;
};

static const struct argp_option rows[] = {
    { "all", KEY_ALL, 0, 0, "Every launch, however many they are", 0 },
    { "failed", KEY_FAILED, 0, 0, "Only launches that failed, were given up or have failed points",
      0 },
    { "json", KEY_JSON, 0, 0, "Print JSON instead", 0 },
    { "retries", KEY_RETRIES, "N", 0, "As given to submit or sweep (default: 1)", 0 },
    { "watch", KEY_WATCH, "SECONDS", OPTION_ARG_OPTIONAL,
      "Look again every so many seconds (default: 5) until nothing is at work any more", 0 },
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case KEY_ALL:
        in->all = 1;
        return 0;
    case KEY_FAILED:
        in->failed = 1;
        return 0;
    case KEY_JSON:
        in->json = 1;
        return 0;
    case KEY_RETRIES:
        in->retries = options_take_int(state, "retries", arg, 0, MOST_RETRIES);
        return 0;
    case KEY_WATCH:
        in->watch = arg ? options_take_int(state, "watch", arg, 1, MOST_SECONDS) : EVERY_S;
        return 0;
    default:
        return options_common(key, arg, state);
    }
}

static size_t screen_lines(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return PLAIN;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 4 ? size.ws_row : SCREEN;
}

/* Every launch where that fits the screen, else one line for each array. */
static enum status_view choose_view(const struct input *in, const struct study_status *s)
{
    if (in->failed)
        return STATUS_FAILURES;
    if (in->all || status_height(s, STATUS_LAUNCHES) < screen_lines())
        return STATUS_LAUNCHES;
    return STATUS_ARRAYS;
}

static int show(const struct input *in, const struct study_status *s, struct err *err)
{
    char now[32];
    if (in->watch && isatty(STDOUT_FILENO))
        fputs("\033[H\033[J", stdout);
    if (in->watch && !in->json)
        printf("%s\n", utc_now(now, sizeof now));
    if (in->json && status_print_json(stdout, s) < 0)
        return err_set(err, "no JSON of this: a text in it is not UTF-8");
    if (!in->json)
        status_print(stdout, s, choose_view(in, s));
    fflush(stdout);
    return 0;
}

/* Looks once, or until everything is at rest. */
static int look(const struct input *in, struct status_source *source, struct err *err)
{
    for (;;) {
        struct study_status status;
        if (status_read(source, &status, err) < 0)
            return -1;
        int result = show(in, &status, err);
        const int rest = status_at_rest(&status);
        status_free(&status);
        if (result < 0 || !in->watch || rest)
            return result;
        sleep((unsigned)in->watch);
    }
}

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    const struct input *in = input;
    char dir[PATH_SIZE];
    struct status_source source = { .dir = dir, .cluster = cluster, .retries = in->retries };
    if (options_dir(&in->options, cluster, study, dir, sizeof dir, err) < 0 ||
        manifest_known(dir, err) < 0)
        return -1;
    return look(in, &source, err);
}

static int status_main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .children = options_of_study,
        .doc = "Prints how far each launch of a study is: from the study's files, and where Slurm "
               "has tasks of it, from Slurm. Writes nothing.",
    };
    struct input in = { .retries = 1 };
    return options_main_study(&argp, argc, argv, &in, run);
}

const struct command cmd_status = { "status", "how far each launch of a study is", status_main };
