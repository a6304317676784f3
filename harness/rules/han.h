/* SPDX-License-Identifier: BSD-3-Clause */
/* han.h - files of rules of Open MPI's component `han` (coll_han_dynamic_rules_filename), which on
 * several nodes comes before the others and says which of them serves a call.
 *
 * A file has collectives, of each levels (what the caller sees, and the communicators that han
 * makes between nodes and inside one), of each sizes of communicators, and of each sizes of
 * messages with the name of a component. The last that is not larger counts, from the end of what
 * was written. */
#ifndef HARNESS_RULES_HAN_H
#define HARNESS_RULES_HAN_H

#include "harness/rules/rules.h"

/* By the library's numbers, which files cannot say: they have names. */
enum han_component {
    HAN_SELF,
    HAN_BASIC,
    HAN_LIBNBC,
    HAN_TUNED,
    HAN_SM,
    HAN_ADAPT,
    HAN_HAN,
    HAN_XHC,
    N_HAN_COMPONENTS
};
extern const char *const han_components[];

/* The component of a name, of the first n; -1: none. */
int han_component_named(const char *name, int n);

enum { N_HAN_LEVELS = 3, HAN_GLOBAL = 2 };
extern const char *const han_levels[]; /* "intra_node", "inter_node", "global_communicator" */

/* What is told apart between releases. */
struct han_release {
    int components; /* so many are known by name */
    int names;      /* 1: levels have names, too, and algorithms of han may be said */
    int below;      /* 1: the communicators that han makes ask the rules of their levels */
    int breaks;     /* 1: of allreduce nothing else that has one can be taken: the program ends */
    int priority;   /* of han, where nobody sets it; 0: it serves nothing */
    const char *served; /* collectives of the caller's communicator, each in blanks */
    const char *inside; /* further ones of the communicators that han makes */
};

struct han_row {
    int line;
    uint64_t least; /* bytes of one rank */
    enum han_component component;
    const char *algorithm; /* of han; NULL: its own choice */
};

struct han_block {
    int line;
    int least; /* ranks of the communicator */
    struct han_row *row;
    size_t n;
};

struct han_level {
    int line, level;
    struct han_block *block;
    size_t n;
};

struct han_collective {
    int line, id;
    struct han_level *level;
    size_t n;
};

struct han_file {
    struct han_collective *collective;
    size_t n;
};

/* Does han ask for a component of this collective, on the caller's communicator or on its own? */
int han_serves(const struct han_release *release, const char *collective, int level);

/* Has a component, where it takes part, a function of this collective? */
int han_component_serves(enum han_component component, const char *collective);

/* Does a component take part in a communicator of several nodes (of its level)? adapt does where
 * its priority is raised. */
int han_component_there(enum han_component component, int level);

/* Choices among components as a file (rules.h: write_choices). */
struct rules_choices;
struct rules_made;
char *han_export(const struct rules_reader *reader, const struct rules_choices *choices,
                 const char *const *remarks, struct rules_made *made, struct err *err);

/* Findings of a file that was loaded. */
void han_lint(struct rules *r);

/* Frees what was read (rules.h: clear). */
void han_clear(struct rules *r);

#endif
