/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - any table of separated columns, by --map. */
#include "harness/import/import.h"

static int read_csv(struct import *job)
{
    const struct import_options *o = job->options;
    enum role needed[MAX_MAP + 1];
    const struct table_form form = { .columns = o->map, .n = o->n_map, .needed = needed };
    if (!o->n_map)
        return err_usage(&job->err, "format csv wants --map, e.g. bytes=size,procs=P,max_s=max:us");
    for (size_t i = 0; i < o->n_map; i++)
        needed[i] = o->map[i].role;
    needed[o->n_map] = ROLE_NONE;
    return import_table(job, &form);
}

const struct import_format format_csv = {
    .name = "csv",
    .help = "any table of separated columns under a header, with --map",
    .suffix = ".csv",
    .read = read_csv,
};
