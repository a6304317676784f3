/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel measure status: how far a study is, whatever the backend. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/study/journal.h"
#include "harness/cmd/options.h"
#include "harness/study/manifest.h"
#include "harness/run/status.h"

enum { EVERY_S = 5, SCREEN = 24, PLAIN = 50, MOST_RETRIES = 1000, MOST_SECONDS = 86400 };

struct input {
    struct options options;
    int watch; /* seconds; 0: look once */
    int json, failed, all, retries;
};

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

static const struct option_row rows[] = {
    { "all", 0, NULL, "Every launch, however many they are", OPTION_TO(all) },
    { "failed", 0, NULL, "Only launches that failed, were given up or have failed points",
      OPTION_TO(failed) },
    { "json", 0, NULL, "Print JSON instead", OPTION_TO(json) },
    { "retries", 0, "N", "As given to submit or sweep (default: 1)",
      OPTION_RANGE(retries, 0, MOST_RETRIES) },
    { "watch", 0, "SECONDS",
      "Look again every so many seconds (default: 5) until nothing is at work any more",
      OPTION_RANGE(watch, 1, MOST_SECONDS), .without = EVERY_S },
    { 0 },
};

const struct command cmd_status = {
    .name = "status",
    .help = "how far each launch of a study is",
    .doc = "Prints how far each launch of a study is: from the study's files, and where Slurm "
           "has tasks of it, from Slurm. Writes nothing.",
    .rows = rows,
    .shared = &options_of_study,
    .input = &(struct input){ .retries = 1 },
    .run_study = run,
};
