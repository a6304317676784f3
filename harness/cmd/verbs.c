/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/verbs.h"

#include <unistd.h>

#include "harness/base/install_paths.h"
#include "harness/base/suggest.h"
#include "harness/study/manifest.h"

const struct verb verbs[] = {
    { "tune", NULL, &cmd_tune, NULL, VERBS_FIRST },
    { "measure", NULL, &cmd_sweep, NULL, VERBS_FIRST },
    { "measure", "plan", &cmd_plan, NULL, VERBS_FIRST },
    { "measure", "submit", &cmd_submit, NULL, VERBS_FIRST },
    { "measure", "status", &cmd_status, NULL, VERBS_FIRST },
    { "measure", "collect", &cmd_collect, NULL, VERBS_FIRST },
    { "measure", "pack", &cmd_pack, NULL, VERBS_FIRST },
    { "measure", "--slurm", &cmd_submit, NULL, VERBS_HIDDEN },
    { "report", NULL, &cmd_report, NULL, VERBS_FIRST },
    { "ask", NULL, &cmd_recommend, NULL, VERBS_FIRST },
    { "ask", "why", &cmd_explain, NULL, VERBS_FIRST },
    { "ask", "predict", &cmd_predict, NULL, VERBS_FIRST },
    { "ask", "--why", &cmd_explain, NULL, VERBS_HIDDEN },
    { "rules", NULL, &cmd_rules, "files of rules that an MPI library loads", VERBS_FIRST },
    { "rules", "write", &cmd_export, NULL, VERBS_FIRST },
    { "rules", "check", &cmd_rules, NULL, VERBS_FIRST },
    { "rules", "verify", &cmd_verify, NULL, VERBS_FIRST },
    { "rules", "stale", &cmd_stale, NULL, VERBS_FIRST },
    { "run", NULL, &cmd_run, NULL, VERBS_FIRST },
    { "import", NULL, &cmd_import, NULL, VERBS_FIRST },
    { "import", "audit", &cmd_audit, NULL, VERBS_FIRST },
    { "cluster", NULL, NULL, "the file of a machine; what is installed and possible", VERBS_FIRST },
    { "cluster", "new", &cmd_new_cluster, NULL, VERBS_FIRST },
    { "cluster", "check", &cmd_doctor, NULL, VERBS_FIRST },
    { "train", NULL, &cmd_train, NULL, VERBS_RESEARCH },
    { "compare", NULL, &cmd_compare, NULL, VERBS_RESEARCH },
    { "guidelines", NULL, &cmd_guidelines, NULL, VERBS_RESEARCH },
    { "schedule", NULL, &cmd_schedule, NULL, VERBS_RESEARCH },
    { "star", NULL, &cmd_star, NULL, VERBS_RESEARCH },
    { "crosscheck", NULL, &cmd_crosscheck, NULL, VERBS_RESEARCH },
    { "papers", NULL, &cmd_papers, NULL, VERBS_RESEARCH },
    { "testbed", NULL, &cmd_testbed, NULL, VERBS_RESEARCH },
    { "fit", NULL, &cmd_fit, NULL, VERBS_SCRIPTS },
    { "select", NULL, &cmd_select, NULL, VERBS_SCRIPTS },
    { "task", NULL, &cmd_task, NULL, VERBS_SCRIPTS },
    { "complete", NULL, &cmd_complete, NULL, VERBS_HIDDEN },
    { 0 },
};

/* "measure plan". Returns buf. */
static const char *verb_text(const struct verb *verb, char buf[VERB_TEXT])
{
    snprintf(buf, VERB_TEXT, "%s%s%s", verb->name, verb->word ? " " : "",
             verb->word ? verb->word : "");
    return buf;
}

/* The first row of a command. */
static const struct verb *row_of(const char *command)
{
    for (const struct verb *v = verbs; v->name; v++)
        if (v->command && strcmp(v->command->name, command) == 0)
            return v;
    return NULL;
}

const char *verb_of(const char *command, char buf[VERB_TEXT])
{
    const struct verb *v = row_of(command);
    return v ? verb_text(v, buf) : command;
}

const char *verb_words(const char *name, char buf[VERB_WORDS])
{
    size_t n = 0;
    buf[0] = '\0';
    for (const struct verb *v = verbs; v->name && n < VERB_WORDS; v++)
        if (v->word && v->list != VERBS_HIDDEN && strcmp(v->name, name) == 0)
            n += (size_t)snprintf(buf + n, VERB_WORDS - n, "%s%s", n ? ", " : "", v->word);
    return buf;
}

static void print_first(FILE *out)
{
    char words[VERB_WORDS];
    fputs("usage: collsel COMMAND [OPTION...]\n\n", out);
    for (const struct verb *v = verbs; v->name; v++)
        if (v->list == VERBS_FIRST && !v->word)
            fprintf(out, *verb_words(v->name, words) ? "  %-8s %s (%s)\n" : "  %-8s %s\n", v->name,
                    v->help ? v->help : v->command->help, words);
    fputs("\nMore commands, for research and for scripts: collsel help all. Options: collsel help "
          "COMMAND.\nExit status: 0 done, 1 the work failed, 2 wrong usage. What this is: collsel "
          "--version.\n",
          out);
}

/* Those of a verb, or of a list. */
static void print_rows(const char *name, enum verb_list list)
{
    char text[VERB_TEXT];
    for (const struct verb *v = verbs; v->name; v++) {
        const int old = v->command && strcmp(v->command->name, v->word ? "" : v->name) != 0 &&
                        row_of(v->command->name) == v;
        if (v->list != list || (name && strcmp(name, v->name) != 0) || (!v->command && !name))
            continue;
        printf("  %-17s%s%s%s%s\n", verb_text(v, text), v->command ? v->command->help : v->help,
               old ? " (was " : "", old ? v->command->name : "", old ? ")" : "");
    }
}

static int print_all(void)
{
    puts("usage: collsel COMMAND [OPTION...]\n");
    print_rows(NULL, VERBS_FIRST);
    puts("\nResearch:\n");
    print_rows(NULL, VERBS_RESEARCH);
    puts("\nSteps of others, for scripts:\n");
    print_rows(NULL, VERBS_SCRIPTS);
    return EXIT_DONE;
}

static int refuse(char *name)
{
    char text[SUGGEST_TEXT], words[VERB_TEXT];
    struct suggest m;
    print_first(stderr);
    suggest_init(&m, name);
    suggest_try(&m, "version");
    for (const struct verb *v = verbs; v->name; v++) {
        suggest_try(&m, v->name);
        if (v->command)
            suggest_try(&m, v->command->name);
    }
    for (const struct verb *v = verbs; v->name; v++)
        if (v->word && v->list != VERBS_HIDDEN && strcmp(v->word, name) == 0) {
            fprintf(stderr, "\ncollsel: '%s' is not a command; did you mean '%s'?\n", name,
                    verb_text(v, words));
            return EXIT_USAGE;
        }
    fprintf(stderr, "\ncollsel: '%s' is not a command%s\n", text_disarm(name),
            suggest_text(&m, text));
    return EXIT_USAGE;
}

/* Where a word of the verb stands: behind it, one that is spelled like an option anywhere; -1:
 * nowhere. */
static int place_of(const char *word, int argc, char **argv)
{
    for (int i = 2; i < argc && (i == 2 || *word == '-') && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], word) == 0)
            return i;
    return -1;
}

const struct verb *verb_find(int argc, char **argv, int *place)
{
    const struct verb *alone = NULL;
    *place = -1;
    for (const struct verb *v = verbs; v->name; v++) {
        if (strcmp(v->name, argv[1]) != 0)
            continue;
        if (!v->word)
            alone = v;
        else if ((*place = place_of(v->word, argc, argv)) > 0)
            return v;
    }
    return alone ? alone : row_of(argv[1]);
}

static int say_version(void)
{
    char build[PATH_SIZE], line[256];
    if (install_path_program(build, sizeof build, NULL) < 0)
        build[0] = '\0';
    manifest_describe(build, line, sizeof line);
    puts(line);
    return EXIT_DONE;
}

static int is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

/* A verb that wants a word. */
static int want_word(const struct verb *verb, int argc, char **argv)
{
    char words[VERB_WORDS];
    if (argc > 2 && is_help(argv[2])) {
        printf("usage: collsel %s WORD [OPTION...]\n\n", verb->name);
        print_rows(verb->name, VERBS_FIRST);
        return EXIT_DONE;
    }
    fprintf(stderr, "collsel %s: a word is wanted behind it: %s\n", verb->name,
            verb_words(verb->name, words));
    return EXIT_USAGE;
}

/* 1 where what stands behind a verb is none of its words: the command takes nothing there, or it is
 * no file, and near to a word. Says so. */
static int refuse_word(const struct verb *verb, char *given)
{
    char words[VERB_WORDS], text[SUGGEST_TEXT];
    struct suggest m;
    if (!given || *given == '-' || is_help(given) || !*verb_words(verb->name, words))
        return 0;
    suggest_init(&m, given);
    for (const struct verb *v = verbs; v->name; v++)
        if (v->word && v->list != VERBS_HIDDEN && strcmp(v->name, verb->name) == 0)
            suggest_try(&m, v->word);
    if (verb->command && verb->command->words && (!suggest_name(&m) || access(given, F_OK) == 0))
        return 0;
    fprintf(stderr, "collsel %s: '%s' is not a word of it (want %s)%s\n", verb->name,
            text_disarm(given), words, suggest_text(&m, text));
    return 1;
}

/* "collsel help measure plan" is "collsel measure plan --help". */
static int help_of(int argc, char **argv)
{
    char option[] = "--help", *args[] = { argv[0], argv[2], argv[3], option, NULL };
    if (strcmp(argv[2], "all") == 0)
        return print_all();
    if (argc == 3)
        args[2] = option;
    return verbs_run(argc == 3 ? 3 : 4, args);
}

int verbs_run(int argc, char **argv)
{
    int place;
    char text[VERB_TEXT];
    if (argc < 2) {
        print_first(stderr);
        fputs("\ncollsel: a COMMAND is wanted\n", stderr);
        return EXIT_USAGE;
    }
    if (is_help(argv[1]) && argc > 2)
        return help_of(argc, argv);
    if (is_help(argv[1])) {
        print_first(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1] + strspn(argv[1], "-"), "version") == 0)
        return say_version();
    const struct verb *verb = verb_find(argc, argv, &place);
    if (!verb)
        return refuse(argv[1]);
    if (strcmp(verb->name, argv[1]) != 0 && isatty(STDERR_FILENO))
        fprintf(stderr, "collsel: `collsel %s` is `collsel %s` now\n", argv[1],
                verb_text(verb, text));
    if (place < 0 && strcmp(verb->name, argv[1]) == 0 && refuse_word(verb, argv[2]))
        return EXIT_USAGE;
    if (!verb->command)
        return want_word(verb, argc, argv);
    return command_run(verb->command, place, argc, argv);
}
