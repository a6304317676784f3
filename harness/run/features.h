/* SPDX-License-Identifier: BSD-3-Clause */
/* features.h - the hardware of this machine as keys of a cluster file: from hardware.h, /proc, /sys
 * and a short benchmark. Unknown values are omitted with the reason, never zero. */
#pragma once

#include "harness/base/base.h"

enum { MOST_FOUND = 32, FOUND_TEXT = 160 };

/* One key of a cluster file. */
struct found {
    const char *section, *key;
    char value[FOUND_TEXT];  /* as a cluster file has it; "": not known */
    char source[FOUND_TEXT]; /* the source, or why it is not known */
};

struct features {
    struct found row[MOST_FOUND];
    size_t n;
};

/* Inspects this machine. root: a directory with /proc and /sys, usually "" (else
 * a copy from another machine). bandwidth: of the memory in GB/s, if known; 0:
 * measure it in about a second; below 0: omit it. 0, or -1 with *err. */
int features_find(const char *root, double bandwidth, struct features *out, struct err *err);

/* Lines of a cluster file, those that are not known as remarks; and as JSON, null where not known.
 */
void features_print(FILE *out, const struct features *features);
void features_print_json(FILE *out, const struct features *features);
