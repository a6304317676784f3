/* SPDX-License-Identifier: BSD-3-Clause */
/* decision.h - the libraries' published fixed decision functions, as pure functions. They give the
 * default where the library itself does not run (simulation). */
#pragma once

#include "workloads/schedules/decision_tables.h"

/* By the name of a rule (a study's sim_default): "openmpi31", "openmpi41", "openmpi60" are those of
 * Open MPI 3.1, of 4.1 and 5.0, and of 6.0, ompi_coll_tuned_<collective>_intra_dec_fixed, "mpich40"
 * that of MPICH 4.0 without its device and its algorithms for whole nodes, "mvapich2" MVAPICH2's
 * for Stampede as SMPI of SimGrid 3.32 has it; for operations that commute. bytes: of the whole
 * message, or of one rank's block where every rank gets all; elements are of one byte. seats: where
 * the ranks are, for the rule that goes by nodes (mvapich2); NULL: not known. Two ranks gather
 * blocks by two_proc in 3.1, which is what recursive_doubling does. 1, or 0 when the rule knows
 * nothing of the collective, or what it takes is nothing that is known here (decision->why). */
int decide(const char *rule, const char *collective, int procs, uint64_t bytes,
           const struct seating *seats, struct decision *decision);

/* Whose it is, for readers: "Open MPI 4.1"; NULL: there is no such rule. */
const char *decision_library(const char *rule);

/* 1 when the rule knows the collective, for some ranks at least. */
int decision_known(const char *rule, const char *collective);

/* The same as decide for a call of so many elements. */
int decide_elements(const char *rule, const char *collective, const struct decision_call *call,
                    struct decision *decision);

/* The same as decide for an operation that does not commute; 0, too, when that is not known. */
int decide_ordered(const char *rule, const char *collective, int procs, uint64_t bytes,
                   struct decision *decision);
