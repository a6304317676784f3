/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_csv.c - fit/loggp.csv and fit/loggp_platform.csv on disk. */
#include <string.h>

#include "analysis/measure/result_file.h"
#include "analysis/models/loggp/loggp_fit.h"

const char *const loggp_cost_words[N_LOGGP_COSTS + 1] = {
    [LOGGP_LATENCY] = "latency",
    [LOGGP_SEND] = "send",
    [LOGGP_RECEIVE] = "receive",
};

/* clang-format off */
static const struct schema_column fit_columns[] = {
    PLATFORM_COLUMNS(loggp_fit, mpi, mapping),
    COLUMN(loggp_fit, NAME, "collective", collective, "", "the MPI collective"),
    CANDIDATE_COLUMNS(loggp_fit, candidate),
    COLUMN(loggp_fit, INT, "procs", procs, "", "the most ranks in any experiment"),
    COLUMN(loggp_fit, REAL, "latency_scale", scale.latency, "", "factor of the platform's latencies"),
    COLUMN(loggp_fit, REAL, "gap_scale", scale.gap, "", "factor of its other costs"),
    COLUMN(loggp_fit, REAL, "latency_stderr", stderr_of.latency, "", "standard error"),
    COLUMN(loggp_fit, REAL, "gap_stderr", stderr_of.gap, "", "standard error"),
    COLUMN(loggp_fit, REAL, "latency_low", low.latency, "", "interval at the study's confidence"),
    COLUMN(loggp_fit, REAL, "latency_high", high.latency, "", "its other end"),
    COLUMN(loggp_fit, REAL, "gap_low", low.gap, "", "interval at the study's confidence"),
    COLUMN(loggp_fit, REAL, "gap_high", high.gap, "", "its other end"),
    COLUMN(loggp_fit, REAL, "condition", condition, "", "condition number of the scaled equations"),
    COLUMN(loggp_fit, REAL, "mean_error", mean_error, "", "relative, over the experiments used"),
    COLUMN(loggp_fit, REAL, "worst_error", worst_error, "", "the largest of these"),
    COLUMN(loggp_fit, COUNT, "n", n, "", "experiments used"),
    COLUMN(loggp_fit, COUNT, "excluded", excluded, "", "experiments left out"),
    COLUMN(loggp_fit, WORD, "status", status, "", "what came of the fit; not ok: no numbers", .words = fit_status_words),
    COLUMN(loggp_fit, TEXT, "reason", reason, "", "why, where it is not ok"),
};

static const struct schema_column cost_columns[] = {
    PLATFORM_COLUMNS(loggp_cost, mpi, mapping),
    COLUMN(loggp_cost, WORD, "cost", cost, "", "of a message: on its way, to its sender, to its receiver", .words = loggp_cost_words),
    COLUMN(loggp_cost, COUNT, "bytes", bytes, "bytes", "of the message; costs are linear between these sizes"),
    COLUMN(loggp_cost, REAL, "seconds", seconds, "s", "what it costs"),
};
/* clang-format on */

const struct schema loggp_schema = {
    .path = "fit/loggp.csv",
    .meaning = "One row per candidate: what its times say of the platform's costs "
               "(`analysis/models/loggp/loggp_fit.h`).",
    SCHEMA_COLUMNS(loggp_fit, fit_columns),
    .backend = 1,
};

const struct schema loggp_cost_schema = {
    .path = "fit/loggp_platform.csv",
    .meaning = "The costs of a message, by library, mapping and size.",
    SCHEMA_COLUMNS(loggp_cost, cost_columns),
    .backend = 1,
};

static struct curve *curve_of(struct loggp_platform *p, enum loggp_cost_kind cost)
{
    return cost == LOGGP_LATENCY ? &p->costs.latency
           : cost == LOGGP_SEND  ? &p->costs.send
                                 : &p->costs.receive;
}

static void write_costs(struct csvw *w, struct loggp_platform *p)
{
    struct loggp_cost r;
    memcpy(r.mpi, p->mpi, sizeof r.mpi);
    memcpy(r.mapping, p->mapping, sizeof r.mapping);
    for (int k = 0; k < N_LOGGP_COSTS; k++) {
        const struct curve *curve = curve_of(p, r.cost = (enum loggp_cost_kind)k);
        for (size_t i = 0; i < curve->n; i++) {
            r.bytes = (uint64_t)curve->bytes[i];
            r.seconds = curve->seconds[i];
            schema_row(w, &loggp_cost_schema, &r);
        }
    }
}

int loggp_fits_write(const char *dir, const struct loggp_fits *fits, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (result_write(dir, &loggp_schema, fits->fit, fits->n, err) < 0 ||
        result_open(dir, &loggp_cost_schema, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < fits->n_platforms; i++)
        write_costs(&w, &fits->platform[i]);
    return fs_commit(&f, err);
}
