/* SPDX-License-Identifier: BSD-3-Clause */
/* application_cost.h - time of an application's collectives by each selector: the calls that a
 * profile counted (collsel run --report, docs/formats.md), each with the time of the selector's
 * choice in the nearest cell of the study. It is a sum over calls: overlap, and the time that ranks
 * wait for each other, are not included. */
#pragma once

#include "analysis/judge/degrade.h"
#include "harness/study/prior.h"

/* One selector, library and mapping. */
struct application_row {
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    char selector[NAME_SIZE];
    char no_test[NAME_SIZE]; /* standing_text: why its loss is no test; "": it is one */
    size_t kinds, kinds_of;  /* kinds of calls with a cell; all kinds of the profile */
    double calls;            /* of these kinds; of a rank */
    double time_pct;         /* their share of the application's time in collectives */
    double seconds, best_s;  /* time of these calls: by its choices; by each cell's fastest */
    double loss_pct;         /* 100 (seconds / best_s - 1) */
};

extern const struct schema application_schema;

struct application {
    struct application_row *row;
    size_t n;
};

/* "recursive_doubling, if it can, by MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM" has to be whole. */
enum { APPLICATION_SAYING = 256 };

/* One kind of calls, as a profile has counted it. */
struct application_kind {
    const struct collective *collective;
    int procs, nodes, ppn;               /* ranks; their nodes, and the most on one; 0: not known */
    uint64_t bytes;                      /* per rank, as in a cell; the mean where blocks differ */
    double calls, time_s;                /* of a rank, in the mean over all of the application */
    double wait_s;                       /* of time_s, for late ranks; 0: none, or not known */
    char algorithm[NAME_SIZE];           /* what the last call ran */
    char default_is[APPLICATION_SAYING]; /* algorithm of the default; "": not known */
};

struct application_profile;

/* Reads the profile PATH. NULL with *err: there is none. */
struct application_profile *application_profile_read(const char *path, struct err *err);
void application_profile_free(struct application_profile *profile);

/* The profile's *n kinds of calls that can have a cell: of a known collective, with two
 * ranks or more, one size on all ranks and root 0. Valid until the profile is freed. */
const struct application_kind *application_kinds(const struct application_profile *profile,
                                                 size_t *n);

/* Time of all collective calls of the profile, in seconds per rank, including other kinds. */
double application_time(const struct application_profile *profile);

/* The library of the application, "openmpi" or "mpich"; "": the profile does not say. */
const char *application_mpi(const struct application_profile *profile);

/* Weighs the points of a plan's prior by the time of the calls whose cells they are of, as
 * application_make matches them: of the largest, at least a thousandth. Returns how many kinds have
 * a cell; 0: all weights stay. */
size_t application_weigh(const struct application_profile *profile, const struct plan *plan,
                         struct prior *prior);

/* Reads DIR/selection.csv. A kind of call matches a cell of the same collective and ranks
 * with root 0, at most twice or half the size; the nearest counts. Selectors that decided no
 * matching cell are left out; those whose standing in d (NULL: judged by other
 * times, all are tests) is no test come last. 0, or -1 with *err
 * and nothing to clear: no call has a cell. */
int application_make(const struct application_profile *profile, const char *dir,
                     const struct degradations *d, struct application *application,
                     struct err *err);

void application_clear(struct application *application);
