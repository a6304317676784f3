/* SPDX-License-Identifier: BSD-3-Clause */
/* ini_entries.h - the syntax of an INI file, over inih: its entries in order, with their lines.
 * What they mean is keys.h. */
#pragma once

#include <stddef.h>

#include "harness/base/err.h"

enum { INI_WORD = 64 }; /* of a section or a name, with its end */

/* "key = value" of a file, or the opening of a section (name is empty). */
struct ini_entry {
    char section[INI_WORD], name[INI_WORD];
    char *value;
    int line;
};

struct ini_entries {
    struct ini_entry *v;
    size_t n;
};

/* Reads a file. A line that starts with a blank continues the value before it. 0, or -1 with *err =
 * "file:line: ..." (no such file, a NUL byte, neither [section] nor key = value, a name or a value
 * that is too long) and nothing to free. */
int ini_entries_read(const char *path, struct ini_entries *entries, struct err *err);

/* Frees what it holds. */
void ini_entries_free(struct ini_entries *entries);
