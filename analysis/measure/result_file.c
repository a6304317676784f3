/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/result_file.h"

#include <stdio.h>

#include "harness/study/manifest.h"

int result_begin(const char *dir, const char *name, const char *const *columns,
                 struct whole_file *f, struct csvw *w, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/%s", dir, name) < 0 || fs_begin(f, path, err) < 0)
        return -1;
    *w = (struct csvw){ .file = f->file, .last_name = "backend" };
    manifest_backend(dir, w->last_value, sizeof w->last_value);
    if (!*w->last_value)
        snprintf(w->last_value, sizeof w->last_value, "unknown");
    csvw_header(w, columns);
    return 0;
}
