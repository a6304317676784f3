/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/fit_file.h"

int fit_file_begin(const char *dir, const char *name, const char *const *columns,
                   struct whole_file *f, struct csvw *w, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/fit/%s", dir, name) < 0 || fs_begin(f, path, err) < 0)
        return -1;
    *w = (struct csvw){ .file = f->file };
    csvw_header(w, columns);
    return 0;
}
