/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned_vars.h - forcing an algorithm of Open MPI's component `tuned`: its control variables, which
 * are read when a communicator is made (ompi #12602), so: write, make one, write back. The radix
 * and the number of requests alone are read at every call. */
#pragma once

#include "harness/base/base.h"

/* The parameters of a collective; those from TUNED_REQUESTS on are read at every call. */
enum tuned_parameter {
    TUNED_ALGORITHM,
    TUNED_SEGMENT,
    TUNED_CHAINS,
    TUNED_TREE,
    TUNED_REQUESTS,
    TUNED_RADIX,
    N_TUNED_PARAMETERS
};

enum { TUNED_NAME = 128 };

/* "coll_tuned_bcast_algorithm_chain_fanout". */
void tuned_name(const char *collective, enum tuned_parameter which, char name[TUNED_NAME]);

/* Values of a collective's variables; known 0: the variable does not exist. */
struct tuned_usual {
    int known[N_TUNED_PARAMETERS], value[N_TUNED_PARAMETERS];
};
void tuned_learn(const char *collective, struct tuned_usual *usual);

/* Writes a variable, also one that the library calls read-only but reads like the others. */
int tuned_write(const char *name, int value, struct err *err);

/* Writes an algorithm by the library's word, with its segment and fan-out (0: as it is usual), and
 * of "chain.8" the limit of requests. -1 with *err: there is no such, or it cannot be written; what
 * was written stays. */
int tuned_force(const char *collective, const char *algorithm, uint64_t segment_bytes, int fanout,
                struct err *err);

/* The parameter that says an algorithm's fan-out, N_TUNED_PARAMETERS where it takes none. */
enum tuned_parameter tuned_fanout(const char *collective, const char *algorithm);

/* Restores the earlier value. */
int tuned_put_back(const char *collective, enum tuned_parameter which,
                   const struct tuned_usual *usual, struct err *err);
