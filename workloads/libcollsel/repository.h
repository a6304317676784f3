/* SPDX-License-Identifier: BSD-3-Clause */
/* repository.h - the candidates among which a kind of call is tuned, in groups of which the members
 * win or lose together. Pure. */
#ifndef WORKLOADS_LIBCOLLSEL_REPOSITORY_H
#define WORKLOADS_LIBCOLLSEL_REPOSITORY_H

#include "workloads/libcollsel/choice.h"
#include "workloads/libcollsel/star.h"

enum repository_kind {
    REPOSITORY_FULL,   /* the library's own call, and all that is in the table of schedules */
    REPOSITORY_NATIVE, /* the library's own call, and libraries' own algorithms: those of the one
                          that runs by its own names, those of others as schedules */
    REPOSITORY_PAPER,  /* those of STAR-MPI alone (ICS 2006, section 3.1), in its groups */
    N_REPOSITORIES
};

/* "full", "native", "paper"; ends with NULL. */
extern const char *const repository_words[];

/* Owns its arrays. */
struct repository {
    struct choice *v;
    int *group;
    int n, room;
};

/* By what its candidates are judged where nothing else is said: those of the paper by its rule. */
enum star_judge repository_judge(enum repository_kind kind);

/* How they are tuned: as star_usual, by the judge, with the library's own call where it is among
 * them. */
struct star_options repository_options(const struct repository *repository, enum star_judge judge);

/* Those that run for such a call as themselves, and for whose messages they make sense. Segments,
 * where an algorithm has any: one up to 32 KiB, else of 32 KiB. library: that runs, "openmpi". */
void repository_make(struct repository *repository, enum repository_kind kind, const char *library,
                     const struct collective *collective,
                     const struct schedule_arguments *arguments);

/* The library's own call, and of n choices those that run as themselves, each in a group of its
 * own; where there are none of these it is as if nothing was made: n is 0. */
void repository_of_choices(struct repository *repository, const struct choice *const *choices,
                           size_t n, const struct collective *collective,
                           const struct schedule_arguments *arguments);

/* Frees what it holds. */
void repository_clear(struct repository *repository);

#endif
