/* SPDX-License-Identifier: BSD-3-Clause */
/* repository.h - the candidates for tuning a kind of call,
 * in groups of algorithms with similar performance. Pure. */
#pragma once

#include "workloads/libcollsel/choice.h"
#include "workloads/libcollsel/star.h"

enum repository_kind {
    REPOSITORY_FULL,   /* the library's own call, and all schedules */
    REPOSITORY_NATIVE, /* the library's own call, and libraries' own algorithms: the
                          running library's by name, other libraries' as schedules */
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

/* The default rule for judging its candidates: the paper's rule for the paper's repository. */
enum star_judge repository_judge(enum repository_kind kind);

/* What is expected of each (expected.h), to be freed; the first is the library's own call.
 * is_ordered: they stand in the order in which they are to be tried, and all count as the first of
 * them. */
struct star_prior *repository_expect(const struct repository *repository, int is_ordered,
                                     const struct schedule_arguments *arguments);

/* The algorithms that run without substitution for such a call and suit its message size.
 * Segments, if any: one up to 32 KiB, else of 32 KiB. library: the running one, "openmpi". */
void repository_make(struct repository *repository, enum repository_kind kind, const char *library,
                     const struct collective *collective,
                     const struct schedule_arguments *arguments);

/* Fills it with the library's own call and those of n choices that run without substitution,
 * each in its own group; if there are none of these, it stays empty: n is 0. */
void repository_of_choices(struct repository *repository, const struct choice *const *choices,
                           size_t n, const struct collective *collective,
                           const struct schedule_arguments *arguments);

void repository_clear(struct repository *repository);
