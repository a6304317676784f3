/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"

static const char *const columns[] = { "table",     "cluster",  "procs", "bytes",
                                       "algorithm", "quantity", "value", NULL };

static int read_row(const struct csv *csv, struct reference_row *r, struct err *err)
{
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

int reference_read(const char *assets, struct reference *reference, struct err *err)
{
    char path[PATH_SIZE];
    int more = -1;
    *reference = (struct reference){ 0 };
    if (fs_path(path, sizeof path, err, "%s/reference/nuriyev2021.csv", assets) < 0)
        return -1;
    struct csv *csv = csv_open(path, columns, err);
    while (csv && (more = csv_next(csv, err)) > 0) {
        void *grown = reallocarray(reference->row, reference->n + 1, sizeof(struct reference_row));
        if (grown)
            reference->row = grown;
        if (!grown || read_row(csv, &reference->row[reference->n++], err) < 0) {
            more = grown ? -1 : err_set(err, "out of memory");
            break;
        }
    }
    csv_close(csv);
    if (more < 0)
        reference_clear(reference);
    return more;
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
