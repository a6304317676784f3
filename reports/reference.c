/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference.h"

static int has_bytes(const void *row)
{
    return ((const struct reference_row *)row)->bytes > 0;
}

/* clang-format off */
static const struct schema_column own_columns[] = {
    COLUMN(reference_row, INT, "table", table, "", "number of the table in the paper"),
    COLUMN(reference_row, NAME, "cluster", cluster, "", "the our cluster file in place of theirs"),
    COLUMN(reference_row, INT, "procs", procs, "", "ranks", COLUMN_NONE(0)),
    COLUMN(reference_row, COUNT, "bytes", bytes, "bytes", "size of the message", .given = has_bytes),
    COLUMN(reference_row, NAME, "algorithm", algorithm, "", "without library; empty: the row is of none"),
    COLUMN(reference_row, NAME, "quantity", quantity, "", "what `value` is: `gamma`, `alpha_s`, `beta_s_per_byte`; `best`, `model`, `default`: what chose the algorithm, and the value is the degradation in percent"),
    COLUMN(reference_row, REAL, "value", value, "", "as printed"),
};
/* clang-format on */

const struct schema reference_schema = {
    .path = "reference/nuriyev2021.csv",
    .meaning = "What a paper has printed, one row per number.",
    SCHEMA_COLUMNS(reference_row, own_columns),
};

const struct reference_row *reference_find(const struct reference *reference, int table,
                                           const char *cluster, int procs, uint64_t bytes,
                                           const char *algorithm, const char *quantity)
{
    const struct reference_row *row = reference->row;
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_row *r = &row[i];
        if (r->table == table && strcmp(r->cluster, cluster) == 0 &&
            (!procs || r->procs == procs) && (!bytes || r->bytes == bytes) &&
            (!algorithm || strcmp(r->algorithm, algorithm) == 0) &&
            strcmp(r->quantity, quantity) == 0)
            return r;
    }
    return NULL;
}

/* clang-format off */
static const struct schema_column star_columns[] = {
    COLUMN(reference_star_row, TEXT, "item", item, "", "of the paper: its table or figure"),
    COLUMN(reference_star_row, NAME, "cluster", cluster, "", "the our cluster file in place of theirs"),
    COLUMN(reference_star_row, NAME, "collective", collective, "", "the MPI collective"),
    COLUMN(reference_star_row, COUNT, "bytes", bytes, "bytes", "per process, as the MPI call sees it"),
    COLUMN(reference_star_row, WORD, "scheme", scheme, "", "as in star.csv, and so what follows", .words = star_scheme_words),
    COLUMN(reference_star_row, INT, "measured", measured, "", "calls of Measure_Select", COLUMN_NONE(0)),
    COLUMN(reference_star_row, REAL, "measure_s", measure_s, "s", "of all of these"),
    COLUMN(reference_star_row, TEXT, "algorithm", algorithm, "", "in the paper's words"),
    COLUMN(reference_star_row, REAL, "measure_call_s", measure_call_s, "s", "of a call of Measure_Select"),
    COLUMN(reference_star_row, REAL, "monitor_call_s", monitor_call_s, "s", "of a call of Monitor_Adapt"),
    COLUMN(reference_star_row, REAL, "o_ms_a_s", o_ms_a_s, "s", "overhead"),
    COLUMN(reference_star_row, REAL, "o_ms_c_s", o_ms_c_s, "s", "likewise"),
    COLUMN(reference_star_row, REAL, "o_ma_s", o_ma_s, "s", "likewise"),
    COLUMN(reference_star_row, REAL, "default_s", default_s, "s", "of a call by MPICH 2, on Lemieux by its native MPI"),
    COLUMN(reference_star_row, REAL, "whole_call_s", whole_call_s, "s", "of a call, mean of 500 with both stages"),
};
/* clang-format on */

const struct schema reference_star_schema = {
    .path = "reference/star2006.csv",
    .meaning = "What the STAR-MPI paper has printed of its micro-benchmark.",
    SCHEMA_COLUMNS(reference_star_row, star_columns),
};

const struct reference_star_row *reference_star_find(const struct reference *reference,
                                                     const char *item, const char *cluster,
                                                     const struct star_row *ours)
{
    const struct reference_star_row *row = reference->row;
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_star_row *r = &row[i];
        if (r->bytes == ours->bytes && r->scheme == ours->scheme && strcmp(r->item, item) == 0 &&
            strcmp(r->cluster, cluster) == 0 && strcmp(r->collective, ours->collective) == 0)
            return r;
    }
    return NULL;
}

/* clang-format off */
static const struct schema_column pml_columns[] = {
    COLUMN(reference_pml_row, TEXT, "item", item, "", "of the paper: its table, figure or section"),
    COLUMN(reference_pml_row, NAME, "cluster", cluster, "", "the our cluster file in place of theirs, or `all`"),
    COLUMN(reference_pml_row, NAME, "collective", collective, "", "the MPI collective; empty: any"),
    COLUMN(reference_pml_row, TEXT, "holdout", holdout, "", "as `collsel select --holdout` takes what comes nearest to their split; empty: of none"),
    COLUMN(reference_pml_row, NAME, "selector", selector, "", "selector, by our names; empty: none"),
    COLUMN(reference_pml_row, INT, "nodes", nodes, "", "on so many; empty: not of one number", .most = 1000000, COLUMN_NONE(0)),
    COLUMN(reference_pml_row, NAME, "quantity", quantity, "", "`samples`, `accuracy_pct` (%), `loss_pct` (%), `times`, `minutes`, `seconds`: the comments of the file say of what"),
    COLUMN(reference_pml_row, REAL, "value", value, "", "as printed"),
};
/* clang-format on */

const struct schema reference_pml_schema = {
    .path = "reference/pml2023.csv",
    .meaning = "What the PML-MPI paper has printed.",
    SCHEMA_COLUMNS(reference_pml_row, pml_columns),
};

static int fits(const char *wanted, const char *has)
{
    return !wanted || strcmp(wanted, has) == 0;
}

const struct reference_pml_row *reference_pml_find(const struct reference *reference,
                                                   const char *quantity, const char *cluster,
                                                   const char *collective, const char *holdout,
                                                   const char *selector)
{
    const struct reference_pml_row *row = reference->row;
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_pml_row *r = &row[i];
        if (fits(quantity, r->quantity) && fits(cluster, r->cluster) &&
            fits(collective, r->collective) && fits(holdout, r->holdout) &&
            fits(selector, r->selector))
            return r;
    }
    return NULL;
}

/* clang-format off */
static const struct schema_column apps_columns[] = {
    COLUMN(reference_app, NAME, "application", application, "", "of ours, in place of the paper's"),
    COLUMN(reference_app, TEXT, "program", program, "", "the paper's"),
    COLUMN(reference_app, NAME, "size", size, "", "of workloads/apps/applications.txt, with the paper's message sizes"),
    COLUMN(reference_app, NAME, "cluster", cluster, "", "the our cluster file in place of theirs: topology (a) or (b)"),
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
    SCHEMA_COLUMNS(reference_app, apps_columns),
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
