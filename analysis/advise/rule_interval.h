/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_interval.h - the interval of sizes and of processes in which a rule applies.
 *
 * A rule is chosen in measured cells. A file's rule applies up to the next rule. Before
 * a file is written, the interval from each cell to the next size and to the next number of
 * processes is checked in three ways:
 * - Ends. Where the choice is slower than the library's default in the next cell, or not known
 *   there, the rule ends at the last cell in which it was no slower.
 * - Constraints. The rule ends before the first size or number of processes at which the choice
 *   would run as another algorithm, or at which the library's published decision takes another
 *   algorithm than at either end. That border is found by bisection.
 * - Probes: measurements between the cells (`collsel measure --probe`). The excess of a probe over
 * the line between its two neighbours is added to every cell of its run (neighbouring sizes with
 *   the same choice). The choice must still be no slower than the default. So one probe detects
 *   times that are low only at powers of two. Where the data have probes, a run without a probe
 *   is not extended beyond its cells.
 * An interval for which none of the three has data keeps its rule, and is counted.
 * Of a model's choices nothing was measured: where the machine can be walked, the walk answers for
 * ends and probes; else constraints alone. */
#pragma once

#include "analysis/measure/points.h"
#include "harness/rules/export.h"

enum { RULE_INTERVAL_ELEMENT = 8 }; /* probe sizes are multiples of it: reductions add doubles */

/* A candidate beside the default in a cell that was measured. */
struct rule_interval_seen {
    char collective[NAME_SIZE];
    int procs;
    uint64_t bytes;
    struct candidate candidate;
    double longer_pct; /* extra time over the default, percent */
    double core_s;     /* what measuring both took */
    int probe;         /* 1: a probe, not a cell of the study */
};

struct rule_interval {
    struct rule_interval_seen *seen; /* by collective, processes, bytes, candidate */
    size_t n;
    char rule[NAME_SIZE]; /* decision function of the default (decision.h); "": not published */
    double tie_pct;       /* this much longer counts as no slower */
    double spent_core_s, probed_core_s; /* by the study; by probes */
    int walked;                         /* 1: the walk answered (rule_interval_walk) */
};

/* Counts of the intervals between a choice's cell and the next sizes and processes. */
struct rule_interval_counts {
    size_t intervals;
    size_t probed;      /* with a measurement inside, or inside its run */
    size_t cut;         /* the rule ends before the next cell: by times */
    size_t constrained; /* the same by constraints */
    size_t unprobed;    /* cut because it has no probe while others have */
};

/* What is to be measured: the choice and the default, in a cell. */
struct rule_interval_wish {
    char collective[NAME_SIZE];
    int procs;
    uint64_t bytes;
    struct candidate candidate;
    double core_s; /* as is expected */
    int order;     /* priority: most valuable first */
};

/* Adds the measurements of an MPI and mapping; probe 1: they lie between the study's cells. */
void rule_interval_see(const struct facts *facts, const struct points *points, const char *mpi,
                       const char *mapping, int probe, struct rule_interval *reach);

/* By how much a candidate takes longer than the default, percent, by a walk; NaN: not known. */
typedef double rule_interval_longer(const void *of, const char *collective, int procs,
                                    uint64_t bytes, const struct candidate *candidate);

/* Asks a walk: every choice of a grid in all its cells, then the probes of up to 12 rounds. What it
 * does not know holds nowhere. */
void rule_interval_walk(struct rule_interval *reach, const struct rules_reader *reader,
                        const struct rules_choices *choices, rule_interval_longer *longer,
                        const void *of);

/* Copies the choices and adds sizes and processes at which rules end. Rules of
 * readers without sizes and of one order for all sizes stay as they are; of components,
 * which are for the nodes that were measured, sizes alone are added. told: NULL: not wanted. The
 * caller clears out (rules_choices_clear). */
void rule_interval_refine(const struct rule_interval *reach, const struct rules_reader *reader,
                          const struct rules_choices *choices, struct rules_choices *out,
                          struct rule_interval_counts *told);

/* Returns the probes to measure next; all probes together cost at most share_pct of the
 * study's time. The estimate of a probe is `price` times the cost of a cell of the study,
 * or the cost of earlier probes when larger. The first probes get a third of the share,
 * later ones half of the rest: a probe may hit a slow case. Order: first, in the weakest
 * cell of each run, one element more, the middle, and one process more; then one less,
 * and quarters; then between the end of a rule and where it failed; then other cells. The
 * caller frees the *n rows; none: no probe is wanted, or the budget is spent. */
struct rule_interval_wish *rule_interval_wishes(const struct rule_interval *reach,
                                                const struct rules_reader *reader,
                                                const struct rules_choices *choices,
                                                double share_pct, double price, size_t *n);

void rule_interval_clear(struct rule_interval *reach);
