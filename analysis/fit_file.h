/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_file.h - how every file below DIR/fit begins. Owns nothing. */
#ifndef ANALYSIS_FIT_FILE_H
#define ANALYSIS_FIT_FILE_H

#include "harness/base/csv.h"
#include "harness/base/fs.h"

/* Starts DIR/fit/NAME as a whole file (fs_begin) with its header row, for w to go on. Returns 0, or
 * -1 with *err. The caller commits or abandons f. */
int fit_file_begin(const char *dir, const char *name, const char *const *columns,
                   struct whole_file *f, struct csvw *w, struct err *err);

#endif
