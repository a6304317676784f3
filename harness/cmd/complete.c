/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel complete: the words that a shell may put next, out of the tables: docs/completion asks.
 */
#include "analysis/learn/learner.h"
#include "harness/base/install_paths.h"
#include "harness/cmd/options.h"
#include "harness/cmd/verbs.h"
#include "harness/import/import.h"
#include "harness/rules/rollout.h"
#include "harness/run/backends/backend.h"
#include "harness/study/suggest_names.h"

struct input {
    char **words; /* up to the one that is begun */
};

static void list_files(struct suggest *m, const char *dir)
{
    char path[PATH_SIZE];
    meant_files(m, dir);
    if (install_path_find(dir, path, sizeof path))
        meant_files(m, path);
}

static void clusters(struct suggest *m)
{
    list_files(m, "clusters");
}

static void studies(struct suggest *m)
{
    list_files(m, "clusters/studies");
    meant_collectives(m);
}

static void datasets(struct suggest *m)
{
    options_meant_datasets(m, "results");
}

/* Of the collective before it. */
static void algorithms(struct suggest *m)
{
    meant_algorithms(m, m->word);
}

/* The names of a table. */
#define LIST(function, row, all)                                                                   \
    static void function(struct suggest *m)                                                        \
    {                                                                                              \
        for (const struct row *const *r = all; *r; r++)                                            \
            suggest_try(m, (*r)->name);                                                            \
    }
LIST(list_backends, backend, backends)
LIST(list_readers, rules_reader, rules_readers)
LIST(list_formats, import_format, import_formats)
LIST(list_learners, learner, learners)
LIST(list_forms, rollout_form, rollout_forms)

/* What names an option's argument, by the option, or a word, as the usage calls it. */
static const struct argument {
    const char *of[4];
    void (*list)(struct suggest *);
    const char *words; /* these as well */
} arguments[] = {
    { { "CLUSTER", "cluster", "for", "links" }, clusters, NULL },
    { { "STUDY", "study" }, studies, NULL },
    { { "dataset", "with", "on" }, datasets, NULL },
    { { "COLLECTIVE", "collective" }, meant_collectives, NULL },
    { { "ALGORITHM" }, algorithms, NULL },
    { { "backend" }, list_backends, "auto" },
    { { "library" }, list_readers, NULL },
    { { "format" }, list_formats, NULL },
    { { "learner" }, list_learners, NULL },
    { { "as" }, list_forms, NULL },
    { { "mpi" }, NULL, "openmpi|mpich" },
    { { "MAPPING", "mapping" }, NULL, "core|socket|node" },
    { { "default" }, NULL, "openmpi31|openmpi41|openmpi60|mpich40|mvapich2" },
    { { "holdout" },
      NULL,
      "planned|alternate-procs|alternate-sizes|beyond-procs=|nodes|nodes=|cluster=|random=" },
};

/* "up|down", a line for each. */
static void print_words(const char *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        putchar(words[i] == '|' ? '\n' : words[i]);
    putchar('\n');
}

/* before: the word before it. */
static void print_names(const char *of, size_t n, const char *before)
{
    struct suggest m;
    suggest_init(&m, before);
    m.list = stdout;
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        for (size_t k = 0; k < 4 && arguments[i].of[k]; k++) {
            if (strlen(arguments[i].of[k]) != n || strncmp(arguments[i].of[k], of, n) != 0)
                continue;
            if (arguments[i].list)
                arguments[i].list(&m);
            if (arguments[i].words)
                print_words(arguments[i].words, strlen(arguments[i].words));
        }
}

/* The row of an option; option NULL: prints all. */
static const struct option_row *find_row(const struct command *c, const char *option)
{
    const struct option_row *row = c->rows;
    for (const struct option_set *set = c->shared;; row = set->rows, set = set->next) {
        for (; row && row->name; row++)
            if (!option)
                printf("--%s\n", row->name);
            else if (strncmp(option, "--", 2) == 0 ? strcmp(option + 2, row->name) == 0
                                                   : *option == '-' && option[1] == row->letter)
                return row;
        if (!set)
            return NULL;
    }
}

static void print_argument(const struct option_row *row)
{
    for (int i = 0; row->words && row->words[i]; i++)
        puts(row->words[i]);
    print_names(row->name, strlen(row->name), "");
}

/* The word at this place, in each line of the usage: small letters as they are, else by its name.
 */
static void print_word(const struct command *c, int place, const char *before)
{
    for (const char *line = c->words; line && *line;
         line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line;
        for (int i = 0; i <= place; i++) {
            at += strspn(at, " []");
            const size_t n = strcspn(at, " []\n");
            if (i == place && strspn(at, "abcdefghijklmnopqrstuvwxyz|") == n)
                print_words(at, n);
            else if (i == place)
                print_names(at, n, before);
            at += n;
        }
    }
}

static void print_verbs(const char *of)
{
    for (const struct verb *v = verbs; v->name; v++)
        if (v->list != VERBS_HIDDEN && (of ? v->word && strcmp(of, v->name) == 0 : !v->word))
            puts(of ? v->word : v->name);
}

static int complete(const void *input, struct err *err)
{
    char **word = ((const struct input *)input)->words, *program[64] = { NULL };
    int n = 1, place;
    (void)err;
    for (; word && *word && n < 63; word++)
        if (strcmp(*word, "=") != 0) /* bash cuts --option=value there */
            program[n++] = *word;
    if (n < 3) {
        print_verbs(NULL);
        return EXIT_DONE;
    }
    const struct verb *verb = verb_find(n - 1, program, &place);
    if (n == 3)
        print_verbs(program[1]);
    if (!verb || !verb->command)
        return EXIT_DONE;
    const struct option_row *row = find_row(verb->command, program[n - 2]);
    const int before = n - 1 - (place > 0 ? 3 : 2);
    if (row && row->arg && !row->without)
        print_argument(row);
    else if (*program[n - 1] != '-')
        print_word(verb->command, before, program[n - 2]);
    if (*program[n - 1] == '-')
        find_row(verb->command, NULL);
    return EXIT_DONE;
}

static const struct option_row rows[] = { { 0 } };
const struct command cmd_complete = {
    .name = "complete",
    .help = "what a shell may put next",
    .words = "-- WORD...",
    .doc = "Prints the words that may stand where the last WORD is begun.",
    .rows = rows,
    .input = &(struct input){},
    .all_words = INPUT_AT(words),
    .run = complete,
};
