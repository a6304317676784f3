/* SPDX-License-Identifier: BSD-3-Clause */
/* result_file.h - the files that the analysis writes: each row says in its last column, `backend`,
 * by which backend the study was measured. Owns nothing. */
#pragma once

#include "harness/base/schema.h"

/* Writes DIR/<schema's path> whole: n rows; backend: what the last column says, "unknown" for
 * directories without a manifest. 0, or -1 with *err. */
int result_write(const char *dir, const struct schema *schema, const char *backend,
                 const void *rows, size_t n, struct err *err);

/* The same of rows that are made while the file is written: `make` puts the i-th, of n, into *row,
 * which has room for one. Several at a time are made, in any order. */
int result_write_made(const char *dir, const struct schema *schema, const char *backend, size_t n,
                      void (*make)(size_t i, void *row, const void *user), const void *user,
                      struct err *err);

/* The same of the rows that `put` writes of each of n things, by their number. */
int result_write_each(const char *dir, const struct schema *schema, const char *backend, size_t n,
                      void (*put)(struct csvw *w, const void *user, size_t i), const void *user,
                      struct err *err);

/* As result_write; where there are no rows, removes the file that an earlier study has left. */
int result_write_some(const char *dir, const struct schema *schema, const char *backend,
                      const void *rows, size_t n, struct err *err);
