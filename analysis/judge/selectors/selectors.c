/* SPDX-License-Identifier: BSD-3-Clause */
/* selectors.c - the rows of selector.h. Nothing else is in this file, so that a program can link
 * another table. */
#include "analysis/judge/selectors/selector.h"

const struct selector *const selectors[] = {
    &selector_best, &selector_default, &selector_best_single, &selector_random, NULL,
};
