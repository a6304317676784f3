/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/plan_build.h"

#include <string.h>

#include "harness/study/plan/experiments.h"
#include "harness/study/plan/grid.h"
#include "harness/study/plan/launches.h"
#include "harness/study/plan/wanted.h"

/* Everything of one collective, library and mapping. */
static int want_mapping(struct wanted *w, const char *collective, const char *mpi,
                        const char *mapping)
{
    struct point point = { .experiment = EXP_TIME };
    snprintf(point.cell.collective, NAME_SIZE, "%.63s", collective);
    snprintf(point.cell.mpi, NAME_SIZE, "%.63s", mpi);
    snprintf(point.cell.mapping, NAME_SIZE, "%.63s", mapping);
    if (grid_want(w, &point) < 0)
        return -1;
    return w->study->experiments ? experiments_want_fits(w, &point) : 0;
}

static const char *const stand_ins[][2] = { { "sim", "smpi" },
                                            { "walk", "walk" },
                                            { "null", "null" } };
enum { N_STAND_INS = sizeof stand_ins / sizeof *stand_ins };

const char *plan_stand_in(const char *backend)
{
    for (size_t i = 0; i < N_STAND_INS; i++)
        if (strcmp(stand_ins[i][0], backend) == 0)
            return stand_ins[i][1];
    return NULL;
}

int plan_stands_in(const char *mpi)
{
    for (size_t i = 0; i < N_STAND_INS; i++)
        if (strcmp(stand_ins[i][1], mpi) == 0)
            return 1;
    return 0;
}

int plan_is_exact(const char *mpi)
{
    return plan_stands_in(mpi) && strcmp(mpi, "null") != 0;
}

static int want_all(struct wanted *w, const char *backend)
{
    const struct study *s = w->study;
    for (size_t m = 0; m < (w->simulated ? 1 : s->mpi.n); m++) {
        const char *mpi = w->simulated ? plan_stand_in(backend) : s->mpi.v[m];
        for (size_t c = 0; c < s->collectives.n; c++)
            for (size_t k = 0; k < s->mappings.n; k++)
                if (want_mapping(w, s->collectives.v[c], mpi, s->mappings.v[k]) < 0)
                    return -1;
        if (s->experiments && experiments_want_channels(w, mpi) < 0)
            return -1;
    }
    return 0;
}

int plan_build(const struct cluster *cluster, const struct study *study, const char *backend,
               struct plan *plan, struct err *err)
{
    struct wanted w = { .cluster = cluster,
                        .study = study,
                        .err = err,
                        .simulated = plan_stand_in(backend) != NULL,
                        .queued = strcmp(backend, "slurm") == 0 || strcmp(backend, "kit") == 0 };
    *plan = (struct plan){ 0 };
    int status = want_all(&w, backend);
    if (status == 0 && w.n == 0)
        status = err_usage(err, "%s: nothing of this study can be measured on '%s'%s%s",
                           study->path, cluster->name, w.n_skipped ? ": " : "",
                           w.n_skipped ? w.skipped[0].reason : "");
    if (status == 0)
        launches_deal(&w, plan);
    plan->skipped = w.skipped; /* the plan's from now on */
    plan->n_skipped = w.n_skipped;
    w.skipped = NULL;
    wanted_clear(&w);
    if (status < 0)
        plan_free(plan);
    return status;
}
