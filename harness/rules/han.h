/* SPDX-License-Identifier: BSD-3-Clause */
/* han.h - files of rules of Open MPI's component `han` (coll_han_dynamic_rules_filename), which on
 * several nodes has priority over the others and selects which of them serves a call.
 *
 * A file has collectives, each with levels (the caller's communicator, and those that han creates
 * between nodes and inside one), each with communicator sizes, each with message sizes and the name
 * of a component. The last entry that is not larger applies, searched from the end of the file. */
#pragma once

#include "harness/rules/rules.h"

/* In the order of the library's numbers. Files use names, not numbers. */
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

/* Differences between releases. */
struct han_release {
    int components;     /* number of components known by name */
    int names;          /* 1: levels have names, too, and a file may set han's algorithm */
    int below;          /* 1: communicators created by han use the rules of their level */
    int breaks;         /* 1: any other component with an allreduce ends the program */
    int priority;       /* of han by default; 0: it serves nothing */
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

/* 1 when han selects a component for this collective, on the caller's or its own communicators. */
int han_serves(const struct han_release *release, const char *collective, int level);

/* 1 when a component, if active, implements this collective. */
int han_component_serves(enum han_component component, const char *collective);

/* 1 when a component is active on a communicator of several
 * nodes (of its level); adapt only if its priority is raised. */
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
