/* SPDX-License-Identifier: BSD-3-Clause */
/* export.h - converts choices in cells to a rules file that a library loads.
 *
 * Cells without a choice, and all points outside the cells, are left to the library's own
 * decision. A choice applies from its number of processes up to the next one with cells, and from
 * its size up to the next. Between numbers of processes sizes are compared in the library's units
 * (rule_units.h). Equal neighbours become one rule. MPICH's trees distinguish nodes with several
 * ranks; a rule applies where that is as in its cell. Where the tree of MPICH's algorithms has a
 * rule, a second tree disables its device; compositions of the device are in that second tree. A
 * choice that a rule cannot express, or that would run another algorithm or fail for some calls
 * of the rule, is dropped and reported. The written file is read back by the model of the
 * library's reader, on, between and beyond the cells, and must give the intended choices. */
#pragma once

#include "harness/rules/tuned_table.h"

struct algorithm; /* workloads/schedules/collectives.h */
struct native;    /* harness/study/libraries/natives.h */

/* The choices of a collective: processes and bytes ascend. */
struct rules_grid {
    char collective[NAME_SIZE];
    uint64_t *procs, *bytes; /* owned, as all here */
    size_t n_procs, n_bytes;
    int *nodes;             /* number of nodes for these processes; NULL, or 0: not known */
    int *ppn;               /* most ranks per node; files for han need both */
    struct candidate *take; /* by processes, then bytes; algorithm "": the library's own decision */
    int whole;              /* 1: the first size's choice applies from 0, the last one's without
                               limit; all cells of a number of processes are rules, or none */
    unsigned char *alone;   /* 1: for this number of processes only; NULL: none */
    unsigned char *between; /* 1: an entry of take that is no cell, but a possible end of
                               a rule: not counted or reported; NULL: all are cells */
    struct candidate *likely; /* further candidates: n_likely per cell; algorithm "":
                                 no more. Rules of libraries cannot express them */
    size_t n_likely;
};

struct rules_choices {
    struct rules_grid *grid;
    size_t n;
};

/* Counts of an export. */
struct rules_made {
    size_t cells, ruled;        /* cells; those for which a rule is written */
    size_t rules, blocks;       /* in the file */
    size_t replayed;            /* calls that were read back */
    struct rules_findings told; /* dropped choices; kind: "native", "parameter", "size",
                                   "instead" */
    char *beside;               /* owned: the text of the second file (reader->beside),
                                   if there are rules and the reader has one; or NULL */
};

/* The text of a file, to be freed. remarks: lines for its head,
 * NULL-terminated. NULL with *err: reading back gave other choices;
 * *err names the cell. If made->ruled is 0 the file has no effect. */
char *rules_export(const struct rules_reader *reader, const struct rules_choices *choices,
                   const char *const *remarks, struct rules_made *made, struct err *err);

/* A choice with the name of the algorithm that runs: one chain is a pipeline. */
struct candidate rules_plain_choice(const struct candidate *chosen);

/* 1 when the algorithm itself runs with this number of processes and
 * bytes, and elements of this size; 0: another one runs, or none can. */
int rules_runs_as_itself(const struct algorithm *alg, int procs, uint64_t bytes, uint64_t element,
                         uint64_t segment, int fanout);

/* 1 when the second file of a reader can express a component's choice in a cell: MPICH's
 * algorithms without the device, or one of the device's compositions where it is possible. */
int rules_say_beside(const struct rules_reader *reader, const struct cell *cell,
                     const char *algorithm);

/* Checks the new file as its reader would read it. 0, or
 * -1 with *err: it would be dropped, or has errors. */
int rules_check_made(const struct rules *read, struct err *err);

/* Calls `call` for what of a grid is read back: before, on, behind and between its processes, and
 * beyond them; just before, on and behind its sizes, and beyond them. 0, or the first -1. */
int rules_replay_grid(const struct rules_grid *g,
                      int (*call)(void *user, int procs, uint64_t bytes, struct err *err),
                      void *user, struct err *err);

/* Says in made->told (made NULL: nowhere) that a choice for processes from..to is left out. 0. */
int rules_leave_out(struct rules_made *made, const char *kind, const struct rules_grid *g, int from,
                    int to, uint64_t size, const char *algorithm, const char *why);

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

/* A row for it disables the device, so that MPICH's algorithms decide. */
#define RULES_NO_DEVICE "mpir"

/* Writes the matching tree of the device: the composition of a rule, no leaf for
 * an algorithm, else the device's own choice. It has no place for remarks. */
void rules_write_mpich_device(const struct rules_reader *reader, const struct rules_table *t,
                              const char *const *remarks, FILE *out);

/* The collective with which a text begins, "reduce_scatter" of "Reduce_scatter_intra_pairwise", of
 * those that MPICH has trees of, blocking or not: 4.0 to 5.0 have the same. NULL: none. */
const char *rules_mpich_collective(const char *text);

/* 1 when a leaf of this release can set all parameters of the algorithm. */
int rules_mpich_can_say(const char *version, const struct native *native);
