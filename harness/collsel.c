/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel.c - the table of commands. Each verb is one file (harness/cmd/<verb>.c) and one row here.
 */
#include "harness/base/suggest.h"
#include "harness/base/text.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"
#include "harness/study/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
static const struct command *const commands[] = {
    &cmd_plan,
    &cmd_sweep,
    &cmd_status,
    &cmd_fit,
    &cmd_select,
    &cmd_predict,
    &cmd_report,
    &cmd_import,
    &cmd_audit,
    &cmd_guidelines,
    &cmd_compare,
    &cmd_doctor,
    &cmd_schedule,
    &cmd_submit,
    &cmd_pack,
    &cmd_collect,
    &cmd_task,
    &cmd_testbed,
    &cmd_crosscheck,
    &cmd_train,
    &cmd_recommend,
    &cmd_explain,
    &cmd_rules,
    &cmd_export,
    &cmd_verify,
    &cmd_stale,
    &cmd_run,
    &cmd_new_cluster,
    &cmd_papers,
    &cmd_star,
    NULL,
};
/* clang-format on */

static void usage(FILE *out)
{
    fputs("usage: collsel COMMAND [OPTION...]\n\n", out);
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, "  %-11s %s\n", (*c)->name, (*c)->help);
    fputs("\n`collsel help COMMAND` (or COMMAND --help) lists its options; collsel --version says "
          "what this is. Exit status: 0 done, "
          "1 the work failed, 2 wrong usage.\n",
          out);
}

static int say_version(void)
{
    const struct options ours = { 0 };
    char build[PATH_SIZE], line[256];
    struct err err = { 0 };
    if (options_build(&ours, build, sizeof build, &err) < 0)
        return options_fail("--version", &err);
    manifest_describe(build, line, sizeof line);
    puts(line);
    return EXIT_DONE;
}

static const struct command *find(const char *name)
{
    for (const struct command *const *c = commands; *c; c++)
        if (strcmp(name, (*c)->name) == 0)
            return *c;
    return NULL;
}

static int is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static int refuse(char *name)
{
    char text[SUGGEST_TEXT];
    struct suggest m;
    suggest_init(&m, name);
    for (const struct command *const *c = commands; *c; c++)
        suggest_try(&m, (*c)->name);
    fprintf(stderr, "collsel: '%s' is not a command%s\n", text_disarm(name),
            suggest_text(&m, text));
    usage(stderr);
    return EXIT_USAGE;
}

/* "collsel help plan" is "collsel plan --help". */
static int help_of(char *name)
{
    char option[] = "--help", *args[] = { name, option, NULL };
    const struct command *command = find(name);
    if (command)
        return command_run(command, 2, args);
    return refuse(name);
}

/* Where one of the first three streams was closed, the first file that is opened would take its
 * place, and what is printed would go into that. Nothing can be written to what stands there now.
 */
static void hold_streams(void)
{
    int fd = 0;
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDONLY);
    if (fd > STDERR_FILENO)
        close(fd);
}

static int checked; /* 1: it was looked whether what was printed has arrived */

/* What was printed must have arrived. */
static int end_with(int status)
{
    checked = 1;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "collsel: cannot write what it prints: %s\n", strerror(errno));
    return status == EXIT_DONE ? EXIT_FAILED : status;
}

/* A command's --help, and its usage errors, end the program by themselves. */
static void end_of_help(int status, void *unused)
{
    (void)unused;
    if (!checked && end_with(status) != status)
        _exit(EXIT_FAILED);
}

static int run(int argc, char **argv)
{
    const struct command *command = argc >= 2 ? find(argv[1]) : NULL;
    if (argc >= 3 && is_help(argv[1]))
        return help_of(argv[2]);
    if (argc >= 2 && is_help(argv[1])) {
        usage(stdout);
        return EXIT_DONE;
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0)
        return say_version();
    if (command)
        return command_run(command, argc - 1, argv + 1);
    if (argc >= 2)
        return refuse(argv[1]);
    usage(stderr);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    hold_streams();
    on_exit(end_of_help, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error with its path */
    return end_with(run(argc, argv));
}
