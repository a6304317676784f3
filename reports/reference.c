/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/fs.h"

static const char *const columns[] = { "table",     "cluster",  "procs", "bytes",
                                       "algorithm", "quantity", "value", NULL };

static int read_row(const struct csv *csv, void *row, struct err *err)
{
    struct reference_row *r = row;
    int procs = csv_column(csv, "procs"), bytes = csv_column(csv, "bytes");
    *r = (struct reference_row){ 0 };
    if (csv_int(csv, csv_column(csv, "table"), &r->table, err) < 0 ||
        csv_copy(csv, csv_column(csv, "cluster"), r->cluster, sizeof r->cluster, err) < 0 ||
        csv_copy(csv, csv_column(csv, "algorithm"), r->algorithm, sizeof r->algorithm, err) < 0 ||
        csv_copy(csv, csv_column(csv, "quantity"), r->quantity, sizeof r->quantity, err) < 0 ||
        csv_f64(csv, csv_column(csv, "value"), &r->value, err) < 0)
        return -1;
    if (*csv_text(csv, procs) && csv_int(csv, procs, &r->procs, err) < 0)
        return -1;
    return *csv_text(csv, bytes) ? csv_u64(csv, bytes, &r->bytes, err) : 0;
}

int reference_rows(const char *assets, const char *name, const char *const *needed, size_t size,
                   int (*read)(const struct csv *csv, void *row, struct err *err), void **rows,
                   size_t *n, struct err *err)
{
    char path[PATH_SIZE], *row = NULL;
    int more = -1;
    *n = 0;
    if (fs_path(path, sizeof path, err, "%s/reference/%s", assets, name) < 0)
        return -1;
    struct csv *csv = csv_open(path, needed, err);
    while (csv && (more = csv_next(csv, err)) > 0) {
        void *added = array_append(&row, n, 1, size);
        more = added ? read(csv, added, err) : err_set(err, "out of memory");
        if (more < 0)
            break;
    }
    csv_close(csv);
    if (more < 0)
        free(row);
    else
        *rows = row;
    return more;
}

int reference_read(const char *assets, struct reference *reference, struct err *err)
{
    void *rows = NULL;
    *reference = (struct reference){ 0 };
    if (reference_rows(assets, "nuriyev2021.csv", columns, sizeof *reference->row, read_row, &rows,
                       &reference->n, err) < 0)
        return -1;
    reference->row = rows;
    return 0;
}

void reference_clear(struct reference *reference)
{
    free(reference->row);
    *reference = (struct reference){ 0 };
}

const struct reference_row *reference_find(const struct reference *reference, int table,
                                           const char *cluster, int procs, uint64_t bytes,
                                           const char *algorithm, const char *quantity)
{
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_row *r = &reference->row[i];
        if (r->table == table && strcmp(r->cluster, cluster) == 0 &&
            (!procs || r->procs == procs) && (!bytes || r->bytes == bytes) &&
            (!algorithm || strcmp(r->algorithm, algorithm) == 0) &&
            strcmp(r->quantity, quantity) == 0)
            return r;
    }
    return NULL;
}
