/* SPDX-License-Identifier: BSD-3-Clause */
/* safe.h - conservative choice: the default, unless another candidate is known to be faster.
 *
 * Evidence for a candidate in a cell is its gain over the default in the neighbouring
 * measured cells (training_set.h): at the next fewer and more processes, at the next
 * smaller and larger size. The least of these gains is the bound. Beyond the largest
 * measured P the bound is the least gain from that P down to a half and a quarter of it (at
 * least one doubling must be measured). If the gain fell over that doubling, the bound falls
 * on at the same rate, so candidates whose gain shrinks as P grows are not chosen. Adjacent
 * P do not show this: their gains differ by noise, and a step below a doubling shows no
 * trend. Outside the measured range of P or sizes the bound is divided by 1 + the doublings
 * beyond it, since extrapolation is less certain with distance. There is no evidence in
 * three cases. First, the candidate was not measured in neighbouring cells. Second, the cell
 * has several nodes and all measurements ran on one: the network was not measured. Third,
 * the library's published decision takes another algorithm in the measured cells than in
 * this cell, and that algorithm was not measured there by name: a gain over one default does
 * not apply to another default. The published decision is known for some releases only.
 *
 * A candidate may override the default when its bound is above a threshold and most learners of
 * times predict that it is faster. The threshold is chosen per subject on the validation cells
 * (training_set.h): the one with the largest certain gain there, and at least 2.5 %, since less is
 * a tie. Where no threshold gains, nothing overrides the default. See below for what is certain.
 *
 * A certain gain is the mean minus one standard error. Cells are correlated: those of one number
 * of processes fail together, and so do those of one size. The standard error is the largest of
 * three: over single cells, clustered by number of processes, clustered by size (Liang and Zeger,
 * Biometrika 73, 1986). So one cluster of cells with a large loss by noise counts only as one.
 *
 * Beyond the largest P the threshold comes from back-testing. Training cells are cut at
 * a half, a quarter, ... of the largest P. Bounds of 2.5 % and more, computed from the
 * cells below a cut, are compared with the real gains in all cells beyond it, over all
 * candidates. The threshold is 2.5 % plus the shortfall of the gains: its mean and one
 * standard error. With fewer than four cases nothing overrides the default. Cells on
 * several nodes test bounds for several nodes, also bounds from one node (the harder
 * step); cells on one node test bounds for one node. (Neighbouring cells fail together,
 * so the standard error is too small: this is a heuristic without a guarantee.)
 *
 * A learner of times may lead instead of the bound when its choices in held-out cells,
 * with a predicted gain above a threshold, have a certain gain over the default. (The
 * same cells choose its setting, the threshold and the leader, so the best looks better
 * there than it is: judge the gain of `safe` on other cells.) This has two conditions:
 *   - Within the measured range: on the validation cells it gains more than the bound does. On
 *     several nodes only where the other cells ran on several.
 *   - Beyond the largest P: back-testing again. Trained up to a smaller largest P, it chose in
 *     the cells beyond it. A lead d doublings beyond the largest P is judged by cells d doublings
 *     beyond such a cut, on one node and on several separately. Cuts fail as clusters, too; fewer
 *     than three cuts, numbers of processes or sizes are no evidence. It leads only where the
 *     default runs the same algorithm as at the largest P, as far as that is published.
 * Elsewhere the bound decides.
 */
#pragma once

#include "analysis/learn/learner.h"

struct selection_table;

/* The leading learner in some cells. */
struct safe_lead {
    const struct learner *learner; /* NULL: none */
    double least;                  /* least predicted gain, as a logarithm */
};

enum { SAFE_DOUBLINGS = LEARNER_DOUBLINGS }; /* limit of a lead, doublings beyond the largest P */

struct safe_leads {
    struct safe_lead between;                   /* within the measured range */
    int network;                                /* 1: `between` also on several nodes */
    struct safe_lead beyond[2][SAFE_DOUBLINGS]; /* the largest P: on one node, on several; one
                                                   doubling, two, ... */

    /* The measured range (safe_leads_place). */
    int least_procs, most_procs, least_nodes, most_nodes;
    uint64_t least_bytes, most_bytes;
};

struct safe {
    const struct problem *problem; /* borrowed */
    const struct learnt *member;   /* borrowed; learners of classes have no vote */
    size_t n_members;
    const struct selection_table *confirmed; /* what a replayed budget has measured, as selected
                                                (analysis/judge/select.h); borrowed; NULL: none */
    double *threshold; /* by subject: of the logarithm of default over candidate; INFINITY: never */
    double (*beyond)[2];     /* by subject: beyond its largest P, on one node and on several */
    struct safe_leads *lead; /* by subject; NULL: no leader */
};

/* Chooses the thresholds. What is borrowed must outlive it. */
void safe_make(const struct problem *problem, const struct learnt *member, size_t n_members,
               struct safe *out);

/* Chooses the thresholds beyond the largest P from the evidence; the rest of safe is filled. */
void safe_look_back(struct safe *safe);

/* The bound of the gain of `runs` over the default in a cell: the logarithm
 * of default over candidate; -INFINITY: no evidence. default_runs: the
 * algorithm of the default there (problem_default_runs); NULL: not known. */
double safe_bound(const struct subject *subject, const struct candidate *runs,
                  const struct cell *cell, const struct candidate *default_runs);

/* The gain of a candidate over the default in a cell, by the leader there
 * or by the bound: the logarithm of default over candidate; -INFINITY: it
 * may not override. The arguments are those of safe_bound and safe_may. */
double safe_gain(const struct safe *safe, const struct cell *cell, const float *x,
                 const struct candidate *runs, const struct candidate *by_default,
                 const struct candidate *default_runs);

/* 1 when a candidate with this bound may override the default in a cell. by_default: what the
 * default runs as a kind. */
int safe_may(const struct safe *safe, const struct cell *cell, const float *x, double bound,
             const struct candidate *runs, const struct candidate *by_default);

/* The leader in a cell, or NULL: the bound decides. default_runs: as in safe_bound. */
const struct safe_lead *safe_leader(const struct safe *safe, const struct cell *cell,
                                    const struct candidate *default_runs);

/* Fills in the measured range of a subject. */
void safe_leads_place(const struct subject *subject, struct safe_leads *lead);

void safe_clear(struct safe *safe);
