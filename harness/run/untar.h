/* SPDX-License-Identifier: BSD-3-Clause */
/* untar.h - reads an archive (tar, by gzip or not) that came from elsewhere, trusting nothing in
 * it: regular files and directories alone, names that stay below, sizes and numbers within bounds.
 */
#ifndef HARNESS_RUN_UNTAR_H
#define HARNESS_RUN_UNTAR_H

#include <stdio.h>

#include "harness/base/err.h"

enum { UNTAR_NAME = 512, UNTAR_MOST_FILES = 200000 };

/* Asked for each file, by its name without "./": the path to write it to, in `path` of PATH_SIZE
 * bytes, or "" to pass it over. -1 with *err: such a file is refused. */
typedef int untar_place(const char *name, char *path, void *user, struct err *err);

/* Reads all. most_file and most_all: bytes of one file, and of all together. 0, or -1 with *err;
 * what was written before stays. */
int untar(const char *archive, double most_file, double most_all, untar_place *place, void *user,
          struct err *err);

#endif
