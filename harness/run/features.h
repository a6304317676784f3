/* SPDX-License-Identifier: BSD-3-Clause */
/* features.h - what this machine's hardware is, as keys of a cluster file: from hardware.h, /proc,
 * /sys and a short run of our own. What cannot be found is left out with the reason, never a zero.
 */
#ifndef HARNESS_RUN_FEATURES_H
#define HARNESS_RUN_FEATURES_H

#include <stdio.h>

#include "harness/base/err.h"

enum { MOST_FOUND = 32, FOUND_TEXT = 160 };

/* One key of a cluster file. */
struct found {
    const char *section, *key;
    char value[FOUND_TEXT];  /* as a cluster file has it; "": not known */
    char source[FOUND_TEXT]; /* where it is from; why it is not known */
};

struct features {
    struct found row[MOST_FOUND];
    size_t n;
};

/* Looks at this machine. root: a directory in which /proc and /sys are looked for, "" usually (else
 * a copy of another machine's). bandwidth: of the memory in GB/s where somebody knows it; 0: a run
 * of about a second measures it; below 0: it is left out. 0, or -1 with *err. */
int features_find(const char *root, double bandwidth, struct features *out, struct err *err);

/* Lines of a cluster file, those that are not known as remarks; and as JSON, null where not known.
 */
void features_print(FILE *out, const struct features *features);
void features_print_json(FILE *out, const struct features *features);

#endif
