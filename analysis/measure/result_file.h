/* SPDX-License-Identifier: BSD-3-Clause */
/* result_file.h - the files that the analysis writes: each row says in its last column, `backend`,
 * by which backend the study was measured. Owns nothing. */
#pragma once

#include "harness/base/schema.h"

/* Starts DIR/<schema's path> as a whole file (fs_begin) with its header row, for w to go on; the
 * last column is `backend`, as DIR/manifest.json has it ("unknown" without). Returns 0, or -1 with
 * *err. The caller commits or abandons f. */
int result_open(const char *dir, const struct schema *schema, struct whole_file *f, struct csvw *w,
                struct err *err);

/* Writes DIR/<schema's path> whole: n rows. 0, or -1 with *err. */
int result_write(const char *dir, const struct schema *schema, const void *rows, size_t n,
                 struct err *err);

/* The same of rows that are made while the file is written: `make` puts the i-th, of n, into *row,
 * which has room for one. Several at a time are made, in any order. */
int result_write_made(const char *dir, const struct schema *schema, size_t n,
                      void (*make)(size_t i, void *row, const void *user), const void *user,
                      struct err *err);

/* As result_write; where there are no rows, removes the file that an earlier study has left. */
int result_write_some(const char *dir, const struct schema *schema, const void *rows, size_t n,
                      struct err *err);

/* As result_write, `backend` being what the last column says: for directories without a manifest.
 */
int result_write_as(const char *dir, const struct schema *schema, const char *backend,
                    const void *rows, size_t n, struct err *err);
