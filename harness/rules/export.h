/* SPDX-License-Identifier: BSD-3-Clause */
/* export.h - from choices in cells to a file of rules that a library loads.
 *
 * What is not chosen, and what lies beyond the cells, is left to the library's own decision. A
 * choice holds from its processes up to the next ones that have cells, and from its size up to the
 * next; between processes sizes are compared as the library counts them (rule_units.h). Equal
 * neighbours become one rule. Trees of MPICH see whether a node has several ranks, and a rule holds
 * where that is as in its cell; where the tree of MPICH's algorithms has a rule, another one leaves
 * its device out; a composition of its device's stands in that other one. A choice that a rule
 * cannot say, or that would run as something else or fail for some of the calls that the rule
 * governs, is left out and told. What was written is read back by the model of the library's
 * reader, on and between the cells and beyond them, and must say what was meant. */
#ifndef HARNESS_RULES_EXPORT_H
#define HARNESS_RULES_EXPORT_H

#include "harness/rules/tuned_table.h"

struct algorithm; /* workloads/schedules/collectives.h */
struct native;    /* harness/study/libraries/natives.h */

/* What is chosen for a collective: processes and bytes ascend. */
struct rules_grid {
    char collective[NAME_SIZE];
    uint64_t *procs, *bytes; /* owned, as all here */
    size_t n_procs, n_bytes;
    int *nodes;             /* that so many processes were on; NULL, or 0: not known */
    int *ppn;               /* and most on one of them; files of han's want both */
    struct candidate *take; /* by processes, then bytes; algorithm "": the library's own decision */
    int whole; /* 1: the first size's choice holds from 0 on, the last one's for ever; all
                  of so many processes are rules, or none */
    unsigned char *alone;     /* 1: for these very processes, not up to the next; NULL: none */
    unsigned char *between;   /* 1: a place of take that is no cell, but where a rule may end: it is
                                 not counted, nor told; NULL: all are cells */
    struct candidate *likely; /* what may be tried beside: n_likely for each cell; algorithm "": no
                                 more. Rules of libraries cannot say it */
    size_t n_likely;
};

struct rules_choices {
    struct rules_grid *grid;
    size_t n;
};

/* Of how many calls that were looked at. */
struct rules_made {
    size_t cells, ruled;        /* cells; those for which a rule is written */
    size_t rules, blocks;       /* in the file */
    size_t replayed;            /* calls that were read back */
    struct rules_findings told; /* choices that were left out; kind: "native", "parameter", "size",
                                   "instead" */
    char *beside; /* owned: the text of the file beside it (reader->beside), where there are rules
                     and the reader has one; or NULL */
};

/* The text of a file, to be freed. remarks: lines for its head, NULL-terminated. NULL with *err:
 * reading back gave something else, and the cell is named. Where made->ruled is 0 the file says
 * nothing that is not so without it. */
char *rules_export(const struct rules_reader *reader, const struct rules_choices *choices,
                   const char *const *remarks, struct rules_made *made, struct err *err);

/* A choice by the name of what runs: one chain is a pipeline. */
struct candidate rules_plain_choice(const struct candidate *chosen);

/* 1 when the algorithm is what runs among so many processes with so many bytes, of elements of this
 * size; 0: something else does, or nothing can. */
int rules_runs_as_itself(const struct algorithm *alg, int procs, uint64_t bytes, uint64_t element,
                         uint64_t segment, int fanout);

/* 1 when the file beside a reader's own says a component's choice in a cell: MPICH's algorithms
 * without the device, or one of the device's compositions where it can serve. */
int rules_say_beside(const struct rules_reader *reader, const struct cell *cell,
                     const char *algorithm);

/* Reads what was made as its reader does. 0, or -1 with *err: it would be dropped, or something in
 * it is wrong. */
int rules_check_made(const struct rules *read, struct err *err);

/* Calls `call` for what of a grid is read back: before, on, behind and between its processes, and
 * beyond them; just before, on and behind its sizes, and beyond them. 0, or the first -1. */
int rules_replay_grid(const struct rules_grid *g,
                      int (*call)(void *user, int procs, uint64_t bytes, struct err *err),
                      void *user, struct err *err);

/* Says in made->told (made NULL: nowhere) that a choice for processes from..to is left out. 0. */
int rules_leave_out(struct rules_made *made, const char *kind, const struct rules_grid *g, int from,
                    int to, uint64_t size, const char *algorithm, const char *why);

/* The last processes up to which a row of cells counts: before the next one, or its own. */
int rules_last_procs(const struct rules_grid *g, size_t p);

/* Frees what they hold. */
void rules_choices_clear(struct rules_choices *choices);
void rules_made_clear(struct rules_made *made);

/* Writers of a table whose ranges ascend and leave no gap. */
void rules_write_classic(const struct rules_reader *reader, const struct rules_table *t,
                         const char *const *remarks, FILE *out);
void rules_write_json(const struct rules_reader *reader, const struct rules_table *t,
                      const char *const *remarks, FILE *out);

/* The same as a complete tree for MPICH, of which row's ids are places in natives_mpich, from 1. */
void rules_write_mpich(const struct rules_reader *reader, const struct rules_table *t,
                       const char *const *remarks, FILE *out);

/* A row for it leaves the device out, and MPICH's algorithms decide by themselves. */
#define RULES_NO_DEVICE "mpir"

/* And the tree of its device that goes with it: the composition that a rule is, no leaf where it is
 * an algorithm, else what the device decides by itself. It has no place for remarks. */
void rules_write_mpich_device(const struct rules_reader *reader, const struct rules_table *t,
                              const char *const *remarks, FILE *out);

/* 1 when a leaf for this release can say all that the algorithm has to be told. */
int rules_mpich_can_say(const char *version, const struct native *native);

#endif
