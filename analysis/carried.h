/* SPDX-License-Identifier: BSD-3-Clause */
/* carried.h - the dummy regression carried beyond the nodes that were measured ("dummy_carried").
 *
 * A regression over P has no coefficient for a socket or node that none of its points used. There a
 * model whose parameters come from messages alone (ping-pongs, fan-outs) says what the crossing
 * costs:
 *
 *   T(P) = D(P) + f (M(P) - L(P)),   f = D(E) / L(E)
 *
 * D is the regression and goes on as if nothing had been crossed; M is the model; L is the same
 * regression fitted to M at the same process counts, and goes on likewise. M - L is what the model
 * says of the crossing and nothing else: an error of its slope within a node is in both. E is the
 * largest process count that was fitted; f turns the model's seconds into measured ones. Where D
 * has a coefficient for every socket and node that a cell uses, T = D. Other ways that were tried,
 * with their errors: docs/analysis.md.
 *
 * A library's default may be another algorithm beyond than it was within (decided.h), and a
 * regression over several is none of any. Unless all that was fitted to ran what the cell runs, it
 * is carried as that algorithm, where it was measured by name and fitted. Where it was not, T = f
 * M, with f the median of D / M over those fitted points at which the default ran it (1: none).
 *
 * The model is the first of a list that predicts every point of the group (carried_bases). Nothing
 * but the times that D was fitted to and M's own parameters enter. File: fit/carried.csv. */
#ifndef ANALYSIS_CARRIED_H
#define ANALYSIS_CARRIED_H

#include "analysis/models.h"
#include "analysis/predict.h"

/* Names of the models to carry with, the best first; ended by NULL. */
extern const char *const carried_bases[];

struct carried {
    struct points points; /* of the groups, their time being what the base says */
    struct point_groups groups;
    const struct model **base; /* of each group */
    struct dummies lines;      /* L */
};

/* Makes it for the groups of points; predictions in the points' order, as predictions_make. The
 * facts must outlive it. Returns 0, or -1 with *err when out of memory. */
int carried_make(const struct points *points, const struct predictions *predictions,
                 const struct facts *facts, enum split split, struct carried *carried,
                 struct err *err);

/* Writes DIR/fit/carried.csv: every point of the groups at which p->carried carries p->dummies. */
int carried_write(const char *dir, const struct point_groups *groups, const struct parameters *p,
                  struct err *err);

/* Frees what it holds. */
void carried_clear(struct carried *carried);

/* The parts of T(P). */
struct carried_time {
    double seconds;                          /* T */
    double regression_s;                     /* the candidate's own regression gone on */
    double start_s, model_s, line_s, factor; /* D, M, L, f; T = f M: no D and L */
    char
        as[NAME_SIZE]; /* algorithm whose parts they are: the candidate's, or what a default runs */
    const struct model *base; /* NULL: D knows the place, T = D */
};

/* What p->dummies and p->carried say of a cell. Returns a prediction's status. */
enum predict_status carried_predict(const struct parameters *p, const struct cell *cell,
                                    const struct candidate *candidate, struct carried_time *time);

#endif
