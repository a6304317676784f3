/* SPDX-License-Identifier: BSD-3-Clause */
/* closed_form.h - the type of a formula (closed.h), the symbols in it, and the tables of formulas.
 */
#pragma once

#include "analysis/walk/gamma.h"
#include "workloads/schedules/schedule.h"

enum closed_kind { CLOSED_STAGE, CLOSED_TEXTBOOK, N_CLOSED_KINDS };

struct closed_line {
    double a; /* transfers, each of which costs alpha */
    double b; /* bytes, each of which costs beta */
    double c; /* bytes combined by a reduction, each of which costs delta; 0 elsewhere */
};

struct closed_form {
    int kinds;                          /* kinds that use it: 1 << kind, or-ed */
    const char *collective, *algorithm; /* as in algorithm_find */
    const char *formula;                /* for people */
    const char *source;                 /* paper and equation, or "as ..." */

    /* The coefficients. Only stage forms use gamma (NULL is allowed for textbook forms). */
    struct closed_line (*line)(const struct schedule *s, const struct gamma *gamma);
};

/* The forms of either kind; where both say the same, one row. */
enum { STAGE = 1 << CLOSED_STAGE, TEXTBOOK = 1 << CLOSED_TEXTBOOK, BOTH = STAGE | TEXTBOOK };

#define PJESIVAC "Pjesivac-Grbovic et al. 2007"
#define THAKUR   "Thakur, Rabenseifner & Gropp 2005"
#define CHEN     "Chen et al. 2005"
#define TRAEFF   "Traeff 2024"

static inline double bytes_of(const struct schedule *s)
{
    return (double)s->bytes;
}

/* ceil(log_k P) by counting, so that powers of k come out exactly. */
static inline int ceil_log(int k, int procs)
{
    int n = 0;
    for (long long reach = 1; reach < procs; reach *= k)
        n++;
    return n;
}

/* floor(log_k P), as ceil_log. */
static inline int floor_log(int k, int procs)
{
    int n = 0;
    for (long long reach = k; reach <= procs; reach *= k)
        n++;
    return n;
}

/* Among Q = 2^H ranks; halving and its way back each move (Q - 1)/Q of the message, the former
 * combines it. fold: what the others cost, where P is no power of two. */
struct closed_line closed_halving(const struct schedule *s, struct closed_line fold);

/* Those of collectives in which blocks change hands: scatter, all-to-all, allgather, also of
 * different sizes, barrier, binomial gather. The last one has no formula. */
extern const struct closed_form closed_moving[];

/* Those of allreduce, reduce-scatter, scan and exclusive scan. The last one has no formula. */
extern const struct closed_form closed_combining[];
