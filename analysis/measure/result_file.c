/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/result_file.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/study/manifest.h"

/* By which backend the study in DIR was measured. */
static int backend_of(const char *dir, char *buf, size_t size, struct err *err)
{
    const int status = manifest_backend(dir, buf, size, err);
    if (!*buf)
        snprintf(buf, size, "unknown");
    return status;
}

int result_open(const char *dir, const struct schema *schema, struct whole_file *f, struct csvw *w,
                struct err *err)
{
    char path[PATH_SIZE], backend[sizeof w->last_value];
    if (backend_of(dir, backend, sizeof backend, err) < 0 ||
        fs_path(path, sizeof path, err, "%s/%s", dir, schema->path) < 0)
        return -1;
    return schema_begin(schema, path, backend, f, w, err);
}

int result_write_as(const char *dir, const struct schema *schema, const char *backend,
                    const void *rows, size_t n, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/%s", dir, schema->path) < 0 ||
        schema_begin(schema, path, backend, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        schema_row(&w, schema, (const char *)rows + i * schema->row_size);
    return fs_commit(&f, err);
}

int result_write(const char *dir, const struct schema *schema, const void *rows, size_t n,
                 struct err *err)
{
    char backend[sizeof((struct csvw *)0)->last_value];
    return backend_of(dir, backend, sizeof backend, err) < 0
               ? -1
               : result_write_as(dir, schema, backend, rows, n, err);
}

int result_write_some(const char *dir, const struct schema *schema, const void *rows, size_t n,
                      struct err *err)
{
    char path[PATH_SIZE];
    if (n)
        return result_write(dir, schema, rows, n, err);
    if (fs_path(path, sizeof path, err, "%s/%s", dir, schema->path) < 0)
        return -1;
    return unlink(path) == 0 || errno == ENOENT ? 0 : err_errno(err, "cannot remove '%s'", path);
}
