/* SPDX-License-Identifier: BSD-3-Clause */
/* safe.h - do no harm: the library's default, but where it is known that something else is faster.
 *
 * Evidence for a candidate in a cell is what it gained over the default in the measured cells about
 * it (neighbour_gains.h): at the next fewer and more processes, at the next smaller and larger
 * size. The least of these gains is the bound. Beyond the largest P that was measured it is the
 * least of the gains at all P from there down to a half and to a quarter of it (to half at least:
 * who has not seen one doubling knows nothing of the next), and where the gain fell over that
 * doubling it is carried on by that fall; so what gains less and less as P grows is left alone.
 * Neighbouring P do not tell that: their gains differ by noise, and a step that is no doubling
 * shows no trend. Beyond the largest or least P or size it is divided by one and the doublings from
 * there, as it takes more to be convinced the further one looks. Where the candidate was not
 * measured about the cell there is no evidence. Neither is there any of a cell on several nodes
 * where all that was measured ran on one (nothing was sent through the network), nor where the
 * library's own decision, as far as it is published, takes another algorithm in the measured cells
 * than in this one, unless that was measured there by name: what gained over one default tells
 * nothing of the other.
 *
 * A candidate may override the default where its bound is above a threshold and most of the
 * learners that predict times say that it is faster, too. The threshold is chosen per subject on
 * the lessons apart (training_set.h): the one that gains most there for sure (2.5 % at least: less
 * is a tie); where none gains, nothing overrides the default.
 *
 * What is gained for sure is the mean less one standard error, and cells are not independent: those
 * of one number of processes fail together, and so do those of one size. The error is the largest
 * of three: of single cells, of numbers of processes as wholes, of sizes as wholes (Liang and
 * Zeger, Biometrika 73, 1986). One place of many where noise lost much counts so for what it is.
 *
 * Beyond the largest P the data's own past says how far bounds are to be trusted. As if only the P
 * up to a half, a quarter, ... of the largest had been measured: what did the bounds of 2.5 % and
 * more promise in all lessons beyond, of all candidates, and what was gained? The threshold there
 * is 2.5 % and what the gains fell short of the promises by, in the mean and one standard error
 * more; of fewer than four nobody knows, and nothing overrides. Lessons on several nodes tell of
 * these, also seen from one node (that is the harder step), lessons on one node of that. (Cells
 * next to each other fail together, so that the standard error is too small: it is a rule, no
 * guarantee.)
 *
 * A learner of times may lead instead, where what it chose in cells that it was not taught, and
 * promised more than a threshold, gained over the default for sure. (By these same cells its
 * setting, the threshold and the leader are chosen, so that the best looks better there than it is;
 * what `safe` gains is to be judged on others.) Two things are asked for that:
 *   - Between what was measured: the lessons apart, where it has to gain more than the bound. On
 *     several nodes only where the others saw several.
 *   - Beyond the largest P: that past again. Taught with the P up to a former end, it chose in the
 *     cells beyond; so many doublings beyond the largest P those count that lay as many beyond an
 *     end, on one node and on several apart. Ends fail as wholes, too, and of fewer than three
 *     ends, numbers of processes or sizes nobody knows: two show no spread. It leads only where the
 *     default runs what it ran at the largest P, as far as that is published.
 * Elsewhere the bound decides.
 */
#ifndef ANALYSIS_LEARN_SAFE_H
#define ANALYSIS_LEARN_SAFE_H

#include "analysis/learn/learner.h"

/* Who leads in some cells. */
struct safe_lead {
    const struct learner *learner; /* NULL: nobody */
    double least;                  /* what it must promise, as a logarithm */
};

enum { SAFE_DOUBLINGS = LEARNER_DOUBLINGS }; /* so far beyond the largest P a learner may lead */

struct safe_leads {
    struct safe_lead between;                   /* what was measured */
    int network;                                /* 1: `between` also on several nodes */
    struct safe_lead beyond[2][SAFE_DOUBLINGS]; /* the largest P: on one node, on several; one
                                                   doubling, two, ... */

    /* What was measured (safe_leads_place). */
    int least_procs, most_procs, most_nodes;
    uint64_t least_bytes, most_bytes;
};

struct safe {
    const struct problem *problem; /* borrowed */
    const struct learnt *member;   /* borrowed; those that learn classes have no voice */
    size_t n_members;
    const struct problem *confirmed; /* cells that were measured to decide in them
                                        (analysis/adapt/confirm.h); borrowed; NULL: none */
    double *threshold; /* by subject: of the logarithm of default over candidate; INFINITY: never */
    double (*beyond)[2];     /* by subject: beyond its largest P, on one node and on several */
    struct safe_leads *lead; /* by subject; NULL: nobody leads */
};

/* Chooses the thresholds. What is borrowed must outlive it. */
void safe_make(const struct problem *problem, const struct learnt *member, size_t n_members,
               struct safe *out);

/* Chooses those beyond the largest P, of the evidence alone: of a safe that has the rest. */
void safe_look_back(struct safe *safe);

/* The bound of the gain of what runs over the default in a cell: the logarithm of default over
 * candidate; -INFINITY: no evidence. default_runs: what the default takes there
 * (problem_default_runs); NULL: not known. */
double safe_bound(const struct subject *subject, const struct candidate *runs,
                  const struct cell *cell, const struct candidate *default_runs);

/* What counts for a candidate over the default in a cell, by who leads there or by the bound: the
 * logarithm of default over candidate; -INFINITY: it may not override. The arguments are those of
 * safe_bound and safe_may. */
double safe_gain(const struct safe *safe, const struct cell *cell, const float *x,
                 const struct candidate *runs, const struct candidate *by_default,
                 const struct candidate *default_runs);

/* 1 when a candidate with this bound may override the default in a cell. by_default: what the
 * default runs as a kind. */
int safe_may(const struct safe *safe, const struct cell *cell, const float *x, double bound,
             const struct candidate *runs, const struct candidate *by_default);

/* Who leads in a cell, or NULL: the bound decides. default_runs: as in safe_bound. */
const struct safe_lead *safe_leader(const struct safe *safe, const struct cell *cell,
                                    const struct candidate *default_runs);

/* Fills in what was measured of a subject. */
void safe_leads_place(const struct subject *subject, struct safe_leads *lead);

/* The lesson of a cell that was measured to decide in it: what is fastest there is to be taken.
 * NULL: it was not; *subject has its kinds. */
const struct lesson *safe_confirmed(const struct safe *safe, const struct cell *cell,
                                    const struct subject **subject);

/* Frees what it holds. */
void safe_clear(struct safe *safe);

#endif
