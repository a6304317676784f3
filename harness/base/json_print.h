/* SPDX-License-Identifier: BSD-3-Clause */
/* json_print.h - what commands print as JSON: one object or array on stdout. */
#pragma once

#include <jansson.h>

#include "harness/base/err.h"
#include "harness/base/schema.h"

/* A number; null for NaN and infinities. */
json_t *json_number(double value);

/* A text; null for "". */
json_t *json_word(const char *text);

/* Rows of a file of results, with the names of its columns; null where a field would be empty. */
json_t *json_rows(const struct schema *schema, const void *rows, size_t n);

/* Prints and frees it. 0, or -1 with *err: a text is not UTF-8 (o is NULL then, or lacks what
 * could not be added). */
int json_print(json_t *o, struct err *err);
