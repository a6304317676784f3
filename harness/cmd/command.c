/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/options.h"
#include "harness/cmd/verbs.h"

struct terminal_escape {
    FILE *to;
    unsigned char before; /* the last byte that came: of UTF-8 two may be one control character */
};

static ssize_t hand_on(void *cookie, const char *text, size_t n)
{
    struct terminal_escape *d = cookie;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        const int control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ||
                            (d->before == 0xc2 && c >= 0x80 && c <= 0x9f);
        d->before = c;
        if (putc(control ? '?' : c, d->to) == EOF)
            return 0;
    }
    fflush(d->to);
    return (ssize_t)n;
}

/* argp ends the program while the stream is open, so nothing of it is allocated here. */
static struct terminal_escape only;

/* New lines and tabs stay. One at a time. NULL where there is no memory; fclose leaves `to` open.
 */
static FILE *terminal_escape_stream(FILE *to)
{
    const cookie_io_functions_t does = { .write = hand_on };
    only = (struct terminal_escape){ .to = to };
    FILE *out = fopencookie(&only, "w", does);
    if (out)
        setvbuf(out, NULL, _IOLBF, 0);
    return out;
}

enum { KEYS = 0x200, MOST_ROWS = 64 }; /* keys of options without a letter: KEYS and the row */

/* What users of other programs call an option of ours. */
static const struct {
    const char *theirs, *ours;
} other_names[] = { { "np", "procs" }, { "size", "bytes" }, { "by", "model" } };

/* What argp gets: the rows of the command and of the sets that it shares. */
struct parsing {
    const struct command *command;
    void *input;
    const struct option_row *row[MOST_ROWS];
    struct argp_option option[MOST_ROWS + 1];
    int n;
};

static double take_percent(const struct option_row *row, const char *arg, struct argp_state *state)
{
    double pct = 0;
    if (parse_f64(arg, &pct, NULL) < 0 || pct < 0)
        argp_error(state, "--%s: '%s' is no percentage", row->name, arg);
    return pct;
}

/* The place of a word among those of the row. */
static int find_word(const struct option_row *row, const char *arg, struct argp_state *state)
{
    char known[128] = "";
    for (int i = 0; row->words[i]; i++) {
        const size_t n = strlen(known);
        if (strcmp(arg, row->words[i]) == 0)
            return i;
        snprintf(known + n, sizeof known - n, "%s%s",
                 !i                  ? ""
                 : row->words[i + 1] ? ", "
                                     : " or ",
                 row->words[i]);
    }
    argp_error(state, "--%s: '%s' is %s (want %s)", row->name, arg,
               row->refused ? row->refused : "unknown", known);
    return 0;
}

static int take_int(const struct option_row *row, const char *arg, struct argp_state *state)
{
    if (!row->arg)
        return 1;
    if (row->words)
        return find_word(row, arg, state);
    return arg ? options_take_int(state, row->name, arg, row->least, row->most) : row->without;
}

static void take_list(const struct option_row *row, char *arg, struct options_list *list,
                      struct argp_state *state)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", row->name);
    options_take_list(state, name, arg, row->number, row->number_most, list);
}

/* What `number` and `read` say is wrong. */
static void expect(const struct option_row *row, int status, const struct err *err,
                   struct argp_state *state)
{
    if (status < 0)
        argp_error(state, "--%s: %s", row->name, err->text);
}

static void take_choice(const struct option_row *row, const char **chosen, struct argp_state *state)
{
    if (*chosen && strcmp(*chosen, row->name) != 0)
        argp_error(state, "--%s and --%s together: choose one", *chosen, row->name);
    *chosen = row->name;
}

static void take_set(const struct option_row *row, const char *arg, const char **set, size_t *n,
                     struct argp_state *state)
{
    if (*n == (size_t)row->most)
        argp_error(state, "--%s: more than %d sets", row->name, row->most);
    else
        set[(*n)++] = arg;
}

static void take_value(const struct option_row *row, char *arg, char *input,
                       struct argp_state *state)
{
    struct err err = { 0 };
    void *const to = input + row->at;
    switch (row->kind) {
    case OPTION_NONE:
        break;
    case OPTION_TEXT:
        *(const char **)to = row->words ? row->words[find_word(row, arg, state)] : arg;
        break;
    case OPTION_INT:
        *(int *)to = take_int(row, arg, state);
        break;
    case OPTION_PERCENT:
        *(double *)to = take_percent(row, arg, state);
        break;
    case OPTION_NUMBER:
        expect(row, row->number(arg, to, &err), &err, state);
        break;
    case OPTION_LIST:
        take_list(row, arg, to, state);
        break;
    case OPTION_SETS:
        take_set(row, arg, to, (size_t *)(void *)(input + row->count), state);
        break;
    case OPTION_READ:
        expect(row, row->read(arg, to, &err), &err, state);
        break;
    case OPTION_COLLECTIVE:
        *(const char **)to = options_take_collective(state, arg);
        break;
    case OPTION_READER:
        *(const struct rules_reader **)to = options_take_reader(state, arg, 0);
        break;
    case OPTION_CHOICE:
        take_choice(row, to, state);
        break;
    }
}

static void take_option(const struct option_row *row, char *arg, char *input,
                        struct argp_state *state)
{
    if (row->given)
        *(int *)(void *)(input + row->given - 1) = 1;
    if (row->check)
        row->check(arg, state);
    if (row->take)
        row->take(input, arg, state);
    take_value(row, arg, input, state);
}

static void take_word(const struct command *c, char *arg, char *input, struct argp_state *state)
{
    const unsigned i = state->arg_num;
    if (c->take_word)
        c->take_word(input, arg, state);
    else if (i < COMMAND_WORDS && c->word[i])
        *(const char **)(void *)(input + c->word[i] - 1) = arg;
    else
        argp_error(state, "'%s' is one argument too many%s", arg,
                   c->shared ? " (a cluster is named by --cluster, a study by --study)" : "");
}

static void check(const struct command *c, void *input, struct argp_state *state)
{
    for (const struct option_set *set = c->shared; set; set = set->next)
        if (set->check)
            set->check(input, state);
    if (c->check)
        c->check(input, state);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const struct parsing *p = state->input;
    const struct command *c = p->command;
    int i = 0;
    if (key == ARGP_KEY_ARG && c->all_words) /* all of them together come next */
        return ARGP_ERR_UNKNOWN;
    if (key == ARGP_KEY_ARG)
        take_word(c, arg, p->input, state);
    else if (key == ARGP_KEY_ARGS)
        *(char ***)(void *)((char *)p->input + c->all_words - 1) = state->argv + state->next;
    else if (key == ARGP_KEY_END)
        check(c, p->input, state);
    else {
        while (i < p->n && p->option[i].key != key)
            i++;
        if (i == p->n)
            return ARGP_ERR_UNKNOWN;
        take_option(p->row[i], arg, p->input, state);
    }
    return 0;
}

static void add_row(struct parsing *p, const struct option_row *row, const char *name, int flags)
{
    if (p->n == MOST_ROWS)
        return;
    p->row[p->n] = row;
    p->option[p->n] =
        (struct argp_option){ name,      row->letter && !flags ? row->letter : KEYS + p->n,
                              row->arg,  flags | (row->without ? OPTION_ARG_OPTIONAL : 0),
                              row->help, row->group };
    p->n++;
}

static void refuse_confirm(void *input, char *arg, struct argp_state *state)
{
    (void)input, (void)arg;
    argp_error(state, "use --plan adaptive --budget=CORE-TIME: it selects what is worth measuring, "
                      "as --confirm did, which is gone");
}

/* An option of earlier releases: its error names what replaced it. */
static const struct option_row went = { "confirm",    0,
                                        "N",          NULL,
                                        .without = 1, .take = refuse_confirm };

static void add_rows(struct parsing *p, const struct option_row *rows)
{
    for (const struct option_row *row = rows; row && row->name; row++) {
        add_row(p, row, row->name, 0);
        for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
            if (strcmp(row->name, other_names[i].ours) == 0)
                add_row(p, row, other_names[i].theirs, OPTION_HIDDEN);
        if (strcmp(row->name, "budget") == 0)
            add_row(p, &went, went.name, OPTION_HIDDEN);
    }
}

/* `MPI_Bcast`, at the beginning of a word or of what it lists, loses MPI_ and its capital. */
static void take_mpi_names(char *arg)
{
    for (char *at = arg; at; at = strpbrk(at, "=,"), at += at != NULL) {
        char name[32] = "";
        const size_t n = strcspn(at, ",");
        if (strncmp(at, "MPI_", 4) != 0 || n >= sizeof name)
            continue;
        for (size_t i = 4; i < n; i++)
            name[i - 4] = (char)tolower((unsigned char)at[i]);
        if (!collective_find(name))
            continue;
        memmove(at + n - 4, at + n, strlen(at + n) + 1);
        memcpy(at, name, n - 4);
    }
}

/* -np is what mpirun calls it; argp would read it as two letters. */
static void take_their_words(const struct parsing *p, int argc, char **argv)
{
    static char np[] = "--np";
    int counts = 0;
    for (int i = 0; i < p->n; i++)
        counts |= strcmp(p->option[i].name, np + 2) == 0;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (counts && strcmp(argv[i], np + 1) == 0)
            argv[i] = np;
        take_mpi_names(argv[i]);
    }
}

/* Errors of argp quote the user's words, and it ends the program itself: what it prints goes
 * through a stream that lets nothing through which a terminal would obey. 0, or the exit status to
 * leave with plus one. */
static int parse_line(const struct command *c, int argc, char **argv)
{
    struct parsing p = { .command = c, .input = c->input };
    char name[64], *own = argv[0], words[VERB_WORDS], doc[2048];
    const struct argp argp = {
        .options = p.option, .parser = parse, .args_doc = c->words, .doc = doc
    };
    snprintf(doc, sizeof doc, *verb_words(own, words) ? "%s\vcollsel help %s WORD: %s." : "%s",
             c->doc, own, words);
    FILE *usual = stderr, *disarmed = terminal_escape_stream(stderr);
    add_rows(&p, c->rows);
    for (const struct option_set *set = c->shared; set; set = set->next)
        add_rows(&p, set->rows);
    if (!c->all_words)
        take_their_words(&p, argc, argv);
    snprintf(name, sizeof name, "collsel %.50s", own);
    argv[0] = name;
    argp_err_exit_status = EXIT_USAGE;
    if (disarmed)
        stderr = disarmed;
    const int status =
        argp_parse(&argp, argc, argv, c->words_end_options ? ARGP_IN_ORDER : 0, NULL, &p);
    stderr = usual;
    if (disarmed)
        fclose(disarmed);
    argv[0] = own;
    return status ? EXIT_USAGE + 1 : 0;
}

int options_run_study(const void *input,
                      int (*run)(const void *, const struct cluster *, const struct study *,
                                 struct err *),
                      struct err *err)
{
    struct cluster cluster;
    struct study study;
    if (options_load(input, &cluster, &study, err) < 0)
        return -1;
    const int status = run(input, &cluster, &study, err);
    study_free(&study);
    cluster_free(&cluster);
    return status;
}

/* As the shell takes it; to be freed. */
static char *command_line(int argc, char **argv)
{
    struct argv all = { 0 };
    argv_add(&all, "collsel");
    for (int i = 1; i < argc; i++)
        argv_add(&all, "%s", argv[i]);
    char *text = argv_text(&all);
    argv_free(&all);
    return text;
}

/* Parses, chooses the cluster and does the work. */
static int parse_and_run(const struct command *c, int argc, char **argv)
{
    struct err err = { 0 };
    const int usage = parse_line(c, argc, argv);
    if (c->shared)
        options_choose(c->input);
    const int status = usage    ? usage - 1
                       : c->run ? c->run(c->input, &err)
                                : options_run_study(c->input, c->run_study, &err);
    return status < 0 ? options_fail(argv[0], &err) : status;
}

int command_run(const struct command *c, int word, int argc, char **argv)
{
    char unknown[] = "unknown", *line = c->shared ? command_line(argc, argv) : NULL, verb[64],
         text[VERB_TEXT];
    if (c->shared) {
        options_init(c->input);
        ((struct options *)c->input)->command = line ? line : unknown;
    }
    snprintf(verb, sizeof verb, word > 0 ? "%.30s %.30s" : "%.30s",
             word > 0 ? argv[1] : verb_of(c->name, text),
             word > 0 ? argv[word] + strspn(argv[word], "-") : "");
    for (int i = word; i > 0 && i < argc; i++)
        argv[i] = argv[i + 1];
    argv[1] = verb;
    const int status = parse_and_run(c, argc - 1 - (word > 0), argv + 1);
    free(line);
    return status;
}
