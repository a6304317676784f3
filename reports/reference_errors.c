/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference_errors.h"

#include <stdlib.h>
#include <string.h>

#include "reports/reference.h"

static const char *const columns[] = { "collective", "mapping",   "algorithm",  "model",    "split",
                                       "sizes",      "statistic", "median_pct", "high_pct", NULL };

static int read_row(const struct csv *csv, void *row, struct err *err)
{
    struct reference_error *r = row;
    *r = (struct reference_error){ .median_pct = 0 };
    return csv_copy(csv, csv_column(csv, "collective"), r->collective, NAME_SIZE, err) < 0 ||
                   csv_copy(csv, csv_column(csv, "mapping"), r->mapping, NAME_SIZE, err) < 0 ||
                   csv_copy(csv, csv_column(csv, "algorithm"), r->algorithm, NAME_SIZE, err) < 0 ||
                   csv_copy(csv, csv_column(csv, "model"), r->model, NAME_SIZE, err) < 0 ||
                   csv_copy(csv, csv_column(csv, "split"), r->split, sizeof r->split, err) < 0 ||
                   csv_copy(csv, csv_column(csv, "sizes"), r->sizes, sizeof r->sizes, err) < 0 ||
                   csv_copy(csv, csv_column(csv, "statistic"), r->statistic, sizeof r->statistic,
                            err) < 0 ||
                   csv_f64(csv, csv_column(csv, "median_pct"), &r->median_pct, err) < 0 ||
                   csv_f64(csv, csv_column(csv, "high_pct"), &r->high_pct, err) < 0
               ? -1
               : 0;
}

int reference_errors_read(const char *assets, struct reference_errors *reference, struct err *err)
{
    void *rows = NULL;
    *reference = (struct reference_errors){ .n = 0 };
    if (reference_rows(assets, "tallone-orfeo-epyc.csv", columns, sizeof *reference->row, read_row,
                       &rows, &reference->n, err) < 0)
        return -1;
    reference->row = rows;
    return 0;
}

void reference_errors_clear(struct reference_errors *reference)
{
    free(reference->row);
    *reference = (struct reference_errors){ .n = 0 };
}

const struct reference_error *reference_errors_find(const struct reference_errors *reference,
                                                    const struct cell *cell, const char *algorithm,
                                                    const char *model, const char *statistic,
                                                    const char *split, const char *sizes)
{
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_error *r = &reference->row[i];
        if (strcmp(r->collective, cell->collective) == 0 &&
            strcmp(r->mapping, cell->mapping) == 0 &&
            strcmp(r->algorithm, algorithm_base_name(algorithm)) == 0 &&
            strcmp(r->model, model) == 0 && strcmp(r->statistic, statistic) == 0 &&
            strcmp(r->split, split) == 0 && strcmp(r->sizes, sizes) == 0)
            return r;
    }
    return NULL;
}

const char *reference_errors_statistic(const struct reference_errors *reference,
                                       const char *collective, const char *model,
                                       const char *otherwise)
{
    for (size_t i = 0; i < reference->n; i++)
        if (strcmp(reference->row[i].collective, collective) == 0 &&
            strcmp(reference->row[i].model, model) == 0)
            return reference->row[i].statistic;
    return otherwise;
}
