/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"

enum { MOST_COLUMNS = 47 };

/* Every text but a reason is a name, and names go into scripts and file names: letters, digits and
 * "_-.:+" only. */
static int read_text(const struct csv *csv, const struct field *f, int column, char *at,
                     struct err *err)
{
    static const char fine[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:+";
    if (csv_copy(csv, column, at, f->size, err) < 0)
        return -1;
    if (strcmp(f->column, "reason") != 0 && at[strspn(at, fine)])
        return csv_fail(csv, err, "%s: '%s' is not a name (want letters, digits, _ - . : +)",
                        f->column, at);
    return 0;
}

static int read_field(const struct csv *csv, const struct field *f, int column, char *row,
                      struct err *err)
{
    void *at = row + f->offset;
    int missing = *csv_text(csv, column) == '\0';
    switch (f->kind) {
    case FIELD_TEXT:
        return read_text(csv, f, column, at, err);
    case FIELD_REAL:
        return csv_f64(csv, column, at, err);
    case FIELD_SIZE:
        return csv_u64(csv, column, at, err);
    case FIELD_INT:
        return csv_int(csv, column, at, err);
    case FIELD_INT_OR_NONE:
        *(int *)at = -1;
        return missing ? 0 : csv_int(csv, column, at, err);
    case FIELD_LONG_OR_NONE:
        *(int64_t *)at = -1;
        return missing ? 0 : csv_u64(csv, column, at, err);
    }
    return 0;
}

/* Reads all rows into *rows (to be freed), each of `size` bytes. */
static int read_rows(struct csv *csv, const struct field *fields, size_t size, char **rows,
                     size_t *n, struct err *err)
{
    int column[MOST_COLUMNS + 1], more;
    size_t room = 0;
    for (size_t i = 0; fields[i].column; i++)
        column[i] = csv_column(csv, fields[i].column);
    while ((more = csv_next(csv, err)) > 0) {
        if (*n == room) {
            room = room ? 2 * room : 256;
            char *grown = reallocarray(*rows, room, size);
            if (!grown)
                return err_set(err, "%s: out of memory", csv_path(csv));
            *rows = grown;
        }
        char *row = *rows + *n * size;
        memset(row, 0, size);
        for (size_t i = 0; fields[i].column; i++)
            if (read_field(csv, &fields[i], column[i], row, err) < 0)
                return -1;
        (*n)++;
    }
    return csv_end(csv, more, err);
}

int rows_read(const char *dir, const char *name, const struct field *fields, size_t size,
              void **rows, size_t *n, struct err *err)
{
    char path[PATH_SIZE];
    const char *columns[MOST_COLUMNS + 1];
    size_t k = 0;
    char *all = NULL;
    *rows = NULL;
    *n = 0;
    for (; fields[k].column; k++)
        columns[k] = fields[k].column;
    columns[k] = NULL;
    if (fs_path(path, sizeof path, err, "%s/%s", dir, name) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    struct csv *csv = csv_open(path, columns, err);
    int status = csv ? read_rows(csv, fields, size, &all, n, err) : -1;
    csv_close(csv);
    *rows = all;
    return status;
}
