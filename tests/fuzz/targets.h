/* SPDX-License-Identifier: BSD-3-Clause */
/* targets.h - the table of fuzzed parsers; see targets.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size); /* aborts when a promise is broken */
    const char *seed;                              /* one seed as text; NULL: none */
    const char *seed_dirs;                         /* directories of seeds; NULL: none */
};

/* Ends with a NULL name. */
extern const struct target targets[];

/* NULL when there is none. */
const struct target *target_find(const char *name);

/* Removes the scratch files. */
void targets_clear(void);
