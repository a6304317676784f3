/* SPDX-License-Identifier: BSD-3-Clause */
/* untar.h - reads an untrusted archive (tar, optionally gzip): only regular
 * files and directories, names inside the target, bounded sizes and numbers.
 */
#pragma once

#include <stdio.h>

#include "harness/base/err.h"

enum { UNTAR_NAME = 512, UNTAR_MOST_FILES = 200000 };

/* Called for each file, with its name without "./": writes the target path to `path`
 * (PATH_SIZE bytes), or "" to skip the file. -1 with *err: the file is refused. */
typedef int untar_place(const char *name, char *path, void *user, struct err *err);

/* Reads all. most_file and most_all: bytes of one file, and of all together. 0, or -1 with *err;
 * what was written before stays. */
int untar(const char *archive, double most_file, double most_all, untar_place *place, void *user,
          struct err *err);
