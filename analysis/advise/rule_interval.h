/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_interval.h - from which to which size, and number of processes, a rule governs.
 *
 * A rule is chosen in measured cells. A file's rule governs everything up to the next rule. Before
 * a file is written, the interval from each cell to the next size and to the next number of
 * processes is judged by three means:
 * - Ends. Where the choice is slower than the library's default in the next cell, or not known
 *   there, the rule ends at the last cell in which it was no slower.
 * - Constraints. The rule ends before the first size or number of processes at which the choice
 *   would run as another algorithm, or at which the library's published decision takes another
 *   algorithm than at either end. That border is found by bisection.
 * - Probes: measurements between the cells (`collsel sweep --probe`). What a probe takes longer
 * than the line between its two ends is added to every cell of its run: the neighbouring sizes with
 *   the same choice. The choice must be no slower with that added. So one probe finds times that
 *   are low at 2^k bytes or ranks alone. Where a file's data have probes, a run without one is not
 *   extended beyond its cells.
 * An interval of which none of the three tells anything keeps its rule, and is counted. */
#ifndef ANALYSIS_ADVISE_RULE_INTERVAL_H
#define ANALYSIS_ADVISE_RULE_INTERVAL_H

#include "analysis/measure/study_facts.h"
#include "analysis/measure/points.h"
#include "harness/rules/export.h"

enum { RULE_INTERVAL_ELEMENT = 8 }; /* sizes of probes are multiples: what combines adds doubles */

/* A candidate beside the default in a cell that was measured. */
struct rule_interval_seen {
    char collective[NAME_SIZE];
    int procs;
    uint64_t bytes;
    struct candidate candidate;
    double longer_pct; /* by how much longer than the default */
    double core_s;     /* what measuring both took */
    int probe;         /* 1: the cell is none of the study's */
};

struct rule_interval {
    struct rule_interval_seen *seen; /* by collective, processes, bytes, candidate */
    size_t n;
    char rule[NAME_SIZE]; /* by which the default decides (decision.h); "": not published */
    double tie_pct;       /* so much longer is no slower */
    double spent_core_s, probed_core_s; /* by the study; by probes */
};

/* What became of the intervals between a choice's cell and the next sizes, and the next processes.
 */
struct rule_interval_told {
    size_t intervals;
    size_t probed;      /* with a measurement inside, or inside its run */
    size_t cut;         /* the rule ends before the next cell: by times */
    size_t constrained; /* the same by constraints */
    size_t unprobed;    /* the same, as others have probes, and it has none */
};

/* What is to be measured: the choice and the default, in a cell. */
struct rule_interval_wish {
    char collective[NAME_SIZE];
    int procs;
    uint64_t bytes;
    struct candidate candidate;
    double core_s; /* as is expected */
    int order;     /* what is worth more comes first */
};

/* Adds what was measured of an MPI and mapping; probe: between the cells of the study. */
void rule_interval_see(const struct facts *facts, const struct points *points, const char *mpi,
                       const char *mapping, int probe, struct rule_interval *reach);

/* The same choices with more sizes and processes, where rules end. Rules of readers that see no
 * size, of components and of one order for all sizes stay as they are. told: NULL, no matter. The
 * caller clears out (rules_choices_clear). */
void rule_interval_refine(const struct rule_interval *reach, const struct rules_reader *reader,
                          const struct rules_choices *choices, struct rules_choices *out,
                          struct rule_interval_told *told);

/* Which probes are wanted next, so that all take share_pct of what the study took at most. Each is
 * reckoned at `price` times what a cell of the study takes, or as the earlier ones turned out,
 * where that is more; the first are for a third of the share, others for half of what is left,
 * since a probe may meet what is slow between the cells. First, in the weakest cell of each run,
 * one element more, the middle, and one process more; then one less, and quarters; then between
 * where a rule ends and where it was seen to fail; last in the other cells. Returns rows to be
 * freed, *n of them; none: nothing is wanted, or can be paid. */
struct rule_interval_wish *rule_interval_wishes(const struct rule_interval *reach,
                                                const struct rules_reader *reader,
                                                const struct rules_choices *choices,
                                                double share_pct, double price, size_t *n);

/* Frees what it holds. */
void rule_interval_clear(struct rule_interval *reach);

#endif
