/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference_apps.h"

#include <string.h>

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(reference_app, NAME, "application", application, "", "of ours, that stands for the paper's"),
    COLUMN(reference_app, TEXT, "program", program, "", "the paper's"),
    COLUMN(reference_app, NAME, "size", size, "", "of workloads/apps/applications.txt, with the paper's message sizes"),
    COLUMN(reference_app, NAME, "cluster", cluster, "", "the cluster file of ours that stands for theirs: topology (a) or (b)"),
    COLUMN(reference_app, INT, "ranks", ranks, "", "of the program"),
    COLUMN(reference_app, INT, "steps", steps, "", "time steps, or transforms"),
    COLUMN(reference_app, NAME, "collective", collective, "", "its major operation"),
    COLUMN(reference_app, COUNT, "bytes", bytes, "bytes", "per process, as the MPI call sees it (Table 2)"),
    COLUMN(reference_app, TEXT, "star", star, "", "STAR's algorithm, in the paper's words (Table 3)"),
    COLUMN(reference_app, TEXT, "static", fixed, "", "STATIC's"),
    COLUMN(reference_app, TEXT, "default", usual, "", "MPICH's"),
    COLUMN(reference_app, REAL, "star_s", star_s, "s", "of the program under STAR (Table 4)"),
    COLUMN(reference_app, REAL, "static_s", fixed_s, "s", "under STATIC"),
    COLUMN(reference_app, REAL, "default_s", usual_s, "s", "under MPICH"),
    COLUMN(reference_app, REAL, "best_s", best_s, "s", "under STAR', without its overhead (Table 5)"),
};
/* clang-format on */

const struct schema reference_apps_schema = {
    .path = "reference/star2006_applications.csv",
    .meaning = "What the STAR-MPI paper has printed of its applications.",
    SCHEMA_COLUMNS(reference_app, columns),
};

const struct reference_app *reference_apps_find(const struct reference *reference,
                                                const struct apps_run *run)
{
    const struct reference_app *row = reference->row;
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_app *r = &row[i];
        if (r->ranks == run->ranks && strcmp(r->application, run->application) == 0 &&
            strcmp(r->size, run->size) == 0)
            return r;
    }
    return NULL;
}
