/* SPDX-License-Identifier: BSD-3-Clause */
/* json_file.h - an object in a JSON file: there, not there, or not to be read. */
#ifndef HARNESS_BASE_JSON_FILE_H
#define HARNESS_BASE_JSON_FILE_H

#include <jansson.h>

#include "harness/base/err.h"

/* The object in the file, to be freed with json_decref; NULL where no file of that path exists. 0,
 * or -1 with *err, and *o NULL: the file cannot be read, or is no JSON object (path and line). */
int json_file_read(const char *path, json_t **o, struct err *err);

/* The line of the value at "a/b/3" in a JSON text: keys of objects, numbers in arrays from 0. Where
 * there is no such value, that of the last one on the way. */
int json_line_of(const char *text, const char *at);

/* The lines of all values of a text that jansson reads, by their places, to be freed with
 * json_decref: for who asks often. Places that are longer than JSON_PLACE are cut. */
enum { JSON_PLACE = 768 };
json_t *json_lines(const char *text);

/* Puts "PATH:LINE: " before an error that begins with "AT: ", a value's place as json_line_of has
 * it; of another one the first line. Returns -1. */
int json_file_fail(const char *path, struct err *err);

#endif
