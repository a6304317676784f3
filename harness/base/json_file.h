/* SPDX-License-Identifier: BSD-3-Clause */
/* json_file.h - an object in a JSON file: there, not there, or not to be read. */
#ifndef HARNESS_BASE_JSON_FILE_H
#define HARNESS_BASE_JSON_FILE_H

#include <jansson.h>

#include "harness/base/err.h"

/* The object in the file, to be freed with json_decref; NULL where no file of that path exists. 0,
 * or -1 with *err, and *o NULL: the file cannot be read, or is no JSON object (path and line). */
int json_file_read(const char *path, json_t **o, struct err *err);

#endif
