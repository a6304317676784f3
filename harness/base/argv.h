/* SPDX-License-Identifier: BSD-3-Clause */
/* argv.h - a growing list of words: command lines and environments.
 *
 * Owns its words; argv_free. v is NULL-terminated as soon as there is a word. */
#pragma once

#include "harness/base/base.h"

struct argv {
    char **v;
    size_t n, room;
};

/* Appends a formatted word. */
void argv_add(struct argv *argv, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The words joined by blanks, quoted for a shell where needed; to be freed. */
char *argv_text(const struct argv *argv);

void argv_free(struct argv *argv);
