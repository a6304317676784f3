/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/json_file.h"

#include <stdlib.h>

#include "harness/base/fs.h"

int json_file_read(const char *path, json_t **o, struct err *err)
{
    json_error_t why;
    *o = NULL;
    const int there = fs_readable(path, err);
    if (there <= 0)
        return there;
    char *text = fs_read(path, NULL, err);
    if (!text)
        return -1;
    *o = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (json_is_object(*o))
        return 0;
    if (!*o)
        return err_set(err, "%s:%d: %s", path, why.line > 0 ? why.line : 1, why.text);
    json_decref(*o);
    *o = NULL;
    return err_set(err, "%s:1: not a JSON object", path);
}
