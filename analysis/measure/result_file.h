/* SPDX-License-Identifier: BSD-3-Clause */
/* result_file.h - how every file that the analysis writes begins, and that each row of it says by
 * which backend the study was measured. Owns nothing. */
#ifndef ANALYSIS_MEASURE_RESULT_FILE_H
#define ANALYSIS_MEASURE_RESULT_FILE_H

#include "harness/base/csv.h"
#include "harness/base/fs.h"

/* Starts DIR/NAME as a whole file (fs_begin) with its header row, for w to go on; the last column
 * is `backend`, as DIR/manifest.json has it ("unknown" without). Returns 0, or -1 with *err. The
 * caller commits or abandons f. */
int result_begin(const char *dir, const char *name, const char *const *columns,
                 struct whole_file *f, struct csvw *w, struct err *err);

#endif
