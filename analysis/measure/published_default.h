/* SPDX-License-Identifier: BSD-3-Clause */
/* published_default.h - what a library's default runs, where its decision function is known: that
 * of Open MPI 3.1 and 4.1 (workloads/schedules/decision.h), by the version in the study's facts. */
#ifndef ANALYSIS_MEASURE_PUBLISHED_DEFAULT_H
#define ANALYSIS_MEASURE_PUBLISHED_DEFAULT_H

#include "analysis/measure/study_facts.h"
#include "analysis/measure/points.h"
#include "workloads/schedules/decision.h"

/* What a rule decides in a cell: decide() with the seats that the cell tells. */
int decided_by(const char *rule, const struct cell *cell, struct decision *decision);

/* The rule by which the default of an entry decides, of a simulation the study's; "": of none that
 * is published. */
const char *decided_rule(const struct facts *facts, const char *mpi);

/* 1, or 0 where the candidate is no default or nothing is known of its library's. */
int decided(const struct facts *facts, const struct cell *cell, const struct candidate *candidate,
            struct decision *decision);

/* The same as a candidate of that library: "openmpi:binomial" with segment and fan-out. 0: *runs is
 * left as it is. */
int decided_candidate(const struct facts *facts, const struct cell *cell,
                      const struct candidate *candidate, struct candidate *runs);

/* Makes another rule the one that stands for the default of a simulation (facts->sim_default), and
 * says so of the points: theirs are FOR_DEFAULT, those of others FOR_OTHER_DEFAULT. Points that the
 * study has not are still missing. 0, or -1 with *err: nothing was simulated. */
int decided_take(const char *rule, struct facts *facts, struct points *points, struct err *err);

/* 1 for a point that is what the library does where nothing is set: its default, measured; where
 * the library itself does not run, the point of its published decision, whether the study has it as
 * a candidate or not. */
int decided_stands(const struct facts *facts, const struct point *point);

#endif
