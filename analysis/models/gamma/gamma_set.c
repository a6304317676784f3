/* SPDX-License-Identifier: BSD-3-Clause */
/* gamma_set.c - gamma as a set of parameters. */
#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/models/parameters.h"

static int fit(const struct fit_from *from, const struct parameters *p, void *value,
               struct err *err)
{
    (void)p;
    (void)err;
    gamma_fit(from->points, from->facts->statistic, value);
    return 0;
}

PARAMETER_SET_FILES(gamma_models_write, gamma_models_clear)

static void print(FILE *out, const void *value)
{
    const struct gamma_models *g = value;
    for (size_t i = 0; i < g->n; i++) {
        const struct gamma_model *m = &g->model[i];
        fprintf(out, "gamma %s %s, %s:", m->mpi, m->mapping, gamma_direction_name(m->direction));
        for (size_t k = 0; k < m->gamma.n; k++)
            fprintf(out, " %d:%.3f", m->gamma.procs[k], m->gamma.value[k]);
        if (m->status == FIT_OK)
            fprintf(out, "; linear %.4f + %.4f P (R2 %.4f)", m->gamma.intercept, m->gamma.slope,
                    m->r2);
        if (m->implausible)
            fprintf(out, "; below 1 or falling, which cannot be: not used (no_gamma)");
        fprintf(out, "\n");
    }
}

const struct parameter_set gamma_set = {
    .name = "gamma",
    .size = sizeof(struct gamma_models),
    .fit = fit,
    .write = write_set,
    .print = print,
    .clear = clear_set,
};
