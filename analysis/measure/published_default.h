/* SPDX-License-Identifier: BSD-3-Clause */
/* published_default.h - the algorithm of a library's default, if its decision is known: that
 * of Open MPI 3.1 and 4.1 (workloads/schedules/decision.h), by the version in the study's facts. */
#pragma once

#include "analysis/measure/points.h"
#include "workloads/schedules/decision.h"

/* The decision of a rule in a cell: decide() with the seats of the cell. */
int decided_by(const char *rule, const struct cell *cell, struct decision *decision);

/* The decision function of an entry's default, in a
 * simulation that of the study; "": none is published. */
const char *decided_rule(const struct facts *facts, const char *mpi);

/* 1, or 0 if the candidate is no default or its library's decision is unknown. */
int decided(const struct facts *facts, const struct cell *cell, const struct candidate *candidate,
            struct decision *decision);

/* The same as a candidate of that library: "openmpi:binomial" with segment and fan-out. 0: *runs is
 * left as it is. */
int decided_candidate(const struct facts *facts, const struct cell *cell,
                      const struct candidate *candidate, struct candidate *runs);

/* Sets another rule as the default of a simulation (facts->sim_default) and marks the
 * points: those of the rule FOR_DEFAULT, those of others FOR_OTHER_DEFAULT. Points that
 * the study lacks stay missing. 0, or -1 with *err: the study is no simulation. */
int default_take_rule(const char *rule, struct facts *facts, struct points *points,
                      struct err *err);

/* 1 for a point of the library's default: the default, measured; or, where the library itself does
 * not run, the point of its published decision, which may also be a candidate of the study. */
int point_is_default(const struct facts *facts, const struct point *point);
