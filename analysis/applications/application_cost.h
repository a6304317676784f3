/* SPDX-License-Identifier: BSD-3-Clause */
/* application_cost.h - what each selector's choices would cost an application: the calls that a
 * profile has counted (collsel run --report, docs/formats.md), each at the time of what the
 * selector chose in the nearest cell of the study. A sum over calls: what overlaps, and what ranks
 * wait for each other, is not in it. */
#ifndef ANALYSIS_APPLICATIONS_APPLICATION_COST_H
#define ANALYSIS_APPLICATIONS_APPLICATION_COST_H

#include "analysis/judge/select.h"

/* One selector, library and mapping. */
struct application_row {
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    char selector[NAME_SIZE];
    size_t kinds, kinds_of; /* kinds of calls that have a cell, of those that the profile has */
    double calls;           /* of these kinds; of a rank */
    double time_pct;        /* of the application's own time in collectives that they took */
    double seconds, best_s; /* of all of these calls: by its choices, by the fastest of each cell */
    double loss_pct;        /* 100 (seconds / best_s - 1) */
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
    int procs;
    uint64_t bytes;            /* of a rank, as a cell has them: of blocks that differ the mean */
    double calls, time_s;      /* of a rank in the mean */
    char algorithm[NAME_SIZE]; /* what the last call ran */
    char default_is[APPLICATION_SAYING]; /* what the library's own call is; "": not known */
};

struct application_profile;

/* Reads the profile PATH. NULL with *err: there is none. */
struct application_profile *application_profile_read(const char *path, struct err *err);
void application_profile_free(struct application_profile *profile);

/* Its kinds of calls that a cell can be like, *n of them: of a collective that is known, among two
 * ranks or more, of one size for all of them, with a root of 0. Valid until it is freed. */
const struct application_kind *application_kinds(const struct application_profile *profile,
                                                 size_t *n);

/* Seconds that all of its calls took, those that are no such kind with them: of a rank. */
double application_time(const struct application_profile *profile);

/* Reads DIR/selection.csv. A kind of call has a cell where collective and ranks are the same, a
 * root is 0, and the size is at most twice or half; the nearest counts. Selectors that decided none
 * are left out. 0, or -1 with *err and nothing to clear: none of its calls has a cell. */
int application_make(const struct application_profile *profile, const char *dir,
                     struct application *application, struct err *err);

/* Writes DIR/application.csv. 0, or -1 with *err. */
int application_write(const char *dir, const struct application *application, struct err *err);

/* Frees what it holds. */
void application_clear(struct application *application);

#endif
