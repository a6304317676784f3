/* SPDX-License-Identifier: BSD-3-Clause */
/* links_data.h - common to the two sections of the links models: the cells that they show, and
 * the predictions there. */
#pragma once

#include "reports/section_common.h"

/* A context with a platform: the most processes of the study's grid, at its root, and the
 * algorithms that are predicted there, portable ones where there are any. */
enum { MOST_LINKS_MODELS = 8 };

struct links_scope {
    const struct context *context;
    const struct links_place *place;
    char collective[NAME_SIZE];
    int procs, root;
    uint64_t low, high; /* sizes */
    struct series series[MOST_SERIES];
    size_t n;
    const struct model *paper;                    /* the one that the paper has */
    const struct model *model[MOST_LINKS_MODELS]; /* those that predict here, by their table */
    size_t models;
    const struct predicted **row; /* of the scope, of all models; owned */
    size_t rows;
};

/* 1 when the context has a platform and predictions; to be cleared then (0: nothing to clear). */
int links_scope_find(const struct report_data *data, const struct context *context,
                     struct links_scope *scope);
void links_scope_clear(struct links_scope *scope);

/* The time that a model predicts for one of the scope's series, or that was measured; NaN. */
double links_predicted(const struct links_scope *scope, const char *model, size_t series,
                       uint64_t bytes);
double links_measured(const struct links_scope *scope, size_t series, uint64_t bytes);

/* The walk of this point, or NULL. */
const struct links_row *links_point_at(const struct report_data *data,
                                       const struct links_scope *scope, size_t series,
                                       uint64_t bytes);

/* Sizes of the scope, ascending; returns how many (at most MOST_BYTES). */
size_t links_sizes(const struct links_scope *scope, uint64_t *bytes);
