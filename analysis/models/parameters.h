/* SPDX-License-Identifier: BSD-3-Clause */
/* parameters.h - input of the models: the facts of the cluster, and sets of
 * parameters, each fitted and written through its row (struct parameter_set). Models of one
 * family share a set. model_list.c lists the rows, in the order in which they are fitted: a set
 * may use those before it. */
#pragma once

#include "analysis/measure/compare_studies.h"
#include "analysis/measure/groups.h"

struct parameters;

/* Input of the fits. Borrowed. */
struct fit_from {
    const struct points *points;
    const struct facts *facts;
    const struct point_groups *groups; /* of the points */
    enum rank_statistic statistic;
    enum split split;
};

struct parameter_set {
    const char *name;
    size_t size;  /* bytes of its value, a struct */
    int by_split; /* 1: fitted to the times that its models predict; for judging it
                   * is fitted again to the fitting part of each split (groups.h) */

    /* Fills *value, which is zero. Returns 0 (also where nothing can be fitted), or -1 with *err
     * and nothing to clear. */
    int (*fit)(const struct fit_from *from, const struct parameters *p, void *value,
               struct err *err);

    /* Writes its files below DIR. NULL: none. */
    int (*write)(const char *dir, const struct fit_from *from, const struct parameters *p,
                 void *value, struct err *err);

    /* Frees what the value holds. */
    void (*clear)(void *value);
};

extern const struct parameter_set *const parameter_sets[]; /* model_list.c; NULL-terminated */

enum { MAX_SETS = 16 };

/* The functions write_set and clear_set of a set that needs no more than its value to be written:
 * int write_value(dir, backend, value, err), void clear_value(value). */
#define PARAMETER_SET_FILES(write_value, clear_value)                                              \
    static int write_set(const char *dir, const struct fit_from *from, const struct parameters *p, \
                         void *value, struct err *err)                                             \
    {                                                                                              \
        (void)p;                                                                                   \
        return write_value(dir, from->facts->backend, value, err);                                 \
    }                                                                                              \
                                                                                                   \
    static void clear_set(void *value)                                                             \
    {                                                                                              \
        clear_value(value);                                                                        \
    }

struct parameters {
    const struct facts *facts;             /* where ranks sit: facts_seating */
    const struct compare_studies *against; /* a study to compare with; NULL: none */
    struct held_set {
        const struct parameter_set *set; /* NULL: no more */
        const void *value;
        void *own; /* the same where it is cleared and freed with the parameters; else NULL */
    } held[MAX_SETS];
};

/* The value of a set; NULL where there is none. */
const void *parameters_of(const struct parameters *p, const struct parameter_set *set);

/* Fits a set and holds its value, in the place of one that was there. 0, or -1 with *err. */
int parameters_fit(struct parameters *p, const struct parameter_set *set,
                   const struct fit_from *from, struct err *err);

/* Fits all sets of the table. 0, or -1 with *err; clear p all the same. */
int parameters_fit_all(struct parameters *p, const struct fit_from *from, struct err *err);

/* Writes the sets of its own. 0, or -1 with *err. */
int parameters_write(const struct parameters *p, const char *dir, const struct fit_from *from,
                     struct err *err);

/* The same parameters but for the sets by split; borrows. */
struct parameters parameters_without_split(const struct parameters *p);

/* Frees what it owns. */
void parameters_clear(struct parameters *p);
