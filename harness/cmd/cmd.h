/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd.h - what a command is: its options, a row for each, and the function that does its work.
 * Help, man page, completion and the checks of the README all come from these rows. */
#pragma once

#include <argp.h>
#include "harness/base/base.h"

struct cluster;
struct study;

/* What becomes of an option's argument. */
enum option_kind {
    OPTION_NONE,    /* what the row's `take` does */
    OPTION_TEXT,    /* const char *: the argument as it is */
    OPTION_INT,     /* int: a whole number from least to most; 1 where there is no argument */
    OPTION_PERCENT, /* double: 0 or more */
    OPTION_NUMBER,  /* uint64_t: as `number` reads it */
    OPTION_LIST,    /* struct options_list (options.h): of such numbers, none above number_most */
    OPTION_SETS,    /* const char *[most]: one more each time; how many: a size_t at `count` */
    OPTION_READ,    /* whatever `read` reads */
    OPTION_COLLECTIVE, /* const char *: the name of a collective */
    OPTION_READER,     /* const struct rules_reader *, by its name */
    OPTION_CHOICE      /* const char *: the option's own name, of one of several */
};

/* An option. An error of `number` and `read` is one of usage that begins with the option's name. */
struct option_row {
    const char *name;
    int letter;      /* 0: none */
    const char *arg; /* what help calls the argument; NULL: there is none */
    const char *help;
    int group; /* in which help lists it */
    enum option_kind kind;
    size_t at, count; /* offsets in the input: of the value; of how many there are */
    size_t given;     /* INPUT_AT an int that is set to 1; 0: none */
    int least, most;
    int without; /* the value where the argument may be left out, and is; 0: it may not */
    const char *const *words; /* of a text or, with its place among them, an int: one of these, up
                                 to NULL; NULL: any */
    const char *refused;      /* what another word is; NULL: "unknown" */
    uint64_t number_most;
    int (*number)(const char *, uint64_t *, struct err *);
    int (*read)(const char *text, void *value, struct err *err);
    void (*check)(const char *arg, struct argp_state *state);       /* first of all */
    void (*take)(void *input, char *arg, struct argp_state *state); /* then, before the value */
};

/* Where a member of struct input is, so that 0 is nowhere. */
#define INPUT_AT(member) (1 + offsetof(struct input, member))

/* The end of a row: the value goes into this member of struct input. */
#define OPTION_AT(type, member, what) .kind = (what), .at = offsetof(type, member)
#define OPTION_TO_OF(type, member)                                                                 \
    OPTION_AT(type, member,                                                                        \
              _Generic(((type *)0)->member,                                                        \
                  const char *: OPTION_TEXT,                                                       \
                  int: OPTION_INT,                                                                 \
                  double: OPTION_PERCENT,                                                          \
                  const struct rules_reader *: OPTION_READER))
#define OPTION_TO(member)              OPTION_TO_OF(struct input, member)
#define OPTION_RANGE(member, from, to) OPTION_TO(member), .least = (from), .most = (to)
#define OPTION_NUMBER_TO(member, how)                                                              \
    OPTION_AT(struct input, member, OPTION_NUMBER), .number = (how)
#define OPTION_LIST_TO(member, how, to)                                                            \
    OPTION_AT(struct input, member, OPTION_LIST), .number = (how), .number_most = (to)
#define OPTION_SETS_TO(member, counter, room)                                                      \
    OPTION_AT(struct input, member, OPTION_SETS), .count = offsetof(struct input, counter),        \
                                                  .most = (room)
#define OPTION_READ_TO(member, how)  OPTION_AT(struct input, member, OPTION_READ), .read = (how)
#define OPTION_COLLECTIVE_TO(member) OPTION_AT(struct input, member, OPTION_COLLECTIVE)
#define OPTION_CHOICE_TO(member)     OPTION_AT(struct input, member, OPTION_CHOICE)

struct rules_reader;

/* Options that commands share, with those of the next set. */
struct option_set {
    const struct option_row *rows; /* up to one without a name */
    void (*check)(void *input, struct argp_state *state);
    const struct option_set *next;
};

enum { COMMAND_WORDS = 2 };

struct command {
    const char *name, *help; /* help: one line */
    const char *words, *doc; /* of --help: arguments that are no options; what it does */
    const struct option_row *rows;
    const struct option_set
        *shared; /* where there is one, the input begins with a struct options */
    void *input; /* with its defaults */

    /* Arguments that are no options: INPUT_AT members that they go to, const char *, one each; or a
     * function that takes each; or INPUT_AT a char ** that gets them all. None: they are refused.
     */
    size_t word[COMMAND_WORDS];
    void (*take_word)(void *input, char *arg, struct argp_state *state);
    size_t all_words;
    int words_end_options; /* 1: what follows the first of them is no option of ours */

    void (*check)(void *input, struct argp_state *state); /* when all options are there */

    /* One of them does the work. Returns the exit status, or -1 with *err. */
    int (*run)(const void *input, struct err *err);
    int (*run_study)(const void *input, const struct cluster *cluster, const struct study *study,
                     struct err *err);
};

/* Parses argv, which begins with the program and a verb, and runs. word: where a second word of the
 * verb stands among them; -1: there is none. Returns the exit status; prints errors itself, once,
 * on stderr. */
int command_run(const struct command *command, int word, int argc, char **argv);

/* One row each, defined in <verb>.c. */
extern const struct command cmd_plan, cmd_sweep, cmd_status, cmd_fit, cmd_select, cmd_report,
    cmd_doctor, cmd_schedule, cmd_predict, cmd_submit, cmd_collect, cmd_pack, cmd_task, cmd_testbed,
    cmd_import, cmd_audit, cmd_crosscheck, cmd_train, cmd_recommend, cmd_rules, cmd_export,
    cmd_verify, cmd_run, cmd_new_cluster, cmd_explain, cmd_papers, cmd_stale, cmd_guidelines,
    cmd_star, cmd_compare, cmd_tune, cmd_complete;
