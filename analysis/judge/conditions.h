/* SPDX-License-Identifier: BSD-3-Clause */
/* conditions.h - conditions.csv: loss of the best choice of plain conditions (ranks arrive
 * together, all calls have the same buffers) under other conditions.
 *
 * A cell under other conditions is compared with the plain cell. The choice is the fastest
 * candidate of the plain cell (the library's unforced default included). It is compared with
 * the fastest here. The interval is over the launches that measured both, as in select.h. */
#pragma once

#include "analysis/judge/select.h"

struct condition_loss {
    struct cell cell;        /* with its conditions */
    struct candidate chosen; /* the fastest of the plain cell; algorithm "": there is none */
    double plain_s;          /* its time there */
    double chosen_s;         /* and here */
    struct candidate best;   /* the fastest here; algorithm "": there is none */
    double best_s;
    struct loss_interval loss;
    enum select_status status;
};

extern const struct schema conditions_schema;

struct condition_losses {
    struct condition_loss *row;
    size_t n;
};

/* One row for each cell of the study that is not plain. 0, or -1 with *err and nothing to clear. */
int condition_losses_make(const struct points *all, const struct judge *judge,
                          struct condition_losses *out, struct err *err);

void condition_losses_clear(struct condition_losses *losses);
