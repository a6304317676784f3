/* SPDX-License-Identifier: BSD-3-Clause */
/* json_print.h - what commands print as JSON: one object or array on stdout. */
#pragma once

#include <jansson.h>

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

/* Reads an object from a JSON file: present, missing, or unreadable. */

/* The object in the file, to be freed with json_decref; NULL where no file of that path exists. 0,
 * or -1 with *err, and *o NULL: the file cannot be read, or is no JSON object (path and line). */
int json_file_read(const char *path, json_t **o, struct err *err);

/* A text of an object, "" where it has none of that name; a number, 0 where it has none. */
const char *json_text_at(const json_t *o, const char *name);
double json_number_at(const json_t *o, const char *name);

/* Control characters of all texts in it become '?' (text_disarm), for what is shown. */
void json_disarm(json_t *value);

/* The line of the value at path "a/b/3" in a JSON text: keys of objects, array indices
 * from 0. If it is missing, the line of the last existing value on the path. */
int json_line_of(const char *text, const char *at);

/* The lines of all values of a valid JSON text, by path, for many lookups;
 * to be freed with json_decref. Paths longer than JSON_PLACE are cut. */
enum { JSON_PLACE = 768 };
json_t *json_lines(const char *text);

/* Puts "PATH:LINE: " before an error that begins with "AT: ", a value's place as json_line_of has
 * it; of another one the first line. Returns -1. */
int json_file_fail(const char *path, struct err *err);
